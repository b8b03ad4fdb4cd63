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
  EXPECT_TRUE(absl::StrContains(files.at("issue.md"), "# [mine 1] tosa.add: wrong-value"));
  TemporaryDirectory temporary;
  for (const auto& [name, text] : files) Spill(temporary / name, text);
  const std::string log = temporary / "log";
  EXPECT_EQ(std::system(absl::StrCat("bash ", temporary / "repro.sh", " > ", log, " 2>&1").c_str()), 0);
  EXPECT_EQ(Slurp(log), "1\nmain 2 1.npy\n");
  EXPECT_FALSE(std::filesystem::exists(temporary / "spoiled"));
}

}  // namespace
}  // namespace tosaic
