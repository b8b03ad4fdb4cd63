// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/reference.h"

#include <gtest/gtest.h>

namespace tosaic {
namespace {

using E = ElementType;

struct Applied {
  Program program;
  OpApplication op;
  std::vector<Tensor> tensors;

  std::vector<const Tensor*> operands() const {
    std::vector<const Tensor*> pointers;
    for (const Tensor& tensor : tensors) pointers.push_back(&tensor);
    return pointers;
  }
};

Applied Apply(OpKind kind, std::vector<Tensor> tensors, E result) {
  Applied applied;
  applied.op.op = kind;
  applied.op.result.element_type = result;
  for (size_t i = 0; i < tensors.size(); ++i) {
    applied.program.arguments.push_back({{}, tensors[i].element_type()});
    applied.op.operands.push_back({ValueRef::Kind::kArgument, static_cast<int>(i)});
  }
  applied.tensors = std::move(tensors);
  return applied;
}

Tensor Int32(std::vector<int64_t> sizes, absl::string_view hex) {
  return TensorFromHex(E::kI32, std::move(sizes), hex).value();
}

TEST(ReferenceTest, BroadcastsAColumnAgainstARow) {
  const Applied add =
      Apply(OpKind::kAdd, {Int32({2, 1}, "00000001 00000002"), Int32({1, 3}, "00000010 00000020 7fffffff")}, E::kI32);
  const std::vector<Expected> expected = Evaluate(add.program, add.op, add.operands(), {2, 3}, {});
  ASSERT_EQ(expected.size(), 6u);
  EXPECT_EQ(expected[0].bits, 0x11u);
  EXPECT_EQ(expected[1].bits, 0x21u);
  EXPECT_EQ(expected[2].kind, Expected::Kind::kUndefined);
  EXPECT_EQ(expected[4].bits, 0x22u);

  const ValueComparison comparison = CompareValues(
      add.program, add.op, add.operands(), Int32({2, 3}, "00000011 00000021 deadbeef 00000013 00000023 12345678"), {});
  EXPECT_EQ(comparison.compared, 4u);
  EXPECT_EQ(comparison.masked, 2u);
  EXPECT_EQ(comparison.mismatches, 2u);
  ASSERT_TRUE(comparison.first.has_value());
  EXPECT_EQ(comparison.first->index, 3u);
  EXPECT_EQ(comparison.first->count, 2u);
  EXPECT_EQ(comparison.first->inputs, (std::vector<std::string>{"2", "16"}));
  EXPECT_EQ(comparison.first->expected, "18");
  EXPECT_EQ(comparison.first->actual, "19");
  EXPECT_EQ(comparison.rule, RuleId::kValueAddPlain);
}

TEST(ReferenceTest, ReadsSelectsConditionAndMulsShift) {
  const Applied select =
      Apply(OpKind::kSelect,
            {TensorFromHex(E::kI1, {2}, "0 1").value(), Int32({1}, "00000007"), Int32({1}, "00000009")}, E::kI32);
  EXPECT_EQ(CompareValues(select.program, select.op, select.operands(), Int32({2}, "00000009 00000007"), {}).mismatches,
            0u);

  const Applied mul = Apply(
      OpKind::kMul,
      {Int32({2}, "00000003 00000005"), Int32({2}, "00000002 00000002"), TensorFromHex(E::kI8, {1}, "02").value()},
      E::kI32);
  EXPECT_EQ(CompareValues(mul.program, mul.op, mul.operands(), Int32({2}, "00000002 00000003"), {}).mismatches, 0u);
}

TEST(ReferenceTest, ComparesRankZero) {
  const Applied exp = Apply(OpKind::kExp, {TensorFromHex(E::kF32, {}, "3f800000").value()}, E::kF32);
  const Tensor e = TensorFromHex(E::kF32, {}, "402df854").value();
  const ValueComparison right = CompareValues(exp.program, exp.op, exp.operands(), e, {});
  EXPECT_EQ(right.compared, 1u);
  EXPECT_FALSE(right.first.has_value());
  const Tensor off = TensorFromHex(E::kF32, {}, "402df900").value();
  const ValueComparison wrong = CompareValues(exp.program, exp.op, exp.operands(), off, {});
  ASSERT_TRUE(wrong.first.has_value());
  EXPECT_NEAR(wrong.first->ulp_distance, 0x900 - 0x854, 0.5);  // from the true value, not from its rounding
}

TEST(ReferenceTest, BeyondTheSpecificationExtensionRulesDecide) {
  const Tensor f64 = TensorFromHex(E::kF64, {2}, "0000000000000000 4000000000000000").value();
  const Applied add = Apply(OpKind::kAdd, {f64, f64}, E::kF64);
  const ValueComparison comparison = CompareValues(add.program, add.op, add.operands(), f64, {});
  EXPECT_EQ(comparison.masked, 0u);
  EXPECT_EQ(comparison.compared, 2u);
  EXPECT_EQ(comparison.mismatches, 1u);
  EXPECT_EQ(comparison.rule, RuleId::kExtensionFloat);
}

TEST(ReferenceTest, WhatHasNoValuesIsMasked) {
  const Tensor f64 = TensorFromHex(E::kF64, {2}, "3ff0000000000000 4000000000000000").value();
  const Applied bits = Apply(OpKind::kBitwiseAnd, {f64, f64}, E::kF64);
  const ValueComparison comparison = CompareValues(bits.program, bits.op, bits.operands(), f64, {});
  EXPECT_EQ(comparison.masked, 2u);
  EXPECT_EQ(comparison.compared, 0u);
  EXPECT_FALSE(comparison.first.has_value());
}

TEST(ReferenceTest, ReportsAByteThatIsNoTruthValue) {
  const Tensor zeros(E::kI1, {2});
  Tensor actual(E::kI1, {2});
  actual.mutable_bytes() = {0x01, 0xff};
  const Applied logical_not = Apply(OpKind::kLogicalNot, {zeros}, E::kI1);
  const ValueComparison comparison =
      CompareValues(logical_not.program, logical_not.op, logical_not.operands(), actual, {});
  ASSERT_TRUE(comparison.first.has_value());
  EXPECT_EQ(comparison.first->index, 1u);
  EXPECT_EQ(comparison.first->actual, "the byte 0xff");
}

}  // namespace
}  // namespace tosaic
