// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/chains.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generators/attributes.h"
#include "generators/chain_parts.h"
#include "generators/data.h"
#include "generators/element_bits.h"
#include "generators/repair.h"

namespace tosaic {
namespace {

using E = ElementType;

// (x op y) op y, x op (x op y), (x op y) op z. A divisor or shift amount is never an intermediate: it could trap.
bool SameOp(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const std::optional<TypedOp> op =
      DrawTypedOp(choices, options, TypeColumn::kSpec, [](const OpInfo& row, E input, E result) {
        return IsClosed(input, result) && !HasRole(row, OperandRole::kCondition);
      });
  if (!op) return false;
  const OpInfo& row = Info(op->op);
  const ValueRef x = builder.Argument(op->input);
  if (BroadcastOperandCount(row) == 1) {
    builder.Apply(*op, {builder.Apply(*op, {x})});
    return true;
  }
  const ValueRef y = builder.Leaf(op->input);
  const ValueRef once = builder.Apply(*op, {x, y});
  switch (choices.Below(MayTrap(row) ? 2 : 3)) {
    case 0:
      builder.Apply(*op, {once, y});
      break;
    case 1:
      builder.Apply(*op, {once});
      break;
    default:
      builder.Apply(*op, {x, once});
  }
  return true;
}

// The second op undoes the first, which has one operand or takes the same y.
struct InversePair {
  OpKind first;
  OpKind second;
  Domain domain;  // of x
};

constexpr InversePair kInversePairs[] = {
    {OpKind::kExp, OpKind::kLog, Domain::kModerate},
    {OpKind::kExp, OpKind::kLog, Domain::kAny},
    {OpKind::kLog, OpKind::kExp, Domain::kPositive},
    {OpKind::kLog, OpKind::kExp, Domain::kAny},
    {OpKind::kReciprocal, OpKind::kReciprocal, Domain::kAny},
    {OpKind::kRsqrt, OpKind::kReciprocal, Domain::kPositive},
    {OpKind::kBitwiseNot, OpKind::kBitwiseNot, Domain::kAny},
    {OpKind::kLogicalNot, OpKind::kLogicalNot, Domain::kAny},
    {OpKind::kAdd, OpKind::kSub, Domain::kAny},
    {OpKind::kSub, OpKind::kAdd, Domain::kAny},
    {OpKind::kMul, OpKind::kIntdiv, Domain::kAny},
    {OpKind::kIntdiv, OpKind::kMul, Domain::kAny},
    {OpKind::kBitwiseXor, OpKind::kBitwiseXor, Domain::kAny},
    {OpKind::kLogicalXor, OpKind::kLogicalXor, Domain::kAny},
    {OpKind::kLogicalLeftShift, OpKind::kLogicalRightShift, Domain::kAny},
    {OpKind::kLogicalLeftShift, OpKind::kArithmeticRightShift, Domain::kAny},
    {OpKind::kLogicalRightShift, OpKind::kLogicalLeftShift, Domain::kAny},
};

bool Inverse(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  std::vector<std::pair<const InversePair*, E>> possible;
  for (const InversePair& pair : kInversePairs) {
    for (const ElementTypeInfo& info : AllElementTypes()) {
      const E type = info.type;
      if (Allows(options, {pair.first, type, type}) && Allows(options, {pair.second, type, type})) {
        possible.emplace_back(&pair, type);
      }
    }
  }
  if (possible.empty()) return false;
  const auto [pair, type] = possible[choices.Below(possible.size())];
  std::vector<ValueRef> first = {builder.Argument(type, pair->domain)};
  if (BroadcastOperandCount(Info(pair->first)) == 2) first.push_back(builder.Leaf(type));
  std::vector<ValueRef> second = first;
  second[0] = ApplyPlain(builder, {pair->first, type, type}, std::move(first));
  ApplyPlain(builder, {pair->second, type, type}, std::move(second));
  return true;
}

// Two ranges that are disjoint, share one value, overlap, or are nested; in both orders, each with its own attributes.
bool ClampClamp(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const std::optional<TypedOp> op = DrawClosed(choices, options, OpKind::kClamp);
  if (!op) return false;
  const E type = op->input;
  std::vector<uint64_t> ends;
  while (ends.size() < 4) {
    const uint64_t bits = DrawElement(choices, type, type);
    ends.push_back(IsFloat(type) && IsNan(type, bits) ? 0 : bits);
  }
  std::sort(ends.begin(), ends.end(), [&](uint64_t a, uint64_t b) { return LessValue(type, a, b); });
  constexpr int kRanges[][4] = {{0, 1, 2, 3}, {0, 1, 1, 2}, {0, 2, 1, 3}, {0, 3, 1, 2}};
  const auto& range = kRanges[choices.Below(4)];
  const bool swapped = choices.Chance(1, 2);
  ValueRef value = builder.Argument(type);
  for (int i : {0, 1}) {
    const int at = (i == 1) != swapped ? 2 : 0;
    Attributes attributes = DrawAttributes(choices, *op);
    attributes.min_val = TypedBits{type, ends[range[at]]};
    attributes.max_val = TypedBits{type, ends[range[at + 1]]};
    value = builder.Apply(*op, {value}, attributes);
  }
  return true;
}

bool CastBack(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const std::optional<TypedOp> there =
      DrawTypedOp(choices, options, TypeColumn::kSpec, [&](const OpInfo& op, E input, E result) {
        return op.kind == OpKind::kCast && !IsFp8(input) && !IsFp8(result) && Allows(options, {op.kind, result, input});
      });
  if (!there) return false;
  const ValueRef value = builder.Apply(*there, {builder.Argument(there->input)});
  builder.Apply({OpKind::kCast, there->result, there->input}, {value});
  return true;
}

// All four zero points are 0 but one, and only a run knows that. So the second negation does not undo the first, though
// no constant says it.
void NegateFromRunTime(ChoiceSource& choices, ProgramBuilder& builder) {
  const uint64_t place = choices.Below(4);
  ValueRef value = builder.Argument(E::kI8);
  for (uint64_t k = 0; k < 4; k += 2) {
    const auto zero_point = [&](uint64_t at) {
      Tensor tensor(E::kI8, {1});
      if (at == place) tensor.SetBits(0, 1 + choices.Below(BitMask(E::kI8)));
      return builder.Parameter(std::move(tensor), at == place);
    };
    const ValueRef input = zero_point(k), output = zero_point(k + 1);
    value = builder.Apply({OpKind::kNegate, E::kI8, E::kI8}, {value, input, output});
  }
}

bool NegateNegate(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  if (options.as_tosa && Allows(options, {OpKind::kNegate, E::kI8, E::kI8}) && choices.Chance(1, 4)) {
    NegateFromRunTime(choices, builder);
    return true;
  }
  const std::optional<TypedOp> op = DrawClosed(choices, options, OpKind::kNegate);
  if (!op) return false;
  builder.Apply(*op, {builder.Apply(*op, {builder.Argument(op->input, Domain::kLimits)})});
  return true;
}

bool SelectEqual(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const std::optional<TypedOp> op = DrawClosed(choices, options, OpKind::kSelect);
  if (!op) return false;
  const ValueRef branch = Branch(choices, options, builder, op->input);
  builder.Apply(*op, {builder.Argument(E::kI1), branch, branch});
  return true;
}

bool SelectConstant(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const std::optional<TypedOp> op = DrawClosed(choices, options, OpKind::kSelect);
  if (!op) return false;
  ValueRef condition = builder.Splat(E::kI1, choices.Below(2));
  if (choices.Chance(1, 4)) condition = builder.Weaken(condition).value_or(condition);
  const ValueRef on_true = Branch(choices, options, builder, op->input);
  builder.Apply(*op, {condition, on_true, Branch(choices, options, builder, op->input)});
  return true;
}

bool SelectNot(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const std::optional<TypedOp> op = DrawClosed(choices, options, OpKind::kSelect);
  const TypedOp negation = {OpKind::kLogicalNot, E::kI1, E::kI1};
  if (!op || !Allows(options, negation)) return false;
  const ValueRef condition = builder.Apply(negation, {builder.Argument(E::kI1)});
  builder.Apply(*op, {condition, builder.Argument(op->input), builder.Argument(op->input)});
  return true;
}

// a > b ? a : b, and the reverse.
bool CompareSelect(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const std::optional<TypedOp> comparison =
      DrawTypedOp(choices, options, TypeColumn::kSpec, [&](const OpInfo& op, E input, E) {
        return op.dialect.result == DialectResult::kI1 && Allows(options, {OpKind::kSelect, input, input});
      });
  if (!comparison) return false;
  const E type = comparison->input;
  ValueRef a = builder.Argument(type);
  ValueRef b = builder.Leaf(type);
  const ValueRef condition = builder.Apply(*comparison, {a, b});
  if (choices.Chance(1, 2)) std::swap(a, b);
  builder.Apply({OpKind::kSelect, type, type}, {condition, a, b});
  return true;
}

// The pattern of quantized networks: an op between two rescales, or between two casts. Each step is drawn by itself, so
// that multipliers, shifts and zero points have the values that networks use.
bool Quantized(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  constexpr E kTypes[] = {E::kI8, E::kI16};
  const E type = kTypes[choices.Below(std::size(kTypes))];
  const E looked_up = type == E::kI8 ? type : E::kI32;
  const std::vector<TypedOp> sequences[] = {
      {{OpKind::kRescale, type, E::kI32}, {OpKind::kAdd, E::kI32, E::kI32}, {OpKind::kRescale, E::kI32, type}},
      {{OpKind::kRescale, type, type}, {OpKind::kTable, type, looked_up}, {OpKind::kRescale, looked_up, type}},
      {{OpKind::kCast, type, E::kF32}, {OpKind::kMul, E::kF32, E::kF32}, {OpKind::kCast, E::kF32, type}},
  };
  const std::vector<TypedOp>& sequence = sequences[choices.Below(std::size(sequences))];
  if (!absl::c_all_of(sequence, [&](const TypedOp& op) { return Allows(options, op); })) return false;
  ValueRef value = builder.Argument(type);
  for (const TypedOp& op : sequence) {
    std::vector<ValueRef> operands = {value};
    const bool takes_two = BroadcastOperandCount(Info(op.op)) == 2;
    if (takes_two) operands.push_back(builder.Apply(sequence.front(), {builder.Argument(type)}));
    value = builder.Apply(op, std::move(operands));
  }
  return true;
}

constexpr Chain kChains[] = {
    {"same-op", "one op twice", SameOp, 18},
    {"inverse", "an op and what undoes it", Inverse, 14},
    {"clamp-clamp", "two ranges: disjoint, touching, overlapping, nested", ClampClamp, 2},
    {"cast-back", "to another element type and back", CastBack, 2},
    {"negate-negate", "on the type's limits", NegateNegate},
    {"select-equal", "both branches one value", SelectEqual},
    {"select-constant", "the condition a constant", SelectConstant},
    {"select-not", "the condition negated", SelectNot},
    {"compare-select", "one of the two compared values", CompareSelect, 2},
    {"quantized", "an op between rescales or casts", Quantized, 4},
};

// Draws a chain that the options allow and builds it. Returns its name, or an empty text if they allow none.
absl::string_view BuildChain(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const absl::Span<const Chain> chains = AllChains();
  std::vector<int> weights;
  for (const Chain& chain : chains) weights.push_back(chain.weight);
  const size_t first = choices.Weighted(weights);
  for (size_t i = 0; i < chains.size(); ++i) {
    const Chain& chain = chains[(first + i) % chains.size()];
    if (chain.build(choices, options, builder)) return chain.name;
  }
  return "";
}

}  // namespace

absl::Span<const Chain> AllChains() {
  static const auto& all = *[] {
    auto* chains = new std::vector<Chain>(std::begin(kChains), std::end(kChains));
    for (const Chain& chain : FoldingChains()) chains->push_back(chain);
    return chains;
  }();
  return all;
}

std::string BuildChains(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  constexpr int kWeights[] = {3, 4, 4, 4, 3, 2};
  constexpr size_t kMostArgumentsBefore = 8;
  std::string names(BuildChain(choices, options, builder));
  for (size_t left = names.empty() ? 0 : choices.Weighted(kWeights); left > 0; --left) {
    if (builder.program().arguments.size() > kMostArgumentsBefore) break;
    if (choices.Chance(3, 4)) builder.BeginGroup();
    absl::StrAppend(&names, "+", BuildChain(choices, options, builder));
  }
  return names;
}

}  // namespace tosaic
