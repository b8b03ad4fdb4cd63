// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/float_format.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/tensor.h"

namespace tosaic {
namespace {

uint64_t InfinityBits(const ElementTypeInfo& info) {
  return ((uint64_t{1} << info.exponent_bits) - 1) << info.mantissa_bits;
}

uint64_t AllOnes(const ElementTypeInfo& info) { return (uint64_t{1} << (info.bits - 1)) - 1; }

FloatFormat MakeFormat(const ElementTypeInfo& info) {
  // In a format without infinity the greatest exponent has numbers; only the pattern of all ones is NaN.
  const uint64_t greatest = info.has_infinity ? InfinityBits(info) - 1 : AllOnes(info) - 1;
  const double normal_min = ElementToDouble(info.type, uint64_t{1} << info.mantissa_bits);
  return {info.mantissa_bits, std::ilogb(normal_min), normal_min, ElementToDouble(info.type, greatest)};
}

double RoundToInteger(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kTowardZero:
      return std::trunc(value);
    case Rounding::kHalfEven:
      return std::nearbyint(value);  // nothing changes the rounding mode from the default
    case Rounding::kHalfAway:
      break;
  }
  return std::round(value);
}

}  // namespace

const FloatFormat& Format(ElementType type) {
  static const auto formats = [] {
    std::vector<FloatFormat> table(AllElementTypes().size());
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
  const uint64_t infinity = InfinityBits(info);
  const uint64_t quiet_nan = info.has_infinity ? infinity | uint64_t{1} << (format.frac - 1) : AllOnes(info);
  if (std::isnan(value)) return quiet_nan;
  const double magnitude = RoundToGrid(type, std::abs(value), Rounding::kHalfEven);
  if (magnitude > format.normal_max) return sign | (info.has_infinity ? infinity : quiet_nan);
  const int exponent = magnitude < format.normal_min ? format.min_exponent : std::ilogb(magnitude);
  // The hidden bit of a normal number carries into the exponent's field: 1 + exponent - min_exponent in all.
  const auto significand = static_cast<uint64_t>(std::ldexp(magnitude, format.frac - exponent));
  return sign | ((static_cast<uint64_t>(exponent - format.min_exponent) << format.frac) + significand);
}

}  // namespace tosaic
