// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that put ops into a program, or others in their place.
#include <utility>

#include "absl/algorithm/container.h"
#include "generators/attributes.h"
#include "generators/blocks.h"
#include "generators/illegality.h"
#include "generators/program_edits.h"
#include "mutation/mutation.h"
#include "mutation/program_growth.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

bool IsFull(const Program& program) { return program.ops.size() >= kMostOpsOfMutants; }

OpApplication& DrawOp(const MutationTools& tools, Program& program) {
  return program.ops[tools.choices.Below(program.ops.size())];
}

// The roles of the operands that broadcast.
absl::Span<const OperandRole> BroadcastRoles(const OpInfo& op) {
  return op.operands.subspan(0, BroadcastOperandCount(op));
}

// A new shape that keeps a value's own can leave open only one size.
bool MayBePutAround(const OpInfo& op, const Program& program, ValueRef value) {
  const Shape shape = TypeOf(program, value).shape;
  const auto is_open = [](Dim dim) { return dim.IsDynamic(); };
  return !HasNewShape(op) || (shape.IsRanked() && absl::c_count_if(shape.dims(), is_open) <= 1);
}

// Puts an op of one type throughout around a value; none if there is none, or an operand is missing.
std::optional<ValueRef> PutAround(const MutationTools& tools, Program& program, int at, ValueRef value) {
  const ElementType type = ElementTypeOf(program, value);
  const auto is_closed = [&](const OpInfo& op, ElementType input, ElementType result) {
    return input == type && result == type && MayBePutAround(op, program, value);
  };
  const std::optional<TypedOp> op = DrawTypedOp(tools.choices, tools.options, TypeColumn::kSpec, is_closed);
  if (!op) return std::nullopt;
  std::optional<std::vector<ValueRef>> operands = OperandsAround(tools, program, at, *op, value);
  if (!operands) return std::nullopt;
  return PutTyped(tools, program, at, *op, *std::move(operands));
}

// Makes a use refer to what was inserted before its op.
Use Behind(Use use) { return {use.op + 1, use.place}; }

}  // namespace

bool ReplaceOp(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  OpApplication& op = DrawOp(tools, program);
  const OpInfo& before = Info(op.op);
  const ElementType input = InputElementType(program, op), result = op.result.element_type;
  std::vector<OpKind> others;
  for (const OpInfo& other : AllOps()) {
    if (other.kind == op.op || BroadcastRoles(other) != BroadcastRoles(before)) continue;
    if (Exists(tools, other.kind, input, result)) others.push_back(other.kind);
  }
  if (others.empty()) return false;
  const OpInfo& after = Info(others[tools.choices.Below(others.size())]);
  op.op = after.kind;
  const TypedOp typed = {after.kind, input, result};
  op.attributes = DrawAttributes(tools.choices, typed);
  op.operands.resize(BroadcastOperandCount(after));
  AddSpecials(tools, typed, program, &op);
  return true;
}

bool InsertOp(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  if (IsFull(program)) return false;
  const std::vector<Use> uses = UsesIn(program);
  const Use use = uses[tools.choices.Below(uses.size())];
  const std::optional<ValueRef> put = PutAround(tools, program, use.op, At(program, use));
  if (put) At(program, Behind(use)) = *put;
  return put.has_value();
}

bool AppendOp(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  if (IsFull(program)) return false;
  const ValueRef last = {Kind::kOp, DrawIndex(tools.choices, program.ops.size())};
  const ElementType type = ElementTypeOf(program, last);
  // Any op that takes the value; its result may have another type.
  const auto takes = [&](const OpInfo& op, ElementType input, ElementType) {
    return input == type && MayBePutAround(op, program, last);
  };
  const std::optional<TypedOp> op = DrawTypedOp(tools.choices, tools.options, TypeColumn::kSpec, takes);
  if (!op) return false;
  const int end = static_cast<int>(program.ops.size());
  std::optional<std::vector<ValueRef>> operands = OperandsAround(tools, program, end, *op, last);
  if (!operands) return false;
  program.results.push_back(PutTyped(tools, program, end, *op, *std::move(operands)));
  return true;
}

bool DuplicateOp(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  if (IsFull(program)) return false;
  const int at = DrawIndex(tools.choices, program.ops.size());
  const ValueRef original = {Kind::kOp, at};
  const ValueRef copy = PutOp(program, at + 1, program.ops[static_cast<size_t>(at)]);
  std::vector<Use> uses = UsesIn(program);
  std::erase_if(uses, [&](Use use) { return At(program, use) != original; });
  if (uses.empty() || tools.choices.Chance(1, 4)) {
    program.results.push_back(copy);
  } else {
    At(program, uses[tools.choices.Below(uses.size())]) = copy;
  }
  return true;
}

bool ShareValue(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  const std::vector<Use> uses = UsesIn(program);
  const Use use = uses[tools.choices.Below(uses.size())];
  ValueRef& value = At(program, use);
  std::vector<ValueRef> others = Fitting(program, use.op, TypeOf(program, value));
  std::erase(others, value);
  // Programs return only results of ops.
  const bool is_result = use.op == static_cast<int>(program.ops.size());
  std::erase_if(others, [&](ValueRef ref) { return is_result && ref.kind != Kind::kOp; });
  if (others.empty()) return false;
  value = others[tools.choices.Below(others.size())];
  return true;
}

bool ChangeResults(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  const ValueRef drawn = {Kind::kOp, DrawIndex(tools.choices, program.ops.size())};
  const bool is_returned = absl::c_linear_search(program.results, drawn);
  if (is_returned && program.results.size() == 1) return false;
  if (is_returned) {
    std::erase(program.results, drawn);
    const auto is_op = [](ValueRef result) { return result.kind == Kind::kOp; };
    return absl::c_any_of(program.results, is_op);
  }
  program.results.push_back(drawn);
  return true;
}

// Casts lead to the other types, and back.
bool ChangeElementTypes(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  int at = DrawIndex(tools.choices, program.ops.size());
  const OpApplication op = program.ops[static_cast<size_t>(at)];
  const OpInfo& info = Info(op.op);
  const size_t count = BroadcastOperandCount(info);
  const ElementType input = InputElementType(program, op), result = op.result.element_type;
  const auto castable = [&](ElementType from, ElementType to) {
    return from == to || Exists(tools, OpKind::kCast, from, to);
  };
  const auto fits = [&](const OpInfo& other, ElementType in, ElementType out) {
    const bool is_other = in != input || out != result;
    return other.kind == info.kind && is_other && castable(input, in) && castable(out, result);
  };
  const std::optional<TypedOp> typed = DrawTypedOp(tools.choices, tools.options, TypeColumn::kSpec, fits);
  if (!typed || program.ops.size() + count + 2 > kMostOpsOfMutants) return false;
  const auto cast = [&](ValueRef value, ElementType to) {
    const ElementType from = ElementTypeOf(program, value);
    return from == to ? value : PutTyped(tools, program, at++, {OpKind::kCast, from, to}, {value});
  };
  std::vector<ValueRef> operands(op.operands.begin(), op.operands.begin() + static_cast<std::ptrdiff_t>(count));
  for (size_t k = 0; k < count; ++k) operands[k] = cast(operands[k], OperandType(*typed, k));
  const ValueRef original = {Kind::kOp, at};
  const Shape shape = op.result.shape;
  // The original stays where it is until its uses have moved behind the new one.
  const int behind = ++at;
  const ValueRef changed = PutTyped(tools, program, at++, *typed, std::move(operands));
  program.ops[static_cast<size_t>(behind)].result.shape = shape;
  program.ops[static_cast<size_t>(behind)].attributes.new_shape = op.attributes.new_shape;
  const ValueRef back = cast(changed, result);
  for (size_t i = static_cast<size_t>(at); i < program.ops.size(); ++i) {
    absl::c_replace(program.ops[i].operands, original, back);
  }
  absl::c_replace(program.results, original, back);
  return true;
}

bool ChangeAttributes(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  OpApplication& op = DrawOp(tools, program);
  const OpInfo& info = Info(op.op);
  const OpApplication before = op;
  const TypedOp typed = {op.op, InputElementType(program, op), op.result.element_type};
  if (IsBlockScaled(typed.input)) return false;  // no op that takes these has anything to draw
  op.attributes = DrawAttributes(tools.choices, typed);
  const int64_t channels = SettleChannels(TypeOf(program, op.operands[0]).shape, &op.attributes);
  op.attributes.new_shape = before.attributes.new_shape;  // which is no choice: the runs have its elements
  for (size_t k = BroadcastOperandCount(info); k < info.operands.size(); ++k) {
    Tensor drawn = DrawSpecial(tools.choices, info.operands[k], typed, op.attributes, channels);
    const Tensor* constant = AsConstant(program, op.operands[k]);
    if (constant == nullptr || *constant != drawn) op.operands[k] = AddConstant(program, std::move(drawn));
  }
  return !(op == before);
}

bool BreakARule(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  if (program.ops.size() != 1 || mutant.runs.empty()) return false;  // it has no runs if it breaks one already
  const OpApplication& op = program.ops.front();
  const OpInfo& info = Info(op.op);
  const auto is_ranked = [](const Shape& shape) { return shape.IsRanked() && shape.rank() >= 1 && shape.rank() <= 6; };
  bool suits = HasSpecTypes(program, op, tools.options.spec_version) && is_ranked(op.result.shape);
  for (size_t k = 0; k < op.operands.size(); ++k) {
    const bool special = IsSpecial(info.operands[k]);
    suits &= op.operands[k].kind == (special ? Kind::kConstant : Kind::kArgument);
    suits &= special || is_ranked(OperandType(program, k).shape);
  }
  if (!suits) return false;
  const ElementType input = InputElementType(program, op), result = op.result.element_type;
  std::vector<const Illegality*> breakable;
  for (const absl::Span<const Illegality> illegalities : {AllIllegalities(), BlockIllegalities()}) {
    for (const Illegality& illegality : illegalities) {
      if (illegality.applicable(info, input, result)) breakable.push_back(&illegality);
    }
  }
  if (breakable.empty()) return false;
  const Illegality& illegality = *breakable[tools.choices.Below(breakable.size())];
  illegality.apply(tools.choices, program);
  mutant.runs.clear();
  mutant.origin += " +" + std::string(illegality.name);
  return true;
}

// The other's program beside this one; an argument of the other's becomes a value of this one, where one fits.
bool Splice(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  const Program& other = tools.other.program;
  if (tools.other.runs.empty()) return false;  // illegal, and nothing would say how
  const size_t arguments = program.arguments.size() + other.arguments.size();
  if (program.ops.size() + other.ops.size() > kMostOpsOfMutants || arguments > kMostArgumentsOfMutants) return false;
  const int offsets[] = {static_cast<int>(program.arguments.size()), static_cast<int>(program.constants.size()),
                         static_cast<int>(program.ops.size())};
  const auto moved = [&](ValueRef ref) { return ValueRef{ref.kind, ref.index + offsets[static_cast<int>(ref.kind)]}; };
  absl::c_copy(other.arguments, std::back_inserter(program.arguments));
  absl::c_copy(other.constants, std::back_inserter(program.constants));
  for (OpApplication op : other.ops) {
    for (ValueRef& operand : op.operands) operand = moved(operand);
    program.ops.push_back(std::move(op));
  }
  for (const ValueRef result : other.results) program.results.push_back(moved(result));
  mutant.runs.resize(std::min(mutant.runs.size(), tools.other.runs.size()));
  for (size_t i = 0; i < mutant.runs.size(); ++i) {
    absl::c_copy(tools.other.runs[i], std::back_inserter(mutant.runs[i]));
  }
  std::vector<Use> uses = UsesIn(program);
  std::erase_if(uses, [&](Use use) {
    const ValueRef value = At(program, use);
    return use.op < offsets[2] || value.kind != Kind::kArgument || value.index < offsets[0];
  });
  std::erase_if(uses, [&](Use use) { return use.op == static_cast<int>(program.ops.size()); });
  if (uses.empty()) return true;
  const Use use = uses[tools.choices.Below(uses.size())];
  const std::vector<ValueRef> fitting = Fitting(program, offsets[2], TypeOf(program, At(program, use)));
  std::vector<ValueRef> ours = fitting;
  std::erase_if(ours, [&](ValueRef ref) {
    return (ref.kind == Kind::kArgument && ref.index >= offsets[0]) ||
           (ref.kind == Kind::kConstant && ref.index >= offsets[1]) ||
           !TypeOf(program, ref).shape.IsRanked();  // its rank may be another than the op's other operands have
  });
  if (!ours.empty()) At(program, use) = ours[tools.choices.Below(ours.size())];
  return true;
}

}  // namespace tosaic
