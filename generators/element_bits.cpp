// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/element_bits.h"

#include <cmath>

#include "model/tensor.h"

namespace tosaic {
namespace {

uint64_t MantissaMask(ElementType type) { return (uint64_t{1} << Info(type).mantissa_bits) - 1; }
uint64_t ExponentMask(ElementType type) { return SignMask(type) - 1 - MantissaMask(type); }
uint64_t Magnitude(ElementType type, uint64_t bits) { return bits & (SignMask(type) - 1); }

}  // namespace

int64_t IntegerValue(ElementType type, uint64_t bits) {
  if (!HasSignedValues(type)) return static_cast<int64_t>(bits & BitMask(type));
  const int shift = 64 - BitWidth(type);
  return static_cast<int64_t>(bits << shift) >> shift;
}

uint64_t EncodeInteger(ElementType type, int64_t value) { return static_cast<uint64_t>(value) & BitMask(type); }

uint64_t EncodeFloat(ElementType type, double value) {
  if (std::isnan(value)) return QuietNanBits(type);
  const uint64_t sign = std::signbit(value) ? SignMask(type) : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  const uint64_t largest = LargestFiniteBits(type);
  if (magnitude >= ElementToDouble(type, largest)) return sign | largest;
  const ElementTypeInfo& info = Info(type);
  const int bias = (1 << (info.exponent_bits - 1)) - 1;
  const int exponent = std::ilogb(magnitude);
  if (exponent < 1 - bias) {
    return sign | static_cast<uint64_t>(std::ldexp(magnitude, bias - 1 + info.mantissa_bits));
  }
  const auto significand = static_cast<uint64_t>(std::ldexp(magnitude, info.mantissa_bits - exponent));
  return sign | (static_cast<uint64_t>(exponent + bias) << info.mantissa_bits) | (significand & MantissaMask(type));
}

bool HasInfinity(ElementType type) { return Info(type).has_infinity; }

uint64_t EncodeNumber(ElementType type, double number) {
  return IsFloat(type) ? EncodeFloat(type, number) : EncodeInteger(type, static_cast<int64_t>(number));
}

uint64_t LargestFiniteBits(ElementType type) {
  // f8E4M3FN: below the only NaN; others: below infinity.
  return HasInfinity(type) ? ExponentMask(type) - 1 : SignMask(type) - 2;
}

uint64_t QuietNanBits(ElementType type) {
  return HasInfinity(type) ? ExponentMask(type) | ((MantissaMask(type) + 1) >> 1) : SignMask(type) - 1;
}

uint64_t InfinityBits(ElementType type) { return ExponentMask(type); }

bool IsNan(ElementType type, uint64_t bits) {
  const uint64_t magnitude = Magnitude(type, bits);
  return HasInfinity(type) ? magnitude > ExponentMask(type) : magnitude == SignMask(type) - 1;
}

bool IsInfinite(ElementType type, uint64_t bits) {
  return HasInfinity(type) && Magnitude(type, bits) == ExponentMask(type);
}

uint64_t MadeFinite(ElementType type, uint64_t bits) {
  // Without its top bit an all-ones exponent is the bias: the value lies in [1, 2).
  return bits & ~(SignMask(type) >> 1);
}

uint64_t LowestBits(ElementType type) {
  if (IsFloat(type)) return SignMask(type) | (HasInfinity(type) ? InfinityBits(type) : LargestFiniteBits(type));
  return HasSignedValues(type) ? SignMask(type) : 0;
}

uint64_t HighestBits(ElementType type) {
  if (IsFloat(type)) return HasInfinity(type) ? InfinityBits(type) : LargestFiniteBits(type);
  return HasSignedValues(type) ? SignMask(type) - 1 : BitMask(type);
}

bool LessValue(ElementType type, uint64_t a, uint64_t b) {
  if (IsFloat(type)) return ElementToDouble(type, a) < ElementToDouble(type, b);
  return IntegerValue(type, a) < IntegerValue(type, b);
}

}  // namespace tosaic
