// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All rows of the catalogue, by the table of scalar functions.
#include "oracle/scalar_ops.h"

#include <vector>

#include "gtest/gtest.h"
#include "model/special_operands.h"
#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

TEST(ScalarOpsTest, EveryTupleWithValuesHasOneForOnes) {
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : TuplesWithValues(op)) {
      Attributes attributes;
      attributes.min_val = TypedBits{tuple.input, BitsOf(tuple.input, 0)};
      attributes.max_val = TypedBits{tuple.input, BitsOf(tuple.input, 2)};
      attributes.scale32 = false;
      std::vector<double> operands;
      for (OperandRole role : op.operands) {
        const Tensor plain = IsSpecial(role) ? PlainParameter(role, tuple.input, tuple.result, attributes) : Tensor();
        operands.push_back(IsSpecial(role) ? ElementToDouble(plain.element_type(), plain.Bits(0)) : 1);
      }
      Expected expected = Eval(op.kind, tuple.input, tuple.result, operands, attributes);
      // i1 has no 2, and no unsigned type a -1.
      const bool lacks =
          expected.kind == Expected::Kind::kUndefined && IsInteger(tuple.input) && LeastInteger(tuple.input) == 0;
      if (lacks) expected = Eval(op.kind, tuple.input, tuple.result, {0, 0, 0}, attributes);
      EXPECT_TRUE(expected.kind == Expected::Kind::kBits || expected.kind == Expected::Kind::kRange)
          << op.name << " " << Name(tuple.input) << " -> " << Name(tuple.result);
    }
  }
}

// The dialect accepts both; no document says what a logarithm of integers is, or the bits of a float.
TEST(ScalarOpsTest, WhatTheSpecificationHasOnNoIntegersOrNoFloatsHasNoValuesOnOthers) {
  for (K op : {K::kErf, K::kSigmoid, K::kTanh, K::kPow, K::kCeil, K::kCos, K::kExp, K::kFloor, K::kLog, K::kReciprocal,
               K::kRsqrt, K::kSin}) {
    for (E type : {E::kI1, E::kI8, E::kI32, E::kI64, E::kUi8}) {
      EXPECT_EQ(RuleOf(Info(op), Eval(op, type, type, {1, 1})), RuleId::kBeyondSpec) << Name(op) << Name(type);
    }
  }
  for (K op : {K::kArithmeticRightShift, K::kBitwiseAnd, K::kBitwiseOr, K::kBitwiseXor, K::kBitwiseNot, K::kClz,
               K::kIntdiv, K::kLogicalAnd, K::kLogicalNot, K::kLogicalLeftShift, K::kLogicalRightShift}) {
    for (E type : {E::kF16, E::kF32, E::kF64, E::kF8E5M2}) {
      EXPECT_EQ(RuleOf(Info(op), Eval(op, type, type, {1, 1})), RuleId::kBeyondSpec) << Name(op) << Name(type);
    }
  }
  // Nor what no dialect accepts.
  EXPECT_EQ(RuleOf(Info(K::kLogicalAnd), Eval(K::kLogicalAnd, E::kI8, E::kI8, {1, 1})), RuleId::kBeyondSpec);
  EXPECT_EQ(RuleOf(Info(K::kIntdiv), Eval(K::kIntdiv, E::kUi8, E::kUi8, {1, 1})), RuleId::kBeyondSpec);
  EXPECT_EQ(RuleOf(Info(K::kAdd), Eval(K::kAdd, E::kI8, E::kI16, {1, 1})), RuleId::kBeyondSpec);
}

}  // namespace
}  // namespace tosaic
