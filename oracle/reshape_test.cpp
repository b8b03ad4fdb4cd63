// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/reshape.h"

#include <vector>

#include "gtest/gtest.h"
#include "model/tensor.h"
#include "oracle/reference.h"

namespace tosaic {
namespace {

using Sizes = std::vector<int64_t>;
constexpr Dim kOpen = Dim::Dynamic();

Shape OfSizes(Sizes sizes) { return Shape::OfSizes(sizes); }

TEST(ReshapeTest, legal_reshape_AsManyElements) {
  EXPECT_TRUE(IsReshapable({2, 3}, OfSizes({6}), OfSizes({2, 3})));
  EXPECT_TRUE(IsReshapable({}, OfSizes({1, 1}), OfSizes({})));
  EXPECT_TRUE(IsReshapable({1}, OfSizes({}), OfSizes({1})));
  EXPECT_FALSE(IsReshapable({2, 2}, OfSizes({6}), OfSizes({2, 2})));
  EXPECT_FALSE(IsReshapable({0, 6}, OfSizes({6}), OfSizes({0, 6})));
}

TEST(ReshapeTest, legal_reshape_OneSizeMayBeLeftOpen) {
  EXPECT_TRUE(IsReshapable({-1, 3}, OfSizes({6}), OfSizes({2, 3})));
  EXPECT_TRUE(IsReshapable({-1, 3}, OfSizes({6}), Shape({kOpen, Dim::Static(3)})));
  EXPECT_FALSE(IsReshapable({-1, 4}, OfSizes({6}), Shape({kOpen, Dim::Static(4)})));
  EXPECT_FALSE(IsReshapable({-1, 3}, OfSizes({6}), OfSizes({3, 3})));
  EXPECT_FALSE(IsReshapable({-1, -1}, OfSizes({6}), Shape({kOpen, kOpen})));
  EXPECT_FALSE(IsReshapable({-2, 3}, OfSizes({6}), Shape({kOpen, Dim::Static(3)})));
}

TEST(ReshapeTest, legal_reshape_TheResultHasTheNewShape) {
  EXPECT_FALSE(IsReshapable({2, 3}, OfSizes({6}), OfSizes({3, 2})));
  EXPECT_FALSE(IsReshapable({2, 3}, OfSizes({6}), OfSizes({6})));
  EXPECT_TRUE(IsReshapable({2, 3}, OfSizes({6}), Shape::Unranked()));
}

TEST(ReshapeTest, legal_reshape_WhatIsKnownOfADynamicInputMustFit) {
  EXPECT_TRUE(IsReshapable({2, 3}, Shape({kOpen, Dim::Static(3)}), OfSizes({2, 3})));
  EXPECT_FALSE(IsReshapable({2, 3}, Shape({kOpen, Dim::Static(4)}), OfSizes({2, 3})));
  EXPECT_TRUE(IsReshapable({2, -1}, Shape({kOpen, Dim::Static(3)}), Shape({Dim::Static(2), kOpen})));
  EXPECT_TRUE(IsReshapable({2, 3}, Shape::Unranked(), OfSizes({2, 3})));
}

TEST(ReshapeTest, WhatIsInferred) {
  EXPECT_EQ(InferReshape({-1, 3}, OfSizes({6})), OfSizes({2, 3}));
  EXPECT_EQ(InferReshape({-1, 3}, Shape({kOpen})), Shape({kOpen, Dim::Static(3)}));
  EXPECT_EQ(InferReshape({2, 3}, Shape::Unranked()), OfSizes({2, 3}));
}

TEST(ReshapeTest, runtime_reshape) {
  const RuntimeShape shape = ReshapedSizes({-1, 3}, {6}, Shape({kOpen, kOpen}));
  EXPECT_TRUE(shape.defined);
  EXPECT_EQ(shape.sizes, (Sizes{2, 3}));
  EXPECT_EQ(shape.rule, RuleId::kRuntimeReshape);
}

TEST(ReshapeTest, runtime_reshape_elements) {
  EXPECT_EQ(ReshapedSizes({2, 3}, {7}, OfSizes({2, 3})).rule, RuleId::kRuntimeReshapeElements);
  EXPECT_EQ(ReshapedSizes({-1, 3}, {7}, Shape::Unranked()).rule, RuleId::kRuntimeReshapeElements);
  EXPECT_EQ(ReshapedSizes({-1, 3}, {6}, OfSizes({1, 3})).rule, RuleId::kRuntimeStaticResult);
  EXPECT_FALSE(ReshapedSizes({2, 3}, {7}, OfSizes({2, 3})).defined);
}

TEST(ReshapeTest, TheElementsKeepTheirOrder) {
  Program program;
  program.arguments = {{OfSizes({2, 3}), ElementType::kI32}};
  OpApplication op = {OpKind::kReshape, {{ValueRef::Kind::kArgument, 0}}, {}, {OfSizes({3, 2}), ElementType::kI32}};
  op.attributes.new_shape = {3, 2};
  program.ops = {op};
  const Tensor input =
      TensorFromHex(ElementType::kI32, {2, 3}, "00000001 00000002 00000003 00000004 00000005 00000006").value();
  const Tensor right =
      TensorFromHex(ElementType::kI32, {3, 2}, "00000001 00000002 00000003 00000004 00000005 00000006").value();
  const Tensor turned =
      TensorFromHex(ElementType::kI32, {3, 2}, "00000001 00000004 00000002 00000005 00000003 00000006").value();
  const ValueComparison same = CompareValues(program, op, {&input}, right, {});
  EXPECT_EQ(same.mismatches, 0u);
  EXPECT_EQ(same.compared, 6u);
  const ValueComparison other = CompareValues(program, op, {&input}, turned, {});
  EXPECT_EQ(other.mismatches, 4u);
  EXPECT_EQ(other.rule, RuleId::kValueReshapePlain);
}

// "No data conversion happens during a reshape operation", "results must be exact". Of identity, only "integer results
// must be exact", and subnormals "may be flushed to zero".
TEST(ReshapeTest, AnElementKeepsItsBits) {
  const auto mismatches = [](OpKind kind, ElementType type, absl::string_view input, absl::string_view actual) {
    Program program;
    program.arguments = {{OfSizes({1}), type}};
    OpApplication op = {kind, {{ValueRef::Kind::kArgument, 0}}, {}, {OfSizes({1}), type}};
    if (kind == OpKind::kReshape) op.attributes.new_shape = {1};
    program.ops = {op};
    const Tensor before = TensorFromHex(type, {1}, input).value(), after = TensorFromHex(type, {1}, actual).value();
    const ValueComparison comparison = CompareValues(program, op, {&before}, after, {});
    if (kind == OpKind::kReshape) EXPECT_EQ(comparison.widths.Median(), 0u);
    return comparison.mismatches;
  };
  constexpr OpKind kReshape = OpKind::kReshape, kIdentity = OpKind::kIdentity;
  constexpr ElementType kF16 = ElementType::kF16, kBF16 = ElementType::kBF16, kF32 = ElementType::kF32;
  EXPECT_EQ(mismatches(kReshape, kF32, "00000001", "00000001"), 0u);
  EXPECT_EQ(mismatches(kReshape, kF32, "00000001", "00000000"), 1u);
  EXPECT_EQ(mismatches(kReshape, kF16, "83ff", "8000"), 1u);
  EXPECT_EQ(mismatches(kReshape, kBF16, "007f", "0000"), 1u);
  EXPECT_EQ(mismatches(kReshape, kF32, "80000000", "00000000"), 1u);
  EXPECT_EQ(mismatches(kReshape, kF32, "7f800001", "7f800001"), 0u);
  EXPECT_EQ(mismatches(kReshape, kF32, "7f800001", "7fc00001"), 1u);
  EXPECT_EQ(mismatches(kReshape, kF32, "7fc00000", "ffc00000"), 1u);
  EXPECT_EQ(mismatches(kIdentity, kF32, "00000001", "00000000"), 0u);
  EXPECT_EQ(mismatches(kIdentity, kF32, "7f800001", "7fc00000"), 0u);
  EXPECT_EQ(mismatches(kIdentity, kF32, "7f800001", "7f800000"), 1u);
  EXPECT_EQ(mismatches(kIdentity, kF32, "80000000", "00000000"), 1u);
}

}  // namespace
}  // namespace tosaic
