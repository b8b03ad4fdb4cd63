// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/attributes.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "generators/data.h"
#include "generators/element_bits.h"

namespace tosaic {
namespace {

uint64_t DrawNumber(ChoiceSource& choices, ElementType type) {
  const uint64_t bits = DrawElement(choices, type, type);
  return IsFloat(type) && IsNan(type, bits) ? 0 : bits;
}

// The whole range, one value, relu's range, zeros of both signs, finite limits, or two random values.
std::pair<uint64_t, uint64_t> DrawBounds(ChoiceSource& choices, ElementType type) {
  const uint64_t first = DrawNumber(choices, type);
  constexpr int kWeights[] = {15, 10, 15, 5, 10, 45};
  switch (choices.Weighted(kWeights)) {
    case 0:
      return {LowestBits(type), HighestBits(type)};
    case 1:
      return {first, first};
    case 2:
      return {0, IsFloat(type) ? EncodeFloat(type, 6) : std::min<uint64_t>(6, HighestBits(type))};
    case 3:
      return {IsFloat(type) ? SignMask(type) : 0, 0};
    case 4:
      if (IsFloat(type)) return {SignMask(type) | LargestFiniteBits(type), LargestFiniteBits(type)};
      return {EncodeInteger(type, IntegerValue(type, LowestBits(type)) + 1), HighestBits(type)};
    default:
      break;
  }
  const uint64_t second = DrawNumber(choices, type);
  if (LessValue(type, second, first)) return {second, first};
  return {first, second};
}

// Each value, and rarely none where none is needed; mostly none where the attribute means nothing.
template <NamedEnum E>
std::optional<E> DrawValue(ChoiceSource& choices, const AttributeInfo& info, ElementType input) {
  const size_t values = All<E>().size();
  if (info.presence != AttributePresence::kOptional) return static_cast<E>(choices.Below(values));
  const uint64_t drawn = choices.Below(info.for_floats && !IsFloat(input) ? 10 * values : 2 * values + 1) / 2;
  return drawn < values ? std::optional(static_cast<E>(drawn)) : std::nullopt;
}

Tensor DrawShift(ChoiceSource& choices, ElementType input, bool any_shift) {
  Tensor shift(ElementType::kI8, {1});
  if (any_shift) {
    shift.SetBits(0, choices.Bits());
  } else if (input == ElementType::kI32) {
    constexpr int kWeights[] = {40, 45, 15};
    const size_t kind = choices.Weighted(kWeights);
    shift.SetBits(0, kind == 0 ? 0 : kind == 1 ? choices.Between(1, 62) : 63);
  }
  return shift;
}

Tensor DrawZeroPoint(ChoiceSource& choices, ElementType input) {
  Tensor zero_point(input, {1});
  if (input == ElementType::kI8 && choices.Chance(1, 2)) zero_point.SetBits(0, DrawElement(choices, input, input));
  return zero_point;
}

}  // namespace

Attributes DrawAttributes(ChoiceSource& choices, const OpInfo& op, ElementType input) {
  Attributes attributes;
  uint64_t upper = 0;  // of the pair of numbers whose lower one has been drawn
  const ByKind draw{[&](const AttributeInfo& info, std::optional<TypedBits>& number) {
                      uint64_t bits = upper;
                      if (info.at_most) std::tie(bits, upper) = DrawBounds(choices, input);
                      number = TypedBits{input, bits};
                    },
                    [&](const AttributeInfo&, std::optional<bool>& value) { value = choices.Chance(1, 2); },
                    [&]<NamedEnum E>(const AttributeInfo& info, std::optional<E>& value) {
                      value = DrawValue<E>(choices, info, input);
                    },
                    [](const AttributeInfo&, std::optional<std::vector<int64_t>>&) {}};
  ForEachAttribute(attributes, [&](const AttributeInfo& info, auto& value) {
    if (HasAttribute(op, info.attribute)) draw(info, value);
  });
  return attributes;
}

Tensor DrawSpecial(ChoiceSource& choices, OperandRole role, ElementType input, bool any_shift) {
  switch (role) {
    case OperandRole::kShift:
      return DrawShift(choices, input, any_shift);
    case OperandRole::kZeroPoint:
      return DrawZeroPoint(choices, input);
    case OperandRole::kInput:
    case OperandRole::kCondition:
    case OperandRole::kReshaped:
      break;
  }
  return {};
}

}  // namespace tosaic
