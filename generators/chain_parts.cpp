// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/chain_parts.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "generators/data.h"
#include "generators/element_bits.h"

namespace tosaic {

bool IsClosed(ElementType input, ElementType result) { return input == result && !IsFp8(input); }

std::optional<TypedOp> DrawClosed(ChoiceSource& choices, const GeneratorOptions& options, OpKind kind) {
  return DrawTypedOp(choices, options, TypeColumn::kSpec, [&](const OpInfo& op, ElementType input, ElementType result) {
    return op.kind == kind && IsClosed(input, result);
  });
}

std::optional<TypedOp> DrawClosed(ChoiceSource& choices, const GeneratorOptions& options, size_t operands,
                                  std::optional<ElementType> type) {
  return DrawTypedOp(choices, options, TypeColumn::kSpec, [&](const OpInfo& op, ElementType input, ElementType result) {
    return BroadcastOperandCount(op) == operands && !HasRole(op, OperandRole::kCondition) && IsClosed(input, result) &&
           (!type || input == *type);
  });
}

ValueRef Branch(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder, ElementType type) {
  const ValueRef x = builder.Argument(type);
  if (choices.Chance(1, 2)) return x;
  const std::optional<TypedOp> op = DrawClosed(choices, options, 1, type);
  return op ? builder.Apply(*op, {x}) : x;
}

ValueRef ApplyPlain(ProgramBuilder& builder, const TypedOp& op, std::vector<ValueRef> operands) {
  return op.op == OpKind::kMul ? builder.ApplyShifted(op, std::move(operands), 0)
                               : builder.Apply(op, std::move(operands));
}

ValueRef Combine(ProgramBuilder& builder, OpKind op, ElementType type, ValueRef a, ValueRef b) {
  return ApplyPlain(builder, {op, type, type}, {a, b});
}

ValueRef SmallConstant(ChoiceSource& choices, ProgramBuilder& builder, ElementType type) {
  const auto number = static_cast<int64_t>(1 + choices.Below(6));
  if (!IsFloat(type)) return builder.Splat(type, EncodeInteger(type, number));
  // No float is exactly a tenth, so results computed from it are rounded.
  return builder.Splat(type, EncodeFloat(type, static_cast<double>(number) / (choices.Chance(1, 2) ? 1 : 10)));
}

namespace {

// A number that ops give or take at an edge: the width and one less, which clz and shifts know, a mask of low bits, all
// bits; of a float, a limit, a zero or the least number above it, whose reciprocal overflows.
uint64_t DrawEdge(ChoiceSource& choices, ElementType type) {
  if (IsFloat(type)) {
    const uint64_t edges[] = {0, SignMask(type), 1, HighestBits(type), LowestBits(type), LargestFiniteBits(type)};
    return edges[choices.Below(std::size(edges))];
  }
  const int width = BitWidth(type);
  const uint64_t next_bit = uint64_t{1} << choices.Below(static_cast<uint64_t>(width));
  const auto as_number = [](uint64_t bits) { return static_cast<int64_t>(bits); };  // of i64 the highest bit is a sign
  const int64_t edges[] = {width - 1, width, as_number(next_bit - 1), as_number(next_bit), -1, 0};
  const size_t drawn = choices.Below(std::size(edges) + 2);
  if (drawn >= std::size(edges)) return drawn == std::size(edges) ? HighestBits(type) : LowestBits(type);
  return EncodeInteger(type, edges[drawn]);
}

// The numbers at the edges of what an op gives, or between two that it gives: a folder that knows the op's range
// decides by them.
struct Range {
  OpKind op;
  double edges[3];
};
constexpr Range kRanges[] = {
    {OpKind::kAbs, {-1, 0, 1}},      {OpKind::kCeil, {-0.5, 0.5, 1.5}}, {OpKind::kCos, {-1, 0.5, 1}},
    {OpKind::kErf, {-1, 0.5, 1}},    {OpKind::kExp, {-1, 0, 1}},        {OpKind::kFloor, {-0.5, 0.5, 1.5}},
    {OpKind::kSigmoid, {0, 0.5, 1}}, {OpKind::kSin, {-1, 0.5, 1}},      {OpKind::kTanh, {-1, 0.5, 1}},
};

// The edges of this op, as far as few values are possible for its result.
std::vector<double> EdgesOf(const TypedOp& op) {
  const int width = BitWidth(op.result);
  if (op.op == OpKind::kClz) return {width - 1.0, -1, width - 1.0, width * 1.0};
  if (op.op == OpKind::kCast && IsInteger(op.input) && (IsFloat(op.result) || width > BitWidth(op.input))) {
    const auto lowest = static_cast<double>(IntegerValue(op.input, LowestBits(op.input)));
    const auto highest = static_cast<double>(IntegerValue(op.input, HighestBits(op.input)));
    const double mask_or_half = IsFloat(op.result) ? 0.5 : highest - lowest;
    return {lowest - 1, lowest, mask_or_half, highest, highest + 1};
  }
  for (const Range& range : kRanges) {
    if (range.op == op.op) return {std::begin(range.edges), std::end(range.edges)};
  }
  return {};
}

std::vector<double> EdgesBeside(const ProgramBuilder& builder, std::optional<ValueRef> beside, ElementType type) {
  if (!beside || beside->kind != ValueRef::Kind::kOp || builder.ElementTypeOf(*beside) != type) return {};
  const OpApplication& op = builder.program().ops[static_cast<size_t>(beside->index)];
  return EdgesOf({op.op, builder.ElementTypeOf(op.operands[0]), type});
}

}  // namespace

ValueRef FoldableConstant(ChoiceSource& choices, ProgramBuilder& builder, ElementType type,
                          std::optional<ValueRef> beside) {
  if (choices.favours_strongly() && choices.Chance(1, 2))
    return builder.Splat(type, DrawFavouredElement(choices, type));
  const std::vector<double> edges = EdgesBeside(builder, beside, type);
  if (!edges.empty() && choices.Chance(3, 4)) {
    return builder.Splat(type, EncodeNumber(type, edges[choices.Below(edges.size())]));
  }
  const uint64_t kind = choices.Below(8);
  if (kind == 0) return builder.Constant(type);
  if (kind < 4) return builder.Splat(type, DrawEdge(choices, type));
  return kind == 4 ? builder.Splat(type, DrawElement(choices, type, type)) : SmallConstant(choices, builder, type);
}

TiedFactors DrawTiedFactors(ChoiceSource& choices) {
  // The factors are odd numbers times powers of two, which make 2^(shift - 1), the half, together. The product of the
  // odd numbers is below 2^32, so that half of it fits.
  constexpr int64_t kWidth = 31;
  TiedFactors drawn;
  drawn.shift = static_cast<int>(choices.Chance(1, 3) ? choices.Between(1, 32) : choices.Between(33, 2 * kWidth - 1));
  const int64_t twos = drawn.shift - 1;
  const int64_t first_twos = choices.Between(std::max<int64_t>(0, twos - kWidth + 1), std::min(twos, kWidth - 1));
  const int64_t first_bits = choices.Between(1, kWidth - first_twos);
  const int64_t second_bits = choices.Between(1, std::min(kWidth - (twos - first_twos), kWidth + 1 - first_bits));
  const auto odd = [&](int64_t bits) { return static_cast<int64_t>(choices.Below(uint64_t{1} << bits) | 1); };
  drawn.first = odd(first_bits) << first_twos;
  drawn.second = odd(second_bits) << (twos - first_twos);
  // Ways to round a tie differ below zero.
  (choices.Chance(1, 2) ? drawn.first : drawn.second) *= choices.Chance(3, 4) ? -1 : 1;
  return drawn;
}

ValueRef ShiftAmount(ChoiceSource& choices, ProgramBuilder& builder, ElementType type) {
  return builder.Splat(type, choices.Below(static_cast<uint64_t>(BitWidth(type))));
}

}  // namespace tosaic
