// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/refinement.h"

#include <string>

#include "oracle/legality_testing.h"

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

}  // namespace
}  // namespace tosaic
