// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The MLIR that is linked to Tosaic, once more behind its C API, as a library of a user's own build would be: what is
// said of it must be what is said of the one in this process. one_mlir_test.cpp has many cases more.
#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "checking/files.h"
#include "checking/library_function.h"
#include "codec/codec.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"
#include "toolchain/capi/capi_toolchain.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/observe_isolated.h"

namespace tosaic {
namespace {

// The verdict and the signature of a case.
std::string Found(Toolchain& toolchain, const Case& test_case) {
  const CheckedCase checked = CheckCase(toolchain, test_case, {}, {});
  return absl::StrCat(Name(checked.judgement.verdict), " ",
                      checked.signature.empty() ? "" : ToString(checked.signature));
}

class LibraryOfOwnBuild : public testing::Test {
 protected:
  void SetUp() override {
#ifdef TOSAIC_MLIR_C_LIBRARY
    in_process_ = CreateMlirToolchain({.library_function = OracleLibrary()}).value();
    library_ = CreateCapiToolchain({.file = TOSAIC_MLIR_C_LIBRARY},
                                   {.library_function = OracleLibrary(), .worker = TOSAIC_CAPI_WORKER})
                   .value();
#else
    GTEST_SKIP() << "not tried: this MLIR comes without the archives of its C API";
#endif
  }

  std::unique_ptr<Toolchain> in_process_, library_;
};

TEST_F(LibraryOfOwnBuild, IsOfTheVersionInThisProcess) {
  EXPECT_EQ(library_->description().mlir_version, in_process_->description().mlir_version);
}

// The same, with the operands and results of the calls.
TEST_F(LibraryOfOwnBuild, CallsAnExternalLibraryAlike) {
  GeneratorOptions options;
  options.routes = {{"library-call", 1}};
  options.illegal_percent = 0;
  for (uint64_t number = 0; number < 30; ++number) {
    const Case test_case = GenerateCase(11, number, options);
    const Observation ours = ObserveIsolated(*in_process_, test_case, {});  // MLIR dies of some
    const Observation theirs = ObserveIsolated(*library_, test_case, {});
    ASSERT_EQ(ours.runs.size(), theirs.runs.size()) << ToLine(test_case);
    for (size_t run = 0; run < ours.runs.size(); ++run) {
      EXPECT_EQ(ours.runs[run].library_calls, theirs.runs[run].library_calls) << ToLine(test_case);
    }
    EXPECT_EQ(Found(*library_, test_case), Found(*in_process_, test_case)) << ToLine(test_case);
  }
}

// canonicalize leaves a constant of a type without static shape, and IR that does not verify.
TEST_F(LibraryOfOwnBuild, BlamesTheSameOfTwoFaults) {
  const TemporaryDirectory directory;
  const std::string file = directory / "case.json";
  Spill(file, R"({"tosaic_case": 1, "route": "canonicalized", "runs": [[]], "program": {
    "arguments": [], "results": ["%0", "%1"],
    "constants": [{"type": "i32", "shape": [2], "data": "00000001 00000001"},
                  {"type": "i32", "shape": [1], "data": "00000001"},
                  {"type": "i32", "shape": [1], "data": "ffffffff"}],
    "ops": [{"op": "intdiv", "operands": ["%cst0", "%cst0"], "attributes": {}, "result": "tensor<?xi32>"},
            {"op": "intdiv", "operands": ["%cst1", "%cst2"], "attributes": {}, "result": "tensor<?xi32>"}]}})");
  const Case test_case = ReadCase(file).value();
  const std::string found = Found(*in_process_, test_case);
  EXPECT_TRUE(absl::StartsWith(found, "lowering-failed ")) << found;
  EXPECT_EQ(Found(*library_, test_case), found);
}

}  // namespace
}  // namespace tosaic
