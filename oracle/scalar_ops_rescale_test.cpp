// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of rescale and table at the edges of their rules.
#include "gtest/gtest.h"
#include "oracle/compare.h"
#include "oracle/scalar_ops_testing.h"
#include "oracle/scaling.h"

namespace tosaic {
namespace {

constexpr double kOne = 1 << 30, kOne16 = 1 << 14;

Attributes Scaling(RoundingMode mode = RoundingMode::kSingleRound, bool scale32 = true) {
  return {.scale32 = scale32,
          .rounding_mode = mode,
          .per_channel = false,
          .input_unsigned = false,
          .output_unsigned = false};
}
Attributes InputUnsigned() {
  Attributes attributes = Scaling();
  attributes.input_unsigned = true;
  return attributes;
}
Attributes OutputUnsigned(RoundingMode mode = RoundingMode::kSingleRound) {
  Attributes attributes = Scaling(mode);
  attributes.output_unsigned = true;
  return attributes;
}

// The operands: value, multiplier, shift, zero point of the input, zero point of the result.
TEST(Rescale, TakesZeroPointsOffAndAddsThemInTheirOrder) {
  const Attributes one = Scaling();
  Check({{K::kRescale, E::kI8, E::kI8, {10, kOne, 30, 3, 0}, "7", one},
         {K::kRescale, E::kI8, E::kI8, {10, kOne, 30, 0, 3}, "13", one},
         {K::kRescale, E::kI8, E::kI8, {10, kOne, 31, 3, 1}, "5", one},
         {K::kRescale, E::kI8, E::kI8, {-128, kOne, 30, 127, 0}, "-128", one},
         {K::kRescale, E::kI8, E::kI16, {-128, kOne, 30, 127, 0}, "-255", one},
         {K::kRescale, E::kI8, E::kI8, {127, kOne, 30, 0, 1}, "127", one},
         {K::kRescale, E::kI16, E::kI8, {32767, kOne, 38, 0, -128}, "0", one},
         {K::kRescale, E::kI32, E::kI32, {kMin32, kOne, 32, 0, 0}, "-536870912", one}});
}

TEST(Rescale, RoundsAsItsModeSays) {
  const Attributes single = Scaling(), twice = Scaling(RoundingMode::kDoubleRound),
                   any = Scaling(RoundingMode::kInexactRound);
  Check({{K::kRescale, E::kI32, E::kI32, {5, kOne, 31, 0, 0}, "3", single},
         {K::kRescale, E::kI32, E::kI32, {-5, kOne, 31, 0, 0}, "-2", single},
         {K::kRescale, E::kI32, E::kI32, {1, kOne, 32, 0, 0}, "0", single},
         {K::kRescale, E::kI32, E::kI32, {1, kOne, 32, 0, 0}, "1", twice},
         {K::kRescale, E::kI32, E::kI32, {5, kOne, 31, 0, 0}, "3", twice},
         {K::kRescale, E::kI32, E::kI32, {5, kOne, 31, 0, 0}, "from 2 up to 3", any},
         {K::kRescale, E::kI32, E::kI32, {4, kOne, 31, 0, 0}, "from 2 up to 2", any},
         {K::kRescale, E::kI32, E::kI8, {1000, kOne, 31, 0, 0}, "from 127 up to 127", any}});
}

TEST(Rescale, ReadsAndWritesUnsignedNumbers) {
  Check({{K::kRescale, E::kI8, E::kI8, {-1, kOne, 31, 0, 0}, "127", InputUnsigned()},
         {K::kRescale, E::kI8, E::kI8, {-1, kOne, 30, -128, 0}, "127", InputUnsigned()},
         {K::kRescale, E::kI8, E::kI8, {0, kOne, 30, -128, 0}, "-128", InputUnsigned()},
         {K::kRescale, E::kI16, E::kI8, {0, kOne, 38, -32768, 0}, "-128", InputUnsigned()},
         {K::kRescale, E::kI8, E::kI8, {100, kOne, 29, 0, 0}, "-56", OutputUnsigned()},
         {K::kRescale, E::kI8, E::kI8, {127, kOne, 28, 0, 0}, "-1", OutputUnsigned()},
         {K::kRescale, E::kI8, E::kI8, {-1, kOne, 30, 0, 0}, "0", OutputUnsigned()},
         {K::kRescale, E::kI8, E::kI16, {0, kOne, 30, 0, -32768}, "-32768", OutputUnsigned()},
         // 127.5: the two numbers on either side, which a signed type has at its ends.
         {K::kRescale,
          E::kI16,
          E::kI8,
          {255, kOne, 31, 0, 0},
          "from 127 up to -128",
          OutputUnsigned(RoundingMode::kInexactRound)}});
  const Expected both =
      Eval(K::kRescale, E::kI16, E::kI8, {255, kOne, 31, 0, 0}, OutputUnsigned(RoundingMode::kInexactRound));
  EXPECT_TRUE(Matches(both, E::kI8, 0x7f) && Matches(both, E::kI8, 0x80));
  EXPECT_FALSE(Matches(both, E::kI8, 0x7e) || Matches(both, E::kI8, 0x81) || Matches(both, E::kI8, 0));
  EXPECT_EQ(WidthOf(E::kI8, both), 1u);
}

TEST(Rescale, IsUndefinedBeyondItsRequirements) {
  const Attributes one = Scaling(), of16 = Scaling(RoundingMode::kSingleRound, false);
  constexpr const char *kScale = "undefined (scale)", *kIllegal = "undefined (illegal)";
  Attributes both = InputUnsigned();
  both.output_unsigned = true;
  Check({{K::kRescale, E::kI32, E::kI32, {0, -1, 30, 0, 0}, kScale, one},
         {K::kRescale, E::kI32, E::kI32, {0, 1, 1, 0, 0}, kScale, one},
         {K::kRescale, E::kI32, E::kI32, {0, 1, 63, 0, 0}, kScale, one},
         {K::kRescale, E::kI32, E::kI32, {3, 1, 3, 0, 0}, "0", one},
         {K::kRescale, E::kI32, E::kI32, {4, 1, 3, 0, 0}, kScale, one},
         {K::kRescale, E::kI32, E::kI32, {4, 1, 3, 0, 0}, "1", of16},
         {K::kRescale, E::kI32, E::kI32, {kMax32, kOne16, 13, 0, 0}, kScale, of16},
         {K::kRescale, E::kI32, E::kI8, {kMax32, kOne16, 14, 0, 1}, "undefined (overflow)", of16},
         {K::kRescale, E::kI8, E::kI8, {0, 1, 30, 0, 0}, kIllegal, both},
         {K::kRescale, E::kI48, E::kI8, {0, 1, 30, 0, 0}, kIllegal, one},
         {K::kRescale, E::kI8, E::kI8, {0, 1, 30, 0, 0}, kIllegal, Scaling(RoundingMode::kDoubleRound, false)},
         {K::kRescale, E::kI16, E::kI8, {0, 1, 30, 1, 0}, kIllegal, one},
         {K::kRescale, E::kI16, E::kI8, {0, 1, 30, 1, 0}, kIllegal, InputUnsigned()},
         {K::kRescale, E::kI8, E::kI16, {0, 1, 30, 0, 1}, kIllegal, one},
         {K::kRescale, E::kI8, E::kI32, {0, 1, 30, 0, 0}, kIllegal, InputUnsigned()},
         {K::kRescale, E::kI32, E::kI8, {0, 1, 30, 0, 0}, kIllegal, OutputUnsigned()},
         {K::kRescale, E::kI64, E::kI8, {0, 1, 30, 0, 0}, "undefined (beyond-spec)", one}});
}

TEST(MayBeZeroPointTest, IsOfEightBitsOrZeroOrTheMiddleOfAnUnsignedI16) {
  for (const bool is_unsigned : {false, true}) {
    EXPECT_TRUE(MayBeZeroPoint(E::kI8, is_unsigned, 0xff));
    EXPECT_TRUE(MayBeZeroPoint(E::kI32, is_unsigned, 0));
    EXPECT_FALSE(MayBeZeroPoint(E::kI32, is_unsigned, 1));
    EXPECT_FALSE(MayBeZeroPoint(E::kI16, is_unsigned, 0x7fff));
    EXPECT_EQ(MayBeZeroPoint(E::kI16, is_unsigned, 0x8000), is_unsigned);
  }
}

// The operands: what is looked up, and the entries that it reads.
TEST(Table, GivesAnEntryOrWhatLiesBetweenTwo) {
  const auto between = [](double value, double base, double next) {
    ScalarInput in = {
        .op = Info(K::kTable), .input_type = E::kI16, .result_type = E::kI32, .attributes = {}, .policies = {}};
    in.bits = {BitsOf(E::kI16, value), BitsOf(E::kI16, base), BitsOf(E::kI16, next)};
    return DescribeExpected(E::kI32, EvaluateScalar(in));
  };
  Check({{K::kTable, E::kI8, E::kI8, {5, -7}, "-7"}});
  EXPECT_EQ(between(0, 100, 200), "12800");
  EXPECT_EQ(between(1, 100, 200), "12900");
  EXPECT_EQ(between(127, 100, 200), "25500");
  EXPECT_EQ(between(-1, 100, 200), "25500") << "the last of its 128 steps";
  EXPECT_EQ(between(-128, 100, 200), "12800");
  EXPECT_EQ(between(64, 200, -100), "6400");
  EXPECT_EQ(between(127, -32768, -1), "-32895") << "a step of 32767";
  EXPECT_EQ(between(0, -32768, 0), "undefined (table-step)") << "a step of 32768";
  EXPECT_EQ(between(1, 0, -32768), "-32768");
  EXPECT_EQ(between(1, 1, -32768), "undefined (table-step)");
}

}  // namespace
}  // namespace tosaic
