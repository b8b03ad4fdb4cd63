// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/accuracy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "oracle/compare.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

using E = ElementType;
double TwoTo(int exponent) { return std::ldexp(1.0, exponent); }

double Aeb(E type, double m, double b, double l, int d) {
  return AbsoluteErrorBound<Real>(type, m, b, l, d).ToDouble(MPFR_RNDN);
}

// Whether a test, given as a value of the type, passes.
bool Passes(E type, const Expected& expected, double test) { return Matches(expected, type, NearestBits(type, test)); }

TEST(AccuracyTest, Ulp) {
  EXPECT_EQ(Ulp(E::kF32, 1.0), TwoTo(-23));
  EXPECT_EQ(Ulp(E::kF32, -1.999), TwoTo(-23));
  EXPECT_EQ(Ulp(E::kF16, 2048.0), 2);
  EXPECT_EQ(Ulp(E::kBF16, 0.75), TwoTo(-8));
  EXPECT_EQ(Ulp(E::kF8E4M3FN, 448.0), 32);
  EXPECT_EQ(Ulp(E::kF16, TwoTo(-24)), TwoTo(-24));  // subnormal: normal_min's
  for (double none : {0.0, -0.0, kInfinity, std::nan(""), TwoTo(-1060)}) EXPECT_EQ(Ulp(E::kF32, none), 0) << none;
  EXPECT_TRUE(Ulp(E::kF16, Real(1) - Real::PowerOfTwo(-60)) == Real(TwoTo(-10)));  // 1 as a double
  EXPECT_TRUE(Ulp(E::kF16, Real(1) - Real::PowerOfTwo(-53)) == Real(TwoTo(-11)));
  EXPECT_TRUE(Ulp(E::kF32, Real::PowerOfTwo(1024)) == Real(0));
  EXPECT_TRUE(Ulp(E::kF32, Real::PowerOfTwo(1023)) == Real::PowerOfTwo(1000));
}

TEST(AccuracyTest, AbsoluteErrorBoundByHand) {
  EXPECT_EQ(Aeb(E::kF32, 1, 3, 0, 1), 3 * TwoTo(-23));
  EXPECT_EQ(Aeb(E::kF32, -4, 3, 0, 1), 12 * TwoTo(-23));
  EXPECT_EQ(Aeb(E::kF32, 0, 3, 0, 1), 3 * TwoTo(-149));        // m raised to normal_min
  EXPECT_EQ(Aeb(E::kF32, 0.01, 5, 0.5, 1), 0.5 * TwoTo(-23));  // l / b wins: 0.1 * 5
  EXPECT_EQ(Aeb(E::kF32, 0, kInfinity, 0, 1), 0);
  EXPECT_EQ(Aeb(E::kF32, 1, kInfinity, 0, 1), kInfinity);
  EXPECT_DOUBLE_EQ(Aeb(E::kF32, 1, 1, 0, 2), std::exp2(-11.5));  // 23 / 2 is no integer
  EXPECT_EQ(Aeb(E::kF16, 1, 1, 0, 2), TwoTo(-5));
  EXPECT_DOUBLE_EQ(Aeb(E::kBF16, 1, 1, 0, 2), std::exp2(-3.5));
}

// One row per op's rule: the bound at x, with the reference given.
TEST(AccuracyTest, RulesOfTheCatalogue) {
  struct Row {
    OpKind op;
    E type;
    double reference, x, bound;
  };
  constexpr double kPi = 3.14159265358979323846;
  for (const Row& row : {Row{OpKind::kCos, E::kF32, 0.5, -3, 4 * std::exp2(-11.5)},
                         {OpKind::kSin, E::kF16, 0.5, 3, 6 * TwoTo(-5)},
                         {OpKind::kSin, E::kF32, 0, TwoTo(-140), kPi * TwoTo(-126)},
                         {OpKind::kErf, E::kF32, 0.5, 1, 5 * TwoTo(-24)},
                         {OpKind::kExp, E::kF32, 1, 2, 7 * TwoTo(-23)},
                         {OpKind::kExp, E::kF16, 1, -2, 5 * TwoTo(-10)},
                         {OpKind::kLog, E::kBF16, 2, 1, 10 * TwoTo(-7)},
                         {OpKind::kLog, E::kBF16, 0, 1, 0.5 * TwoTo(-7)},
                         {OpKind::kSigmoid, E::kF32, 0.5, 1, 2 * TwoTo(-23)},
                         {OpKind::kTanh, E::kF32, 0.5, 1, 10 * TwoTo(-23)},
                         {OpKind::kTanh, E::kF32, TwoTo(-20), 0, 0.5 * TwoTo(-23)},
                         {OpKind::kReciprocal, E::kF32, 0.5, 2, TwoTo(-24)},
                         {OpKind::kRsqrt, E::kF32, 0.5, 4, 2 * TwoTo(-24)},
                         {OpKind::kAdd, E::kF16, 1, 1, 0.5 * TwoTo(-10)}}) {
    const Accuracy& rule = Info(row.op).accuracy;
    EXPECT_DOUBLE_EQ(ErrorBound<Real>(rule, row.type, row.reference, row.x, 0).ToDouble(MPFR_RNDN), row.bound)
        << Name(row.op);
    const Interval enclosure = ErrorBound<Interval>(rule, row.type, row.reference, row.x, 0);
    EXPECT_LE(enclosure.lo(), row.bound) << Name(row.op);
    EXPECT_GE(enclosure.hi(), row.bound) << Name(row.op);
    EXPECT_NEAR(enclosure.lo() / row.bound, enclosure.hi() / row.bound, 1e-14) << Name(row.op);
  }
}

TEST(AccuracyTest, PowFollowsThePolicysVersion) {
  const OpInfo& pow = Info(OpKind::kPow);
  Policies policies;
  const double x = 3, y = 2, ref = 9, product = 2 * std::log(3.0);
  const double me = TwoTo(-23) * product * 5.5;  // |product| > 1.1 / 5.5
  const double later = ref * std::expm1(me) + TwoTo(-23) * ref * (3 + 2 * (product + me));
  EXPECT_DOUBLE_EQ(ErrorBound<Real>(AccuracyOf(pow, E::kF32, policies), E::kF32, ref, x, y).ToDouble(MPFR_RNDN), later);
  policies.spec_version = SpecVersion::k1_0_0;
  const double first = TwoTo(-23) * ref * (3 + 7.5 * product);
  EXPECT_DOUBLE_EQ(ErrorBound<Real>(AccuracyOf(pow, E::kF32, policies), E::kF32, ref, x, y).ToDouble(MPFR_RNDN), first);
  EXPECT_EQ(&AccuracyOf(Info(OpKind::kExp), E::kF32, policies), &Info(OpKind::kExp).accuracy);
}

TEST(WithinTest, BothEndsAreIn) {
  const double ulp = TwoTo(-23);
  for (double sign : {1.0, -1.0}) {
    const Expected expected = Within(E::kF32, sign * 1.5, 2 * ulp);
    for (int n : {-2, -1, 0, 1, 2}) EXPECT_TRUE(Passes(E::kF32, expected, sign * (1.5 + n * ulp))) << sign << n;
    for (int n : {-3, 3}) EXPECT_FALSE(Passes(E::kF32, expected, sign * (1.5 + n * ulp))) << sign << n;
    EXPECT_FALSE(Passes(E::kF32, expected, -sign * 1.5));
    EXPECT_FALSE(Passes(E::kF32, expected, 0.0));
    EXPECT_FALSE(Passes(E::kF32, expected, std::nan("")));
  }
}

TEST(WithinTest, DecidesFarBelowADoublesPrecision) {
  // Half an ulp around 1 + 2^-24 + 2^-149: 1 is just out, 1 + 2^-23 in.
  const Real reference = Real(1) + Real(TwoTo(-24)) + Real(TwoTo(-149));
  const Expected expected = Within(E::kF32, reference, TwoTo(-24));
  EXPECT_FALSE(Passes(E::kF32, expected, 1));
  EXPECT_TRUE(Passes(E::kF32, expected, 1 + TwoTo(-23)));
}

TEST(WithinTest, NanInfinityAndUnbounded) {
  const Expected nan = Within(E::kF16, std::nan(""), 0.0);
  for (uint64_t bits : {0x7e00, 0xfe00, 0x7c01, 0xffff}) EXPECT_TRUE(Matches(nan, E::kF16, bits));
  for (uint64_t bits : {0x7c00, 0xfc00, 0x0000, 0x3c00}) EXPECT_FALSE(Matches(nan, E::kF16, bits));
  // A bound beyond everything lets every number pass and no NaN: overflow is overflow.
  for (double beyond : {kInfinity, std::nan("")}) {
    const Expected any = Within(E::kF16, 1.0, beyond);
    for (double number : {kInfinity, -kInfinity, 0.0, -0.0, 65504.0})
      EXPECT_TRUE(Passes(E::kF16, any, number)) << number;
    EXPECT_FALSE(Passes(E::kF16, any, std::nan("")));
  }
  // A reference beyond the doubles is an infinity, whatever the bound.
  const Expected overflow = Within(E::kBF16, Real::PowerOfTwo(1100), Real::PowerOfTwo(1110));
  EXPECT_TRUE(Passes(E::kBF16, overflow, kInfinity));
  for (double finite : {0.0, 3e38, -kInfinity}) EXPECT_FALSE(Passes(E::kBF16, overflow, finite)) << finite;
  const Expected infinite = Within(E::kF16, -kInfinity, 0.0);
  EXPECT_TRUE(Passes(E::kF16, infinite, -kInfinity));
  EXPECT_FALSE(Passes(E::kF16, infinite, kInfinity));
  EXPECT_FALSE(Passes(E::kF16, infinite, -65504));
}

TEST(WithinTest, EndsBeyondNormalMaxAreInfinite) {
  // The upper end leaves the range: infinity passes beside the greatest number.
  const Expected upper = Within(E::kF16, 65504.0, 16.0);
  EXPECT_TRUE(Passes(E::kF16, upper, kInfinity));
  EXPECT_TRUE(Passes(E::kF16, upper, 65504));
  EXPECT_FALSE(Passes(E::kF16, upper, 65472));
  // Both do: only infinity passes.
  const Expected both = Within(E::kF16, -70000.0, 16.0);
  EXPECT_TRUE(Passes(E::kF16, both, -kInfinity));
  EXPECT_FALSE(Passes(E::kF16, both, -65504));
  EXPECT_FALSE(Passes(E::kF16, both, kInfinity));
  // The lower end falls below -normal_max.
  const Expected all = Within(E::kF16, 1.0, 1e9);
  for (double any : {kInfinity, -kInfinity, 0.0, -65504.0}) EXPECT_TRUE(Passes(E::kF16, all, any)) << any;
  EXPECT_FALSE(Passes(E::kF16, all, std::nan("")));
}

TEST(WithinTest, ZeroPassesIffTheLowerEndIsSubnormal) {
  const double normal_min = TwoTo(-126);
  for (double sign : {1.0, -1.0}) {
    for (double zero : {0.0, -0.0}) {
      EXPECT_TRUE(Passes(E::kF32, Within(E::kF32, sign * normal_min * 0.75, 0.0), zero));
      EXPECT_FALSE(Passes(E::kF32, Within(E::kF32, sign * normal_min, 0.0), zero));
      EXPECT_TRUE(Passes(E::kF32, Within(E::kF32, Real(sign * normal_min), TwoTo(-200)), zero));
      EXPECT_FALSE(Passes(E::kF32, Within(E::kF32, sign * normal_min, TwoTo(-200)), zero));  // fp64_t has no such step
      EXPECT_TRUE(Passes(E::kF32, Within(E::kF32, sign * 0.0, 0.0), zero));
      // fp8 keeps subnormals.
      EXPECT_FALSE(Passes(E::kF8E5M2, Within(E::kF8E5M2, sign * TwoTo(-15), 0.0), zero));
      EXPECT_TRUE(Passes(E::kF8E5M2, Within(E::kF8E5M2, sign * TwoTo(-15), TwoTo(-15)), zero));
    }
  }
}

TEST(WithinTest, NanStandsForInfinityInF8E4M3) {
  for (double sign : {1.0, -1.0}) {
    EXPECT_TRUE(Matches(Within(E::kF8E4M3FN, sign * 448.0, 1.0), E::kF8E4M3FN, 0x7f));
    EXPECT_FALSE(Matches(Within(E::kF8E4M3FN, sign * 448.0, 0.0), E::kF8E4M3FN, 0x7f));
    EXPECT_TRUE(Matches(Within(E::kF8E4M3FN, sign * 600.0, 1.0), E::kF8E4M3FN, 0xff));
    EXPECT_FALSE(Passes(E::kF8E4M3FN, Within(E::kF8E4M3FN, sign * 600.0, 1.0), sign * 448));
    EXPECT_FALSE(Matches(Within(E::kF8E5M2, sign * 1e9, 1.0), E::kF8E5M2, 0x7f));  // has infinities
  }
}

TEST(CastIntervalTest, ReachesFromTowardZeroToNearest) {
  struct Row {
    E type;
    double x;
    std::vector<double> pass, fail;
  };
  const double least = TwoTo(-24), nan = std::nan("");
  for (const Row& row : std::vector<Row>{
           {E::kF16, 1, {1}, {1 + TwoTo(-10), 1 - TwoTo(-11), 0, nan}},
           {E::kF16, 1 + TwoTo(-12), {1}, {1 + TwoTo(-10)}},
           {E::kF16, 1 + TwoTo(-11), {1, 1 + TwoTo(-10)}, {1 - TwoTo(-11)}},
           {E::kF16, 1 + 3 * TwoTo(-12), {1, 1 + TwoTo(-10)}, {1 + TwoTo(-9)}},
           {E::kF16, 65504, {65504}, {kInfinity}},
           {E::kF16, 65519, {65504}, {kInfinity, 65472}},
           {E::kF16, 65520, {65504, kInfinity}, {65472, nan}},
           {E::kF16, 65536, {kInfinity}, {65504, nan}},
           {E::kF16, kInfinity, {kInfinity}, {65504, nan}},
           {E::kF16, least, {least, 0.0}, {-0.0, 2 * least}},
           {E::kF16, least * 0.75, {least, 0.0}, {-0.0}},
           {E::kF16, least * 0.4, {0.0}, {-0.0, least}},
           {E::kF16, 0.0, {0.0}, {-0.0, least}},
           {E::kF16, nan, {nan}, {0.0, kInfinity}},
           {E::kF8E4M3FN, 448, {448}, {nan, 416}},
           {E::kF8E4M3FN, 463, {448}, {nan}},
           {E::kF8E4M3FN, 464, {448, nan}, {416}},
           {E::kF8E4M3FN, 480, {nan}, {448}},
           {E::kF8E4M3FN, kInfinity, {nan}, {448}},
           {E::kF8E4M3FN, TwoTo(-9), {TwoTo(-9)}, {0.0}},  // a subnormal, kept
           {E::kF8E5M2, 61440, {57344, kInfinity}, {nan}},
           {E::kF8E5M2, 65536, {kInfinity}, {57344, nan}},
           {E::kBF16, 3.4028234663852886e38, {3.3895313892515355e38, kInfinity}, {nan}},
       }) {
    for (double sign : {1.0, -1.0}) {
      const Expected expected = CastInterval(row.type, sign * row.x);
      for (double x : row.pass)
        EXPECT_TRUE(Passes(row.type, expected, sign * x)) << Name(row.type) << row.x << " " << x;
      for (double x : row.fail)
        EXPECT_FALSE(Passes(row.type, expected, sign * x)) << Name(row.type) << row.x << " " << x;
    }
  }
}

TEST(SurelyWithinTest, IsASubsetAndEmptyWhereNothingIsSure) {
  const double inf = kInfinity;
  for (const auto& [reference, bound] : std::vector<std::pair<Interval, Interval>>{{Interval::Everything(), 0},
                                                                                   {Interval(-1e-300, 1e-300), 1},
                                                                                   {1, Interval(1, inf)},
                                                                                   {1, inf},
                                                                                   {1, Interval::Everything()}}) {
    const Expected expected = SurelyWithin(E::kF32, reference, bound);
    for (double test : {0.0, 1.0, inf, -inf, std::nan("")}) EXPECT_FALSE(Passes(E::kF32, expected, test)) << test;
  }
  const Expected expected = SurelyWithin(E::kF32, Interval(1 - TwoTo(-30), 1), TwoTo(-23));
  EXPECT_TRUE(Passes(E::kF32, expected, 1));
  EXPECT_FALSE(Passes(E::kF32, expected, 1 + TwoTo(-23)));  // at the bound: left to Within
  EXPECT_TRUE(Passes(E::kF32, Within(E::kF32, 1.0, TwoTo(-23)), 1 + TwoTo(-23)));
}

TEST(SurelyWithinTest, DecidesZerosUnderflowsAndOverflows) {
  EXPECT_TRUE(Passes(E::kF32, SurelyWithin(E::kF32, 0.0, 0.0), 0.0));
  EXPECT_FALSE(Passes(E::kF32, SurelyWithin(E::kF32, 0.0, 0.0), 1.0));
  const Expected underflow = SurelyWithin(E::kF32, Interval(0, TwoTo(-1074)), TwoTo(-200));
  EXPECT_TRUE(Passes(E::kF32, underflow, 0.0));
  EXPECT_FALSE(Passes(E::kF32, underflow, TwoTo(-149)));
  const Expected overflow = SurelyWithin(E::kF32, Interval(1e300, kInfinity, true), 1);
  EXPECT_TRUE(Passes(E::kF32, overflow, kInfinity));
  for (double not_it : {-kInfinity, 0.0, 0x1.fffffep127}) EXPECT_FALSE(Passes(E::kF32, overflow, not_it)) << not_it;
}

}  // namespace
}  // namespace tosaic
