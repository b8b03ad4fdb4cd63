#include "oracle/float_format.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/tensor.h"

namespace tosaic {
namespace {

uint64_t InfinityBits(const ElementTypeInfo& info) {
  return ((uint64_t{1} << info.exponent_bits) - 1) << info.mantissa_bits;
}

FloatFormat MakeFormat(const ElementTypeInfo& info) {
  // f8E4M3FN has no infinity: its greatest exponent holds numbers, all ones alone being NaN.
  const uint64_t greatest = info.type == ElementType::kF8E4M3FN ? 0x7e : InfinityBits(info) - 1;
  const double normal_min = ElementToDouble(info.type, uint64_t{1} << info.mantissa_bits);
  return {info.mantissa_bits, std::ilogb(normal_min), normal_min, ElementToDouble(info.type, greatest)};
}

double RoundToInteger(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kTowardZero:
      return std::trunc(value);
    case Rounding::kHalfEven:
      return std::nearbyint(value);  // the rounding mode is never changed from the default
    case Rounding::kHalfAway:
      break;
  }
  return std::round(value);
}

}  // namespace

const FloatFormat& Format(ElementType type) {
  static const auto formats = [] {
    std::array<FloatFormat, static_cast<size_t>(ElementType::kF8E5M2) + 1> table = {};
    for (const ElementTypeInfo& info : AllElementTypes()) {
      if (IsFloat(info.type)) table[static_cast<size_t>(info.type)] = MakeFormat(info);
    }
    return table;
  }();
  return formats[static_cast<size_t>(type)];
}

double RoundToGrid(ElementType type, double value, Rounding rounding) {
  if (!std::isfinite(value) || value == 0) return value;
  const FloatFormat& format = Format(type);
  const int last_place = std::max(std::ilogb(value), format.min_exponent) - format.frac;
  return std::ldexp(RoundToInteger(std::ldexp(value, -last_place), rounding), last_place);
}

uint64_t NearestBits(ElementType type, double value) {
  const FloatFormat& format = Format(type);
  const ElementTypeInfo& info = Info(type);
  const uint64_t sign = uint64_t{std::signbit(value)} << (info.bits - 1);
  const bool has_infinity = type != ElementType::kF8E4M3FN;
  const uint64_t infinity = InfinityBits(info);
  const uint64_t quiet_nan = has_infinity ? infinity | uint64_t{1} << (format.frac - 1) : 0x7f;
  if (std::isnan(value)) return quiet_nan;
  const double magnitude = RoundToGrid(type, std::abs(value), Rounding::kHalfEven);
  if (magnitude > format.normal_max) return sign | (has_infinity ? infinity : quiet_nan);
  const int exponent = magnitude < format.normal_min ? format.min_exponent : std::ilogb(magnitude);
  // The hidden bit of a normal number carries into the exponent's field: 1 + exponent - min_exponent in all.
  const auto significand = static_cast<uint64_t>(std::ldexp(magnitude, format.frac - exponent));
  return sign | ((static_cast<uint64_t>(exponent - format.min_exponent) << format.frac) + significand);
}

}  // namespace tosaic
