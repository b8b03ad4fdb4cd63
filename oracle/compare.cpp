// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/compare.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/tensor.h"
#include "oracle/accuracy.h"
#include "oracle/allowed_set.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

// The comparison for exact ops: allows the same bits, a zero of the other sign if the sign is free, and a flushed
// subnormal.
bool MatchesBits(const Expected& expected, ElementType type, uint64_t actual) {
  if (actual == expected.bits) return true;
  if (!IsFloat(type) || expected.is_copy) return false;
  const uint64_t sign = SignMask(type);
  const uint64_t magnitude = expected.bits & ~sign;
  const uint64_t normal_min = uint64_t{1} << Info(type).mantissa_bits;
  const bool may_be_zero = magnitude == 0 || (magnitude < normal_min && !IsFp8(type));
  if ((actual & ~sign) != 0 || !may_be_zero) return false;
  return expected.zero_sign_free || ((actual ^ expected.bits) & sign) == 0;
}

bool MatchesRange(const Expected& expected, double actual) {
  if (std::isnan(actual)) return expected.nan_passes;
  if (actual != 0) return expected.lo <= actual && actual <= expected.hi;
  const bool right_sign = std::signbit(actual) == std::signbit(expected.reference);
  return expected.zero_passes && (expected.zero_sign_free || right_sign);
}

// The greatest magnitude of the type, infinity included, that is not greater than a positive value.
struct Magnitude {
  uint64_t bits = 0;
  bool is_value = false;  // it is the value itself
};
Magnitude MagnitudeBelow(ElementType type, double value) {
  const FloatFormat& format = Format(type);
  const double finite = std::min(value, format.normal_max);
  const int exponent = std::max(std::ilogb(finite), format.min_exponent);
  const double significand = std::ldexp(finite, format.frac - exponent);
  const auto whole = static_cast<uint64_t>(significand);
  // As in NearestBits: the hidden bit carries into the exponent's field.
  const uint64_t bits = (static_cast<uint64_t>(exponent - format.min_exponent) << format.frac) + whole;
  if (value <= format.normal_max) return {bits, static_cast<double>(whole) == significand};
  const bool is_infinity = std::isinf(value) && Info(type).has_infinity;
  return {is_infinity ? bits + 1 : bits, is_infinity};
}

// The magnitudes `first` to `behind` - 1: the positive values of the type, infinity included, in a range.
struct Magnitudes {
  uint64_t first = 1, behind = 1;

  uint64_t Count() const { return behind - first; }
};
Magnitudes MagnitudesIn(ElementType type, double from, double to) {
  if (!(0 < to && from <= to)) return {};
  const uint64_t behind = MagnitudeBelow(type, to).bits + 1;
  if (from <= 0) return {1, behind};
  const Magnitude below = MagnitudeBelow(type, from);
  return {below.bits + (below.is_value ? 0 : 1), behind};
}

std::string FloatText(double value) {
  if (std::isnan(value)) return "NaN";
  return absl::StrFormat("%.9g", value);
}

// A bound with as many digits as keep it apart from the type's next value outside, which it must not seem to allow.
std::string BoundText(ElementType type, double bound, bool is_upper) {
  if (!std::isfinite(bound)) return FloatText(bound);
  const auto is_outside = [&](double value, double of) { return is_upper ? value > of : value < of; };
  const int64_t nearest = OrdinalOf(type, NearestBits(type, bound));
  const int64_t last = is_upper ? GreatestOrdinal(type) : LeastOrdinal(type);
  int64_t next = nearest;
  while (next != last && !is_outside(ValueOfOrdinal(type, next), bound)) next += is_upper ? 1 : -1;
  const double value = ValueOfOrdinal(type, next);
  std::string text;
  for (int digits = Info(type).bits > 32 ? 17 : 9; digits <= 17; ++digits) {
    text = absl::StrFormat("%.*g", digits, bound);
    const bool seems_allowed = !is_outside(value, std::strtod(text.c_str(), nullptr));
    if (!is_outside(value, bound) || !(seems_allowed || text == FloatText(value))) break;
  }
  return text;
}

// The value, limited to one unit past the greatest number.
double Finite(ElementType type, double value) {
  const FloatFormat& format = Format(type);
  const double past_the_end = std::min(format.normal_max + Ulp(type, format.normal_max), DBL_MAX);
  return std::copysign(std::min(std::abs(value), past_the_end), value);
}

// Adds a range that begins behind the begin of the last one, or unites the two if nothing lies between them.
void Append(BitRange range, std::vector<BitRange>* ranges) {
  if (ranges->empty() || (range.first > 0 && ranges->back().last < range.first - 1)) return ranges->push_back(range);
  ranges->back().last = std::max(ranges->back().last, range.last);
}

}  // namespace

double ReferenceOf(ElementType type, const Expected& expected) {
  switch (expected.kind) {
    case Expected::Kind::kBits:
      return ElementToDouble(type, expected.bits);
    case Expected::Kind::kRange:
      return expected.reference;
    case Expected::Kind::kIntegers:
    case Expected::Kind::kUndefined:
    case Expected::Kind::kNan:
      break;
  }
  return std::nan("");
}

bool Matches(const Expected& expected, ElementType type, uint64_t actual_raw_bits) {
  const uint64_t actual = actual_raw_bits & BitMask(type);
  const bool is_undefined = expected.kind == Expected::Kind::kUndefined;
  if (!is_undefined && actual != (actual_raw_bits & StoredMask(type))) return false;
  switch (expected.kind) {
    case Expected::Kind::kUndefined:
      return true;
    case Expected::Kind::kBits:
      return MatchesBits(expected, type, actual);
    case Expected::Kind::kNan:
      return std::isnan(ElementToDouble(type, actual));
    case Expected::Kind::kRange:
      return MatchesRange(expected, ElementToDouble(type, actual));
    case Expected::Kind::kIntegers:
      return ((actual - expected.bits) & BitMask(type)) <= WidthOf(type, expected);
  }
  return false;
}

uint64_t AllowedBits(ElementType type, const Expected& expected) {
  switch (expected.kind) {
    case Expected::Kind::kUndefined:
      return 0;
    case Expected::Kind::kBits:
    case Expected::Kind::kIntegers:
      return expected.bits;
    case Expected::Kind::kNan:
      return NearestBits(type, std::nan(""));
    case Expected::Kind::kRange:
      break;
  }
  // A range may exclude the nearest value: casts, for example, may not round up to an infinity.
  const double candidates[] = {expected.reference,
                               RoundToGrid(type, expected.reference, Rounding::kTowardZero),
                               expected.lo,
                               expected.hi,
                               RoundToGrid(type, expected.lo, Rounding::kTowardZero),
                               RoundToGrid(type, expected.hi, Rounding::kTowardZero),
                               std::copysign(0.0, expected.reference),
                               std::nan("")};
  for (const double candidate : candidates) {
    const uint64_t bits = NearestBits(type, candidate);
    if (Matches(expected, type, bits)) return bits;
  }
  return NearestBits(type, expected.reference);  // an empty range
}

std::vector<BitRange> AllowedRanges(ElementType type, const Expected& expected) {
  const uint64_t mask = BitMask(type);
  if (expected.kind == Expected::Kind::kUndefined) return {{0, mask}};
  if (expected.kind == Expected::Kind::kIntegers) {
    if (expected.bits <= expected.last_bits) return {{expected.bits, expected.last_bits}};
    return {{0, expected.last_bits}, {expected.bits, mask}};
  }
  if (!IsFloat(type)) return {{expected.bits, expected.bits}};
  const uint64_t sign = SignMask(type);
  // Magnitudes grow with their patterns, and the last patterns are NaNs. So there are at most three matching ranges of
  // each sign: zero, numbers, NaNs.
  std::vector<BitRange> ranges;
  const uint64_t nans = static_cast<uint64_t>(GreatestOrdinal(type)) + 1;
  for (const uint64_t base : {uint64_t{0}, sign}) {
    if (Matches(expected, type, base)) Append({base, base}, &ranges);
    Magnitudes numbers;
    if (expected.kind == Expected::Kind::kRange) {
      numbers =
          base == 0 ? MagnitudesIn(type, expected.lo, expected.hi) : MagnitudesIn(type, -expected.hi, -expected.lo);
    } else if (expected.kind == Expected::Kind::kBits && (expected.bits & sign) == base) {
      numbers = {std::max<uint64_t>(expected.bits & ~sign, 1), (expected.bits & ~sign) + 1};
    }
    if (numbers.first < numbers.behind) Append({base | numbers.first, base | (numbers.behind - 1)}, &ranges);
    const bool any_nan = expected.kind != Expected::Kind::kBits && nans < sign;
    if (any_nan && Matches(expected, type, base | nans)) Append({base | nans, base | (sign - 1)}, &ranges);
  }
  return ranges;
}

std::vector<BitRange> AllowedRanges(ElementType type, const Expected& one, const Expected& other) {
  std::vector<BitRange> all = AllowedRanges(type, one);
  for (const BitRange range : AllowedRanges(type, other)) all.push_back(range);
  std::sort(all.begin(), all.end(), [](BitRange a, BitRange b) { return a.first < b.first; });
  std::vector<BitRange> ranges;
  for (const BitRange range : all) Append(range, &ranges);
  return ranges;
}

uint64_t WidthOf(ElementType type, const Expected& expected) {
  if (expected.kind == Expected::Kind::kIntegers) return (expected.last_bits - expected.bits) & BitMask(type);
  uint64_t count = expected.nan_passes ? 1 : 0;
  if (expected.kind == Expected::Kind::kRange) {
    const uint64_t zeros = !expected.zero_passes ? 0 : expected.zero_sign_free ? 2 : 1;
    count += zeros + MagnitudesIn(type, expected.lo, expected.hi).Count() +
             MagnitudesIn(type, -expected.hi, -expected.lo).Count();
  } else if (expected.kind == Expected::Kind::kBits && IsFloat(type)) {
    const double value = ElementToDouble(type, expected.bits);
    const bool is_subnormal = value != 0 && std::abs(value) < Format(type).normal_min;
    const bool may_be_flushed = is_subnormal && !IsFp8(type) && !expected.is_copy;
    const bool has_two_zeros = expected.zero_sign_free && (value == 0 || may_be_flushed);
    count += 1 + (may_be_flushed ? 1 : 0) + (has_two_zeros ? 1 : 0);
  }
  return count == 0 ? 0 : count - 1;
}

// A float has as many values of each sign, and a NaN.
bool IsMostOf(ElementType type, uint64_t width) {
  const uint64_t half = IsFloat(type) ? static_cast<uint64_t>(GreatestOrdinal(type)) + 1 : SignMask(type);
  return width >= half;
}

RuleId RuleOf(const OpInfo& op, const Expected& expected) { return ValueRule(op.kind, expected.value_case); }

std::string DescribeExpected(ElementType type, const Expected& expected) {
  switch (expected.kind) {
    case Expected::Kind::kUndefined:
      return absl::StrCat("undefined (", Name(expected.value_case), ")");
    case Expected::Kind::kBits:
      return ElementToString(type, expected.bits);
    case Expected::Kind::kNan:
      return "NaN";
    case Expected::Kind::kIntegers:
      return absl::StrCat("from ", ElementToString(type, expected.bits), " up to ",
                          ElementToString(type, expected.last_bits));
    case Expected::Kind::kRange:
      break;
  }
  const absl::string_view or_nan = expected.nan_passes ? " or NaN" : "";
  if (expected.lo == expected.hi) return absl::StrCat(FloatText(expected.lo), or_nan);
  return absl::StrCat("[", BoundText(type, expected.lo, false), ", ", BoundText(type, expected.hi, true), "]", or_nan);
}

std::string ExpectedBits(ElementType type, const Expected& expected) {
  switch (expected.kind) {
    case Expected::Kind::kBits:
    case Expected::Kind::kIntegers:
      return BitsToString(type, expected.bits);
    case Expected::Kind::kRange:
      return BitsToString(type, NearestBits(type, expected.reference));
    case Expected::Kind::kUndefined:
    case Expected::Kind::kNan:
      break;
  }
  return "";
}

std::string DescribeBound(const Expected& expected) {
  if (expected.kind == Expected::Kind::kIntegers) return "the bound of INEXACT_ROUND";
  if (expected.accuracy == nullptr || expected.accuracy->kind == Accuracy::Kind::kExact) return "exact";
  if (expected.accuracy->kind == Accuracy::Kind::kCast) return "between rounding toward zero and to nearest";
  return absl::StrCat(Describe(*expected.accuracy), " = ", absl::StrFormat("%.3g", expected.bound));
}

double UlpDistance(ElementType type, const Expected& expected, uint64_t actual_bits) {
  if (!IsFloat(type)) return 0;
  const double reference = ReferenceOf(type, expected), actual = ElementToDouble(type, actual_bits);
  if (std::isnan(reference) || std::isnan(actual)) return 0;
  const double from = Finite(type, reference);
  const double unit = Ulp(type, std::max(std::abs(from), Format(type).normal_min));
  return std::abs(Finite(type, actual) - from) / unit;
}

double AllowedUlps(ElementType type, const Expected& expected) {
  if (expected.kind != Expected::Kind::kRange || expected.accuracy == nullptr) return 0;
  if (expected.accuracy->kind == Accuracy::Kind::kCast) return 1;
  const double from = std::abs(Finite(type, expected.reference));
  return expected.bound / Ulp(type, std::max(from, Format(type).normal_min));
}

double BoundUsed(ElementType type, const Expected& expected, uint64_t actual_raw_bits) {
  const uint64_t bits = actual_raw_bits & BitMask(type);
  const double distance = UlpDistance(type, expected, bits);
  double allowed = AllowedUlps(type, expected);
  if (distance == 0 || allowed == 0) return 0;
  const bool is_outward = std::abs(ElementToDouble(type, bits)) >= std::abs(expected.reference);
  if (expected.accuracy->kind == Accuracy::Kind::kCast && is_outward) allowed /= 2;
  const double used = distance / allowed;
  // A flushed zero, or an infinity instead of a number beside the greatest, passes at a greater distance.
  return Matches(expected, type, actual_raw_bits) ? std::min(used, 1.0) : used;
}

bool PassesByFlushing(ElementType type, const Expected& expected, uint64_t actual_raw_bits) {
  if (!IsFloat(type) || ElementToDouble(type, actual_raw_bits & BitMask(type)) != 0) return false;
  const bool excludes_zero = expected.kind == Expected::Kind::kRange  ? expected.lo > 0 || expected.hi < 0
                             : expected.kind == Expected::Kind::kBits ? ElementToDouble(type, expected.bits) != 0
                                                                      : false;
  return excludes_zero && Matches(expected, type, actual_raw_bits);
}

SubnormalFate FateOfSubnormal(ElementType type, const Expected& expected, uint64_t actual_bits) {
  if (!IsFloat(type) || IsFp8(type) || expected.is_copy) return SubnormalFate::kNone;
  double number = 0;
  if (expected.kind == Expected::Kind::kBits) number = ElementToDouble(type, expected.bits);
  if (expected.kind == Expected::Kind::kRange && expected.lo == expected.hi) number = expected.lo;
  if (std::isnan(number) || number == 0 || std::abs(number) >= Format(type).normal_min) return SubnormalFate::kNone;
  const double actual = ElementToDouble(type, actual_bits & BitMask(type));
  if (actual == 0) return SubnormalFate::kFlushed;
  return actual == number ? SubnormalFate::kKept : SubnormalFate::kNone;
}

std::string StoredToString(ElementType type, uint64_t stored_bits) {
  if (stored_bits != (stored_bits & BitMask(type))) return absl::StrFormat("the byte 0x%02x", stored_bits);
  return ElementToString(type, stored_bits);
}

ElementMismatch ExplainMismatch(const ScalarInput& in, const Expected& expected, uint64_t actual_raw_bits) {
  const ElementType type = in.result_type;
  ElementMismatch mismatch;
  for (size_t i = 0; i < in.ReadCount(); ++i) {
    mismatch.inputs.push_back(ElementToString(ReadAs(in.RoleOf(i), in.OperandType(i), in.attributes), in.bits[i]));
  }
  const ElementType shown = ResultReadAs(type, in.attributes);
  const uint64_t stored = actual_raw_bits & StoredMask(type);
  mismatch.expected = DescribeExpected(shown, expected);
  mismatch.actual = StoredToString(shown, stored);
  mismatch.expected_bits = ExpectedBits(type, expected);
  mismatch.actual_bits = BitsToString(type, stored);
  mismatch.ulp_distance = UlpDistance(type, expected, actual_raw_bits & BitMask(type));
  mismatch.bound = DescribeBound(expected);
  return mismatch;
}

}  // namespace tosaic
