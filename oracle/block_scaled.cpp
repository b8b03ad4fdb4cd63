// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/block_scaled.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/algorithm/container.h"
#include "oracle/accuracy.h"
#include "oracle/compare.h"
#include "oracle/float_format.h"
#include "oracle/real.h"

namespace tosaic {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kScaleBias = 127;

// normal_min, normal_max and normal_lowest as numeric_accuracy_helpers.tosac lists them.
constexpr BlockFormat kFormats[] = {
    {"f8E4M3FN", 8, 4, 3, false, true, 0x1p-6, 448, -448},
    {"f8E5M2", 8, 5, 2, true, true, 0x1p-14, 57344, -57344},
    {"f6E3M2FN", 6, 3, 2, false, false, 0.25, 28, -28},
    {"f6E2M3FN", 6, 2, 3, false, false, 1, 7.5, -7.5},
    {"f4E2M1FN", 4, 2, 1, false, false, 1, 6, -6},
    {"!tosa.mxint8", 8, 0, 6, false, false, 0x1p-6, 1 + 63 / 64.0, -2},
};

bool IsInteger(const BlockFormat& format) { return format.exponent_bits == 0; }

// val_ulp of tosa_reference_check_fp.
double UnitOf(const BlockFormat& format, double reference) {
  if (IsInteger(format)) return std::ldexp(1.0, -format.frac);
  if (!std::isfinite(reference) || reference == 0) return 0;
  return std::ldexp(1.0, std::max(std::ilogb(reference), std::ilogb(format.normal_min)) - format.frac);
}

// tosa_reference_check_fp_bnd for the value formats, whose subnormals are never flushed.
bool IsWithin(const BlockFormat& format, double test, double reference, double bound) {
  if (std::isnan(reference)) return !format.has_nan || std::isnan(test);
  double high_cap = format.normal_max, low_cap = format.normal_lowest;
  if (reference < 0) {
    high_cap = -format.normal_lowest;
    low_cap = -format.normal_max;
    reference = -reference;
    test = -test;
  }
  const bool is_capped = !format.has_infinity && !format.has_nan;
  double greatest = reference + bound, least = reference - bound;
  if (greatest > high_cap) greatest = is_capped ? high_cap : kInfinity;
  if (least > high_cap) least = is_capped ? high_cap : kInfinity;
  if (least < low_cap) least = is_capped ? low_cap : -kInfinity;
  if (std::isnan(test)) return !format.has_infinity && greatest == kInfinity;
  return least <= test && test <= greatest;
}

// The part of tosa_reference_check_scale about a value, in either order of its arguments (policy "block-check-order").
bool AllowsValue(const BlockFormat& format, double quotient, double value) {
  const int units = format.value == "f8E4M3FN" ? 2 : 1;
  return IsWithin(format, value, quotient, units * UnitOf(format, quotient)) ||
         IsWithin(format, quotient, value, units * UnitOf(format, value));
}

// The same for the scale: a unit, which for a format without fraction is the scale itself (policy "block-scale-unit").
bool AllowsScale(uint8_t scale, uint8_t reference) { return scale != kNanScale && scale <= reference + 1; }

double GreatestMagnitude(const BlockInput& input) {
  double greatest = 0;
  for (const double x : input) {
    if (std::isnan(x)) return kNan;
    greatest = std::max(greatest, std::abs(x));
  }
  return greatest;
}

// The numbers that a cast of one element of a block may return; of a NaN or an infinity it may return no number.
struct Numbers {
  double least = 0, greatest = 0;
  bool has_zero = false;
  bool may_be_special = false;
};

Numbers NumbersOf(ElementType type, const Expected& expected) {
  if (expected.kind != Expected::Kind::kRange) return {.may_be_special = true};
  const double end = Format(type).normal_max;
  return {.least = std::max(expected.lo, -end),
          .greatest = std::min(expected.hi, end),
          .has_zero = expected.zero_passes,
          .may_be_special = expected.nan_passes || std::isinf(expected.lo) || std::isinf(expected.hi)};
}

// The number of the type next to x from below or from above.
double Neighbour(ElementType type, double x, bool is_above) {
  const double toward_zero = RoundToGrid(type, x, Rounding::kTowardZero);
  if (toward_zero == x || (toward_zero < x) != is_above) return toward_zero;
  const int last_place = std::max(x == 0 ? Format(type).min_exponent : std::ilogb(x), Format(type).min_exponent);
  return toward_zero + std::copysign(std::ldexp(1.0, last_place - Format(type).frac), x);
}

// Whether the second cast may return this value with this scale for some number that the first may return.
bool HasSource(const BlockFormat& format, ElementType type, const Numbers& numbers, double scale, double value) {
  if (numbers.has_zero && AllowsValue(format, 0, value)) return true;
  if (numbers.least > numbers.greatest) return false;
  // A source as near as possible to the value times the scale, on either side; or the least of the next binade, whose
  // unit is twice as large.
  const double exact = value * scale;
  const double next_binade = value == 0 ? exact : std::copysign(std::ldexp(scale, std::ilogb(value) + 1), value);
  for (const double wanted : {exact, next_binade}) {
    for (const bool is_above : {false, true}) {
      const double clamped = std::clamp(wanted, numbers.least, numbers.greatest);
      const double source = Neighbour(type, clamped, is_above);
      if (source < numbers.least || source > numbers.greatest) continue;
      if (AllowsValue(format, source / scale, value)) return true;
    }
  }
  return false;
}

// No source of a value is greater: of such a one, the value would be off by more than two units (of its next binade).
double GreatestSource(const BlockFormat& format, const Numbers& numbers, double scale, double value) {
  const double greatest = std::max(std::abs(numbers.least), std::abs(numbers.greatest));
  const double magnitude = std::abs(value) + 4 * std::max(UnitOf(format, value), UnitOf(format, format.normal_min));
  return magnitude > format.normal_max ? greatest : std::min(greatest, magnitude * scale);
}

}  // namespace

absl::Span<const BlockFormat> AllBlockFormats() { return kFormats; }

const BlockFormat& BlockFormatOf(ElementType type) {
  return kFormats[static_cast<size_t>(type) - static_cast<size_t>(BlockScaledTypes().front().type)];
}

double ScaleOf(uint8_t bits) { return bits == kNanScale ? kNan : std::ldexp(1.0, bits - kScaleBias); }

double ValueOf(const BlockFormat& format, uint8_t bits) {
  if (IsInteger(format)) return static_cast<int8_t>(bits) / 64.0;
  const double sign = (bits >> (format.bits - 1) & 1) != 0 ? -1 : 1;
  const int exponent = bits >> format.frac & ((1 << format.exponent_bits) - 1);
  const int fraction = bits & ((1 << format.frac) - 1);
  const bool is_last = exponent == (1 << format.exponent_bits) - 1;
  if (format.has_infinity && is_last) return fraction == 0 ? sign * kInfinity : kNan;
  if (format.has_nan && is_last && fraction == (1 << format.frac) - 1) return kNan;
  const int least = std::ilogb(format.normal_min);
  const double significand = fraction + (exponent == 0 ? 0 : 1 << format.frac);
  return sign * std::ldexp(significand, std::max(exponent - 1, 0) + least - format.frac);
}

uint8_t NearestValue(const BlockFormat& format, double x) {
  if (IsInteger(format)) {
    const double nearest = std::nearbyint(std::clamp(x, -4.0, 4.0) * 64);  // ties to even, the default rounding mode
    return static_cast<uint8_t>(static_cast<int>(std::clamp(nearest, -128.0, 127.0)));
  }
  const auto sign = static_cast<uint8_t>(std::signbit(x) ? 1 << (format.bits - 1) : 0);
  const auto all_ones = static_cast<uint8_t>((1 << (format.bits - 1)) - 1);
  if (std::isnan(x)) return all_ones;
  const int least = std::ilogb(format.normal_min);
  double magnitude = std::abs(x);
  int last_place = least - format.frac;
  if (magnitude >= format.normal_min && std::isfinite(magnitude)) last_place = std::ilogb(magnitude) - format.frac;
  magnitude = std::ldexp(std::nearbyint(std::ldexp(magnitude, -last_place)), last_place);
  if (magnitude > format.normal_max) {
    if (format.has_infinity) return sign | static_cast<uint8_t>(all_ones - ((1 << format.frac) - 1));
    return sign | all_ones;  // NaN, or the greatest number
  }
  const int exponent = magnitude < format.normal_min ? least : std::ilogb(magnitude);
  // The hidden bit of a normal number carries into the exponent's field.
  const int significand = static_cast<int>(std::ldexp(magnitude, format.frac - exponent));
  return sign | static_cast<uint8_t>(((exponent - least) << format.frac) + significand);
}

double ElementOf(const BlockFormat& format, const Block& block, size_t index) {
  return ScaleOf(block.scale) * ValueOf(format, block.values[index]);
}

uint8_t BlockScale(const BlockFormat& format, double max_abs) {
  if (!std::isfinite(max_abs)) return kNanScale;
  if (max_abs == 0) return 0;
  // get_largest_value_rounding_to_normal_max: half a unit above the greatest number.
  const double out_max = format.normal_max + UnitOf(format, format.normal_max) / 2;
  // ceil or floor of log2(max_abs / out_max), exactly: out_max * 2^power <= max_abs < out_max * 2^(power + 1).
  int power = std::ilogb(max_abs) - std::ilogb(out_max);
  if (std::ldexp(out_max, power) > max_abs) --power;
  const bool is_ceiling = format.value == "f8E4M3FN";
  const int exponent = is_ceiling && std::ldexp(out_max, power) == max_abs ? power : power + 1;
  return static_cast<uint8_t>(std::clamp(exponent, -kScaleBias, kScaleBias) + kScaleBias);
}

Block ToBlock(const BlockFormat& format, const BlockInput& input) {
  Block block = {.scale = BlockScale(format, GreatestMagnitude(input))};
  for (size_t i = 0; i < kBlockSize; ++i) {
    if (block.scale == kNanScale && !format.has_nan) continue;
    block.values[i] = NearestValue(format, input[i] / ScaleOf(block.scale));
  }
  return block;
}

bool MayBeAnyBlock(const BlockInput& input) { return !std::isfinite(GreatestMagnitude(input)); }

uint64_t AllowedValues(const BlockFormat& format, double element, uint8_t scale) {
  uint64_t count = 0;
  for (int bits = 0; scale != kNanScale && bits < 1 << format.bits; ++bits) {
    if (AllowsValue(format, element / ScaleOf(scale), ValueOf(format, static_cast<uint8_t>(bits)))) ++count;
  }
  return count;
}

bool AllowsBlock(const BlockFormat& format, const BlockInput& input, const Block& block) {
  if (MayBeAnyBlock(input)) return true;
  bool is_exact = block.scale != kNanScale;
  for (size_t i = 0; i < kBlockSize; ++i) is_exact &= ElementOf(format, block, i) == input[i];
  if (is_exact) return true;  // policy "block-exact"
  const uint8_t reference = BlockScale(format, GreatestMagnitude(input));
  if (!AllowsScale(block.scale, reference)) return false;
  for (size_t i = 0; i < kBlockSize; ++i) {
    if (!AllowsValue(format, input[i] / ScaleOf(block.scale), ValueOf(format, block.values[i]))) return false;
  }
  return true;
}

Expected FromBlock(const BlockFormat& format, uint8_t scale, uint8_t value, ElementType result) {
  const double of_value = ValueOf(format, value), element = ScaleOf(scale) * of_value;
  double bound = 0;
  if (std::isfinite(element) && element != 0) {
    // One unit of the result's format at the value, scaled, and never less than normal_min of the result.
    bound = std::max(Ulp(result, of_value) * ScaleOf(scale), Format(result).normal_min);
  }
  Expected expected = Within(result, Real(element), Real(bound));
  expected.nan_passes |= !Info(result).has_infinity && std::isinf(element);
  return InCase(ValueCase::kFromBlockScaled, expected);
}

Expected FromBlock(ElementType type, uint64_t bits, ElementType result) {
  return FromBlock(BlockFormatOf(type), static_cast<uint8_t>(bits >> kBlockScaleShift), static_cast<uint8_t>(bits),
                   result);
}

bool MayBeAnyRoundTrip(const BlockFormat& format, const Block& input, ElementType between) {
  return absl::c_any_of(input.values, [&](uint8_t value) {
    return NumbersOf(between, FromBlock(format, input.scale, value, between)).may_be_special;
  });
}

bool AllowsRoundTrip(const BlockFormat& format, const Block& input, ElementType between, const Block& result) {
  if (MayBeAnyRoundTrip(format, input, between)) return true;
  const double scale = ScaleOf(result.scale);
  bool has_sources = result.scale != kNanScale;
  bool is_exact = has_sources;  // policy "block-exact": of something that the first cast may return
  double greatest = 0;
  for (size_t i = 0; i < kBlockSize; ++i) {
    const Numbers numbers = NumbersOf(between, FromBlock(format, input.scale, input.values[i], between));
    const double element = ElementOf(format, result, i);
    is_exact &= element == RoundToGrid(between, element, Rounding::kHalfEven) &&
                (element == 0 ? numbers.has_zero : numbers.least <= element && element <= numbers.greatest);
    if (!has_sources) continue;
    const double value = ValueOf(format, result.values[i]);
    has_sources = HasSource(format, between, numbers, scale, value);
    greatest = std::max(greatest, GreatestSource(format, numbers, scale, value));
  }
  return is_exact || (has_sources && AllowsScale(result.scale, BlockScale(format, greatest)));
}

}  // namespace tosaic
