// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "generators/chain_parts.h"
#include "generators/chains.h"
#include "generators/element_bits.h"
#include "generators/identities.h"
#include "generators/repair.h"

namespace tosaic {
namespace {

using E = ElementType;

// Draws a type on which the options allow all of the ops with equal operand and result types.
std::optional<E> DrawTypeOf(ChoiceSource& choices, const GeneratorOptions& options, const std::vector<OpKind>& ops) {
  std::vector<E> types;
  for (const ElementTypeInfo& info : AllElementTypes()) {
    bool all = IsClosed(info.type, info.type);
    for (const OpKind op : ops) all = all && Allows(options, {op, info.type, info.type});
    if (all) types.push_back(info.type);
  }
  if (types.empty()) return std::nullopt;
  return types[choices.Below(types.size())];
}

// x op x, of an argument or an intermediate. A divisor or shift amount is never an intermediate: it could trap.
bool OneValue(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const std::optional<TypedOp> op =
      DrawTypedOp(choices, options, TypeColumn::kSpec, [](const OpInfo& row, E input, E result) {
        return BroadcastOperandCount(row) == 2 && !IsFp8(input) && !IsFp8(result);
      });
  if (!op) return false;
  const bool is_source = MayTrap(Info(op->op)) || choices.Chance(1, 2);
  const ValueRef x = is_source ? builder.Argument(op->input) : Branch(choices, options, builder, op->input);
  builder.Apply(*op, {x, x});
  return true;
}

// An op of two operands. Ops on numbers, and those that are associative in mathematics, are drawn more often.
std::optional<TypedOp> DrawReassociated(ChoiceSource& choices, const GeneratorOptions& options) {
  constexpr OpKind kAssociative[] = {OpKind::kAdd, OpKind::kMul, OpKind::kMaximum, OpKind::kMinimum};
  if (choices.Chance(3, 5)) return DrawClosed(choices, options, 2, std::nullopt);
  return DrawClosed(choices, options, kAssociative[choices.Below(std::size(kAssociative))]);
}

// (x op c) op' d with the constants on either side, where op' is mostly op itself: a folder combines the constants.
bool Reassociated(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const std::optional<TypedOp> first = DrawReassociated(choices, options);
  if (!first) return false;
  const E type = first->input;
  const TypedOp second = choices.Chance(2, 3) ? *first : DrawClosed(choices, options, 2, type).value_or(*first);
  const bool small = choices.Chance(3, 4);
  ValueRef value = builder.Argument(type, small ? Domain::kModerate : Domain::kAny);
  for (const TypedOp& op : {*first, second}) {
    const bool shifts = Info(op.op).unpredictable == Unpredictable::kShiftAmount;
    const ValueRef constant = shifts  ? ShiftAmount(choices, builder, type)
                              : small ? SmallConstant(choices, builder, type)
                                      : FoldableConstant(choices, builder, type, value);
    const bool swapped = !MayTrap(Info(op.op)) && choices.Chance(1, 8);
    value = swapped ? Combine(builder, op.op, type, constant, value) : Combine(builder, op.op, type, value, constant);
  }
  return true;
}

// max(min(x, c), d), min(max(x, c), d), max(min(x, y), y); not always with constants.
bool MinMax(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  OpKind inner = OpKind::kMinimum, outer = OpKind::kMaximum;
  if (choices.Chance(1, 2)) std::swap(inner, outer);
  const std::optional<E> type = DrawTypeOf(choices, options, {inner, outer});
  if (!type) return false;
  const bool constant = choices.Chance(2, 3);
  const auto bound = [&] { return constant ? FoldableConstant(choices, builder, *type) : builder.Argument(*type); };
  const ValueRef y = bound();
  const ValueRef once = Combine(builder, inner, *type, builder.Argument(*type), y);
  Combine(builder, outer, *type, once, choices.Chance(1, 4) ? y : bound());
  return true;
}

// A cast to a second element type, then to a third or back. Half of the time the second is narrower, so that the two
// cannot become one.
bool CastCast(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const bool narrows = choices.Chance(1, 2);
  const auto draw = [&](std::optional<E> from) {
    return DrawTypedOp(choices, options, TypeColumn::kSpec, [&](const OpInfo& op, E input, E result) {
      const bool fits = from ? input == *from : !narrows || BitWidth(result) < BitWidth(input);
      return op.kind == OpKind::kCast && !IsFp8(input) && !IsFp8(result) && fits;
    });
  };
  const std::optional<TypedOp> first = draw(std::nullopt);
  if (!first) return false;
  std::optional<TypedOp> second = draw(first->result);
  if (!second) return false;
  const TypedOp back = {OpKind::kCast, first->result, first->input};
  if (choices.Chance(1, 3) && Allows(options, back)) second = back;
  builder.Apply(*second, {builder.Apply(*first, {builder.Argument(first->input)})});
  return true;
}

// A negation before or after an op that could absorb it.
bool NegateInto(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  constexpr OpKind kOps[] = {OpKind::kMul, OpKind::kAdd, OpKind::kSub};
  const OpKind op = kOps[choices.Below(std::size(kOps))];
  const std::optional<E> type = DrawTypeOf(choices, options, {op, OpKind::kNegate});
  if (!type) return false;
  const auto negate = [&](ValueRef value) { return builder.Apply({OpKind::kNegate, *type, *type}, {value}); };
  const ValueRef x = builder.Argument(*type), y = builder.Leaf(*type);
  switch (choices.Below(4)) {
    case 0:
      negate(Combine(builder, op, *type, x, y));
      break;
    case 1:
      Combine(builder, op, *type, x, negate(y));
      break;
    case 2:
      Combine(builder, op, *type, negate(x), y);
      break;
    default: {
      const ValueRef negated = negate(x);
      Combine(builder, op, *type, negated, negate(y));
    }
  }
  return true;
}

// x * y + z and the like, which give another number if one rounding is left out.
bool MulAdd(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const OpKind op = choices.Chance(1, 2) ? OpKind::kAdd : OpKind::kSub;
  const std::optional<E> type = DrawTypeOf(choices, options, {OpKind::kMul, op});
  if (!type) return false;
  const Domain domain = choices.Chance(1, 2) ? Domain::kModerate : Domain::kAny;
  const ValueRef x = builder.Argument(*type, domain), y = builder.Argument(*type, domain);
  const ValueRef product = Combine(builder, OpKind::kMul, *type, x, y);
  const ValueRef z = builder.Argument(*type, domain);
  choices.Chance(1, 2) ? Combine(builder, op, *type, product, z) : Combine(builder, op, *type, z, product);
  return true;
}

// x * y + x * z: what can be factored out.
bool CommonFactor(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const OpKind op = choices.Chance(1, 2) ? OpKind::kAdd : OpKind::kSub;
  const std::optional<E> type = DrawTypeOf(choices, options, {OpKind::kMul, op});
  if (!type) return false;
  const ValueRef x = builder.Argument(*type, Domain::kModerate);
  const ValueRef first = Combine(builder, OpKind::kMul, *type, x, builder.Leaf(*type));
  Combine(builder, op, *type, first, Combine(builder, OpKind::kMul, *type, x, builder.Leaf(*type)));
  return true;
}

// 0, 1 or a limit of the type everywhere: a folder of one constant has special cases for them.
ValueRef NotableConstant(ChoiceSource& choices, ProgramBuilder& builder, E type) {
  return builder.Splat(
      type, DrawIdentity(choices, [&](const Identity& identity) { return identity.exists(type); }).bits(type));
}

// Numbers, which a folder computes with: one everywhere for each operand, mostly a small one. Casts are drawn more
// often, for each pair of types has a fold of its own, and so are the ops of arithmetic, above all on integers.
bool Numbers(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  constexpr OpKind kArithmetic[] = {OpKind::kAdd,    OpKind::kSub,     OpKind::kMul,
                                    OpKind::kIntdiv, OpKind::kGreater, OpKind::kEqual};
  const size_t operands = choices.Chance(1, 4) ? 1 : 2;
  const bool casts = operands == 1 && choices.Chance(2, 3), counts = operands == 2 && choices.Chance(3, 4);
  const bool whole = choices.Chance(1, 2);
  std::optional<TypedOp> op =
      DrawTypedOp(choices, options, TypeColumn::kSpec, [&](const OpInfo& row, E input, E result) {
        return BroadcastOperandCount(row) == operands && (!casts || row.kind == OpKind::kCast) &&
               (!counts || absl::c_linear_search(kArithmetic, row.kind)) && !IsFp8(input) && !IsFp8(result) &&
               (!whole || (!IsFloat(input) && input != E::kI1));
      });
  constexpr TypedOp kShiftedProduct = {OpKind::kMul, E::kI32, E::kI32};
  if (Allows(options, kShiftedProduct) && choices.Chance(1, 6)) op = kShiftedProduct;
  if (!op) return false;
  builder.BeginGroup();
  if (op == kShiftedProduct && choices.Chance(7, 8)) {
    // Half way between two integers before it is rounded.
    const TiedFactors factors = DrawTiedFactors(choices);
    const auto splat = [&](int64_t factor) { return builder.Splat(E::kI32, EncodeInteger(E::kI32, factor)); };
    builder.ApplyShifted(*op, {splat(factors.first), splat(factors.second)}, factors.shift);
  } else {
    std::vector<ValueRef> numbers;
    for (size_t k = 0; k < BroadcastOperandCount(Info(op->op)); ++k) {
      numbers.push_back(FoldableConstant(choices, builder, OperandType(*op, k)));
    }
    builder.Apply(*op, std::move(numbers));
  }
  builder.BeginGroup();
  return true;
}

// Two constants that mostly broadcast and are no splats, so that a fold must index both; or one constant, often of
// truth values; or numbers. They are in a separate group, because beside arguments they rarely broadcast each other.
bool Constants(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  if (choices.Chance(2, 7)) return Numbers(choices, options, builder);
  const bool is_unary = choices.Chance(1, 3), logical = is_unary && choices.Chance(1, 4);
  const std::optional<TypedOp> op =
      DrawTypedOp(choices, options, TypeColumn::kSpec, [&](const OpInfo& row, E input, E result) {
        return (BroadcastOperandCount(row) == 1) == is_unary && (!logical || input == E::kI1) && !IsFp8(input) &&
               !IsFp8(result);
      });
  if (!op) return false;
  builder.BeginGroup();
  std::vector<ValueRef> operands;
  for (size_t k = 0; k < BroadcastOperandCount(Info(op->op)); ++k) {
    const E type = OperandType(*op, k);
    const bool is_notable = is_unary && choices.Chance(1, 2);
    operands.push_back(is_notable ? NotableConstant(choices, builder, type) : builder.Constant(type));
  }
  builder.Apply(*op, std::move(operands));
  builder.BeginGroup();
  return true;
}

// A sign change after an op of one operand.
bool SignOf(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const std::optional<TypedOp> inner = DrawClosed(choices, options, 1, std::nullopt);
  if (!inner) return false;
  const TypedOp outer = {choices.Chance(3, 4) ? OpKind::kNegate : OpKind::kAbs, inner->input, inner->input};
  if (!Allows(options, outer)) return false;
  const ValueRef x = builder.Argument(inner->input, choices.Chance(1, 2) ? Domain::kModerate : Domain::kAny);
  builder.Apply(outer, {builder.Apply(*inner, {x})});
  return true;
}

bool NotCompare(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const TypedOp negation = {OpKind::kLogicalNot, E::kI1, E::kI1};
  const std::optional<TypedOp> comparison =
      DrawTypedOp(choices, options, TypeColumn::kSpec, [](const OpInfo& op, E input, E) {
        return op.dialect.result == DialectResult::kI1 && BroadcastOperandCount(op) == 2 && !IsFp8(input);
      });
  if (!comparison || !Allows(options, negation)) return false;
  const ValueRef a = builder.Argument(comparison->input);
  builder.Apply(negation, {builder.Apply(*comparison, {a, builder.Leaf(comparison->input)})});
  return true;
}

// Three to five ops of one element type, each on the result of the previous one: their loops get fused.
bool Line(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  std::optional<TypedOp> op = DrawClosed(choices, options, choices.Chance(1, 2) ? 1 : 2, std::nullopt);
  if (!op) return false;
  const E type = op->input;
  const auto apply = [&](ValueRef value) {
    if (BroadcastOperandCount(Info(op->op)) == 1) return builder.Apply(*op, {value});
    return Combine(builder, op->op, type, value, builder.Constant(type));
  };
  ValueRef value = apply(builder.Argument(type, choices.Chance(1, 2) ? Domain::kModerate : Domain::kAny));
  for (uint64_t left = 2 + choices.Below(3); left > 0; --left) {
    const std::optional<TypedOp> next = DrawClosed(choices, options, choices.Chance(1, 2) ? 1 : 2, type);
    if (next) op = next;
    value = apply(value);
  }
  return true;
}

constexpr Chain kFoldingChains[] = {
    {"one-value", "both operands one value", OneValue, 4},
    {"reassociated", "two ops with a constant each", Reassociated, 40},
    {"min-max", "a range by minimum and maximum", MinMax, 4},
    {"cast-cast", "to another element type and on to a third", CastCast, 14},
    {"negate-into", "a sign before or behind a sum, difference or product", NegateInto},
    {"constants", "an op of constants that may broadcast", Constants, 62},
    {"mul-add", "a product in a sum or difference", MulAdd, 6},
    {"common-factor", "a sum or difference of products of one value", CommonFactor, 2},
    {"pair", "any op behind any other", Pair, 120},
    {"sign-of", "negate or abs behind an op of one operand", SignOf, 3},
    {"not-compare", "a comparison negated", NotCompare},
    {"line", "three to five ops, each of the one before", Line, 2},
    {"siblings", "one op twice on the same operands", Siblings, 9},
    {"algebra", "what a rule of algebra would rewrite", Algebra, 84},
};

}  // namespace

absl::Span<const Chain> FoldingChains() { return kFoldingChains; }

}  // namespace tosaic
