// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/allowed_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "model/tensor.h"
#include "oracle/accuracy.h"
#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

AllowedSet SetOf(E type, const std::vector<double>& values) {
  AllowedSet set(type);
  for (double value : values) set.Unite(AllowedSet::OfBits(type, BitsOf(type, value)));
  return set;
}

TEST(OrdinalTest, AscendsWithTheValuesAndComesBack) {
  for (E type : {E::kF16, E::kBF16, E::kF8E4M3FN, E::kF8E5M2, E::kI8, E::kI16, E::kUi8, E::kI1}) {
    for (int64_t i = LeastOrdinal(type); i <= GreatestOrdinal(type); ++i) {
      ASSERT_EQ(OrdinalOf(type, BitsOfOrdinal(type, i)), i) << Name(type);
      const bool zeros = IsFloat(type) && i == 0;
      if (i > LeastOrdinal(type) && !zeros) ASSERT_LT(ValueOfOrdinal(type, i - 1), ValueOfOrdinal(type, i)) << i;
    }
  }
  EXPECT_EQ(LeastOrdinal(E::kI32), INT32_MIN);
  EXPECT_EQ(GreatestOrdinal(E::kI32), INT32_MAX);
  EXPECT_EQ(ValueOfOrdinal(E::kF32, LeastOrdinal(E::kF32)), -kInf);
  EXPECT_EQ(ValueOfOrdinal(E::kF32, LeastNormalOrdinal(E::kF32)), 0x1p-126);
  EXPECT_EQ(BitsOfOrdinal(E::kF32, -1), 0x80000000u);
}

TEST(AllowedSetTest, SpansThatTouchBecomeOne) {
  AllowedSet set(E::kI32);
  set.Add({10, 12});
  set.Add({20, 20});
  EXPECT_EQ(Describe(set), "[10, 12] or 20");
  set.Add({13, 14});
  set.Add({9, 9});
  EXPECT_EQ(Describe(set), "[9, 14] or 20");
  set.Add({0, 19});
  EXPECT_EQ(Describe(set), "[0, 20]");
  set.Add({5, 6});
  EXPECT_EQ(Describe(set), "[0, 20]");
  EXPECT_EQ(set.Count(), 21u);
}

TEST(AllowedSetTest, OfTooManySpansTheNearestBecomeOne) {
  AllowedSet set(E::kI32);
  for (int64_t i = 0; i < static_cast<int64_t>(AllowedSet::kMaxSpans); ++i) set.Add({100 * i, 100 * i});
  EXPECT_EQ(set.spans().size(), AllowedSet::kMaxSpans);
  set.Add({210, 210});
  EXPECT_EQ(Describe(set), "0 or 100 or [200, 210] in steps of 10 or 300 or 400 or 500");
}

// Whether 0 is a divisor decides whether a whole run is undefined.
TEST(AllowedSetTest, MergingDoesNotAddAZero) {
  AllowedSet set = SetOf(E::kI32, {-1, 1, 100, 200, 300, 400});
  set.Add({500, 500});
  EXPECT_FALSE(set.Contains(0)) << Describe(set);
  set = SetOf(E::kI32, {-2, 0, 100, 200, 300, 400});
  set.Add({500, 500});
  EXPECT_FALSE(set.Contains(BitMask(E::kI32))) << Describe(set);
}

TEST(AllowedSetTest, ASpanMayHaveAStride) {
  AllowedSet set(E::kI32);
  set.Add({-6, 10, 4});
  EXPECT_EQ(Describe(set), "[-6, 10] in steps of 4");
  EXPECT_EQ(set.Count(), 5u);
  EXPECT_TRUE(set.Contains(BitsOf(E::kI32, -2)));
  EXPECT_FALSE(set.Contains(0));
  EXPECT_FALSE(set.Contains(14));
  EXPECT_EQ(set.Distance(9), 1u);
  EXPECT_EQ(set.Distance(7), 1u);
  EXPECT_EQ(set.Distance(12), 2u);
  set.Add({14, 14});
  EXPECT_EQ(Describe(set), "[-6, 14] in steps of 4");
  set.Add({18, 26, 4});
  EXPECT_EQ(Describe(set), "[-6, 26] in steps of 4");
  set.Add({0, 0});
  EXPECT_EQ(Describe(set), "[-6, 26] in steps of 2");
  set.Add({28, 31, 3});
  EXPECT_EQ(Describe(set), "[-6, 26] in steps of 2 or [28, 31] in steps of 3")
      << "the spans touch, but have no stride in common";
}

TEST(AllowedSetTest, AMergedSpanHasAllMembersOfBoth) {
  for (int64_t stride = 1; stride < 7; ++stride) {
    for (int64_t first = -20; first < 20; ++first) {
      AllowedSet set(E::kI8);
      set.Add({-9, 9, 3});
      const OrdinalSpan other = {first, first + 3 * stride, stride};
      set.Add(other);
      for (int64_t i = -128; i < 128; ++i) {
        const bool is_member = OrdinalSpan{-9, 9, 3}.Has(i) || other.Has(i);
        if (is_member) ASSERT_TRUE(set.Contains(BitsOfOrdinal(E::kI8, i))) << Describe(set) << " lacks " << i;
      }
    }
  }
}

TEST(OrdinalTest, APartOfASpanHasTheMembersBetween) {
  for (int64_t stride = 1; stride < 5; ++stride) {
    const OrdinalSpan span = {-7, -7 + 4 * stride, stride};
    for (int64_t least = -12; least < 14; ++least) {
      for (int64_t greatest = least - 1; greatest < 16; ++greatest) {
        const OrdinalSpan part = span.Within(least, greatest);
        for (int64_t i = -14; i < 18; ++i) {
          ASSERT_EQ(part.Has(i), span.Has(i) && least <= i && i <= greatest) << least << " " << greatest << " " << i;
        }
      }
    }
  }
  const int64_t lowest = LeastOrdinal(E::kI64), highest = GreatestOrdinal(E::kI64);
  const OrdinalSpan wide = {lowest, highest, 3};  // 2^64 - 1 is a multiple of 3
  EXPECT_EQ(wide.Within(lowest + 1, highest), (OrdinalSpan{lowest + 3, highest, 3}));
  EXPECT_EQ(wide.Within(lowest, highest - 1), (OrdinalSpan{lowest, highest - 3, 3}));
  EXPECT_GT(wide.Within(highest - 2, highest - 1).first, wide.Within(highest - 2, highest - 1).last);
}

TEST(AllowedSetTest, ASubnormalMayBecomeTheZeroOfItsSign) {
  AllowedSet set = SetOf(E::kF32, {0x1p-130});
  set.AddFlushedZeros();
  EXPECT_EQ(set, SetOf(E::kF32, {0x1p-130, 0.0}));
  set = SetOf(E::kF32, {-0x1p-130, 1});
  set.AddFlushedZeros();
  EXPECT_EQ(set, SetOf(E::kF32, {-0x1p-130, -0.0, 1}));
  set = SetOf(E::kF32, {0x1p-126});
  set.AddFlushedZeros();
  EXPECT_EQ(set.Count(), 1u);
  set = SetOf(E::kF8E5M2, {0x1p-16});
  set.AddFlushedZeros();
  EXPECT_EQ(set.Count(), 1u) << "fp8 keeps its subnormals";
}

TEST(AllowedSetTest, ContainsWhatItIsMadeOf) {
  EXPECT_TRUE(SetOf(E::kF32, {kNan}).Contains(0xffc00001));
  EXPECT_FALSE(SetOf(E::kF32, {1}).Contains(0x7fc00000));
  EXPECT_TRUE(SetOf(E::kF32, {0.0}).Contains(0));
  EXPECT_FALSE(SetOf(E::kF32, {0.0}).Contains(0x80000000));
  EXPECT_TRUE(SetOf(E::kI8, {-3}).Contains(0xfffffd)) << "bits beyond the type do not count";
  EXPECT_TRUE(AllowedSet::Everything(E::kI1).Contains(1));
  EXPECT_FALSE(AllowedSet::Everything(E::kI1).Contains(0xa5)) << "a byte that is no truth value";
  EXPECT_TRUE(AllowedSet::Undefined(E::kI1).Contains(0xa5));
  EXPECT_TRUE(SetOf(E::kI4, {-3}).Contains(0x0d));
  EXPECT_FALSE(SetOf(E::kI4, {-3}).Contains(0xfd)) << "a byte that no store of an i4 leaves";
}

TEST(AllowedSetTest, KnowsWhenItExcludesNothing) {
  EXPECT_TRUE(AllowedSet::Undefined(E::kF32).IsEverything());
  EXPECT_TRUE(AllowedSet::Everything(E::kF32).IsEverything());
  EXPECT_FALSE(AllowedSet::Everything(E::kF32).IsUndefined());
  AllowedSet numbers = AllowedSet::OfExpected(E::kF32, AnyNumber(1));
  EXPECT_FALSE(numbers.IsEverything());
  numbers.AddNan();
  EXPECT_TRUE(numbers.IsEverything());
  EXPECT_TRUE(SetOf(E::kI1, {0, 1}).IsEverything());
}

TEST(AllowedSetTest, CountsAndMeasures) {
  EXPECT_EQ(AllowedSet(E::kF32).Count(), 0u);
  EXPECT_TRUE(AllowedSet(E::kF32).IsEmpty());
  EXPECT_EQ(SetOf(E::kF32, {1, 2, kNan}).Count(), 3u);
  EXPECT_EQ(SetOf(E::kF32, {kNan}).OnlyBits(), 0x7fc00000u);
  EXPECT_EQ(SetOf(E::kF32, {-1}).OnlyBits(), 0xbf800000u);
  const AllowedSet set = SetOf(E::kI32, {1, 10});
  EXPECT_EQ(set.Distance(10), 0u);
  EXPECT_EQ(set.Distance(7), 3u);
  EXPECT_EQ(set.Distance(0xffffffff), 2u);
  EXPECT_EQ(SetOf(E::kF32, {1}).Distance(0x3f800002), 2u);
  EXPECT_EQ(SetOf(E::kF32, {1}).Distance(0x7fc00000), 0u);
}

// Under -fsanitize=undefined a width as a difference of int64_t ended the process.
TEST(OrdinalTest, ASpanMayBeWiderThanItsOrdinalsAreLarge) {
  const OrdinalSpan doubles = {LeastOrdinal(E::kF64), GreatestOrdinal(E::kF64)};
  EXPECT_EQ(doubles.Width(), 0xffe0000000000001);
  const OrdinalSpan integers = {LeastOrdinal(E::kI64), GreatestOrdinal(E::kI64)};
  EXPECT_EQ(integers.Width(), std::numeric_limits<uint64_t>::max());
}

TEST(AllowedSetTest, ItsRangesAreItsMembers) {
  AllowedSet integers = SetOf(E::kI8, {-128, 127});
  integers.Add({-3, 5});
  AllowedSet floats = SetOf(E::kF16, {-kInf, 7, kNan});
  floats.Add({-4, 9});
  AllowedSet even(E::kI8);
  even.Add({-100, 100, 2});
  for (const AllowedSet& set : {integers, floats, even, AllowedSet::Undefined(E::kI8), AllowedSet(E::kF16),
                                AllowedSet::Everything(E::kF8E4M3FN), AllowedSet::Everything(E::kI1)}) {
    const std::vector<BitRange> ranges = RangesOf(set);
    for (uint64_t bits = 0; bits <= BitMask(set.type()); ++bits) {
      const bool in_one = std::any_of(ranges.begin(), ranges.end(),
                                      [&](BitRange range) { return range.first <= bits && bits <= range.last; });
      ASSERT_EQ(in_one, set.Contains(bits)) << Describe(set) << " " << bits;
    }
  }
}

TEST(AllowedSetTest, DescribesItself) {
  EXPECT_EQ(Describe(SetOf(E::kF32, {1.5, kNan})), "1.5 or NaN");
  EXPECT_EQ(Describe(SetOf(E::kF32, {-0.0, 0.0})), "[-0, 0]");
  EXPECT_EQ(Describe(AllowedSet(E::kF32)), "nothing");
  EXPECT_EQ(Describe(AllowedSet::Undefined(E::kI8)), "anything");
  EXPECT_EQ(Describe(SetOf(E::kI1, {1})), "true");
}

// The set of an Expected has the members that the comparison takes, of every kind of Expected that there is: the bits
// of one NaN are never expected.
TEST(AllowedSetTest, OfExpectedIsWhatMatches) {
  for (E type : {E::kF16, E::kBF16, E::kF8E4M3FN, E::kF8E5M2}) {
    std::vector<Expected> all = {Undefined(ValueCase::kPlain), AnyNan(), AnyNumber(1), NoMatch()};
    for (double x : {0.0, -0.0, 1.0, -3.0, 1e-5, -1e-40, 250.0, 449.0, 1e5, 3.3e38, kInf, -kInf}) {
      if (!std::isnan(ElementToDouble(type, BitsOf(type, x)))) {
        all.push_back(ExactBits(BitsOf(type, x)));
        all.push_back(all.back());
        all.back().zero_sign_free = true;
      }
      all.push_back(ExactValue(x));
      all.push_back(CastInterval(type, x));
      for (double bound : {0.0, 1e-6, 0.7, 1e9}) all.push_back(Within(type, Real(x), Real(bound)));
    }
    for (const Expected& expected : all) {
      const AllowedSet set = AllowedSet::OfExpected(type, expected);
      for (uint64_t bits = 0; bits <= BitMask(type); ++bits) {
        ASSERT_EQ(set.Contains(bits), Matches(expected, type, bits))
            << Name(type) << " " << DescribeExpected(type, expected) << " " << BitsToString(type, bits);
      }
    }
  }
}

}  // namespace
}  // namespace tosaic
