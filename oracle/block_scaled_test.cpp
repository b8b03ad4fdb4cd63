// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/block_scaled.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "model/tensor.h"
#include "oracle/compare.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

using E = ElementType;
constexpr E kFloatsOfCasts[] = {E::kF16, E::kBF16, E::kF32, E::kF8E4M3FN, E::kF8E5M2};

// Of a value type.
const BlockFormat& BlockFormatOf(absl::string_view value) {
  const absl::Span<const BlockFormat> formats = AllBlockFormats();
  return *absl::c_find_if(formats, [&](const BlockFormat& format) { return format.value == value; });
}

std::vector<double> PositiveValues(const BlockFormat& format) {
  std::vector<double> values;
  for (int bits = 0; bits < 1 << (format.bits - 1); ++bits) {
    values.push_back(ValueOf(format, static_cast<uint8_t>(bits)));
  }
  return values;
}

BlockInput Filled(double x) {
  BlockInput input;
  input.fill(x);
  return input;
}

Block FilledBlock(const BlockFormat& format, int exponent, double value) {
  Block block = {.scale = static_cast<uint8_t>(exponent + 127)};
  block.values.fill(NearestValue(format, value));
  return block;
}

TEST(BlockFormat, HasTheValuesThatTheMicroscalingFormatsList) {
  EXPECT_EQ(PositiveValues(BlockFormatOf("f4E2M1FN")), (std::vector<double>{0, 0.5, 1, 1.5, 2, 3, 4, 6}));
  EXPECT_EQ(PositiveValues(BlockFormatOf("f6E3M2FN")),
            (std::vector<double>{0,     0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375, 0.5, 0.625, 0.75,
                                 0.875, 1,      1.25,  1.5,    1.75, 2,      2.5,   3,      3.5, 4,     5,
                                 6,     7,      8,     10,     12,   14,     16,    20,     24,  28}));
  const std::vector<double> e2m3 = PositiveValues(BlockFormatOf("f6E2M3FN"));
  EXPECT_EQ(e2m3[1], 0.125);
  EXPECT_EQ(e2m3[7], 0.875);
  EXPECT_EQ(e2m3[8], 1);
  EXPECT_EQ(e2m3[31], 7.5);
  const BlockFormat& int8 = BlockFormatOf("!tosa.mxint8");
  for (int bits = 0; bits < 256; ++bits) {
    EXPECT_EQ(ValueOf(int8, static_cast<uint8_t>(bits)), (bits < 128 ? bits : bits - 256) / 64.0);
  }
}

// The two formats that the model has as element types, too.
TEST(BlockFormat, HasTheValuesOfTheFp8Types) {
  for (const E type : {E::kF8E4M3FN, E::kF8E5M2}) {
    const BlockFormat& format = BlockFormatOf(Name(type));
    for (int bits = 0; bits < 256; ++bits) {
      const double value = ValueOf(format, static_cast<uint8_t>(bits)), other = ElementToDouble(type, bits);
      if (std::isnan(other)) {
        EXPECT_TRUE(std::isnan(value)) << bits;
      } else {
        EXPECT_EQ(value, other) << bits;
        EXPECT_EQ(std::signbit(value), std::signbit(other)) << bits;
      }
    }
  }
}

// The model's decoding, which people read, and the oracle's are written apart.
TEST(BlockFormat, HasTheElementsThatTheModelShows) {
  for (const ElementTypeInfo& info : BlockScaledTypes()) {
    const BlockFormat& format = BlockFormatOf(info.type);
    ASSERT_TRUE(absl::StrContains(info.name, absl::StrCat(":", format.value, ">"))) << info.name;
    EXPECT_EQ(BlockValueBits(info.type), format.bits);
    for (const uint64_t scale : {0, 1, 127, 254, 255}) {
      for (uint64_t value = 0; value < uint64_t{1} << format.bits; ++value) {
        const Block block = {static_cast<uint8_t>(scale), {static_cast<uint8_t>(value)}};
        const double shown = ElementToDouble(info.type, scale << kBlockScaleShift | value);
        const double element = ElementOf(format, block, 0);
        EXPECT_TRUE(shown == element || (std::isnan(shown) && std::isnan(element))) << info.name << " " << value;
      }
    }
  }
}

TEST(BlockFormat, RoundsEachValueToItselfAndTheMiddleOfTwoToTheEvenOne) {
  for (const BlockFormat& format : AllBlockFormats()) {
    SCOPED_TRACE(format.value);
    const std::vector<double> values = PositiveValues(format);
    for (size_t bits = 0; bits < values.size(); ++bits) {
      if (std::isnan(values[bits])) continue;
      const auto itself = static_cast<uint8_t>(bits);
      EXPECT_EQ(NearestValue(format, values[bits]), itself);
      if (values[bits] != 0) {
        EXPECT_EQ(ValueOf(format, NearestValue(format, -values[bits])), -values[bits]);
      }
      if (bits + 1 == values.size() || !std::isfinite(values[bits + 1])) break;
      const double middle = (values[bits] + values[bits + 1]) / 2;
      EXPECT_EQ(NearestValue(format, middle), bits % 2 == 0 ? bits : bits + 1);
      EXPECT_EQ(NearestValue(format, std::nextafter(middle, 0)), bits);
      EXPECT_EQ(NearestValue(format, std::nextafter(middle, 1e9)), bits + 1);
    }
  }
}

TEST(BlockFormat, HasTheBoundsOfTheDraftsTable) {
  for (const BlockFormat& format : AllBlockFormats()) {
    SCOPED_TRACE(format.value);
    double greatest = 0, least = 0;
    for (int bits = 0; bits < 1 << format.bits; ++bits) {
      const double value = ValueOf(format, static_cast<uint8_t>(bits));
      if (!std::isfinite(value)) continue;
      greatest = std::max(greatest, value);
      least = std::min(least, value);
    }
    EXPECT_EQ(greatest, format.normal_max);
    EXPECT_EQ(least, format.normal_lowest);
  }
  EXPECT_EQ(ValueOf(BlockFormatOf("f8E5M2"), NearestValue(BlockFormatOf("f8E5M2"), 1e9)), kInfinity);
  EXPECT_TRUE(std::isnan(ValueOf(BlockFormatOf("f8E4M3FN"), NearestValue(BlockFormatOf("f8E4M3FN"), -1e9))));
  EXPECT_EQ(ValueOf(BlockFormatOf("f6E2M3FN"), NearestValue(BlockFormatOf("f6E2M3FN"), -1e9)), -7.5);
  EXPECT_EQ(ValueOf(BlockFormatOf("!tosa.mxint8"), NearestValue(BlockFormatOf("!tosa.mxint8"), 1e9)), 127 / 64.0);
}

TEST(BlockScale, IsAPowerOfTwoOrNaN) {
  EXPECT_EQ(ScaleOf(0), 0x1p-127);
  EXPECT_EQ(ScaleOf(127), 1);
  EXPECT_EQ(ScaleOf(254), 0x1p127);
  EXPECT_TRUE(std::isnan(ScaleOf(kNanScale)));
}

TEST(BlockScale, IsTheLeastForWhichTheGreatestElementDoesNotOverflow) {
  // The greatest number, and half a unit above it: calc_block_scale's out_max.
  const std::pair<absl::string_view, double> ends[] = {{"f8E4M3FN", 464}, {"f8E5M2", 61440},
                                                       {"f6E3M2FN", 30},  {"f6E2M3FN", 7.75},
                                                       {"f4E2M1FN", 7},   {"!tosa.mxint8", 255 / 128.0}};
  for (const auto& [value, end] : ends) {
    SCOPED_TRACE(value);
    const BlockFormat& format = BlockFormatOf(value);
    const bool is_ceiling = value == "f8E4M3FN";
    for (const int exponent : {-126, -3, 0, 5, 100}) {
      const double scaled_end = std::ldexp(end, exponent);
      EXPECT_EQ(BlockScale(format, std::nextafter(scaled_end, 0)), exponent + 127);
      EXPECT_EQ(BlockScale(format, scaled_end), exponent + 127 + (is_ceiling ? 0 : 1));
      EXPECT_EQ(BlockScale(format, std::nextafter(scaled_end, kInfinity)), exponent + 128);
    }
    EXPECT_EQ(BlockScale(format, 0), 0);
    EXPECT_EQ(BlockScale(format, 0x1p-149), 0);
    EXPECT_EQ(BlockScale(format, kInfinity), kNanScale);
    EXPECT_EQ(BlockScale(format, NAN), kNanScale);
  }
  EXPECT_EQ(BlockScale(BlockFormatOf("!tosa.mxint8"), 0x1.fffffep127), 254);  // clipped: 2^128 would be next
}

TEST(ToBlock, IsWhatCastWrites) {
  const BlockFormat& e2m1 = BlockFormatOf("f4E2M1FN");
  BlockInput input = Filled(0);
  input[3] = 12;    // 6 * 2
  input[4] = 1;     // 0.5 * 2
  input[5] = -0.5;  // -0.25 is between -0 and -0.5, and 0 is even
  const Block block = ToBlock(e2m1, input);
  EXPECT_EQ(ScaleOf(block.scale), 2);
  EXPECT_EQ(ElementOf(e2m1, block, 3), 12);
  EXPECT_EQ(ElementOf(e2m1, block, 4), 1);
  EXPECT_EQ(ElementOf(e2m1, block, 5), 0);
  EXPECT_EQ(block.values[5], 0x8);
  for (const BlockFormat& format : AllBlockFormats()) EXPECT_EQ(ToBlock(format, Filled(0)), Block{}) << format.value;
}

TEST(ToBlock, HasAScaleOfNaNIfAnElementIsNoFiniteNumber) {
  for (const BlockFormat& format : AllBlockFormats()) {
    SCOPED_TRACE(format.value);
    for (const double special : {static_cast<double>(NAN), kInfinity, -kInfinity}) {
      BlockInput input = Filled(1);
      input[31] = special;
      const Block block = ToBlock(format, input);
      EXPECT_EQ(block.scale, kNanScale);
      EXPECT_TRUE(std::isnan(ElementOf(format, block, 0)));
      EXPECT_TRUE(AllowsBlock(format, input, block));
      EXPECT_TRUE(AllowsBlock(format, input, Block{}));  // tosa_reference_check_scale asks no more
    }
    EXPECT_FALSE(AllowsBlock(format, Filled(1), ToBlock(format, Filled(NAN))));
  }
}

TEST(ToBlock, SaturatesWhereTheScaleIsClippedAndTheFormatHasNoInfinity) {
  const BlockFormat& int8 = BlockFormatOf("!tosa.mxint8");
  const BlockInput input = Filled(0x1.fep127);  // the greatest bf16: 1.9921875 * 64 is 127.5
  const Block block = ToBlock(int8, input);
  EXPECT_EQ(block, FilledBlock(int8, 127, 127 / 64.0));
  EXPECT_TRUE(AllowsBlock(int8, input, block));
}

TEST(AllowsBlock, TakesOneUnitOfTheValueAndOfTheScale) {
  const BlockFormat& e2m3 = BlockFormatOf("f6E2M3FN");
  const BlockInput input = Filled(3);  // 6 * 0.5
  EXPECT_EQ(ToBlock(e2m3, input), FilledBlock(e2m3, -1, 6));
  EXPECT_TRUE(AllowsBlock(e2m3, input, FilledBlock(e2m3, -1, 6.5)));
  EXPECT_FALSE(AllowsBlock(e2m3, input, FilledBlock(e2m3, -1, 7)));
  EXPECT_TRUE(AllowsBlock(e2m3, input, FilledBlock(e2m3, 0, 3)));    // twice the scale is a unit more
  EXPECT_TRUE(AllowsBlock(e2m3, input, FilledBlock(e2m3, 1, 1.5)));  // the very numbers, whatever the scale
  EXPECT_FALSE(AllowsBlock(e2m3, input, FilledBlock(e2m3, 1, 1.625)));
  EXPECT_FALSE(AllowsBlock(e2m3, input, FilledBlock(e2m3, -1, -6)));
  const BlockFormat& e4m3 = BlockFormatOf("f8E4M3FN");
  EXPECT_TRUE(AllowsBlock(e4m3, Filled(256), FilledBlock(e4m3, 0, 320)));  // two units
  EXPECT_FALSE(AllowsBlock(e4m3, Filled(256), FilledBlock(e4m3, 0, 352)));
}

TEST(FromBlock, IsExactWithinAUnitAndOverflowsWhereTheTypeEnds) {
  const BlockFormat& e5m2 = BlockFormatOf("f8E5M2");
  const auto matches = [&](int exponent, double value, E type, double result) {
    const Block block = FilledBlock(e5m2, exponent, value);
    const Expected expected = FromBlock(e5m2, block.scale, block.values[0], type);
    return Matches(expected, type, NearestBits(type, result));
  };
  for (const E type : {E::kBF16, E::kF32}) {
    // 2^127 * 57344 is beyond every float type: nothing but an infinity.
    EXPECT_TRUE(matches(127, 57344, type, kInfinity));
    EXPECT_FALSE(matches(127, 57344, type, Format(type).normal_max));
    EXPECT_FALSE(matches(127, 57344, type, NAN));
    EXPECT_TRUE(matches(127, -57344, type, -kInfinity));
    EXPECT_TRUE(matches(127, 1, type, 0x1p127));
    EXPECT_FALSE(matches(127, 1, type, 0x1.8p127));
    // 2^-127 * 2^-16: within normal_min of 0.
    EXPECT_TRUE(matches(-127, 0x1p-16, type, 0));
    EXPECT_TRUE(matches(-127, 0, type, 0));
    EXPECT_FALSE(matches(-127, 0, type, 0x1p-126));
    EXPECT_TRUE(matches(0, kInfinity, type, kInfinity));
    EXPECT_TRUE(matches(0, NAN, type, NAN));
    EXPECT_FALSE(matches(0, NAN, type, 1));
  }
  EXPECT_TRUE(matches(0, 57344, E::kF8E4M3FN, NAN));
  EXPECT_TRUE(matches(0, kInfinity, E::kF8E4M3FN, NAN));
  EXPECT_FALSE(matches(0, kInfinity, E::kF8E4M3FN, 448));
  EXPECT_TRUE(Matches(FromBlock(e5m2, kNanScale, 0, E::kF32), E::kF32, NearestBits(E::kF32, NAN)));
}

// CAST from a block-scaled type is a function of one element, as EvaluateScalar has it; to one it is not.
TEST(FromBlock, IsWhatTheScalarReferenceGives) {
  const Attributes none;
  Policies policies;
  policies.spec_version = SpecVersion::k1_1;
  for (const ElementTypeInfo& info : BlockScaledTypes()) {
    for (const E type : kFloatsOfCasts) {
      ScalarInput in = {Info(OpKind::kCast), info.type, type, none, policies};
      in.bits[0] = uint64_t{0x80} << kBlockScaleShift | NearestValue(BlockFormatOf(info.type), 1);  // 1 * 2
      const double element = ElementToDouble(info.type, in.bits[0]);
      EXPECT_TRUE(Matches(EvaluateScalar(in), type, NearestBits(type, element))) << info.name << Name(type);
      EXPECT_FALSE(Matches(EvaluateScalar(in), type, NearestBits(type, 2 * element))) << info.name << Name(type);
      const ScalarInput back = {Info(OpKind::kCast), type, info.type, none, policies};
      EXPECT_EQ(EvaluateScalar(back).kind, Expected::Kind::kUndefined);
    }
    const ScalarInput copy = {Info(OpKind::kIdentity), info.type, info.type, none, policies};
    EXPECT_EQ(EvaluateScalar(copy).kind, Expected::Kind::kBits);
  }
}

Block RandomBlock(const BlockFormat& format, std::mt19937& random) {
  Block block = {.scale = static_cast<uint8_t>(random() % 3 == 0 ? random() % 255 : 100 + random() % 50)};
  for (uint8_t& value : block.values) value = static_cast<uint8_t>(random() & ((1u << format.bits) - 1));
  return block;
}

// What the draft's own pseudo-code computes must pass the draft's own checks.
TEST(AllowsRoundTrip, TakesWhatThePseudoCodeComputes) {
  std::mt19937 random(1);
  size_t finite = 0;
  for (const BlockFormat& format : AllBlockFormats()) {
    SCOPED_TRACE(format.value);
    for (int count = 0; count < 400; ++count) {
      const Block block = RandomBlock(format, random);
      for (const E between : kFloatsOfCasts) {
        BlockInput input;
        for (size_t i = 0; i < kBlockSize; ++i) {
          const uint64_t bits = NearestBits(between, ElementOf(format, block, i));
          ASSERT_TRUE(Matches(FromBlock(format, block.scale, block.values[i], between), between, bits));
          input[i] = ElementToDouble(between, bits);
        }
        const Block result = ToBlock(format, input);
        if (result.scale != kNanScale) ++finite;
        ASSERT_TRUE(AllowsBlock(format, input, result));
        ASSERT_TRUE(AllowsRoundTrip(format, block, between, result)) << int{block.scale} << Name(between);
      }
    }
  }
  EXPECT_GT(finite, 3000u);
}

// What canonicalize leaves of two casts, the block itself, against what the draft lets them return.
TEST(AllowsRoundTrip, TakesTheBlockItselfOnlyWhereTheCastsMayKeepIt) {
  const BlockFormat& e5m2 = BlockFormatOf("f8E5M2");
  const auto keeps = [&](const Block& block, E between) { return AllowsRoundTrip(e5m2, block, between, block); };
  EXPECT_TRUE(keeps(FilledBlock(e5m2, 0, 57344), E::kBF16));
  // Beyond the range of bf16 and f32: the second cast sees infinities, and may return any block.
  EXPECT_TRUE(keeps(FilledBlock(e5m2, 127, 57344), E::kBF16));
  EXPECT_TRUE(keeps(FilledBlock(e5m2, 127, 57344), E::kF32));
  // 2^-137 is no bf16: it becomes 0 or at least 2^-133, while the great element keeps the scale where it is.
  Block wide = FilledBlock(e5m2, -127, 0x1p-10);
  wide.values[0] = NearestValue(e5m2, 57344);
  EXPECT_FALSE(keeps(wide, E::kBF16));
  EXPECT_TRUE(keeps(wide, E::kF32));
  // Without the great element CAST would keep 0 of the others.
  EXPECT_FALSE(keeps(FilledBlock(e5m2, -127, 0x1p-10), E::kBF16));
  EXPECT_TRUE(keeps(FilledBlock(e5m2, -127, 0x1p-6), E::kBF16));  // 2^-133 is a bf16
  // The scale is not the one that CAST computes, but 2^15 times as large: the numbers are the same.
  EXPECT_TRUE(keeps(FilledBlock(e5m2, 10, 1), E::kBF16));
  EXPECT_TRUE(keeps(FilledBlock(e5m2, 10, 1), E::kF32));
  const Block off = FilledBlock(e5m2, 10, 1.25);
  EXPECT_FALSE(AllowsRoundTrip(e5m2, FilledBlock(e5m2, 10, 1), E::kF32, off));
}

}  // namespace
}  // namespace tosaic
