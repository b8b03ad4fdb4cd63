// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/scaling.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

using E = ElementType;

constexpr int64_t kOne32 = int64_t{1} << 30;  // with a shift of 30: a scaling of 1
constexpr int64_t kMaxI32 = INT32_MAX, kMinI32 = INT32_MIN;

// For gtest, which cannot print a Wide.
std::optional<int64_t> Narrow(std::optional<Wide> value) {
  return value ? std::optional(static_cast<int64_t>(*value)) : std::nullopt;
}
std::optional<int64_t> Scale32(int64_t value, int64_t multiplier, int64_t shift, bool double_round = false) {
  return Narrow(ApplyScale32(value, multiplier, shift, double_round));
}
std::optional<int64_t> Scale16(int64_t value, int64_t multiplier, int64_t shift) {
  return Narrow(ApplyScale16(value, multiplier, shift));
}

TEST(ApplyScale32, RoundsHalfUp) {
  EXPECT_EQ(Scale32(1000, kOne32, 30), 1000);
  EXPECT_EQ(Scale32(-1000, kOne32, 30), -1000);
  EXPECT_EQ(Scale32(5, kOne32, 31), 3) << "2.5";
  EXPECT_EQ(Scale32(-5, kOne32, 31), -2) << "-2.5";
  EXPECT_EQ(Scale32(1, 3, 2), 1) << "0.75";
  EXPECT_EQ(Scale32(1, 1, 2), 0) << "0.25";
  EXPECT_EQ(Scale32(1, 2, 2), 1) << "0.5";
  EXPECT_EQ(Scale32(-1, 2, 2), 0) << "-0.5";
  EXPECT_EQ(Scale32(-1, 3, 2), -1) << "-0.75";
  EXPECT_EQ(Scale32(7, 0, 30), 0);
}

TEST(ApplyScale32, RequiresAMultiplierThatIsNotNegative) {
  EXPECT_EQ(Scale32(0, 0, 30), 0);
  EXPECT_EQ(Scale32(0, -1, 30), std::nullopt);
  EXPECT_EQ(Scale32(0, kMinI32, 30), std::nullopt);
}

TEST(ApplyScale32, RequiresAShiftFrom2To62) {
  for (const int64_t shift : {-128, -1, 0, 1, 63, 127}) EXPECT_EQ(Scale32(0, 1, shift), std::nullopt) << shift;
  for (const int64_t shift : {2, 31, 32, 62}) EXPECT_EQ(Scale32(0, 1, shift), 0) << shift;
}

TEST(ApplyScale32, RequiresAValueBelowHalfTheShift) {
  EXPECT_EQ(Scale32(1, kMaxI32, 2), 536870912) << "(2^31 - 1) / 4 is 536870911.75";
  EXPECT_EQ(Scale32(2, kMaxI32, 2), std::nullopt);
  EXPECT_EQ(Scale32(-2, kMaxI32, 2), -1073741823) << "-1073741823.5";
  EXPECT_EQ(Scale32(-3, kMaxI32, 2), std::nullopt);
  EXPECT_EQ(Scale32((int64_t{1} << 30) - 1, kMaxI32, 31), 1073741823) << "1073741822.5 and a little";
  EXPECT_EQ(Scale32(int64_t{1} << 30, kMaxI32, 31), std::nullopt);
  EXPECT_EQ(Scale32(-(int64_t{1} << 30), 1, 31), 0) << "-0.5";
  EXPECT_EQ(Scale32(-(int64_t{1} << 30) - 1, 1, 31), std::nullopt);
  // From 32 on, every i32 may be scaled.
  EXPECT_EQ(Scale32(kMaxI32, kMaxI32, 32), 1073741823) << "1073741823 and a little";
  EXPECT_EQ(Scale32(kMinI32, kMaxI32, 32), -1073741823) << "-1073741823.5";
  EXPECT_EQ(Scale32(kMinI32, kMaxI32, 62), -1) << "-1 and a little";
  EXPECT_EQ(Scale32(kMaxI32, kMaxI32, 62), 1);
}

TEST(ApplyScale32, RoundsTwiceOnlyAbove31) {
  // 2^30 more is half of what a shift by 31 drops, away from zero.
  const int64_t below_half = (int64_t{1} << 30) - 1;
  EXPECT_EQ(Scale32(below_half, kOne32, 31, true), Scale32(below_half, kOne32, 31, false));
  EXPECT_EQ(Scale32(1, int64_t{1} << 30, 32), 0) << "0.25";
  EXPECT_EQ(Scale32(1, int64_t{1} << 30, 32, true), 1) << "0.25 + 0.25 + 0.5";
  EXPECT_EQ(Scale32(1, (int64_t{1} << 30) - 1, 32, true), 0);
  EXPECT_EQ(Scale32(-1, int64_t{1} << 30, 32), 0) << "-0.25";
  EXPECT_EQ(Scale32(-1, int64_t{1} << 30, 32, true), 0) << "-0.5, half up";
  EXPECT_EQ(Scale32(-1, (int64_t{1} << 30) + 1, 32, true), -1) << "below -0.5";
  EXPECT_EQ(Scale32(0, kMaxI32, 32, true), 0);
  // At 62 the additional 2^30 is far below the last bit.
  EXPECT_EQ(Scale32(kMaxI32, kMaxI32, 62, true), 1);
  EXPECT_EQ(Scale32(int64_t{1} << 30, kMaxI32, 62, true), 1) << "2^61 - 2^30, which the additional 2^30 makes half";
  EXPECT_EQ(Scale32(int64_t{1} << 30, kMaxI32, 62, false), 0);
}

TEST(ApplyScale32, FitsI32WhateverItScales) {
  for (int64_t shift = 2; shift <= 62; ++shift) {
    const int64_t most = std::min(kMaxI32, (int64_t{1} << (shift - 1)) - 1);
    for (const int64_t value : {-most - 1, most}) {
      for (const bool double_round : {false, true}) {
        const std::optional<int64_t> scaled = Scale32(value, kMaxI32, shift, double_round);
        ASSERT_TRUE(scaled.has_value());
        EXPECT_TRUE(Fits(E::kI32, *scaled)) << value << " " << shift;
      }
    }
  }
}

TEST(ApplyScale16, RequiresAResultOfI32) {
  EXPECT_EQ(Scale16(1000, 1 << 14, 14), 1000);
  EXPECT_EQ(Scale16(5, 1 << 14, 15), 3) << "2.5";
  EXPECT_EQ(Scale16(-5, 1 << 14, 15), -2) << "-2.5";
  EXPECT_EQ(Scale16(kMaxI32, 1 << 14, 14), kMaxI32);
  EXPECT_EQ(Scale16(kMaxI32 + 1, 1 << 14, 14), std::nullopt);
  EXPECT_EQ(Scale16(kMinI32, 1 << 14, 14), kMinI32);
  EXPECT_EQ(Scale16(kMinI32 - 1, 1 << 14, 14), std::nullopt);
  // Rounding up is what leaves i32: 2147483647.5.
  EXPECT_EQ(Scale16(2 * kMaxI32 + 1, 1 << 14, 15), std::nullopt);
  EXPECT_EQ(Scale16(2 * kMaxI32, 1 << 14, 15), kMaxI32);
  const int64_t least48 = -(int64_t{1} << 47);
  EXPECT_EQ(Scale16(least48, INT16_MAX, 62), -1) << "-2^47 * (2^15 - 1) / 2^62 is -0.99997";
  EXPECT_EQ(Scale16(least48, INT16_MAX, 31), -2147418112) << "-2^16 * (2^15 - 1)";
  EXPECT_EQ(Scale16(least48, INT16_MAX, 30), std::nullopt);
}

TEST(ApplyScale16, RequiresMultiplierAndShiftAsTheOther) {
  EXPECT_EQ(Scale16(0, -1, 14), std::nullopt);
  for (const int64_t shift : {-1, 1, 63}) EXPECT_EQ(Scale16(0, 1, shift), std::nullopt) << shift;
  for (const int64_t shift : {2, 62}) EXPECT_EQ(Scale16(0, 1, shift), 0) << shift;
}

TEST(ApplyAddI32, RequiresASumOfI32) {
  EXPECT_EQ(Narrow(ApplyAddI32(kMaxI32 - 127, 127)), kMaxI32);
  EXPECT_EQ(Narrow(ApplyAddI32(kMaxI32 - 126, 127)), std::nullopt);
  EXPECT_EQ(Narrow(ApplyAddI32(kMinI32 + 128, -128)), kMinI32);
  EXPECT_EQ(Narrow(ApplyAddI32(kMinI32 + 127, -128)), std::nullopt);
}

TEST(ApplyClip, SaturatesAtTheLimitsOfSignedAndUnsignedTypes) {
  EXPECT_EQ(Narrow(ApplyClipSigned(127, E::kI8)), 127);
  EXPECT_EQ(Narrow(ApplyClipSigned(128, E::kI8)), 127);
  EXPECT_EQ(Narrow(ApplyClipSigned(-128, E::kI8)), -128);
  EXPECT_EQ(Narrow(ApplyClipSigned(-129, E::kI8)), -128);
  EXPECT_EQ(Narrow(ApplyClipSigned(kMinI32, E::kI32)), kMinI32);
  EXPECT_EQ(Narrow(ApplyClipUnsigned(0, E::kI8)), 0);
  EXPECT_EQ(Narrow(ApplyClipUnsigned(255, E::kI8)), 255);
  EXPECT_EQ(Narrow(ApplyClipUnsigned(256, E::kI8)), 255);
  EXPECT_EQ(Narrow(ApplyClipUnsigned(65536, E::kI16)), 65535);
  EXPECT_EQ(Narrow(ApplyClipUnsigned(-1, E::kI8)), 0) << "apply_max_u zero-extends it, by the letter";
}

std::vector<int64_t> Inexactly(int64_t value, int64_t multiplier, int64_t shift, int64_t zero_point = 0) {
  const IntegerRange range = InexactlyScaled(value, multiplier, shift, zero_point, {kMinI32, kMaxI32});
  return {static_cast<int64_t>(range.least), static_cast<int64_t>(range.greatest)};
}

TEST(InexactlyScaled, AllowsHalfAUnitAndTheRoundingErrorsOfF32) {
  EXPECT_EQ(Inexactly(0, kOne32, 30), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(Inexactly(1000, kOne32, 30), (std::vector<int64_t>{1000, 1000}));
  EXPECT_EQ(Inexactly(5, kOne32, 31), (std::vector<int64_t>{2, 3})) << "2.5 either way";
  EXPECT_EQ(Inexactly(-5, kOne32, 31), (std::vector<int64_t>{-3, -2}));
  EXPECT_EQ(Inexactly(5, kOne32, 32), (std::vector<int64_t>{1, 1})) << "1.25";
  // The bound is 0.5 + 4 * 2^-24 * |x|: it reaches 1 at 2^21.
  EXPECT_EQ(Inexactly((1 << 21) - 4, kOne32, 30), (std::vector<int64_t>{(1 << 21) - 4, (1 << 21) - 4}));
  EXPECT_EQ(Inexactly(1 << 21, kOne32, 30), (std::vector<int64_t>{(1 << 21) - 1, (1 << 21) + 1}));
  // The zero point is added inside the last term.
  EXPECT_EQ(Inexactly(-5, kOne32, 31, 3), (std::vector<int64_t>{0, 1}));
}

TEST(InexactlyScaled, ClipsBothEnds) {
  const IntegerRange i8 = {-128, 127};
  EXPECT_TRUE((InexactlyScaled(1000, kOne32, 30, 0, i8) == IntegerRange{127, 127}));
  EXPECT_TRUE((InexactlyScaled(-1000, kOne32, 30, 0, i8) == IntegerRange{-128, -128}));
  EXPECT_TRUE((InexactlyScaled(255, kOne32, 31, 0, i8) == IntegerRange{127, 127})) << "127.5";
  EXPECT_TRUE((InexactlyScaled(253, kOne32, 31, 0, i8) == IntegerRange{126, 127})) << "126.5";
}

// "A SINGLE_ROUND exact implementation will automatically meet this error bound".
TEST(InexactlyScaled, AllowsTheExactResult) {
  std::mt19937_64 random(7);
  int compared = 0;
  for (int i = 0; i < 100000; ++i) {
    const int64_t shift = 2 + static_cast<int64_t>(random() % 61);
    const auto value = static_cast<int32_t>(random()) >> (random() % 32);
    const auto multiplier = static_cast<int64_t>(random() & kMaxI32);
    const int64_t zero_point = static_cast<int8_t>(random());
    const std::optional<Wide> scaled = ApplyScale32(value, multiplier, shift, false);
    if (!scaled) continue;
    ++compared;
    const Wide exact = ApplyClipSigned(*scaled + zero_point, E::kI32);
    const IntegerRange range = InexactlyScaled(value, multiplier, shift, zero_point, {kMinI32, kMaxI32});
    EXPECT_TRUE(range.least <= exact && exact <= range.greatest) << value << " " << multiplier << " " << shift;
  }
  EXPECT_GT(compared, 50000);
}

TEST(Interpolated, IsLinearBetweenTwoEntries) {
  const auto at = [](int64_t value, int64_t base, int64_t next) { return Narrow(Interpolated(value, base, next)); };
  EXPECT_EQ(at(0, 10, 20), 1280);
  EXPECT_EQ(at(1, 10, 20), 1290);
  EXPECT_EQ(at(127, 10, 20), 2550);
  EXPECT_EQ(at(128, 10, 20), 1280) << "the fraction has seven bits";
  EXPECT_EQ(at(-1, 10, 20), 2550) << "-1 is the last value before an entry";
  EXPECT_EQ(at(INT16_MIN, -32768, 0), std::nullopt) << "a slope of 2^15";
  EXPECT_EQ(at(INT16_MIN, -32768, -1), -4194304);
  EXPECT_EQ(at(INT16_MAX, -32768, -1), -4194304 + 127 * 32767);
  EXPECT_EQ(at(3, 32767, -1), 32767 * 128 - 3 * 32768) << "a slope of -2^15";
  EXPECT_EQ(at(3, 32767, -2), std::nullopt);
}

}  // namespace
}  // namespace tosaic
