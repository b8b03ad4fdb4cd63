// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "oracle/accuracy.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

using E = ElementType;
constexpr uint64_t kNanBits = 0x7fc00000, kNegativeNan = 0xffc12345, kOne = 0x3f800000, kInfinityBits = 0x7f800000;
constexpr uint64_t kZero = 0, kNegativeZero = 0x80000000, kSubnormal = 0x00400000, kNormalMin = 0x00800000;

Expected FreeZero(uint64_t bits) {
  Expected expected = ExactBits(bits);
  expected.zero_sign_free = true;
  return expected;
}

TEST(CompareTest, TruthTable) {
  struct Row {
    const char* name;
    Expected expected;
    E type;
    uint64_t actual;
    bool matches;
  };
  for (const Row& row : std::vector<Row>{
           {"number, same", ExactBits(kOne), E::kF32, kOne, true},
           {"number, other", ExactBits(kOne), E::kF32, kOne + 1, false},
           {"number, NaN", ExactBits(kOne), E::kF32, kNanBits, false},
           {"NaN, number", AnyNan(), E::kF32, kOne, false},
           {"NaN, infinity", AnyNan(), E::kF32, kInfinityBits, false},
           {"NaN, NaN", AnyNan(), E::kF32, kNanBits, true},
           {"NaN, another NaN", AnyNan(), E::kF32, kNegativeNan, true},
           {"range, NaN", ExactValue(1), E::kF32, kNanBits, false},
           {"infinity, same", ExactValue(kInfinity), E::kF32, kInfinityBits, true},
           {"infinity, other sign", ExactValue(kInfinity), E::kF32, kInfinityBits | kNegativeZero, false},
           {"infinity, greatest number", ExactValue(kInfinity), E::kF32, kInfinityBits - 1, false},
           {"infinity, NaN", ExactValue(kInfinity), E::kF32, kNanBits, false},
           {"infinity bits, NaN", ExactBits(kInfinityBits), E::kF32, kNanBits, false},
           {"+0, -0", ExactBits(kZero), E::kF32, kNegativeZero, false},
           {"-0, +0", ExactBits(kNegativeZero), E::kF32, kZero, false},
           {"+0, -0, sign free", FreeZero(kZero), E::kF32, kNegativeZero, true},
           {"-0, +0, sign free", FreeZero(kNegativeZero), E::kF32, kZero, true},
           {"0, subnormal, sign free", FreeZero(kZero), E::kF32, 1, false},
           {"value +0, -0", ExactValue(0.0), E::kF32, kNegativeZero, false},
           {"value -0, -0", ExactValue(-0.0), E::kF32, kNegativeZero, true},
           {"value -0, +0", ExactValue(-0.0), E::kF32, kZero, false},
           {"value 1, 0", ExactValue(1), E::kF32, kZero, false},
           {"subnormal, flushed", ExactBits(kSubnormal), E::kF32, kZero, true},
           {"subnormal, flushed to the other sign", ExactBits(kSubnormal), E::kF32, kNegativeZero, false},
           {"-subnormal, flushed", ExactBits(kSubnormal | kNegativeZero), E::kF32, kNegativeZero, true},
           {"subnormal, flushed, sign free", FreeZero(kSubnormal), E::kF32, kNegativeZero, true},
           {"subnormal, another", ExactBits(kSubnormal), E::kF32, kSubnormal + 1, false},
           {"normal_min, 0", ExactBits(kNormalMin), E::kF32, kZero, false},
           {"f16 subnormal, flushed", ExactBits(0x03ff), E::kF16, 0, true},
           {"bf16 subnormal, flushed", ExactBits(0x807f), E::kBF16, 0x8000, true},
           {"fp8 subnormal, 0", ExactBits(0x01), E::kF8E5M2, 0, false},
           {"integer, 0", ExactBits(1), E::kI32, 0, false},
           {"integer, other sign", ExactBits(0), E::kI8, 0x80, false},
           {"i1, true", ExactBits(1), E::kI1, 1, true},
           {"i1, 0xff is no truth value", ExactBits(1), E::kI1, 0xff, false},
           {"i1, 0xa5 for false", ExactBits(0), E::kI1, 0xa4, false},
           {"i4, as it is stored", ExactBits(0xd), E::kI4, 0x0d, true},
           {"i4, bits beyond the width", ExactBits(0x5), E::kI4, 0xf5, false},
           {"i4, its sign beyond the width", ExactBits(0xd), E::kI4, 0xfd, false},
           {"i4, undefined, bits beyond the width", Undefined(ValueCase::kDomain), E::kI4, 0xf5, true},
           {"i48, bits beyond the width", ExactBits(7), E::kI48, 0xffff000000000007, true},
           {"undefined, anything", Undefined(ValueCase::kDomain), E::kF32, kNanBits, true},
           {"no match", NoMatch(), E::kF32, kZero, false},
       }) {
    EXPECT_EQ(Matches(row.expected, row.type, row.actual), row.matches) << row.name;
  }
}

TEST(CompareTest, AllowedRangesAreWhatMatches) {
  const auto ranged = [](double lo, double hi, bool zero, bool nan) {
    Expected expected = NoMatch();
    expected.lo = lo;
    expected.hi = hi;
    expected.reference = lo;
    expected.zero_passes = zero;
    expected.nan_passes = nan;
    return expected;
  };
  for (const E type : {E::kF16, E::kBF16, E::kF8E5M2, E::kF8E4M3FN, E::kI8, E::kI1}) {
    std::vector<Expected> all = {Undefined(ValueCase::kPlain), ExactBits(0), ExactBits(1)};
    if (IsFloat(type)) {
      const uint64_t sign = SignMask(type);
      for (uint64_t bits : {sign, sign | 1, sign - 1, sign | 5, uint64_t{0x35}}) all.push_back(ExactBits(bits));
      all.insert(all.end(), {FreeZero(0), FreeZero(sign), FreeZero(1), AnyNan(), NoMatch()});
      for (bool zero : {false, true}) {
        for (bool nan : {false, true}) {
          for (auto [lo, hi] : {std::pair(-2.0, 3.0),
                                {0.25, 0.5},
                                {-0.5, -0.25},
                                {1.0, kInfinity},
                                {-kInfinity, -1.0},
                                {1.3, 1e300},
                                {-1e300, 1e-300},
                                {kInfinity, kInfinity},
                                {1e300, kInfinity},
                                {1, std::nan("")},
                                {std::nan(""), 1}}) {
            all.push_back(ranged(lo, hi, zero, nan));
          }
        }
      }
    }
    for (const Expected& expected : all) {
      const std::vector<BitRange> ranges = AllowedRanges(type, expected);
      size_t at = 0;
      for (uint64_t bits = 0; bits <= BitMask(type); ++bits) {
        while (at < ranges.size() && ranges[at].last < bits) ++at;
        const bool in = at < ranges.size() && ranges[at].first <= bits;
        ASSERT_EQ(in, Matches(expected, type, bits)) << Name(type) << " " << bits;
      }
      for (size_t i = 1; i < ranges.size(); ++i) EXPECT_LT(ranges[i - 1].last + 1, ranges[i].first) << Name(type);
    }
  }
  EXPECT_EQ(AllowedRanges(E::kF32, ranged(1, 2, false, false)), (std::vector<BitRange>{{kOne, 0x40000000}}));
  EXPECT_EQ(AllowedRanges(E::kF32, AnyNan()),
            (std::vector<BitRange>{{kInfinityBits + 1, 0x7fffffff}, {0xff800001, 0xffffffff}}));
}

// Against the patterns one by one.
uint64_t CountedWidth(E type, const Expected& expected) {
  uint64_t count = 0;
  bool nan = false;
  for (uint64_t bits = 0; bits <= BitMask(type); ++bits) {
    if (!Matches(expected, type, bits)) continue;
    std::isnan(ElementToDouble(type, bits)) ? void(nan = true) : void(++count);
  }
  return count + (nan ? 1 : 0) - 1;
}

TEST(CompareTest, AWidthIsTheNumberOfPatternsBesideOne) {
  const double ends[] = {-kInfinity, -1e300, -70000, -448.5, -1.5, -1e-3, -1e-7, -1e-45, 0,
                         1e-45,      3e-8,   6.2e-5, 0.3,    1,    1.001, 448,   65519,  kInfinity};
  for (const E type : {E::kF16, E::kBF16, E::kF8E4M3FN, E::kF8E5M2}) {
    for (const double lo : ends) {
      for (const double hi : ends) {
        if (lo > hi) continue;
        Expected range = {.kind = Expected::Kind::kRange, .lo = lo, .hi = hi, .reference = lo};
        range.zero_passes = lo <= 0 && hi >= 0;
        range.zero_sign_free = hi > 1;
        range.nan_passes = type == E::kF8E4M3FN && hi > 448;
        const uint64_t counted = CountedWidth(type, range);
        if (counted == ~uint64_t{0}) continue;  // it has no member
        EXPECT_EQ(WidthOf(type, range), counted) << Name(type) << " " << lo << " to " << hi;
      }
    }
    for (const uint64_t bits : {uint64_t{0}, uint64_t{1}, NearestBits(type, 1), NearestBits(type, -kInfinity)}) {
      EXPECT_EQ(WidthOf(type, ExactBits(bits)), CountedWidth(type, ExactBits(bits))) << Name(type) << " " << bits;
      EXPECT_EQ(WidthOf(type, FreeZero(bits)), CountedWidth(type, FreeZero(bits))) << Name(type) << " " << bits;
    }
    EXPECT_EQ(WidthOf(type, AnyNan()), 0u);
  }
  EXPECT_EQ(WidthOf(E::kI32, ExactBits(5)), 0u);
  const Expected all_numbers = {
      .kind = Expected::Kind::kRange, .zero_sign_free = true, .zero_passes = true, .lo = -kInfinity, .hi = kInfinity};
  EXPECT_EQ(WidthOf(E::kF32, all_numbers), uint64_t{2} * kInfinityBits + 1);
  EXPECT_EQ(WidthOf(E::kF64, {.kind = Expected::Kind::kRange, .lo = 1, .hi = std::nextafter(1.0, 2)}), 1u);
}

TEST(CompareTest, Labels) {
  EXPECT_EQ(RuleOf(Info(OpKind::kExp), ExactValue(1)), RuleId::kValueExpPlain);
  EXPECT_EQ(RuleOf(Info(OpKind::kIntdiv), Undefined(ValueCase::kDivisionByZero)), RuleId::kValueIntdivDivisionByZero);
  EXPECT_EQ(RuleOf(Info(OpKind::kAdd), Undefined(ValueCase::kBeyondSpec)), RuleId::kBeyondSpec);
}

TEST(CompareTest, UlpDistance) {
  EXPECT_EQ(UlpDistance(E::kF32, ExactValue(1), kOne + 3), 3);
  EXPECT_EQ(UlpDistance(E::kF32, ExactBits(kOne), kOne - 1), 0.5);
  EXPECT_EQ(UlpDistance(E::kF32, ExactBits(0), 2), 2);
  EXPECT_EQ(UlpDistance(E::kF16, ExactBits(0x7bff), 0x7c00), 1);
  EXPECT_EQ(UlpDistance(E::kF16, ExactValue(kInfinity), 0x7bff), 0.5);  // the next power of two has wider steps
  EXPECT_EQ(UlpDistance(E::kF32, AnyNan(), kOne), 0);
  // A true value beyond the greatest number is no further away than one unit, and not moved if it is nearer.
  EXPECT_EQ(UlpDistance(E::kF16, ExactValue(65504 + 8), 0x7bff), 0.25);
  EXPECT_EQ(UlpDistance(E::kF16, ExactValue(65504 + 8), 0x7c00), 0.75);
  EXPECT_EQ(UlpDistance(E::kF16, ExactValue(1e300), 0x7c00), 0);
  // Below the doubles' normal numbers the unit is that of the least subnormal too.
  EXPECT_EQ(UlpDistance(E::kF32, ExactValue(std::ldexp(1.0, -1060)), 1), 1);
  EXPECT_EQ(UlpDistance(E::kI32, ExactBits(1), 9), 0);
}

// 0.171875 is outside of the first two, and must not seem to be allowed.
TEST(CompareTest, ABoundDoesNotReadAsAllowingWhatItRefuses) {
  const auto text = [](ElementType type, double lo, double hi) {
    Expected expected;
    expected.kind = Expected::Kind::kRange;
    expected.lo = lo;
    expected.hi = hi;
    return DescribeExpected(type, expected);
  };
  constexpr double kLess = 0.1718749999999999, kMore = 0.1718750000000001;
  EXPECT_EQ(text(E::kF32, 0, kLess), "[0, 0.1718749999999999]");
  EXPECT_EQ(text(E::kF16, kMore, 1), "[0.1718750000000001, 1]");
  EXPECT_EQ(text(E::kF32, -kLess, -0.0), "[-0.1718749999999999, -0]");
  EXPECT_EQ(text(E::kF32, -1, -kMore), "[-1, -0.1718750000000001]");
  EXPECT_EQ(text(E::kF32, kLess, kMore), "[0.171875, 0.171875]") << "it is allowed";
  EXPECT_EQ(text(E::kF32, 1.0 / 3, 2.0 / 3), "[0.333333333, 0.666666667]");
}

TEST(CompareTest, ExplainsARange) {
  const ScalarInput in = {.op = Info(OpKind::kReciprocal),
                          .input_type = E::kF32,
                          .result_type = E::kF32,
                          .attributes = {},
                          .policies = {},
                          .bits = {NearestBits(E::kF32, 2)}};
  const ElementMismatch mismatch = ExplainMismatch(in, EvaluateScalar(in), 0x3f000002);
  EXPECT_EQ(mismatch.inputs, std::vector<std::string>{"2"});
  EXPECT_EQ(mismatch.expected, "[0.49999994, 0.50000006]");
  EXPECT_EQ(mismatch.actual, "0.500000119");
  EXPECT_EQ(mismatch.expected_bits, "0x3f000000");
  EXPECT_EQ(mismatch.actual_bits, "0x3f000002");
  EXPECT_EQ(mismatch.ulp_distance, 2);
  EXPECT_EQ(mismatch.bound, "1 ulp = 5.96e-08");
}

TEST(CompareTest, ExplainsAByteThatIsNoTruthValue) {
  const ScalarInput in = {.op = Info(OpKind::kLogicalNot),
                          .input_type = E::kI1,
                          .result_type = E::kI1,
                          .attributes = {},
                          .policies = {},
                          .bits = {0}};
  const ElementMismatch mismatch = ExplainMismatch(in, EvaluateScalar(in), 0xff);
  EXPECT_EQ(mismatch.expected, "true");
  EXPECT_EQ(mismatch.actual, "the byte 0xff");
  EXPECT_EQ(mismatch.bound, "exact");
}

TEST(CompareTest, ExplainsNumbersAsTheOpReadsThem) {
  const Attributes attributes = {.scale32 = true,
                                 .rounding_mode = RoundingMode::kSingleRound,
                                 .per_channel = false,
                                 .input_unsigned = false,
                                 .output_unsigned = true};
  const ScalarInput in = {.op = Info(OpKind::kRescale),
                          .input_type = E::kI8,
                          .result_type = E::kI8,
                          .attributes = attributes,
                          .policies = {},
                          .bits = {0xff, 1 << 30, 30, 0, 0xff}};
  const ElementMismatch mismatch = ExplainMismatch(in, EvaluateScalar(in), 0xff);
  EXPECT_EQ(mismatch.inputs, (std::vector<std::string>{"-1", "1073741824", "30", "0", "255"}));
  EXPECT_EQ(mismatch.expected, "254");
  EXPECT_EQ(mismatch.actual, "255");
}

Expected HalfUlpAround(E type, double reference) {
  static constexpr Accuracy kHalfUlp = {.kind = Accuracy::Kind::kUlp, .ulp = 0.5};
  Expected expected = Within(type, reference, Real(0.5) * Ulp(type, Real(reference)));
  expected.accuracy = &kHalfUlp;
  return expected;
}

TEST(CompareTest, BoundUsed) {
  static constexpr Accuracy kCast = {.kind = Accuracy::Kind::kCast};
  // f16 around 2049, halfway between 2048 and 2050, whose unit is 2.
  EXPECT_EQ(BoundUsed(E::kF16, HalfUlpAround(E::kF16, 2048.5), 0x6800), 0.5);
  EXPECT_EQ(BoundUsed(E::kF16, HalfUlpAround(E::kF16, 2049), 0x6800), 1);
  EXPECT_EQ(BoundUsed(E::kF16, HalfUlpAround(E::kF16, 2048), 0x6800), 0);
  EXPECT_EQ(BoundUsed(E::kF16, HalfUlpAround(E::kF16, 2048.5), 0x6801), 1.5);
  // An infinity beside the greatest number passes from one unit below.
  EXPECT_EQ(BoundUsed(E::kF16, HalfUlpAround(E::kF16, 65504), 0x7c00), 1);
  Expected cast = CastInterval(E::kF16, 2049.5);
  cast.accuracy = &kCast;
  EXPECT_EQ(BoundUsed(E::kF16, cast, 0x6800), 0.75);  // toward zero: a unit is allowed
  EXPECT_EQ(BoundUsed(E::kF16, cast, 0x6801), 0.5);   // away: half a unit
  EXPECT_EQ(BoundUsed(E::kF32, ExactBits(kOne), kOne + 1), 0);
  EXPECT_EQ(BoundUsed(E::kF32, AnyNan(), kNanBits), 0);
}

TEST(CompareTest, PassesByFlushing) {
  EXPECT_TRUE(PassesByFlushing(E::kF32, ExactBits(kSubnormal), kZero));
  EXPECT_FALSE(PassesByFlushing(E::kF32, ExactBits(kSubnormal), kSubnormal));
  EXPECT_FALSE(PassesByFlushing(E::kF32, ExactBits(kZero), kZero));
  EXPECT_FALSE(PassesByFlushing(E::kF32, ExactBits(kOne), kZero));  // does not pass
  EXPECT_TRUE(PassesByFlushing(E::kF16, HalfUlpAround(E::kF16, std::ldexp(1.0, -15)), 0));
  EXPECT_FALSE(PassesByFlushing(E::kF16, HalfUlpAround(E::kF16, std::ldexp(1.0, -25)), 0));  // 0 is within the bound
  EXPECT_FALSE(PassesByFlushing(E::kF32, AnyNan(), kZero));
  EXPECT_FALSE(PassesByFlushing(E::kI32, ExactBits(0), 0));
}

TEST(CompareTest, FateOfSubnormal) {
  using enum SubnormalFate;
  EXPECT_EQ(FateOfSubnormal(E::kF32, ExactBits(kSubnormal), kSubnormal), kKept);
  EXPECT_EQ(FateOfSubnormal(E::kF32, ExactBits(kSubnormal), kZero), kFlushed);
  EXPECT_EQ(FateOfSubnormal(E::kF32, ExactBits(kSubnormal | kNegativeZero), kNegativeZero), kFlushed);
  EXPECT_EQ(FateOfSubnormal(E::kF32, ExactBits(kSubnormal), kSubnormal + 1), kNone);
  EXPECT_EQ(FateOfSubnormal(E::kF32, ExactBits(kNormalMin), kNormalMin), kNone);
  EXPECT_EQ(FateOfSubnormal(E::kF32, ExactBits(kZero), kZero), kNone);
  EXPECT_EQ(FateOfSubnormal(E::kF32, ExactValue(std::ldexp(1.0, -130)), 0x00080000), kKept);
  EXPECT_EQ(FateOfSubnormal(E::kF16, ExactBits(1), 0), kFlushed);
  EXPECT_EQ(FateOfSubnormal(E::kF32, HalfUlpAround(E::kF32, std::ldexp(1.5, -149)), 0), kNone);  // several numbers
  EXPECT_EQ(FateOfSubnormal(E::kF16, CastInterval(E::kF16, 1e-20), 0), kNone);                   // less than any
  EXPECT_EQ(FateOfSubnormal(E::kF8E5M2, ExactBits(1), 0), kNone);                                // never flushed
}

TEST(IsMostOfTest, MoreThanHalfOfAllValues) {
  for (const E type : {E::kI1, E::kI4, E::kI8, E::kI64, E::kUi8}) {
    const uint64_t half = SignMask(type);
    EXPECT_FALSE(IsMostOf(type, half - 1)) << Name(type) << ": a width of one less is half";
    EXPECT_TRUE(IsMostOf(type, half)) << Name(type);
  }
  // f16 has 0x7c01 magnitudes of each sign, and a NaN; f8E4M3FN 0x7f.
  EXPECT_FALSE(IsMostOf(E::kF16, 0x7c00));
  EXPECT_TRUE(IsMostOf(E::kF16, 0x7c01));
  EXPECT_FALSE(IsMostOf(E::kF8E4M3FN, 0x7e));
  EXPECT_TRUE(IsMostOf(E::kF8E4M3FN, 0x7f));
}

}  // namespace
}  // namespace tosaic
