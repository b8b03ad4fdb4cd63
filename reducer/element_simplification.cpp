// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reducer/element_simplification.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "model/blocks.h"

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
  const bool negative = HasSignedValues(info.type) && (bits >> (info.bits - 1) & 1) != 0;
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

// The value of a block's element by itself: a small float, or of mxint8 an integer.
ElementTypeInfo ValueOfBlock(ElementType type) {
  ElementTypeInfo value = Info(type);
  if (value.exponent_bits == 0) return Info(ElementType::kI8);
  value.element_class = ElementClass::kFloat;
  value.bits = BlockValueBits(type);
  return value;
}

uint64_t BlockCost(ElementType type, uint64_t bits) {
  const ElementTypeInfo value = ValueOfBlock(type);
  const uint64_t own = ValueInBlock(bits), scale = ScaleInBlock(bits);
  const uint64_t distance = scale > kScaleOfOne ? scale - kScaleOfOne : kScaleOfOne - scale;
  if (own == 0) return scale == 0 || scale == kScaleOfOne ? 0 : 1;  // a zero says nothing of its scale
  return 4 * distance + (value.exponent_bits > 0 ? FloatCost(value, own) : IntegerCost(value, own));
}

// Those of the same scale: a block has but one.
std::vector<uint64_t> SimplerInBlock(ElementType type, uint64_t bits) {
  const ElementTypeInfo value = ValueOfBlock(type);
  const uint64_t own = ValueInBlock(bits);
  std::vector<uint64_t> simpler = value.exponent_bits > 0 ? SimplerFloats(value, own) : SimplerIntegers(value, own);
  simpler.insert(simpler.begin(), {0, ValueInBlock(OneBits(type)), ValueInBlock(MinusOneBits(type)), 1});
  for (uint64_t& each : simpler) each = ElementInBlock(ScaleInBlock(bits), each);
  return simpler;
}

}  // namespace

std::optional<uint64_t> OrdinaryBits(ElementType type) {
  const ElementTypeInfo& info = Info(type);
  if (IsBlockScaled(type) || info.bits < 3) return std::nullopt;
  if (!IsFloat(type)) return 3;
  return Join(info,
              {.negative = false, .exponent = Bias(info) + 1, .mantissa = uint64_t{1} << (info.mantissa_bits - 1)});
}

uint64_t MinusOneBits(ElementType type) {
  const ElementTypeInfo& info = Info(type);
  if (IsBlockScaled(type)) {
    const uint64_t one = OneBits(type);
    return info.exponent_bits > 0 ? one | uint64_t{1} << (BlockValueBits(type) - 1) : one | 0xc0;
  }
  if (IsFloat(type)) return Join(info, {true, Bias(info), 0});
  return ToMagnitude(info, BitMask(type)).negative ? BitMask(type) : 1;
}

uint64_t ElementCost(ElementType type, uint64_t bits) {
  if (bits == 0) return 0;
  if (bits == OneBits(type)) return 1;
  if (bits == MinusOneBits(type)) return 2;
  if (IsBlockScaled(type)) return BlockCost(type, bits);
  return IsFloat(type) ? FloatCost(Info(type), bits) : IntegerCost(Info(type), bits);
}

std::vector<uint64_t> SimplerElements(ElementType type, uint64_t bits) {
  std::vector<uint64_t> simpler = {0, OneBits(type), MinusOneBits(type)};
  const ElementTypeInfo& info = Info(type);
  const std::vector<uint64_t> more = IsBlockScaled(type) ? SimplerInBlock(type, bits)
                                     : IsFloat(type)     ? SimplerFloats(info, bits)
                                                         : SimplerIntegers(info, bits);
  simpler.insert(simpler.end(), more.begin(), more.end());
  if (IsBlockScaled(type))
    std::erase_if(simpler, [&](uint64_t value) { return ScaleInBlock(value) != ScaleInBlock(bits); });
  std::vector<uint64_t> kept;
  for (uint64_t value : simpler) {
    const bool known = std::find(kept.begin(), kept.end(), value) != kept.end();
    if (!known && ElementCost(type, value) < ElementCost(type, bits)) kept.push_back(value);
  }
  return kept;
}

std::vector<uint64_t> SimplerScales(uint64_t bits) {
  const auto scale = static_cast<int64_t>(ScaleInBlock(bits)), one = static_cast<int64_t>(kScaleOfOne);
  if (scale == one) return {};
  return {kScaleOfOne, static_cast<uint64_t>(one + (scale - one) / 2),
          static_cast<uint64_t>(scale + (scale < one ? 1 : -1))};
}

}  // namespace tosaic
