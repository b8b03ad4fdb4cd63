// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/value_inputs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "generators/choice_source.h"
#include "generators/element_bits.h"
#include "generators/special_values.h"
#include "model/sort_unique.h"

namespace tosaic {
namespace {

using Values = std::vector<uint64_t>;
using Bits = std::array<uint64_t, 3>;

constexpr uint64_t kSeed = 0x76616c756573;  // any constant; changing it changes every sampled sweep
constexpr int kPatternsPerTie = 4;

Values AllSpecials(ElementType type) {
  Values values = Specials(type).core;
  values.insert(values.end(), Specials(type).more.begin(), Specials(type).more.end());
  return values;
}

// `bits` and the patterns up to `reach` beside it, of either sign.
void AddAround(ElementType type, uint64_t bits, uint64_t reach, Values* values) {
  const uint64_t sign = SignMask(type), magnitude = bits & ~sign;
  for (uint64_t at = magnitude - std::min(magnitude, reach); at <= std::min(magnitude + reach, sign - 1); ++at) {
    values->push_back(at);
    values->push_back(at | sign);
  }
}

// Every sign and exponent with the ends of the mantissa, its middle, and where the runs of equal bits change.
void AddMantissaPatterns(ElementType type, Values* values) {
  const int bits = Info(type).mantissa_bits;
  const uint64_t beyond = uint64_t{1} << bits, half = beyond / 2;
  Values mantissas = {0, beyond - 1, beyond - 2, half - 1, half, half + 1};
  for (int bit = 0; bit < bits; ++bit) {
    mantissas.push_back(uint64_t{1} << bit);
    mantissas.push_back((uint64_t{1} << bit) - 1);
  }
  // Halfway between two numbers of a narrower float: its last bit even and odd, and the neighbours.
  for (const ElementTypeInfo& narrow : AllElementTypes()) {
    const int dropped = bits - narrow.mantissa_bits;
    if (!IsFloat(narrow.type) || dropped < 2) continue;
    const uint64_t tie = uint64_t{1} << (dropped - 1);
    for (uint64_t last : {uint64_t{0}, uint64_t{1}}) {
      for (uint64_t at : {tie - 1, tie, tie + 1}) mantissas.push_back((last << dropped) + at);
    }
  }
  SortUnique(&mantissas);
  const uint64_t exponents = uint64_t{1} << (Info(type).exponent_bits + 1);
  for (uint64_t exponent = 0; exponent < exponents; ++exponent) {
    for (uint64_t mantissa : mantissas) values->push_back(exponent << bits | mantissa);
  }
}

Values FloatBoundaries(ElementType type) {
  Values values;
  AddMantissaPatterns(type, &values);
  for (uint64_t bits : AllSpecials(type)) AddAround(type, bits, 4, &values);
  // Halves, where rounding to integers decides, and the quarter periods of sin and cos.
  for (int i = 1; i <= 1024; ++i) {
    AddAround(type, EncodeFloat(type, i / 2.0), 1, &values);
    AddAround(type, EncodeFloat(type, i * M_PI_2), 1, &values);
  }
  // The limits of integer types, where a cast begins to saturate.
  for (int bits : {7, 15, 31}) {
    for (double beside : {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0}) {
      AddAround(type, EncodeFloat(type, std::ldexp(1, bits) + beside), 1, &values);
    }
  }
  // Where functions leave f32's range, reach its subnormals, or become constant: exp at both ends (of the normal
  // numbers, of the subnormal ones, half of the least), tanh, erf, and sigmoid.
  for (double value : {88.72283905206835, 87.33654475055310, 103.2789299019278, 103.9720770839918, 9.010913347279288,
                       8.664339756999316, 3.832506856900711, 17.32867951399863, 16.63553233343868}) {
    AddAround(type, EncodeFloat(type, value), 64, &values);
  }
  SortUnique(&values);
  return values;
}

// Integers that a float's mantissa cuts in the middle or beside it, in every binade.
void AddIntegerTies(ElementType type, Values* values) {
  for (ElementType result : {ElementType::kF32, ElementType::kF16, ElementType::kBF16}) {
    const int kept = Info(result).mantissa_bits + 1;
    for (int length = kept + 1; length < BitWidth(type); ++length) {
      const int dropped = length - kept;
      const uint64_t tie = uint64_t{1} << (dropped - 1);
      SeededChoices choices(kSeed, static_cast<uint64_t>(length * 64 + kept));
      for (int i = 0; i < kPatternsPerTie; ++i) {
        const uint64_t top = (uint64_t{1} << (kept - 1)) | choices.Below(uint64_t{1} << (kept - 1));
        for (uint64_t low : {tie - 1, tie, tie + 1}) {
          const auto value = static_cast<int64_t>((top << dropped) + low);
          values->push_back(EncodeInteger(type, value));
          values->push_back(EncodeInteger(type, -value));
        }
      }
    }
  }
}

Values IntegerBoundaries(ElementType type) {
  Values values = AllSpecials(type);
  AddIntegerTies(type, &values);
  SortUnique(&values);
  return values;
}

Values BoundariesOf(ElementType type, bool alone) {
  if (type == ElementType::kI1) return {0, 1};
  if (!alone) return AllSpecials(type);
  return IsFloat(type) ? FloatBoundaries(type) : IntegerBoundaries(type);
}

// Sample `index` of `count` of a float: signs and exponents in turn; of each the mantissas evenly spread in one half
// of the samples, drawn in the other.
uint64_t SpreadFloat(ElementType type, uint64_t index, uint64_t count, ChoiceSource& choices) {
  const int bits = Info(type).mantissa_bits;
  const uint64_t slots = uint64_t{1} << (Info(type).exponent_bits + 1);
  const uint64_t mantissas = uint64_t{1} << bits;
  const uint64_t turn = index / slots, strides = count / slots / 2 + 1;
  uint64_t mantissa = choices.Below(mantissas);
  if (turn % 2 == 0) {
    const uint64_t stride = std::max<uint64_t>(mantissas / strides, 1);
    mantissa = (turn / 2 * stride + mantissa % stride) % mantissas;
  }
  return (index % slots) << bits | mantissa;
}

// Any bits in half of the draws, else a drawn length and sign.
uint64_t SpreadInteger(ElementType type, ChoiceSource& choices) {
  const uint64_t any = choices.Bits() & BitMask(type);
  if (type == ElementType::kI1 || choices.Chance(1, 2)) return any;
  const uint64_t top = uint64_t{1} << choices.Below(static_cast<uint64_t>(BitWidth(type)));
  const auto magnitude = static_cast<int64_t>(top | (any & (top - 1)));
  return EncodeInteger(type, choices.Chance(1, 2) ? -magnitude : magnitude);
}

// Any bits; of moderate size; and for a second operand also near the first, of either sign.
uint64_t RelatedFloat(ElementType type, uint64_t index, bool second, uint64_t first, ChoiceSource& choices) {
  const uint64_t any = choices.Bits() & BitMask(type);
  switch (index % 4) {
    case 0:
      return any;
    case 1: {  // between 2^-8 and 2^8
      const uint64_t one = EncodeFloat(type, 1), unit = uint64_t{1} << Info(type).mantissa_bits;
      return (any & SignMask(type)) | (one - 8 * unit + choices.Below(16 * unit));
    }
    case 2:
      if (!second) return any;
      return (first ^ (any & SignMask(type))) ^ choices.Below(uint64_t{1} << choices.Below(Info(type).mantissa_bits));
    default: {  // near 1, and a second one large enough to move its power
      const uint64_t one = EncodeFloat(type, 1);
      if (!second) return one - 16 + choices.Below(uint64_t{1} << choices.Below(Info(type).mantissa_bits) | 32);
      const uint64_t unit = uint64_t{1} << Info(type).mantissa_bits;
      return (any & SignMask(type)) | (one + choices.Below(12 * unit));
    }
  }
}

}  // namespace

ValueInputs::ValueInputs(std::vector<ElementType> operands, uint64_t wanted, int exhaustive_bits)
    : operands_(std::move(operands)) {
  int bits = 0;
  for (ElementType type : operands_) bits += BitWidth(type);
  exhaustive_ = bits <= exhaustive_bits;
  if (exhaustive_) {
    size_ = uint64_t{1} << bits;
    return;
  }
  boundaries_ = 1;
  for (ElementType type : operands_) {
    lists_.push_back(std::make_shared<const Values>(BoundariesOf(type, operands_.size() == 1)));
    boundaries_ *= lists_.back()->size();
  }
  size_ = std::max(wanted, boundaries_);
}

Bits ValueInputs::At(uint64_t index) const {
  Bits bits = {};
  if (!exhaustive_ && index >= boundaries_) return Sample(index);
  for (size_t i = 0; i < operands_.size(); ++i) {
    const uint64_t choices = exhaustive_ ? uint64_t{1} << BitWidth(operands_[i]) : lists_[i]->size();
    const uint64_t choice = std::exchange(index, index / choices) % choices;
    bits[i] = exhaustive_ ? choice : (*lists_[i])[choice];
  }
  return bits;
}

Bits ValueInputs::Sample(uint64_t index) const {
  SeededChoices choices(kSeed, index);
  const uint64_t sample = index - boundaries_, samples = size_ - boundaries_;
  Bits bits = {};
  if (operands_.size() == 1) {
    bits[0] = IsFloat(operands_[0]) ? SpreadFloat(operands_[0], sample, samples, choices)
                                    : SpreadInteger(operands_[0], choices);
    return bits;
  }
  const size_t last = operands_.size() - 1;
  for (size_t i = 0; i <= last; ++i) {
    const ElementType type = operands_[i];
    bits[i] =
        IsFloat(type) ? RelatedFloat(type, sample, i == last, bits[last - 1], choices) : SpreadInteger(type, choices);
  }
  return bits;
}

}  // namespace tosaic
