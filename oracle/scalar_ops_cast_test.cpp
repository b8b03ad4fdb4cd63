// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boundary vectors of the cast.
#include <cmath>
#include <string>

#include "gtest/gtest.h"
#include "model/tensor.h"
#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

TEST(CastTest, CastsBetweenIntegersAndTruthValues) {
  Check({{K::kCast, E::kI32, E::kI1, {256}, "true"},
         {K::kCast, E::kI8, E::kI1, {0}, "false"},
         {K::kCast, E::kI1, E::kI8, {1}, "1"},
         {K::kCast, E::kI1, E::kI32, {0}, "0"},
         {K::kCast, E::kI8, E::kI32, {-128}, "-128"},
         {K::kCast, E::kI32, E::kI8, {128}, "-128"},
         {K::kCast, E::kI32, E::kI16, {65537}, "1"},
         {K::kCast, E::kI16, E::kI8, {-129}, "127"}});
}

TEST(CastTest, CastsToIntegersRoundHalfToEvenAndSaturate) {
  for (E type : kFloats) {
    Check({{K::kCast, type, E::kI8, {0.5}, "0"},
           {K::kCast, type, E::kI8, {1.5}, "2"},
           {K::kCast, type, E::kI8, {2.5}, "2"},
           {K::kCast, type, E::kI8, {-2.5}, "-2"},
           {K::kCast, type, E::kI8, {-3.5}, "-4"},
           {K::kCast, type, E::kI8, {-0.0}, "0"},
           {K::kCast, type, E::kI8, {128}, "127"},
           {K::kCast, type, E::kI8, {-129}, "-128"},
           {K::kCast, type, E::kI16, {40000}, "32767"},
           {K::kCast, type, E::kI32, {kInf}, "2147483647"},
           {K::kCast, type, E::kI32, {-kInf}, "-2147483648"},
           {K::kCast, type, E::kI16, {kNan}, "undefined (nan-to-integer)"}});
  }
  Check({{K::kCast, E::kF32, E::kI8, {127.5}, "127"},
         {K::kCast, E::kF32, E::kI8, {126.5}, "126"},
         {K::kCast, E::kF32, E::kI32, {2147483648.0}, "2147483647"},
         {K::kCast, E::kF32, E::kI32, {2147483520.0}, "2147483520"}});
}

TEST(CastTest, CastsToFloats) {
  const Expected large = Eval(K::kCast, E::kI32, E::kF32, {kMax32});
  EXPECT_TRUE(Matches(large, E::kF32, BitsOf(E::kF32, 2147483648.0)));
  EXPECT_FALSE(Matches(large, E::kF32, BitsOf(E::kF32, 2147483520.0)));
  EXPECT_TRUE(Matches(Eval(K::kCast, E::kI32, E::kF16, {kMin32}), E::kF16, 0xfc00));
  const Expected tie = Eval(K::kCast, E::kI32, E::kF32, {16777217});
  for (double either : {16777216.0, 16777218.0}) EXPECT_TRUE(Matches(tie, E::kF32, BitsOf(E::kF32, either)));
  EXPECT_FALSE(Matches(tie, E::kF32, BitsOf(E::kF32, 16777220.0)));
  EXPECT_TRUE(Matches(Eval(K::kCast, E::kI8, E::kF16, {0}), E::kF16, 0));
  EXPECT_EQ(large.value_case, ValueCase::kIntegerToFloat);
  Check({{K::kCast, E::kF32, E::kF16, {-0.0}, "-0"},
         {K::kCast, E::kF16, E::kF32, {65504}, "65504"},
         {K::kCast, E::kF32, E::kF16, {65520}, "[65504, inf]"},
         {K::kCast, E::kF32, E::kF8E4M3FN, {1000}, "inf or NaN"},
         {K::kCast, E::kF32, E::kF8E5M2, {-1e6}, "-inf"},
         {K::kCast, E::kF8E4M3FN, E::kF32, {kNan}, "NaN"}});
}

TEST(CastTest, EveryF16IsWidenedNegatedAndRoundedExactly) {
  for (uint64_t bits = 0; bits <= 0xffff; ++bits) {
    const double x = ElementToDouble(E::kF16, bits);
    auto check = [&](K op, E result, double value) {
      const Expected expected = Eval(op, E::kF16, result, {x, 0, 0});
      ASSERT_TRUE(Matches(expected, result, BitsOf(result, value))) << Name(op) << " of " << x;
      if (std::isnan(value)) return;
      // Two patterns off is more than half a unit in the last place.
      const uint64_t sign = SignMask(result);
      for (uint64_t off : {uint64_t{2}, ~uint64_t{1}}) {
        const uint64_t wrong = BitsOf(result, value) + off;
        if ((BitsOf(result, value) & ~sign) <= 2) continue;
        ASSERT_FALSE(Matches(expected, result, wrong)) << Name(op) << " of " << x;
      }
    };
    check(K::kCast, E::kF32, x);
    check(K::kNegate, E::kF16, -x);
    check(K::kAbs, E::kF16, std::fabs(x));
    check(K::kCeil, E::kF16, std::ceil(x));
    check(K::kFloor, E::kF16, std::floor(x));
  }
}

}  // namespace
}  // namespace tosaic
