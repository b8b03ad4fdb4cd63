// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/checking/mlir_cases.h"

#include <gtest/gtest.h>

#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

CheckedCase CheckedOf(Outcome outcome, Verdict verdict) {
  CheckedCase checked;
  checked.observation.outcome = outcome;
  checked.judgement.verdict = verdict;
  checked.signature.detail = "a/b";
  return checked;
}

TEST(MlirCases, AnExpectedRefusalAgreesAndNothingElseDoes) {
  const struct {
    Outcome outcome;
    Verdict before, after;
  } rows[] = {
      {Outcome::kRefused, Verdict::kFalseReject, Verdict::kAgree},
      {Outcome::kRefused, Verdict::kLoweringFailed, Verdict::kAgree},
      {Outcome::kRefused, Verdict::kAgree, Verdict::kAgree},
      {Outcome::kIllegalIr, Verdict::kLoweringFailed, Verdict::kLoweringFailed},
      {Outcome::kSignal, Verdict::kCrash, Verdict::kCrash},
      {Outcome::kCompleted, Verdict::kWrongValue, Verdict::kWrongValue},
      {Outcome::kCompleted, Verdict::kFalseAccept, Verdict::kFalseAccept},
  };
  for (const auto& row : rows) {
    CheckedCase checked = CheckedOf(row.outcome, row.before);
    ApplyExpectedError(&checked);
    EXPECT_EQ(checked.judgement.verdict, row.after) << Name(row.before);
    EXPECT_EQ(checked.judgement.notes.empty(),
              row.outcome == Outcome::kIllegalIr ? false : row.before == Verdict::kAgree)
        << Name(row.before);
  }
}

TEST(MlirCases, TheSameSeedGivesTheSameRuns) {
  TemporaryDirectory temporary;
  const std::string path = temporary / "a.mlir";
  Spill(path, R"(func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %1 = tosa.abs %0 : (tensor<?xf32>) -> tensor<?xf32>
    return %1 : tensor<?xf32>
  })");
  const auto once = CasesInMlir(path, false, 6, 1, {}), again = CasesInMlir(path, false, 6, 1, {});
  const auto other = CasesInMlir(path, false, 6, 2, {});
  ASSERT_TRUE(once.ok() && again.ok() && other.ok()) << once.status();
  ASSERT_EQ(once->size(), 1u);
  ASSERT_TRUE((*once)[0].test_case);
  EXPECT_EQ((*once)[0].test_case->runs.size(), 6u);
  EXPECT_EQ((*once)[0].test_case->twin, "all-returned");
  EXPECT_EQ((*once)[0].test_case, (*again)[0].test_case);
  EXPECT_NE((*once)[0].test_case->runs, (*other)[0].test_case->runs);
  EXPECT_FALSE(CasesInMlir(temporary / "none.mlir", false, 6, 1, {}).ok());
}

}  // namespace
}  // namespace tosaic
