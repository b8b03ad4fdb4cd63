// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <optional>

#include "generators/chain_parts.h"
#include "generators/data.h"
#include "generators/element_bits.h"
#include "generators/graph.h"
#include "generators/repair.h"
#include "generators/typed_op.h"

namespace tosaic {
namespace {

// Draws a second operand that traps against any first operand, or against the least.
uint64_t DrawTrap(ChoiceSource& choices, const OpInfo& op, ElementType type) {
  if (op.unpredictable == Unpredictable::kDivision) return choices.Chance(2, 3) ? 0 : BitMask(type);
  const auto width = static_cast<uint64_t>(BitWidth(type));
  const uint64_t amounts[] = {width, width + 1, BitMask(type), HighestBits(type), LowestBits(type)};
  return choices.Pick<uint64_t>(amounts) & BitMask(type);
}

// Draws a first operand: 0, the least integer or any; mostly a constant, because only then the op can be folded.
ValueRef DrawFirst(ChoiceSource& choices, ProgramBuilder& builder, ElementType type) {
  const uint64_t values[] = {0, LowestBits(type), DrawElement(choices, type, type)};
  switch (choices.Below(4)) {
    case 0:
      return builder.Argument(type);
    case 1:
      return builder.Constant(type);
    default:
      return builder.Splat(type, choices.Pick<uint64_t>(values));
  }
}

}  // namespace

bool BuildTrap(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  // Half of them divisions, as far as the options have both.
  const bool division = choices.Chance(1, 2);
  const auto draw = [&](bool any) {
    return DrawTypedOp(choices, options, TypeColumn::kSpec,
                       [&](const OpInfo& row, ElementType input, ElementType result) {
                         const bool wanted = (row.unpredictable == Unpredictable::kDivision) == division;
                         return MayTrap(row) && IsClosed(input, result) && (any || wanted);
                       });
  };
  std::optional<TypedOp> op = draw(/*any=*/false);
  if (!op) op = draw(/*any=*/true);
  if (!op) return false;
  const OpInfo& row = Info(op->op);
  const ElementType type = op->input;
  // A division ends the run, and what a run after it would show.
  builder.KeepConstants(row.unpredictable == Unpredictable::kDivision ? 1 : options.runs);
  ValueRef first = DrawFirst(choices, builder, type);
  ValueRef second = builder.Splat(type, DrawTrap(choices, row, type));
  if (choices.Chance(1, 6)) first = builder.Weaken(first).value_or(first);
  if (choices.Chance(1, 6)) second = builder.Weaken(second).value_or(second);
  const ValueRef trapped = builder.Apply(*op, {first, second});
  if (!choices.Chance(1, 3)) return true;
  const std::optional<TypedOp> behind = DrawClosed(choices, options, choices.Chance(1, 2) ? 1 : 2, type);
  if (behind && !MayTrap(Info(behind->op))) builder.Apply(*behind, {trapped});
  return true;
}

}  // namespace tosaic
