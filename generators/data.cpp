// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/data.h"

#include <algorithm>
#include <cmath>

#include "generators/element_bits.h"
#include "generators/special_values.h"
#include "model/blocks.h"

namespace tosaic {
namespace {

uint64_t DrawSpecial(ChoiceSource& choices, const std::vector<uint64_t>& values) {
  return values[choices.Below(values.size())];
}

// A float around the limits of an integer type, where saturation begins.
uint64_t DrawAroundLimit(ChoiceSource& choices, ElementType type, ElementType integer) {
  const double power = std::ldexp(1, HasSignedValues(integer) ? BitWidth(integer) - 1 : BitWidth(integer));
  const double lowest = HasSignedValues(integer) ? -power : 0;
  const double limit = choices.Chance(1, 2) ? lowest : power;
  const double halves = static_cast<double>(choices.Between(-4, 4)) / 2;
  const uint64_t bits = EncodeFloat(type, limit + halves);
  // One step of the float away, at times.
  const int64_t step = choices.Chance(1, 3) ? choices.Between(-1, 1) : 0;
  return (bits + static_cast<uint64_t>(step)) & BitMask(type);
}

// An integer half way between two neighbouring values of a float type, or next to that.
uint64_t DrawTie(ChoiceSource& choices, ElementType type, ElementType result) {
  const int precision = Info(result).mantissa_bits + 1;
  const uint64_t significand = (uint64_t{1} << (precision - 1)) | choices.Below(uint64_t{1} << (precision - 1));
  const int room = BitWidth(type) - precision - 2;
  if (room < 0) return choices.Bits() & BitMask(type);
  const int shift = static_cast<int>(choices.Below(room + 1));
  const uint64_t tie = ((significand << 1) | 1) << shift;
  const int64_t value = static_cast<int64_t>(tie) + choices.Between(-1, 1);
  return EncodeInteger(type, choices.Chance(1, 2) ? -value : value);
}

// A float half way between two neighbouring values of a narrower float type, or next to that, or anywhere between them;
// often beyond the greatest finite value, where the halves decide whether it overflows.
uint64_t DrawFloatTie(ChoiceSource& choices, ElementType type, ElementType result) {
  const ElementTypeInfo &wide = Info(type), &narrow = Info(result);
  const int dropped = wide.mantissa_bits - narrow.mantissa_bits;
  const bool is_greatest = choices.Chance(1, 6);
  const uint64_t steps = uint64_t{1} << narrow.mantissa_bits;
  const uint64_t kept = is_greatest ? steps - 1 - choices.Below(std::min<uint64_t>(steps, 2)) : choices.Below(steps);
  const uint64_t tie = ((kept << 1) | 1) << (dropped - 1);
  const uint64_t mantissa = choices.Chance(1, 3) ? kept << dropped | choices.Below(uint64_t{1} << dropped)
                                                 : tie + static_cast<uint64_t>(choices.Between(-1, 1));
  const auto bias_of = [](const ElementTypeInfo& info) { return (int64_t{1} << (info.exponent_bits - 1)) - 1; };
  const int64_t reach = bias_of(narrow);
  const auto exponent =
      static_cast<uint64_t>(bias_of(wide) + (is_greatest ? reach : choices.Between(1 - reach, reach)));
  const uint64_t sign = choices.Chance(1, 2) ? SignMask(type) : 0;
  return sign | exponent << wide.mantissa_bits | mantissa;
}

uint64_t DrawForCast(ChoiceSource& choices, ElementType type, ElementType result) {
  if (IsFloat(type) && IsInteger(result) && BitWidth(result) > 1) return DrawAroundLimit(choices, type, result);
  if (IsInteger(type) && IsFloat(result)) return DrawTie(choices, type, result);
  const bool narrows = IsFloat(type) && IsFloat(result) && Info(type).mantissa_bits > Info(result).mantissa_bits + 1;
  if (narrows && Info(type).exponent_bits >= Info(result).exponent_bits) return DrawFloatTie(choices, type, result);
  return DrawSpecial(choices, Specials(type).core);
}

// Floats: some powers of two around 1. Integers: any bit length, as likely.
uint64_t DrawMagnitude(ChoiceSource& choices, ElementType type) {
  const uint64_t bits = choices.Bits();
  if (IsInteger(type)) {
    const uint64_t value = bits >> (64 - BitWidth(type)) >> (bits % BitWidth(type));
    return EncodeInteger(type, static_cast<int64_t>(choices.Chance(1, 2) ? -value : value));
  }
  const ElementTypeInfo& info = Info(type);
  const int bias = (1 << (info.exponent_bits - 1)) - 1;
  const int reach = bias > 16 ? 12 : bias / 2 + 1;
  const uint64_t exponent = choices.Between(bias - reach, bias + reach - 1);
  const uint64_t sign_and_mantissa = SignMask(type) | ((uint64_t{1} << info.mantissa_bits) - 1);
  return (bits & sign_and_mantissa) | (exponent << info.mantissa_bits);
}

uint64_t DrawSmallInteger(ChoiceSource& choices, ElementType type) {
  const auto draw = static_cast<int64_t>(choices.Below(19));
  return EncodeNumber(type, static_cast<double>(draw % 2 == 0 ? draw / 2 : -(draw + 1) / 2));
}

}  // namespace

uint64_t DrawFavouredElement(ChoiceSource& choices, ElementType type) {
  const double number = choices.Pick(choices.favoured()) * (choices.Chance(1, 4) ? -1 : 1);
  const bool is_exact = choices.favours_strongly() && choices.Chance(1, 2);
  const auto step = is_exact ? 0 : static_cast<uint64_t>(choices.Between(-1, 1));
  const bool fits = std::abs(number) < 0x1p62;
  const bool is_bits = IsInteger(type) || (number > 0 && number == std::floor(number) && choices.Chance(1, 2));
  const uint64_t bits = !is_bits ? EncodeFloat(type, number)
                        : fits   ? static_cast<uint64_t>(static_cast<int64_t>(number))
                                 : 0;
  return (bits + step) & BitMask(type);
}

uint64_t DrawElement(ChoiceSource& choices, ElementType type, ElementType result) {
  if (!choices.favoured().empty() && choices.Chance(1, 8)) return DrawFavouredElement(choices, type);
  const uint64_t kind = choices.Below(16);
  if (kind < 4) return DrawSpecial(choices, Specials(type).core);
  if (kind < 7) return DrawSpecial(choices, Specials(type).more);
  if (kind < 8) return DrawForCast(choices, type, result);
  if (kind < 11) return DrawMagnitude(choices, type);
  if (kind < 14) return choices.Bits() & BitMask(type);
  return DrawSmallInteger(choices, type);
}

// A value of a block. `is_any`: often at an end of the format, where it has infinities and NaNs; else a number.
static uint64_t DrawBlockValue(ChoiceSource& choices, ElementType type, bool is_any) {
  const ElementTypeInfo& info = Info(type);
  const uint64_t sign = uint64_t{1} << (BlockValueBits(type) - 1), all_ones = sign - 1;
  const uint64_t bits = choices.Bits() & (sign | all_ones);
  if (is_any) {
    const uint64_t ends[] = {0, 1, all_ones, all_ones - 1, all_ones - 3, all_ones - 4};
    return choices.Chance(1, 2) ? (bits & sign) | ends[choices.Below(6)] : bits;
  }
  const bool has_nan = info.exponent_bits > 0 && BlockValueBits(type) == 8;
  const uint64_t greatest = has_nan ? all_ones - (info.has_infinity ? 4 : 1) : all_ones;
  return (bits & all_ones) > greatest ? bits ^ sign >> 1 : bits;
}

// Half of the scales are at the ends, 2^-127, 2^127 and NaN, the others of every size. An eighth of the blocks is
// zeros, a quarter has values at the ends of the format, too.
static void FillBlocks(ChoiceSource& choices, Tensor& tensor) {
  constexpr uint64_t kEnds[] = {0, 1, 127, 253, 254, 255};
  uint64_t scale = 0, values = 0;
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    if (i % kBlockSize == 0) {
      const uint64_t kind = choices.Below(4);
      scale = kind < 2 ? kEnds[choices.Below(6)] : kind == 2 ? choices.Below(255) : 112 + choices.Below(32);
      values = choices.Below(8);
    }
    const uint64_t value = values == 0 ? 0 : DrawBlockValue(choices, tensor.element_type(), values < 3);
    tensor.SetBits(i, ElementInBlock(scale, value));
  }
}

// Floats of which a cast makes blocks of this type: in an eighth of the blocks anything, which mostly has an infinity
// or a NaN, so that any block is right; else numbers, the greatest of which decides the scale, and half of which lie
// half way between two values of the block.
static void FillForBlocks(ChoiceSource& choices, ElementType block, Tensor& tensor) {
  const ElementType type = tensor.element_type();
  const ElementTypeInfo& info = Info(type);
  const int64_t ends = (int64_t{1} << info.exponent_bits) - 2;  // the greatest exponent of numbers
  const int dropped = std::max(info.mantissa_bits - Info(block).mantissa_bits - 1, 0);
  int64_t exponent = 0;
  uint64_t kind = 0;
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    if (i % kBlockSize == 0) {
      kind = choices.Below(8);
      exponent = kind == 1 ? choices.Between(0, 1) * ends : choices.Between(0, ends);
    }
    if (kind == 0) {
      tensor.SetBits(i, DrawElement(choices, type, block));
      continue;
    }
    const auto own = static_cast<uint64_t>(std::max<int64_t>(exponent - choices.Between(0, 11), 0));
    const uint64_t bits = choices.Bits(), mantissa = bits & ((uint64_t{1} << info.mantissa_bits) - 1);
    const uint64_t rest = choices.Chance(1, 2) ? mantissa >> dropped << dropped : mantissa;
    tensor.SetBits(i, (bits >> 63 != 0 ? SignMask(type) : 0) | own << info.mantissa_bits | rest);
  }
}

void FillData(ChoiceSource& choices, ElementType result, const Tensor* sibling, Tensor& tensor) {
  if (IsBlockScaled(tensor.element_type())) return FillBlocks(choices, tensor);
  if (IsBlockScaled(result)) return FillForBlocks(choices, result, tensor);
  const bool copies =
      sibling != nullptr && sibling->element_count() > 0 && sibling->element_type() == tensor.element_type();
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    if (copies && choices.Chance(1, 8)) {
      tensor.SetBits(i, sibling->Bits(i % sibling->element_count()));
    } else {
      tensor.SetBits(i, DrawElement(choices, tensor.element_type(), result));
    }
  }
}

void FillConstant(ChoiceSource& choices, ElementType result, Tensor& tensor) {
  const ElementType type = tensor.element_type();
  const bool is_favoured = choices.favours_strongly() && !IsBlockScaled(type) && choices.Chance(1, 2);
  const bool is_dense = !is_favoured && choices.Chance(1, 2);
  if (is_dense || IsBlockScaled(type)) {
    FillData(choices, result, nullptr, tensor);
    for (size_t i = 1; !is_dense && i < tensor.element_count(); ++i) tensor.SetBits(i, tensor.Bits(0));
    return;
  }
  const uint64_t values[] = {0, OneBits(type), DrawElement(choices, type, result)};
  const uint64_t value = is_favoured ? DrawFavouredElement(choices, type) : values[choices.Below(3)];
  for (size_t i = 0; i < tensor.element_count(); ++i) tensor.SetBits(i, value);
  // Code that looks only at the first element takes such a constant for a splat.
  if (tensor.element_count() < 3 || !choices.Chance(1, 4)) return;
  tensor.SetBits(choices.Below(tensor.element_count()), DrawElement(choices, type, result));
}

}  // namespace tosaic
