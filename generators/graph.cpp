// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/graph.h"

#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "generators/repair.h"

namespace tosaic {
namespace {

constexpr int kMostGraphOps = 30;

// Whether operand `k` must be a source of its own: repair mends divisors and shift amounts there, so that nothing traps
// and another op's repair changes nothing.
bool NeedsSource(const OpInfo& op, size_t k) { return k == 1 && MayTrap(op); }

// No default route finishes fp8 (mlir-notes.md).
bool HasFp8(ElementType input, ElementType result) { return IsFp8(input) || IsFp8(result); }

class Graph {
 public:
  Graph(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder)
      : choices_(choices), options_(options), builder_(builder) {}

  bool AddOp() {
    const std::optional<ValueRef> input = DrawInput();
    const std::optional<TypedOp> op = DrawOp(input);
    if (!op) return false;
    const OpInfo& row = Info(op->op);
    std::vector<size_t> places;
    for (size_t k = 0; input && k < BroadcastOperandCount(row); ++k) {
      if (OperandType(*op, k) == builder_.ElementTypeOf(*input) && !NeedsSource(row, k)) places.push_back(k);
    }
    const std::optional<size_t> place =
        places.empty() ? std::nullopt : std::optional<size_t>(places[choices_.Below(places.size())]);
    std::vector<ValueRef> operands;
    for (size_t k = 0; k < BroadcastOperandCount(row); ++k) {
      const ElementType type = OperandType(*op, k);
      if (NeedsSource(row, k)) {
        operands.push_back(builder_.Leaf(type));
      } else if (k > 0 && type == builder_.ElementTypeOf(operands.back()) && choices_.Chance(1, 12)) {
        operands.push_back(operands.back());
      } else {
        operands.push_back(place == k ? *input : DrawOperand(type));
      }
      Use(operands.back());
    }
    values_.push_back({builder_.Apply(*op, std::move(operands))});
    return true;
  }

 private:
  struct Value {
    ValueRef ref;
    bool used = false;
  };

  void Use(ValueRef ref) {
    for (Value& value : values_) value.used |= value.ref == ref;
  }

  // An op's result to go on with: half the time one that nothing uses yet. None: the next op starts from an argument.
  std::optional<ValueRef> DrawInput() {
    if (choices_.Chance(1, 10)) return std::nullopt;
    std::vector<ValueRef> results, unused;
    for (const Value& value : values_) {
      if (value.ref.kind != ValueRef::Kind::kOp) continue;
      results.push_back(value.ref);
      if (!value.used) unused.push_back(value.ref);
    }
    if (results.empty()) return std::nullopt;
    const std::vector<ValueRef>& from = !unused.empty() && choices_.Chance(1, 2) ? unused : results;
    return from[choices_.Below(from.size())];
  }

  // An op that takes the input, or where the options have none, any.
  std::optional<TypedOp> DrawOp(std::optional<ValueRef> input) {
    auto takes = [&](const OpInfo& op, ElementType from, ElementType to) {
      if (HasFp8(from, to)) return false;
      if (!input) return true;
      const ElementType type = builder_.ElementTypeOf(*input);
      return from == type || (type == ElementType::kI1 && HasRole(op, OperandRole::kCondition));
    };
    std::optional<TypedOp> op = DrawTypedOp(choices_, options_, TypeColumn::kSpec, takes);
    if (op || !input) return op;
    return DrawTypedOp(choices_, options_, TypeColumn::kSpec,
                       [](const OpInfo&, ElementType from, ElementType to) { return !HasFp8(from, to); });
  }

  // A value that there is, or a new source.
  ValueRef DrawOperand(ElementType type) {
    std::vector<ValueRef> fitting;
    for (const Value& value : values_) {
      if (builder_.ElementTypeOf(value.ref) == type) fitting.push_back(value.ref);
    }
    if (!fitting.empty() && choices_.Chance(3, 5)) return fitting[choices_.Below(fitting.size())];
    values_.push_back({builder_.Leaf(type)});
    return values_.back().ref;
  }

  ChoiceSource& choices_;
  const GeneratorOptions& options_;
  ProgramBuilder& builder_;
  std::vector<Value> values_;  // that later ops may use
};

bool BuildGraph(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  constexpr int kWeights[] = {16, 14, 10, 8, 5, 3, 3, 1};  // of 2, 3, ... ops, and of any more
  const size_t drawn = choices.Weighted(kWeights);
  const bool is_large = drawn + 1 == std::size(kWeights);
  const auto fewest = static_cast<int>(drawn) + 2;
  const int count = is_large ? static_cast<int>(choices.Between(fewest, kMostGraphOps)) : fewest;
  Graph graph(choices, options, builder);
  for (int i = 0; i < count; ++i) {
    if (!graph.AddOp()) return false;
  }
  return true;
}

}  // namespace

bool BuildGraphs(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  if (!BuildGraph(choices, options, builder)) return false;
  if (!choices.Chance(1, 8)) return true;
  builder.BeginGroup();
  return BuildGraph(choices, options, builder);
}

}  // namespace tosaic
