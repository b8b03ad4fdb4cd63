// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "importing/mlir_cases.h"

#include <gtest/gtest.h>

#include <set>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

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
  constexpr absl::string_view kText = R"(func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %1 = tosa.abs %0 : (tensor<?xf32>) -> tensor<?xf32>
    return %1 : tensor<?xf32>
  })";
  const auto once = CasesInMlir("a.mlir", kText, false, 6, 1, {}),
             again = CasesInMlir("a.mlir", kText, false, 6, 1, {});
  const auto other = CasesInMlir("a.mlir", kText, false, 6, 2, {});
  ASSERT_TRUE(once.ok() && again.ok() && other.ok()) << once.status();
  ASSERT_EQ(once->size(), 1u);
  ASSERT_TRUE((*once)[0].test_case);
  EXPECT_EQ((*once)[0].test_case->runs.size(), 6u);
  EXPECT_EQ((*once)[0].test_case->twin, "all-returned");
  EXPECT_EQ((*once)[0].test_case, (*again)[0].test_case);
  EXPECT_NE((*once)[0].test_case->runs, (*other)[0].test_case->runs);
}

// Code for vectors of 64 elements and what is left of them runs, too.
TEST(MlirCases, AnOpenDimensionIsLongerThanVectorsAre) {
  constexpr absl::string_view kText = R"(func.func @f(%a: tensor<?xi32>) -> tensor<?xi32> {
    %0 = tosa.abs %a : (tensor<?xi32>) -> tensor<?xi32>
    return %0 : tensor<?xi32>
  })";
  for (const std::optional<int> runs : {std::optional<int>(), std::optional<int>(3)}) {
    const auto cases = CasesInMlir("a.mlir", kText, false, runs, 1, {});
    ASSERT_TRUE(cases.ok() && cases->size() == 1 && (*cases)[0].test_case) << cases.status();
    std::set<int64_t> sizes;
    for (const auto& run : (*cases)[0].test_case->runs) sizes.insert(run[0].sizes()[0]);
    EXPECT_EQ(*sizes.rbegin(), 67);
    EXPECT_LE(*sizes.begin(), 3);
  }
}

// Code may end at a division by 0, and nothing then tells what comes before.
TEST(MlirCases, NoRunDividesByZeroBehindAnotherOp) {
  constexpr absl::string_view kText = R"(func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
    %0 = tosa.identity %b : (tensor<4xi32>) -> tensor<4xi32>
    %1 = tosa.intdiv %a, %0 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func @zero(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
    %0 = tosa.bitwise_xor %b, %b : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %1 = tosa.intdiv %a, %0 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  })";
  const auto cases = CasesInMlir("a.mlir", kText, false, std::nullopt, 1, {});
  ASSERT_TRUE(cases.ok() && cases->size() == 2) << cases.status();
  const std::vector<::tosaic::Run>& runs = cases->front().test_case->runs;
  EXPECT_GT(runs.size(), 30u);
  for (const ::tosaic::Run& run : runs) {
    for (size_t i = 0; i < 4; ++i) EXPECT_NE(run[1].Bits(i), 0u);
  }
  EXPECT_GT(cases->back().test_case->runs.size(), 30u) << "no run of it is defined, and all stay";
}

TEST(MlirCases, ArgumentsHaveTheElementsThatAReshapeTakes) {
  const auto cases = CasesInMlir("a.mlir", R"(func.func @f(%x: tensor<?x?xf32>) -> tensor<5x7xf32> {
    %s = tosa.const_shape {values = dense<[5, 7]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %0 = tosa.reshape %x, %s : (tensor<?x?xf32>, !tosa.shape<2>) -> tensor<5x7xf32>
    return %0 : tensor<5x7xf32>
  })",
                                 false, std::nullopt, 1, {});
  ASSERT_TRUE(cases.ok() && cases->size() == 1) << cases.status();
  EXPECT_GT(cases->front().test_case->runs.size(), 8u);
}

TEST(MlirCases, WhatTakesTooLongToReadIsNoFaultOfMlir) {
  std::string text = "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n";
  for (int i = 0; i < 200'000; ++i) {
    absl::StrAppend(&text, "  %", i, " = tosa.abs %", i == 0 ? "a" : absl::StrCat(i - 1),
                    " : (tensor<2xf32>) -> tensor<2xf32>\n");
  }
  absl::StrAppend(&text, "  return %199999 : tensor<2xf32>\n}\n");
  const auto cases = CasesInMlir("a.mlir", text, false, 1, 1, {.cpu_seconds = 1, .wall_seconds = 60});
  EXPECT_EQ(cases.status(), absl::InternalError("a.mlir: reading it takes more than the time limit of a case "
                                                "(--cpu-limit, --wall-limit)"));
}

TEST(MlirCases, WhatReturnsAllItselfHasNoTwin) {
  const auto cases = CasesInMlir("a.mlir", R"(func.func @f(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    %0 = tosa.exp %a : (tensor<?xf32>) -> tensor<?xf32>
    %1 = tosa.abs %0 : (tensor<?xf32>) -> tensor<?xf32>
    return %0, %1 : tensor<?xf32>, tensor<?xf32>
  })",
                                 false, 6, 1, {});
  ASSERT_TRUE(cases.ok()) << cases.status();
  EXPECT_EQ(cases->at(0).test_case->twin, "");
}

// Data that a function states itself are its only run. If it has arguments too, each drawn run has these data beside
// the drawn ones.
TEST(MlirCases, TheFunctionsOwnDataAreItsRuns) {
  const auto cases = [](absl::string_view argument, absl::string_view type) {
    return CasesInMlir("a.mlir",
                       absl::StrCat("func.func @f(", argument, R"() {
    %0 = util.unfoldable_constant dense<[1.0, 2.0]> : tensor<2xf32>
    %1 = tosa.add %0, %a : (tensor<2xf32>, )",
                                    type, ") -> tensor<2xf32>\n check.print %1 : tensor<2xf32>\n return }"),
                       false, std::nullopt, 1, {});
  };
  const auto both = cases("%a: tensor<?xf32>", "tensor<?xf32>");
  ASSERT_TRUE(both.ok() && both->size() == 1 && (*both)[0].test_case) << both.status();
  EXPECT_GT((*both)[0].test_case->runs.size(), 8u);
  for (const tosaic::Run& run : (*both)[0].test_case->runs) EXPECT_EQ(DataToHex(run[1]), "3f800000 40000000");
  const auto own = CasesInMlir("a.mlir", R"(func.func @f() {
    %0 = util.unfoldable_constant dense<[1.0, 2.0]> : tensor<2xf32>
    %1 = tosa.abs %0 : (tensor<2xf32>) -> tensor<2xf32>
    check.expect_eq_const(%1, dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
    return
  })",
                               false, std::nullopt, 1, {});
  ASSERT_TRUE(own.ok() && own->size() == 1 && (*own)[0].test_case) << own.status();
  ASSERT_EQ((*own)[0].test_case->runs.size(), 1u);
  EXPECT_EQ(DataToHex((*own)[0].test_case->runs[0][0]), "3f800000 40000000");
}

}  // namespace
}  // namespace tosaic
