// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/buffer_bounds.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;
constexpr ElementType kType = ElementType::kF16;

TensorType TypeOfSizes(std::vector<int64_t> sizes) { return {Shape::OfSizes(std::move(sizes)), kType}; }

// sub(reshape(x), y), with x of n rows.
Case ReshapedRows(int64_t n) {
  Case test_case;
  Program& program = test_case.program;
  program.arguments = {TypeOfSizes({n, 1})};
  program.constants = {Tensor(kType, {1, n})};
  Attributes attributes;
  attributes.new_shape = {1, n};
  program.ops = {{OpKind::kReshape, {{Kind::kArgument, 0}}, attributes, TypeOfSizes({1, n})},
                 {OpKind::kSub, {{Kind::kOp, 0}, {Kind::kConstant, 0}}, {}, TypeOfSizes({1, n})}};
  program.results = {{Kind::kOp, 1}};
  test_case.runs = {{Tensor(kType, {n, 1})}};
  EXPECT_TRUE(CheckWellFormed(test_case).ok()) << CheckWellFormed(test_case);
  return test_case;
}

// Rows against columns would be n * n.
TEST(LargestBuffer, AReshapeHasItsNewSizes) {
  EXPECT_EQ(LargestBuffer(ReshapedRows(3000)), kSlotBytes);
  EXPECT_EQ(LargestBuffer(ReshapedRows(30000)), 30000 * sizeof(int64_t));
}

TEST(LargestBuffer, SizesThatDoNotFitAreBounded) {
  Case misfit = ReshapedRows(3000);
  misfit.program.ops[0] = {OpKind::kAbs, {{Kind::kArgument, 0}}, {}, TypeOfSizes({3000, 1})};
  EXPECT_EQ(LargestBuffer(misfit), 3000 * 3000 * sizeof(int64_t));
}

}  // namespace
}  // namespace tosaic
