// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <optional>
#include <utility>
#include <vector>

#include "generators/chain_parts.h"
#include "generators/chains.h"
#include "generators/repair.h"

namespace tosaic {
namespace {

// The result of the first op is operand `place` of the second.
struct Joint {
  TypedOp inner;
  TypedOp outer;
  size_t place;
};

// On the types that the options allow. No default route finishes fp8 (mlir-notes.md).
std::vector<TypedOp> TypedOpsOf(const GeneratorOptions& options, OpKind op) {
  std::vector<TypedOp> typed;
  for (const TypeTuple& tuple : Tuples(Info(op), TypeColumn::kSpec, options.spec_version)) {
    const TypedOp typed_op = {op, tuple.input, tuple.result};
    if (!IsFp8(tuple.input) && !IsFp8(tuple.result) && Allows(options, typed_op)) typed.push_back(typed_op);
  }
  return typed;
}

// A divisor or shift amount is never an intermediate: it could trap.
std::vector<Joint> JointsOf(const GeneratorOptions& options, OpKind inner, OpKind outer) {
  std::vector<Joint> joints;
  const OpInfo& row = Info(outer);
  for (const TypedOp& first : TypedOpsOf(options, inner)) {
    for (const TypedOp& second : TypedOpsOf(options, outer)) {
      for (size_t k = 0; k < BroadcastOperandCount(row); ++k) {
        const bool may_trap = k == 1 && MayTrap(row);
        if (OperandType(second, k) == first.result && !may_trap) joints.push_back({first, second, k});
      }
    }
  }
  return joints;
}

std::optional<Joint> DrawJoint(ChoiceSource& choices, const GeneratorOptions& options) {
  std::vector<OpKind> ops;
  for (const OpInfo& op : AllOps()) {
    if (Allows(options, op.kind)) ops.push_back(op.kind);
  }
  constexpr int kTries = 20;  // nearly half of all pairs have no type in common
  for (int i = 0; i < kTries && !ops.empty(); ++i) {
    const OpKind inner = ops[choices.Below(ops.size())];
    const std::vector<Joint> joints = JointsOf(options, inner, ops[choices.Below(ops.size())]);
    if (!joints.empty()) return joints[choices.Below(joints.size())];
  }
  return std::nullopt;
}

ValueRef DrawSource(ChoiceSource& choices, ProgramBuilder& builder, ElementType type) {
  return builder.Argument(type, choices.Chance(1, 2) ? Domain::kModerate : Domain::kAny);
}

// An operand beside `beside`.
ValueRef DrawOther(ChoiceSource& choices, ProgramBuilder& builder, const TypedOp& op, size_t k, ValueRef first,
                   ValueRef beside) {
  const OpInfo& row = Info(op.op);
  const ElementType type = OperandType(op, k);
  const bool may_trap = k == 1 && MayTrap(row);
  const uint64_t kind = choices.Below(4);
  if (kind == 0 && !may_trap && builder.ElementTypeOf(first) == type) return first;
  if (kind > 1) return DrawSource(choices, builder, type);
  const bool is_amount = may_trap && row.unpredictable == Unpredictable::kShiftAmount;
  return is_amount ? ShiftAmount(choices, builder, type) : FoldableConstant(choices, builder, type, beside);
}

bool BuildPair(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  const std::optional<Joint> joint = DrawJoint(choices, options);
  if (!joint) return false;
  const ValueRef first = DrawSource(choices, builder, OperandType(joint->inner, 0));
  const auto apply = [&](const TypedOp& op, size_t place, ValueRef value) {
    std::vector<ValueRef> operands;
    for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
      operands.push_back(k == place ? value : DrawOther(choices, builder, op, k, first, value));
    }
    return ApplyPlain(builder, op, std::move(operands));
  };
  apply(joint->outer, joint->place, apply(joint->inner, 0, first));
  return true;
}

}  // namespace

bool Pair(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  if (!BuildPair(choices, options, builder)) return false;
  // There are some thousand pairs, and a second one costs less than a case of its own.
  constexpr size_t kMostArgumentsBefore = 6;
  if (builder.program().arguments.size() <= kMostArgumentsBefore && choices.Chance(2, 3)) {
    if (choices.Chance(3, 4)) builder.BeginGroup();
    BuildPair(choices, options, builder);
  }
  return true;
}

}  // namespace tosaic
