// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/false_accepts.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/shape.h"
#include "model/signature_program.h"

namespace tosaic {
namespace {

std::string OfReshape(const std::string& operand, const std::string& result, std::vector<int64_t> new_shape) {
  Program program = ParseSignature("reshape(" + operand + ") -> tensor<1xf32>").value();
  program.ops[0].result = ParseTensorType(result).value();
  program.ops[0].attributes.new_shape = std::move(new_shape);
  return std::string(BrokenClause(program, program.ops[0], RuleId::kLegalReshape));
}

TEST(BrokenClause, OfReshapeIsTheFirstThatTheTypesShow) {
  EXPECT_EQ(OfReshape("tensor<4x3xf32>", "tensor<?x?x3xf32>", {-1, -1, 3}), "two-rests");
  EXPECT_EQ(OfReshape("tensor<4x3xf32>", "tensor<*xf32>", {-1, -1, 3}), "two-rests");
  EXPECT_EQ(OfReshape("tensor<4x3xf32>", "tensor<12xf32>", {12, 1}), "rank");
  EXPECT_EQ(OfReshape("tensor<?xf32>", "tensor<12x1xf32>", {6, 2}), "sizes");
  EXPECT_EQ(OfReshape("tensor<?xf32>", "tensor<?xf32>", {-2}), "negative");
  EXPECT_EQ(OfReshape("tensor<4x3xf32>", "tensor<13xf32>", {-1}), "count");
  EXPECT_EQ(OfReshape("tensor<4x3xf32>", "tensor<5x2xf32>", {5, 2}), "count");
  EXPECT_EQ(OfReshape("tensor<4x3xf32>", "tensor<?x?xf32>", {13, -1}), "count");
}

// What MLIR's verifier has not looked at since it has one (docs/findings.md, F21).
TEST(BrokenClause, OfReshapeIsNoneWhereTheTypesLeaveItOpen) {
  EXPECT_EQ(OfReshape("tensor<?xi32>", "tensor<?xi32>", {0}), "");
  EXPECT_EQ(OfReshape("tensor<2xi32>", "tensor<*xi32>", {1}), "");
  EXPECT_EQ(OfReshape("tensor<i32>", "tensor<*xi32>", {-5}), "");
  EXPECT_EQ(OfReshape("tensor<?x2xi32>", "tensor<1xi32>", {1}), "");
  EXPECT_EQ(OfReshape("tensor<4x3xf32>", "tensor<?x?xf32>", {5, -1}), "");
  EXPECT_EQ(OfReshape("tensor<4x3xf32>", "tensor<3x4xf32>", {3, 4}), "") << "all is right";
}

std::string OfRescale(const char* multiplier, const char* zero_point) {
  const Program program = ParseSignature(std::string("rescale(tensor<2xi8>, ") + multiplier + ", tensor<1xi8>, " +
                                         zero_point + ", tensor<1xi8>) -> tensor<2xi8>")
                              .value();
  return std::string(BrokenClause(program, program.ops[0], RuleId::kLegalSpecialOperandType));
}

TEST(BrokenClause, OfAParameterIsItsWidthOrThatItIsNoZeroPoint) {
  EXPECT_EQ(OfRescale("tensor<1xi32>", "tensor<1xi8>"), "width");
  EXPECT_EQ(OfRescale("tensor<1xi16>", "tensor<1xi16>"), "width");
  EXPECT_EQ(OfRescale("tensor<1xi16>", "tensor<1xui8>"), "") << "the sign alone (F28)";
  EXPECT_EQ(OfRescale("tensor<1xbf16>", "tensor<1xi8>"), "no-zero-point");
  EXPECT_EQ(OfRescale("tensor<1xf32>", "tensor<1xui8>"), "width");
  EXPECT_EQ(OfRescale("tensor<1xi16>", "tensor<1xi8>"), "");
}

TEST(BrokenClause, OfAnotherRuleIsNone) {
  const Program program = ParseSignature("add(tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>").value();
  EXPECT_EQ(BrokenClause(program, program.ops[0], RuleId::kBcastInferConflict), "");
}

}  // namespace
}  // namespace tosaic
