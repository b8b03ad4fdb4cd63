// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/refinement.h"

#include <set>
#include <string>

#include "oracle/legality_testing.h"
#include "oracle/rule_cases_testing.h"

namespace tosaic {
namespace {

TensorType TypeOf(const std::string& shape) { return ParseTensorType("tensor<" + shape + "xf32>").value(); }
Shape RefinedShape(const std::string& shape) { return TypeOf(shape).shape; }

// A second op on the first one's result, with an operand of its own.
Program Chain(absl::string_view first, absl::string_view operand, absl::string_view result) {
  Program program = Parse(first);
  program.arguments.push_back(ParseTensorType(operand).value());
  OpApplication add{.op = OpKind::kAdd, .operands = {}, .attributes = {}, .result = ParseTensorType(result).value()};
  add.operands = {{ValueRef::Kind::kOp, 0},
                  {ValueRef::Kind::kArgument, static_cast<int>(program.arguments.size()) - 1}};
  program.ops.push_back(add);
  return program;
}

TEST(RefinementTest, ADimensionIsKnownFromEitherSide) {
  EXPECT_EQ(RefineShapes(Parse("add(tensor<?x3xf32>, tensor<1x?xf32>) -> tensor<*xf32>")),
            std::vector{RefinedShape("?x3")});
  EXPECT_EQ(RefineShapes(Parse("add(tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<4x?xf32>")),
            std::vector{RefinedShape("4x?")});
  EXPECT_EQ(RefineShapes(Parse("add(tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<?x?xf32>")),
            std::vector{RefinedShape("2x3")});
  EXPECT_EQ(RefineShapes(Parse("abs(tensor<*xf32>) -> tensor<*xf32>")), std::vector{Shape::Unranked()});
  EXPECT_EQ(RefineShapes(Parse("mul(tensor<*xi32>, tensor<5xi32>) -> tensor<*xi32>")), std::vector{RefinedShape("5")});
}

TEST(RefinementTest, IntermediatesAreRefinedFirst) {
  const Program program = Chain("abs(tensor<2x?xf32>) -> tensor<*xf32>", "tensor<?x7xf32>", "tensor<?x?xf32>");
  EXPECT_EQ(RefineShapes(program), (std::vector{RefinedShape("2x?"), RefinedShape("2x7")}));
}

TEST(RefinementTest, ContradictionsThatTheTypesHide) {
  for (const char* operand : {"tensor<3xf32>", "tensor<2x2xf32>"}) {
    const Program program = Chain("abs(tensor<2xf32>) -> tensor<*xf32>", operand, "tensor<*xf32>");
    EXPECT_EQ(JudgeLegality(program, {}).answer, Answer::kAccept) << operand;
    EXPECT_EQ(RefineShapes(program), std::nullopt) << operand;
  }
  EXPECT_EQ(RefineShapes(Chain("abs(tensor<2xf32>) -> tensor<*xf32>", "tensor<?xf32>", "tensor<3xf32>")), std::nullopt);
}

TEST(RefinementTest, AnUnrankedOperandMayBroadcastAOne) {
  EXPECT_EQ(RefineShapes(Chain("abs(tensor<?x1xf32>) -> tensor<*xf32>", "tensor<*xf32>", "tensor<2x2xf32>")),
            (std::vector{RefinedShape("?x1"), RefinedShape("2x2")}));
  EXPECT_EQ(RefineShapes(Chain("abs(tensor<?x3xf32>) -> tensor<*xf32>", "tensor<*xf32>", "tensor<2x2xf32>")),
            std::nullopt);
  EXPECT_EQ(RefineShapes(Chain("abs(tensor<?x1xf32>) -> tensor<*xf32>", "tensor<?x1xf32>", "tensor<2x2xf32>")),
            std::nullopt);
}

TEST(RefinementTest, Judgement) {
  const Program program = Chain("abs(tensor<2x?xf32>) -> tensor<*xf32>", "tensor<?x7xf32>", "tensor<?x?xf32>");
  Observation observation;
  observation.stage = Stage::kInfer;
  observation.inferred = {TypeOf("2x?"), TypeOf("2x7")};
  EXPECT_EQ(JudgeRefinement(program, observation).verdict, Verdict::kAgree);
  observation.inferred[1] = TypeOf("?x7");
  EXPECT_EQ(JudgeRefinement(program, observation).notes, std::vector<std::string>{"infer.less-precise"});
  observation.inferred[0] = TypeOf("2x7");
  const Judgement wrong = JudgeRefinement(program, observation);
  EXPECT_EQ(wrong.verdict, Verdict::kWrongInference);
  EXPECT_EQ(wrong.rule, RuleId::kInferRefined);
  EXPECT_EQ(wrong.expected, "%0: tensor<2x?xf32>");
  observation.inferred[0] = {RefinedShape("2x?"), ElementType::kF16};
  EXPECT_EQ(JudgeRefinement(program, observation).actual, "tensor<2x?xf16>");
  observation.inferred[0] = TypeOf("*");
  EXPECT_EQ(JudgeRefinement(program, observation).verdict, Verdict::kAgree);
  observation.outcome = Outcome::kRefused;
  EXPECT_EQ(JudgeRefinement(program, observation).verdict, Verdict::kLoweringFailed);
}

TEST(RefinementTest, WhereNothingIsKnownNothingMayBeClaimed) {
  const Program program = Parse("abs(tensor<*xf32>) -> tensor<*xf32>");
  Observation observation;
  observation.inferred = {TypeOf("*")};
  EXPECT_EQ(JudgeRefinement(program, observation).notes, std::vector<std::string>());
  observation.inferred = {TensorType{}};
  EXPECT_EQ(JudgeRefinement(program, observation).verdict, Verdict::kWrongInference);
}

}  // namespace

std::set<RuleId> RulesOfRefinements() {
  Observation observation;
  observation.inferred = {TensorType{}};
  return {JudgeRefinement(Parse("abs(tensor<*xf32>) -> tensor<*xf32>"), observation).rule};
}

}  // namespace tosaic
