// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "generators/attributes.h"
#include "generators/chain_parts.h"
#include "generators/chains.h"
#include "generators/repair.h"

namespace tosaic {
namespace {

using E = ElementType;

// Attributes that differ from these. Half of the time only one attribute differs that is not a bound, if the op has
// one.
Attributes Others(ChoiceSource& choices, const TypedOp& op, const Attributes& attributes) {
  const OpInfo& row = Info(op.op);
  const Attributes drawn = DrawAttributes(choices, op);
  if (op.op == OpKind::kRescale) return drawn;  // whose attributes must suit each other
  Attributes others = attributes;
  bool differ = false;
  const ByKind change{[](const TypedBits&) { return std::nullopt; },
                      [](const std::vector<int64_t>&) { return std::nullopt; },
                      [](bool value) { return std::optional(!value); },
                      []<NamedEnum E>(E value) {
                        return std::optional(static_cast<E>((static_cast<size_t>(value) + 1) % All<E>().size()));
                      }};
  ForEachAttribute(others, [&]<typename Kind>(const AttributeInfo& info, std::optional<Kind>& value) {
    const bool matters = IsDrawn(row, info.attribute) && (IsFloat(op.input) || !info.for_floats);
    const std::optional<Kind> other = change(value.value_or(Kind()));
    if (!matters || !other) return;
    value = other;
    differ = true;
  });
  return !differ || choices.Chance(1, 2) ? drawn : others;
}

// Another rounding, or the other sign of i8, where a rescale of the same constants stays legal with it.
Attributes OtherRescale(ChoiceSource& choices, const TypedOp& op, const Attributes& attributes) {
  std::vector<Attributes> others(3, attributes);
  others[0].rounding_mode =
      attributes.rounding_mode == RoundingMode::kDoubleRound ? RoundingMode::kSingleRound : RoundingMode::kDoubleRound;
  if (op.input == E::kI8) others[1].input_unsigned = !*attributes.input_unsigned;
  if (op.result == E::kI8) others[2].output_unsigned = !*attributes.output_unsigned;
  std::erase_if(others, [&](const Attributes& other) {
    return other == attributes || !ScaleSuits(other, op.input) || !SidesSuit(other, op.input, op.result);
  });
  return others.empty() ? attributes : others[choices.Below(others.size())];
}

}  // namespace

bool Siblings(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const auto draw = [&](TypedOpFilter filter) { return DrawTypedOp(choices, options, TypeColumn::kSpec, filter); };
  const bool may_exchange = choices.Chance(1, 2);
  const bool rescales = choices.Chance(1, 4);
  const std::optional<TypedOp> op = draw([&](const OpInfo& row, E input, E result) {
    if (rescales && (options.ops.empty() || absl::c_linear_search(options.ops, OpKind::kRescale))) {
      return row.kind == OpKind::kRescale;
    }
    const bool exchanges = may_exchange && BroadcastOperandCount(row) == 2 && !MayTrap(row);
    const bool differs = exchanges || !row.attributes.empty() || row.kind == OpKind::kCast;
    return differs && !IsFp8(input) && !IsFp8(result);
  });
  if (!op) return false;
  const ValueRef a = builder.Argument(op->input);
  if (op->op == OpKind::kCast) {
    const std::optional<TypedOp> other = draw([&](const OpInfo& row, E input, E result) {
      return row.kind == OpKind::kCast && input == op->input && !IsFp8(result);
    });
    builder.Apply(*op, {a});
    builder.Apply(*other, {a});
    return true;
  }
  std::vector<ValueRef> operands = {a};
  if (BroadcastOperandCount(Info(op->op)) == 2) operands.push_back(builder.Leaf(op->input));
  const Attributes attributes = DrawAttributes(choices, *op);
  const ValueRef first = builder.Apply(*op, operands, attributes);
  if (op->op == OpKind::kRescale && choices.Chance(2, 3)) {  // with the scale and zero points of the first
    builder.Apply(*op, builder.program().ops[static_cast<size_t>(first.index)].operands,
                  OtherRescale(choices, *op, attributes));
    return true;
  }
  const bool exchanged = operands.size() == 2 && !MayTrap(Info(op->op)) && choices.Chance(1, 2);
  if (exchanged) std::swap(operands.front(), operands.back());
  builder.Apply(*op, std::move(operands), exchanged ? attributes : Others(choices, *op, attributes));
  return true;
}

}  // namespace tosaic
