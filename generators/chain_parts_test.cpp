// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/chain_parts.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(ChainParts, TiedFactorsAreTiesThatFit) {
  using Limits = std::numeric_limits<int32_t>;
  SeededChoices choices(1, 1);
  int negative = 0, wide = 0, shifted_far = 0;
  constexpr int kDrawn = 5000;
  for (int i = 0; i < kDrawn; ++i) {
    const auto [first, second, shift] = DrawTiedFactors(choices);
    ASSERT_TRUE(shift >= 1 && shift <= 63);
    ASSERT_TRUE(first >= Limits::min() && first <= Limits::max());
    ASSERT_TRUE(second >= Limits::min() && second <= Limits::max());
    const int64_t product = first * second, half = int64_t{1} << (shift - 1);
    EXPECT_EQ(product & (2 * half - 1), half) << first << " * " << second << " >> " << shift;
    const int64_t result = (product + half) >> shift;
    EXPECT_TRUE(result >= Limits::min() && result <= Limits::max()) << first << " * " << second << " >> " << shift;
    negative += product < 0 ? 1 : 0;
    wide += product < Limits::min() || product > Limits::max() ? 1 : 0;
    shifted_far += shift > 32 ? 1 : 0;
  }
  EXPECT_GT(negative, kDrawn / 2);
  EXPECT_GT(wide, kDrawn / 3);
  EXPECT_GT(shifted_far, kDrawn / 4);
}

}  // namespace
}  // namespace tosaic
