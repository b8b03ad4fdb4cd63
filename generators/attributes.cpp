// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/attributes.h"

#include <algorithm>
#include <optional>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "generators/data.h"
#include "generators/element_bits.h"
#include "model/operand_roles.h"
#include "model/tensor.h"

namespace tosaic {
namespace {

// Draws as many entries as inputs of the type look up: a line, the limits in turns, or any. Entries of i16 beside each
// other differ by no more than an i16, so that what lies between them is defined; with `any_step` they may.
Tensor DrawTable(ChoiceSource& choices, ElementType input, bool any_step) {
  const size_t entries = LookupIn(input).entries;
  Tensor table(input, {static_cast<int64_t>(entries)});
  constexpr int kWeights[] = {30, 15, 55};
  const size_t kind = choices.Weighted(kWeights);
  // A choice for each entry would make a fuzzer's input mostly table.
  std::mt19937_64 random(choices.Bits());
  const int64_t slope = choices.Between(-3, 3), from = IntegerValue(input, random() & BitMask(input));
  int64_t before = 0;
  for (size_t i = 0; i < entries; ++i) {
    int64_t entry = IntegerValue(input, random() & BitMask(input));
    if (kind == 0) entry = from + slope * static_cast<int64_t>(i);
    if (kind == 1) entry = IntegerValue(input, i % 2 == 0 ? LowestBits(input) : HighestBits(input));
    entry = IntegerValue(input, static_cast<uint64_t>(entry) & BitMask(input));
    if (i > 0 && LookupIn(input).reads > 1 && !any_step)
      entry = std::clamp<int64_t>(entry, before + INT16_MIN, before + INT16_MAX);
    table.SetBits(i, EncodeInteger(input, entry));
    before = entry;
  }
  return table;
}

constexpr int64_t kMostChannels = 64;

uint64_t DrawNumber(ChoiceSource& choices, ElementType type) {
  const uint64_t bits = DrawElement(choices, type, type);
  return IsFloat(type) && IsNan(type, bits) ? 0 : bits;
}

// The value next to a limit of the type, inside the range: of an infinity, the greatest finite number of its sign.
uint64_t NextInside(ElementType type, uint64_t limit) {
  if (IsFloat(type)) return limit - 1;
  const int64_t step = limit == HighestBits(type) ? -1 : 1;
  return EncodeInteger(type, IntegerValue(type, limit) + step);
}

// The whole range but for its least value, its greatest or both. A pass that is off by one takes it for all of it.
std::pair<uint64_t, uint64_t> DrawNearlyAll(ChoiceSource& choices, ElementType type) {
  const uint64_t kind = choices.Below(3);
  const uint64_t lowest = LowestBits(type), highest = HighestBits(type);
  const uint64_t lower = kind == 0 ? lowest : NextInside(type, lowest);
  // An i1 has no values between its limits.
  if (kind == 1 || (kind == 2 && BitWidth(type) == 1)) return {lower, highest};
  return {lower, NextInside(type, highest)};
}

// The whole range or nearly all of it, one value, relu's range, zeros of both signs, or two random values.
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
      return DrawNearlyAll(choices, type);
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

Tensor DrawShift(ChoiceSource& choices, ElementType input) {
  Tensor shift(ElementType::kI8, {1});
  if (input != ElementType::kI32) return shift;
  // The products of small shifts are often ties.
  constexpr int kWeights[] = {40, 30, 15, 15};
  const size_t kind = choices.Weighted(kWeights);
  shift.SetBits(0, kind == 0 ? 0 : kind == 1 ? choices.Between(1, 62) : kind == 2 ? choices.Between(1, 4) : 63);
  return shift;
}

Tensor DrawZeroPoint(ChoiceSource& choices, ElementType type, ElementType read_as) {
  Tensor zero_point(type, {1});
  const bool is_unsigned_i16 = type == ElementType::kI16 && read_as != type;
  if ((type != ElementType::kI8 && !is_unsigned_i16) || choices.Chance(1, 2)) return zero_point;
  zero_point.SetBits(0, is_unsigned_i16 ? SignMask(type) : DrawElement(choices, type, type));
  return zero_point;
}

// m * 2^unit with 1 <= m < 2, as networks have it; or a number at the edges, or any that is not negative.
uint64_t DrawMultiplier(ChoiceSource& choices, bool scale32) {
  const int unit = scale32 ? 30 : 14;
  const uint64_t one = uint64_t{1} << unit;
  constexpr int kWeights[] = {55, 15, 8, 6, 6, 10};
  switch (choices.Weighted(kWeights)) {
    case 0:
      return one + choices.Below(one);
    case 1:
      return one;
    case 2:
      return 2 * one - 1;
    case 3:
      return choices.Below(2);
    case 4:
      return choices.Below(256);
    default:
      break;
  }
  return choices.Below(2 * one);
}

// Mostly a scale of 2^2 down to 2^-10, and often that of the multiplier alone: a scale of 1, if that is its unit.
uint64_t DrawChannelShift(ChoiceSource& choices, bool scale32) {
  const int unit = scale32 ? 30 : 14;
  constexpr uint64_t kEdges[] = {2, 30, 31, 32, 33, 62};
  constexpr int kWeights[] = {55, 15, 15, 15};
  switch (choices.Weighted(kWeights)) {
    case 0:
      return choices.Between(unit - 2, unit + 10);
    case 1:
      return kEdges[choices.Below(std::size(kEdges))];
    case 2:
      return static_cast<uint64_t>(unit);
    default:
      break;
  }
  return choices.Between(2, 62);
}

// What does not suit becomes plainer. INEXACT_ROUND, which few lower, is rare.
void Reconcile(ChoiceSource& choices, const TypedOp& op, Attributes* attributes) {
  if (attributes->rounding_mode == RoundingMode::kInexactRound && choices.Chance(4, 5)) {
    attributes->rounding_mode = RoundingMode::kSingleRound;
  }
  if (!ScaleSuits(*attributes, op.input)) attributes->scale32 = false;
  if (!ScaleSuits(*attributes, op.input)) attributes->rounding_mode = RoundingMode::kSingleRound;
  if (!SidesSuit(*attributes, op.input, op.result)) attributes->output_unsigned = false;
  if (!SidesSuit(*attributes, op.input, op.result)) attributes->input_unsigned = false;
}

}  // namespace

bool ScaleSuits(const Attributes& attributes, ElementType input) {
  return *attributes.scale32 ? input != ElementType::kI48 : attributes.rounding_mode != RoundingMode::kDoubleRound;
}

bool SidesSuit(const Attributes& attributes, ElementType input, ElementType result) {
  const bool is_wide = BitWidth(input) >= 32 || BitWidth(result) >= 32;
  return *attributes.input_unsigned + *attributes.output_unsigned <= (is_wide ? 0 : 1);
}

Attributes DrawAttributes(ChoiceSource& choices, const TypedOp& op) {
  Attributes attributes;
  uint64_t upper = 0;  // of the pair of numbers whose lower one has been drawn
  const ElementType input = op.input;
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
    if (IsDrawn(Info(op.op), info.attribute)) draw(info, value);
  });
  if (attributes.scale32) Reconcile(choices, op, &attributes);
  return attributes;
}

int64_t SettleChannels(const Shape& input, Attributes* attributes) {
  if (!attributes->per_channel.value_or(false)) return 1;
  const bool is_known = input.IsRanked() && input.rank() > 0 && input.dims().back().IsStatic() &&
                        input.dims().back().size() <= kMostChannels;
  if (is_known) return input.dims().back().size();
  attributes->per_channel = false;
  return 1;
}

Tensor DrawSpecial(ChoiceSource& choices, OperandRole role, const TypedOp& op, const Attributes& attributes,
                   int64_t channels, bool any_value) {
  const bool scale32 = HasScale32(attributes);
  const bool has_channels = Info(role).access == OperandAccess::kChannel;
  Tensor special(TypeOfOperand(role, op.input, op.result, attributes), {has_channels ? channels : 1});
  const auto fill = [&](auto draw) {
    for (size_t i = 0; i < special.element_count(); ++i) special.SetBits(i, any_value ? choices.Bits() : draw());
    return special;
  };
  switch (role) {
    case OperandRole::kShift:
      return any_value ? fill([] { return uint64_t{0}; }) : DrawShift(choices, op.input);
    case OperandRole::kZeroPoint:
    case OperandRole::kOutputZeroPoint:
      return DrawZeroPoint(choices, special.element_type(), ReadAs(role, special.element_type(), attributes));
    case OperandRole::kMultiplier:
      return fill([&] { return DrawMultiplier(choices, scale32); });
    case OperandRole::kChannelShift:
      return fill([&] { return DrawChannelShift(choices, scale32); });
    case OperandRole::kTable:
      return DrawTable(choices, op.input, any_value);
    case OperandRole::kInput:
    case OperandRole::kCondition:
    case OperandRole::kReshaped:
      break;
  }
  return {};
}

}  // namespace tosaic
