// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/program_edits.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "generators/attributes.h"

namespace tosaic {

ValueRef& At(Program& program, Use use) {
  const auto op = static_cast<size_t>(use.op);
  return op < program.ops.size() ? program.ops[op].operands[use.place] : program.results[use.place];
}

std::vector<Use> UsesIn(const Program& program) {
  std::vector<Use> uses;
  const int count = static_cast<int>(program.ops.size());
  for (int op = 0; op < count; ++op) {
    const size_t operands = BroadcastOperandCount(Info(program.ops[static_cast<size_t>(op)].op));
    for (size_t k = 0; k < operands; ++k) uses.push_back({op, k});
  }
  for (size_t k = 0; k < program.results.size(); ++k) uses.push_back({count, k});
  return uses;
}

bool IsSpecialOperand(const Program& program, ValueRef value) {
  return absl::c_any_of(program.ops, [&](const OpApplication& op) {
    const absl::Span<const ValueRef> operands = op.operands;
    return absl::c_linear_search(operands.subspan(BroadcastOperandCount(Info(op.op))), value);
  });
}

ValueRef PutOp(Program& program, int at, OpApplication op) {
  const auto move = [&](ValueRef& ref) {
    if (ref.kind == ValueRef::Kind::kOp && ref.index >= at) ++ref.index;
  };
  for (OpApplication& application : program.ops) absl::c_for_each(application.operands, move);
  absl::c_for_each(program.results, move);
  program.ops.insert(program.ops.begin() + at, std::move(op));
  return {ValueRef::Kind::kOp, at};
}

std::vector<size_t> OperandsOf(const Program& program, OperandRole role) {
  std::vector<size_t> positions;
  const OpInfo& row = TheRow(program);
  for (size_t k = 0; k < row.operands.size(); ++k) {
    if (row.operands[k] == role) positions.push_back(k);
  }
  return positions;
}

TensorType OperandType(const Program& program, size_t k) { return TypeOf(program, program.ops.front().operands[k]); }

void SetOperandType(Program& program, size_t k, const TensorType& type) {
  const ValueRef ref = TheOp(program).operands[k];
  if (ref.kind == ValueRef::Kind::kArgument) {
    program.arguments[ref.index] = type;
    return;
  }
  program.constants[ref.index] = Tensor(type.element_type, StaticSizes(type.shape));
}

namespace {

// Gives parameters as many elements as there are channels now, or one for all if these are unknown or very many.
void FitChannels(Program& program) {
  OpApplication& op = TheOp(program);
  if (!op.attributes.per_channel.value_or(false)) return;
  const int64_t channels = SettleChannels(OperandType(program, 0).shape, &op.attributes);
  for (size_t k = 0; k < op.operands.size(); ++k) {
    if (Info(TheRow(program).operands[k]).access != OperandAccess::kChannel) continue;
    SetOperandShape(program, k, Shape::OfSizes({channels}));
  }
}

}  // namespace

void SetOperandShape(Program& program, size_t k, const Shape& shape) {
  SetOperandType(program, k, {shape, OperandType(program, k).element_type});
  if (k == 0) FitChannels(program);
}

void SetOperandElementType(Program& program, size_t k, ElementType type) {
  SetOperandType(program, k, {OperandType(program, k).shape, type});
}

void SetOperandDim(Program& program, size_t k, size_t dim, Dim to) {
  Shape shape = OperandType(program, k).shape;
  shape.mutable_dims()[dim] = to;
  SetOperandShape(program, k, shape);
}

void SetOperandDims(Program& program, size_t dim, Dim to) {
  for (size_t k = 0; k < BroadcastOperandCount(TheRow(program)); ++k) SetOperandDim(program, k, dim, to);
}

void SetResultDim(Program& program, size_t dim, Dim to) { TheOp(program).result.shape.mutable_dims()[dim] = to; }

size_t DrawDim(ChoiceSource& choices, const Program& program) {
  size_t rank = program.ops.front().result.shape.rank();
  for (size_t k = 0; k < BroadcastOperandCount(TheRow(program)); ++k) {
    rank = std::min(rank, OperandType(program, k).shape.rank());
  }
  return choices.Below(rank);
}

}  // namespace tosaic
