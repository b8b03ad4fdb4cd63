// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/block_results.h"

#include <cmath>

#include "gtest/gtest.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

using E = ElementType;
constexpr E kType = E::kBlockF8E5M2;
constexpr uint64_t kOneBits = 0x3c, kGreatestBits = 0x7b, kInfiniteBits = 0x7c, kSmallBits = 0x14;  // kSmallBits: 2^-10

Tensor Floats(E type, double x) {
  Tensor tensor(type, {2, 32});
  for (size_t i = 0; i < tensor.element_count(); ++i) tensor.SetBits(i, NearestBits(type, x));
  return tensor;
}

Tensor Blocks(uint64_t scale, uint64_t value) {
  Tensor tensor(kType, {2, 32});
  for (size_t i = 0; i < tensor.element_count(); ++i) tensor.SetBits(i, scale << kBlockScaleShift | value);
  return tensor;
}

TEST(BlockResults, CastsOwnBlocksAreRight) {
  for (const double x : {0.0, 1.0, -3.1, 1e30, 0x1p-149}) {
    const Tensor input = Floats(E::kF32, x), own = BlocksOf(input, kType);
    EXPECT_EQ(own.sizes(), input.sizes());
    const ValueComparison comparison = CompareBlocks(input, own);
    EXPECT_EQ(comparison.compared, 64u) << x;
    EXPECT_EQ(comparison.mismatches, 0u) << x;
  }
  EXPECT_EQ(CompareBlocks(Floats(E::kF32, INFINITY), Blocks(0, 0)).masked, 64u);
}

TEST(BlockResults, AWrongElementMakesItsBlockWrong) {
  const Tensor input = Floats(E::kBF16, 1);
  Tensor actual = BlocksOf(input, kType);
  EXPECT_EQ(actual.Bits(0), 0x7078u);       // 2^15 * 2^-15: 2^16 * 2^-16 would be beyond 61440
  actual.SetBits(33, actual.Bits(33) - 3);  // 1.25 * 2^14, more than a unit of 2^15 away
  ValueComparison comparison = CompareBlocks(input, actual);
  EXPECT_EQ(comparison.mismatches, 32u);
  ASSERT_TRUE(comparison.first);
  EXPECT_EQ(comparison.first->index, 33u);
  EXPECT_EQ(comparison.rule, RuleId::kValueCastToBlockScaled);
  std::vector<bool> left_out(64, false);
  left_out[60] = true;
  comparison = CompareBlocks(input, actual, left_out);
  EXPECT_FALSE(comparison.first);
  EXPECT_EQ(comparison.masked, 32u);
  actual = BlocksOf(input, kType);
  actual.SetBits(40, actual.Bits(40) + 0x100);  // two scales in one block
  EXPECT_EQ(CompareBlocks(input, actual).mismatches, 32u);
}

// Of the casts to a float type and back that a canonicalization deletes.
TEST(BlockResults, ARoundTripKeepsWhatTheTypeBetweenHolds) {
  EXPECT_EQ(CompareRoundTrip(Blocks(137, kOneBits), E::kBF16, Blocks(137, kOneBits)).mismatches, 0u);
  const Tensor beyond = Blocks(254, kGreatestBits), infinite = Blocks(127, kInfiniteBits),
               small = Blocks(0, kSmallBits);
  EXPECT_EQ(CompareRoundTrip(beyond, E::kBF16, beyond).masked, 64u);
  EXPECT_EQ(CompareRoundTrip(infinite, E::kF32, infinite).masked, 64u);
  EXPECT_EQ(CompareRoundTrip(small, E::kF32, small).mismatches, 0u);
  const ValueComparison lost = CompareRoundTrip(small, E::kBF16, small);
  EXPECT_EQ(lost.mismatches, 64u);
  EXPECT_EQ(lost.first->expected, "0 of scale 2^-127");
  EXPECT_EQ(lost.first->actual, "5.73971851e-42 of scale 2^-127");
}

}  // namespace
}  // namespace tosaic
