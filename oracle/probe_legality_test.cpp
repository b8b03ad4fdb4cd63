// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/probe_legality.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

OpSignature Probe(absl::string_view text) { return *ParseOpSignature(text); }

struct ProbeRow {
  const char* probe;
  Answer answer;
  RuleId rule;
  const char* inferred;  // null: nothing
};

// Rows beyond the 13 examples of the document, which lie in corpus/spec.
TEST(JudgeProbe, AnyNumberOfOperandsOfAnyElementType) {
  constexpr ProbeRow kRows[] = {
      {"broadcastable() -> tensor<i32>", Answer::kRefuse, RuleId::kBcastPropertyOperands, nullptr},
      {"broadcastable(i32) -> tensor<i32>", Answer::kRefuse, RuleId::kBcastPropertyContainer, nullptr},
      {"broadcastable(tensor<i32>) -> f32", Answer::kRefuse, RuleId::kBcastPropertyContainer, nullptr},
      {"broadcastable(tensor<*xi32>) -> tensor<4x?xi32>", Answer::kAccept, RuleId::kBcastVerifyUnrankedOperands,
       nullptr},
      {"broadcastable(tensor<*xi1>, tensor<2xi8>, tensor<*xf16>) -> tensor<2xi32>", Answer::kAccept,
       RuleId::kBcastVerifyEqual, "2"},
      {"broadcastable(tensor<1xi1>, tensor<3x1xi8>, tensor<2x1x1xf16>) -> tensor<2x3x1xi32>", Answer::kAccept,
       RuleId::kBcastVerifyEqual, "2x3x1"},
      {"broadcastable(tensor<?xi1>, tensor<1xi1>, tensor<4xi1>, tensor<?xi1>, tensor<1x1xi1>, tensor<i1>) -> "
       "tensor<1x4xi1>",
       Answer::kAccept, RuleId::kBcastVerifyEqual, "1x4"},
      {"broadcastable(tensor<?xi1>, tensor<3xi1>, tensor<1xi1>, tensor<2xi1>) -> tensor<*xi1>", Answer::kRefuse,
       RuleId::kBcastInferConflict, nullptr},
      {"broadcastable(tensor<2xi32>) -> tensor<1x2xi32>", Answer::kRefuse, RuleId::kBcastVerifyRank, "2"},
      {"broadcastable(vector<2xi32>, vector<3x1xi32>) -> vector<3x2xi32>", Answer::kAccept, RuleId::kBcastVerifyEqual,
       "3x2"},
      {"broadcastable(vector<2xi32>) -> vector<3xi32>", Answer::kRefuse, RuleId::kBcastVerifyDifferent, "2"},
      {"broadcastable(vector<2xi32>, tensor<2xi32>) -> tensor<2xi32>", Answer::kEither, RuleId::kBcastPropertyMixed,
       "2"},
      {"broadcastable(vector<2xi32>, tensor<3xi32>) -> tensor<2xi32>", Answer::kRefuse, RuleId::kBcastInferConflict,
       nullptr},
      {"broadcastable(tensor<0xi32>, tensor<?xi32>) -> tensor<3xi32>", Answer::kEither, RuleId::kBcastDimensionZero,
       nullptr},
      {"broadcastable(tensor<1xi32>) -> tensor<0xi32>", Answer::kEither, RuleId::kBcastDimensionZero, nullptr},
      {"broadcastable(tensor<2xi32>) -> tensor<0xi32>", Answer::kRefuse, RuleId::kBcastVerifyDifferent, nullptr},
      {"broadcastable(tensor<2xi32>, tensor<3xi32>) -> tensor<0xi32>", Answer::kRefuse, RuleId::kBcastInferConflict,
       nullptr},
      {"broadcastable(tensor<2xi32>) -> tensor<0x2xi32>", Answer::kRefuse, RuleId::kBcastVerifyRank, nullptr},
  };
  for (const ProbeRow& row : kRows) {
    const Legality legality = JudgeProbe(Probe(row.probe), Policies());
    EXPECT_EQ(legality.answer, row.answer) << row.probe;
    EXPECT_EQ(legality.rule, row.rule) << row.probe;
    EXPECT_EQ(legality.inferred ? ToString(*legality.inferred) : "nothing", row.inferred ? row.inferred : "nothing")
        << row.probe;
  }
}

TEST(JudgeProbe, VerdictsOnObservations) {
  const OpSignature legal = Probe("broadcastable(tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>");
  const OpSignature illegal = Probe("broadcastable(tensor<2xi32>) -> tensor<3xi32>");
  Observation accepted, refused;
  accepted.inferred = {TensorType{Shape({Dim::Dynamic()}), ElementType::kI32}};
  refused.outcome = Outcome::kRefused;
  refused.stage = Stage::kVerify;
  auto verdict = [](const OpSignature& probe, const Observation& observation) {
    return JudgeProbe(probe, observation, Policies()).verdict;
  };
  EXPECT_EQ(verdict(legal, accepted), Verdict::kAgree);
  EXPECT_EQ(verdict(legal, refused), Verdict::kFalseReject);
  EXPECT_EQ(verdict(illegal, refused), Verdict::kAgree);
  EXPECT_EQ(verdict(illegal, accepted), Verdict::kFalseAccept);
  accepted.inferred = {TensorType{Shape::OfSizes({4}), ElementType::kI32}};
  EXPECT_EQ(verdict(legal, accepted), Verdict::kWrongInference);
  accepted.inferred = {std::nullopt};
  EXPECT_EQ(JudgeProbe(legal, accepted, Policies()).notes, std::vector<std::string>{"infer.less-precise"});
  for (const auto& [outcome, expected] : {std::pair{Outcome::kSignal, Verdict::kCrash},
                                          {Outcome::kDeadline, Verdict::kTimeout},
                                          {Outcome::kToolFailure, Verdict::kHarnessFault}}) {
    Observation ended;
    ended.outcome = outcome;
    EXPECT_EQ(verdict(legal, ended), expected);
  }
}

}  // namespace
}  // namespace tosaic
