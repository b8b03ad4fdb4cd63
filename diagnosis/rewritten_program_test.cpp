// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/rewritten_program.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

constexpr ValueRef kX = {ValueRef::Kind::kArgument, 0};
constexpr ValueRef kConstant = {ValueRef::Kind::kConstant, 0};

TensorType DynamicF32() { return ParseTensorType("tensor<?xf32>").value(); }

// x + constant of one element, for x of these sizes.
Case Sum(double constant, std::vector<int64_t> sizes) {
  Case test_case;
  test_case.program.arguments = {DynamicF32()};
  Tensor addend(ElementType::kF32, {2});
  for (size_t i = 0; i < 2; ++i) addend.SetBits(i, constant == 0 ? 0 : 0x3f800000);
  test_case.program.constants = {addend};
  test_case.program.ops = {{OpKind::kAdd, {kX, kConstant}, {}, ParseTensorType("tensor<2xf32>").value()}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  test_case.runs = {{Tensor(ElementType::kF32, std::move(sizes))}};
  return test_case;
}

Program Returning(const Case& test_case, ValueRef ref) {
  Program program = test_case.program;
  program.ops.clear();
  program.results = {ref};
  return program;
}

TEST(RewrittenProgram, IsRightWhereItSaysTheSame) {
  const Case zero = Sum(0, {2});
  EXPECT_EQ(JudgeRewritten(zero, zero.program, {}).is_right, true);
  EXPECT_EQ(JudgeRewritten(zero, Returning(zero, kX), {}).is_right, true);
}

TEST(RewrittenProgram, IsWrongByItsValuesAndItsSizes) {
  const Case one = Sum(1, {2});
  const Rewritten passed_on = JudgeRewritten(one, Returning(one, kX), {});
  EXPECT_EQ(passed_on.is_right, false);
  EXPECT_EQ(passed_on.wrong, "it returns 0 instead of [0.99999994, 1.00000006]");
  const Case broadcast = Sum(0, {1});  // x + 0 is not x where the zeros are more
  const Rewritten smaller = JudgeRewritten(broadcast, Returning(broadcast, kX), {});
  EXPECT_EQ(smaller.is_right, false);
  EXPECT_EQ(smaller.wrong, "it returns the size 1 instead of 2");
  Program contradicted = broadcast.program;
  contradicted.ops = {{OpKind::kAbs, {kX}, {}, ParseTensorType("tensor<2xf32>").value()}};
  const Rewritten sizes = JudgeRewritten(broadcast, contradicted, {});
  EXPECT_EQ(sizes.is_right, false);
  EXPECT_EQ(sizes.wrong, "for %arg0 of size 1, its sizes contradict abs(tensor<?xf32>) -> tensor<2xf32>");
}

// Anything may be a right division by zero; and another interface is another function.
TEST(RewrittenProgram, IsLeftOpenWhereItCannotBeTold) {
  Case open = Sum(0, {2});
  Program divides = open.program;
  divides.ops = {{OpKind::kPow, {kX, kConstant}, {}, divides.ops.front().result}};
  EXPECT_EQ(JudgeRewritten(open, divides, {}).is_right, std::nullopt);
  Program other = open.program;
  other.arguments.push_back(DynamicF32());
  EXPECT_EQ(JudgeRewritten(open, other, {}).is_right, std::nullopt);
  open.runs.clear();
  EXPECT_EQ(JudgeRewritten(open, open.program, {}).is_right, std::nullopt);
}

}  // namespace
}  // namespace tosaic
