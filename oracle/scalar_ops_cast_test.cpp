// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boundary vectors of the cast.
#include <cmath>

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
         {K::kCast, E::kF32, E::kI32, {2147483520.0}, "2147483520"},
         {K::kCast, E::kF32, E::kI32, {-2147483648.0}, "-2147483648"},
         {K::kCast, E::kF32, E::kI32, {-2147483904.0}, "-2147483648"},
         {K::kCast, E::kF32, E::kI32, {0x1.fffffep-2}, "0"},  // the number before 0.5
         {K::kCast, E::kF32, E::kI32, {0x1.000002p-1}, "1"},
         {K::kCast, E::kF32, E::kI32, {8388607.5}, "8388608"},
         {K::kCast, E::kF32, E::kI32, {-8388606.5}, "-8388606"},
         {K::kCast, E::kF32, E::kI16, {32767.5}, "32767"},
         {K::kCast, E::kF32, E::kI16, {-32768.5}, "-32768"},
         {K::kCast, E::kF32, E::kI8, {0x1p-149}, "0"},
         {K::kCast, E::kF16, E::kI32, {65504}, "65504"},
         {K::kCast, E::kBF16, E::kI32, {-3e38}, "-2147483648"}});
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

TEST(CastTest, CastsOfUnsignedNumbersExtendWithZeros) {
  const Attributes as_unsigned = {.input_unsigned = true};
  const Attributes as_signed = {.input_unsigned = false};
  Check({{K::kCast, E::kI8, E::kI32, {-1}, "255", as_unsigned},
         {K::kCast, E::kI8, E::kI32, {-1}, "-1", as_signed},
         {K::kCast, E::kI8, E::kI16, {-128}, "128", as_unsigned},
         {K::kCast, E::kI8, E::kI16, {127}, "127", as_unsigned},
         {K::kCast, E::kI16, E::kI8, {-129}, "127", as_unsigned},  // truncated: the sign does not matter
         {K::kCast, E::kI32, E::kI64, {-1}, "4294967295", as_unsigned},
         {K::kCast, E::kI32, E::kI1, {-1}, "true", as_unsigned},
         {K::kCast, E::kI8, E::kF32, {-1}, "[254.999992, 255.000008]", as_unsigned},
         {K::kCast, E::kI16, E::kF16, {-16}, "[65504, inf]", as_unsigned}});
  const Policies draft = {.spec_version = SpecVersion::k1_1};
  const Expected expected = Eval(K::kCast, E::kI32, E::kF32, {-1}, as_unsigned, draft);
  EXPECT_TRUE(Matches(expected, E::kF32, BitsOf(E::kF32, 4294967296.0)));
  EXPECT_FALSE(Matches(expected, E::kF32, BitsOf(E::kF32, -1)));
  EXPECT_EQ(expected.value_case, ValueCase::kIntegerToFloat);
  EXPECT_EQ(Eval(K::kCast, E::kI32, E::kF32, {-1}, as_unsigned).value_case, ValueCase::kExtensionCast);
}

// Beyond the greatest number's range an infinity: what is cut to it on the way is beyond from the next power of two on.
TEST(CastTest, FloatsAtTheEndsOfANarrowerType) {
  Check({{K::kCast, E::kF32, E::kF16, {65519.99609375}, "65504"},
         {K::kCast, E::kF32, E::kF16, {65535.99609375}, "[65504, inf]"},
         {K::kCast, E::kF32, E::kF16, {65536}, "inf"},
         {K::kCast, E::kF32, E::kF16, {-1e30}, "-inf"},
         {K::kCast, E::kF32, E::kBF16, {0x1.fffffep127}, "[3.38953139e+38, inf]"},
         {K::kCast, E::kF32, E::kF16, {kNan}, "NaN"},
         {K::kCast, E::kBF16, E::kF32, {kInf}, "inf"}});
  const double least = std::ldexp(1, -24);  // of f16
  const auto may_be = [](double x, double result) {
    return Matches(Eval(K::kCast, E::kF32, E::kF16, {x}), E::kF16, BitsOf(E::kF16, result));
  };
  EXPECT_TRUE(may_be(0.75 * least, least) && may_be(0.75 * least, 0.0));
  EXPECT_FALSE(may_be(0.75 * least, -0.0));
  EXPECT_TRUE(may_be(0.25 * least, 0.0));
  EXPECT_FALSE(may_be(0.25 * least, least));
  EXPECT_TRUE(may_be(-0.75 * least, -least) && may_be(-0.75 * least, -0.0));
  EXPECT_TRUE(may_be(-3 * least, -0.0)) << "flushed";
  EXPECT_FALSE(may_be(-3 * least, -2 * least) || may_be(-3 * least, 0.0));
  EXPECT_FALSE(may_be(std::ldexp(1, -14), 0.0)) << "the least normal number";
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
