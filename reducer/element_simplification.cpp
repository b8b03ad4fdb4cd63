// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reducer/element_simplification.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace tosaic {
namespace {

// The fields of a float's bit pattern.
struct FloatFields {
  bool negative;
  int exponent;
  uint64_t mantissa;
};

int Bias(const ElementTypeInfo& info) { return ((1 << info.exponent_bits) - 1) >> 1; }

FloatFields Split(const ElementTypeInfo& info, uint64_t bits) {
  return {.negative = (bits >> (info.bits - 1) & 1) != 0,
          .exponent = static_cast<int>(bits >> info.mantissa_bits & ((uint64_t{1} << info.exponent_bits) - 1)),
          .mantissa = bits & ((uint64_t{1} << info.mantissa_bits) - 1)};
}

uint64_t Join(const ElementTypeInfo& info, const FloatFields& fields) {
  return uint64_t{fields.negative} << (info.bits - 1) | uint64_t(fields.exponent) << info.mantissa_bits |
         fields.mantissa;
}

// An infinity or a NaN (or, of f8E4M3FN, one of its large values).
bool IsTop(const ElementTypeInfo& info, const FloatFields& fields) {
  return fields.exponent == (1 << info.exponent_bits) - 1;
}

// Keeps the upper half of the set bits.
uint64_t UpperHalfOfBits(uint64_t bits) {
  for (int drop = (std::popcount(bits) + 1) / 2; drop > 0; --drop) bits &= bits - 1;
  return bits;
}

uint64_t FloatCost(const ElementTypeInfo& info, uint64_t bits) {
  const FloatFields fields = Split(info, bits);
  const int significant = fields.mantissa == 0 ? 0 : info.mantissa_bits - std::countr_zero(fields.mantissa);
  const int distance = IsTop(info, fields) ? 0 : std::abs(fields.exponent - Bias(info));
  // The set bits come last: of two mantissas of equal length the sparser one is simpler.
  return 4 + (fields.negative ? 1 : 0) + 2 * std::popcount(fields.mantissa) + 4 * significant + 4 * distance;
}

std::vector<uint64_t> SimplerFloats(const ElementTypeInfo& info, uint64_t bits) {
  const FloatFields fields = Split(info, bits);
  std::vector<uint64_t> simpler;
  auto with = [&](auto change) {
    FloatFields changed = fields;
    change(changed);
    simpler.push_back(Join(info, changed));
  };
  with([](FloatFields& f) { f.negative = false; });
  if (IsTop(info, fields)) {
    // The canonical NaN: quiet, no payload. An infinity's empty mantissa stays.
    if (fields.mantissa != 0) {
      with([&](FloatFields& f) {
        f.negative = false;
        f.mantissa = uint64_t{1} << (info.mantissa_bits - 1);
      });
    }
  } else {
    const int bias = Bias(info);
    with([](FloatFields& f) { f.mantissa = 0; });
    with([&](FloatFields& f) { f.exponent = bias; });
    with([&](FloatFields& f) { f.exponent = bias + (f.exponent - bias) / 2; });
  }
  with([](FloatFields& f) { f.mantissa = UpperHalfOfBits(f.mantissa); });
  with([](FloatFields& f) { f.mantissa &= f.mantissa - 1; });
  return simpler;
}

// A signed integer as sign and magnitude.
struct Magnitude {
  bool negative;
  uint64_t value;
};

Magnitude ToMagnitude(const ElementTypeInfo& info, uint64_t bits) {
  const bool is_signed = info.element_class == ElementClass::kSignless || info.element_class == ElementClass::kSigned;
  const bool negative = is_signed && (bits >> (info.bits - 1) & 1) != 0;
  return {negative, (negative ? -bits : bits) & BitMask(info.type)};
}

std::vector<uint64_t> SimplerIntegers(const ElementTypeInfo& info, uint64_t bits) {
  const Magnitude magnitude = ToMagnitude(info, bits);
  std::vector<uint64_t> simpler;
  auto with = [&](uint64_t value) { simpler.push_back((magnitude.negative ? -value : value) & BitMask(info.type)); };
  simpler.push_back(magnitude.value);  // the sign away; of the smallest value, which has no opposite, the same
  with(std::bit_floor(magnitude.value));
  with(magnitude.value >> 1);
  with(UpperHalfOfBits(magnitude.value));
  with(magnitude.value & (magnitude.value - 1));
  if (magnitude.value <= 8) with(magnitude.value - 1);
  return simpler;
}

uint64_t IntegerCost(const ElementTypeInfo& info, uint64_t bits) {
  const Magnitude magnitude = ToMagnitude(info, bits);
  const uint64_t small = std::min<uint64_t>(magnitude.value, 8);
  return 4 + (magnitude.negative ? 1 : 0) + 2 * small + 8 * std::bit_width(magnitude.value) +
         2 * std::popcount(magnitude.value);
}

}  // namespace

uint64_t MinusOneBits(ElementType type) {
  const ElementTypeInfo& info = Info(type);
  if (IsFloat(type)) return Join(info, {true, Bias(info), 0});
  return ToMagnitude(info, BitMask(type)).negative ? BitMask(type) : 1;
}

uint64_t ElementCost(ElementType type, uint64_t bits) {
  if (bits == 0) return 0;
  if (bits == OneBits(type)) return 1;
  if (bits == MinusOneBits(type)) return 2;
  return IsFloat(type) ? FloatCost(Info(type), bits) : IntegerCost(Info(type), bits);
}

std::vector<uint64_t> SimplerElements(ElementType type, uint64_t bits) {
  std::vector<uint64_t> simpler = {0, OneBits(type), MinusOneBits(type)};
  const ElementTypeInfo& info = Info(type);
  const std::vector<uint64_t> more = IsFloat(type) ? SimplerFloats(info, bits) : SimplerIntegers(info, bits);
  simpler.insert(simpler.end(), more.begin(), more.end());
  std::vector<uint64_t> kept;
  for (uint64_t value : simpler) {
    const bool known = std::find(kept.begin(), kept.end(), value) != kept.end();
    if (!known && ElementCost(type, value) < ElementCost(type, bits)) kept.push_back(value);
  }
  return kept;
}

}  // namespace tosaic
