// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/reproducer/own_command.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/mlir_text.h"
#include "model/npy.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

TEST(OwnCommand, RunsTheImplementationOnTheFilesOfTheFolder) {
  const TensorType type{Shape({Dim::Static(2)}), ElementType::kF32};
  Case test_case;
  test_case.program.arguments = {type, type};
  OpApplication add;
  add.operands = {{ValueRef::Kind::kArgument, 0}, {ValueRef::Kind::kArgument, 1}};
  add.result = type;
  test_case.program.ops = {add};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  test_case.runs = {{Tensor(ElementType::kF32, {2}), Tensor(ElementType::kF32, {2})}};
  Judgement judgement;
  judgement.verdict = Verdict::kWrongValue;
  judgement.expected = "0\n1";
  judgement.actual = "$(touch spoiled)";
  const auto files =
      OwnCommandFiles(test_case, judgement, "wrong-value/add/f32",
                      {.implementation = "mine 1",
                       .command = "grep -c tosa.add \"$program\"\necho \"$function\" \"$#\" \"$2\"\ncmp \"$1\" \"$2\"",
                       .module = ToMlir(test_case.program),
                       .inputs = test_case.runs.front()});
  EXPECT_EQ(files.at("1.npy"), ToNpy(test_case.runs.front()[1]));
  EXPECT_TRUE(absl::StrContains(files.at("issue.md"), "# [mine 1] tosa.add (f32) gives a wrong value\n"));
  TemporaryDirectory temporary;
  for (const auto& [name, text] : files) Spill(temporary / name, text);
  const std::string log = temporary / "log";
  EXPECT_EQ(std::system(absl::StrCat("bash ", temporary / "repro.sh", " > ", log, " 2>&1").c_str()), 0);
  EXPECT_EQ(Slurp(log), "1\nmain 2 1.npy\n");
  EXPECT_FALSE(std::filesystem::exists(temporary / "spoiled"));
}

TEST(OwnCommand, TheTitleSaysWhatIsWrong) {
  const TensorType type{Shape({Dim::Static(1)}), ElementType::kF32};
  Case test_case;
  test_case.program.arguments = {type};
  test_case.program.ops = {{.op = OpKind::kSin, .operands = {{ValueRef::Kind::kArgument, 0}}, .result = type}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  const auto title = [&](const Judgement& judgement) {
    const std::string issue =
        OwnCommandFiles(test_case, judgement, "signature", {.implementation = "iree 3.13.0"}).at("issue.md");
    return issue.substr(0, issue.find('\n'));
  };
  const ElementMismatch mismatch = {.inputs = {"-3.09e38"}, .expected = "[-1, 1]", .actual = "inf"};
  EXPECT_EQ(title({.verdict = Verdict::kWrongValue, .mismatch = mismatch}),
            "# [iree 3.13.0] sin(-3.09e38) in f32 gives inf, which is not in [-1, 1]");
  EXPECT_EQ(title({.verdict = Verdict::kFalseReject, .stage = Stage::kVerify}),
            "# [iree 3.13.0] the verifier rejects valid tosa.sin (f32)");
}

}  // namespace
}  // namespace tosaic
