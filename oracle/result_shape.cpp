// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/result_shape.h"

#include <cstddef>
#include <utility>

#include "model/blocks.h"
#include "oracle/reshape.h"

namespace tosaic {
namespace {

RuntimeShape Undefined(RuleId rule, int dim) { return {.defined = false, .sizes = {}, .rule = rule, .dim = dim}; }

const std::vector<int64_t>& SizesOf(const Program& program, const Run& run,
                                    const std::vector<std::vector<int64_t>>& op_sizes, ValueRef ref) {
  switch (ref.kind) {
    case ValueRef::Kind::kArgument:
      return run[ref.index].sizes();
    case ValueRef::Kind::kConstant:
      return program.constants[ref.index].sizes();
    case ValueRef::Kind::kOp:
      break;
  }
  return op_sizes[ref.index];
}

}  // namespace

RuntimeShape ResultSizes(absl::Span<const std::vector<int64_t>> operand_sizes, const Shape& declared_result) {
  const size_t rank = operand_sizes[0].size();
  for (const std::vector<int64_t>& sizes : operand_sizes) {
    if (sizes.size() != rank) return Undefined(RuleId::kRuntimeRank, -1);
  }
  if (declared_result.IsRanked() && declared_result.rank() != rank) return Undefined(RuleId::kRuntimeRank, -1);

  RuntimeShape shape;
  shape.rule = RuleId::kRuntimeEqual;
  for (size_t i = 0; i < rank; ++i) {
    const int dim = static_cast<int>(i);
    int64_t size = operand_sizes[0][i];
    for (const std::vector<int64_t>& sizes : operand_sizes) {
      if (sizes[i] < 1) return Undefined(RuleId::kRuntimeDimension, dim);
      if (sizes[i] != 1 && size != 1 && sizes[i] != size) return Undefined(RuleId::kRuntimeConflict, dim);
      if (sizes[i] != size && shape.dim < 0) {
        shape.rule = RuleId::kRuntimeBroadcast;
        shape.dim = dim;
      }
      if (size == 1) size = sizes[i];
    }
    const bool is_static = declared_result.IsRanked() && declared_result[i].IsStatic();
    if (is_static && declared_result[i].size() != size) return Undefined(RuleId::kRuntimeStaticResult, dim);
    shape.sizes.push_back(size);
  }
  return shape;
}

RuntimeShape ResultSizes(const OpApplication& op, absl::Span<const std::vector<int64_t>> operand_sizes) {
  RuntimeShape shape = op.attributes.new_shape
                           ? ReshapedSizes(*op.attributes.new_shape, operand_sizes[0], op.result.shape)
                           : ResultSizes(operand_sizes, op.result.shape);
  if (!shape.defined || !IsBlockScaled(op.result.element_type)) return shape;
  return HasWholeBlocks(Shape::OfSizes(shape.sizes))
             ? shape
             : Undefined(RuleId::kLegalBlockScaled, static_cast<int>(shape.sizes.size()) - 1);
}

std::optional<std::vector<std::vector<int64_t>>> SizesOfAllOps(const Program& program, const Run& run,
                                                               UndefinedSizes* why) {
  std::vector<std::vector<int64_t>> op_sizes;
  for (const OpApplication& op : program.ops) {
    std::vector<std::vector<int64_t>> operand_sizes;
    for (size_t i = 0; i < BroadcastOperandCount(Info(op.op)); ++i) {
      operand_sizes.push_back(SizesOf(program, run, op_sizes, op.operands[i]));
    }
    RuntimeShape shape = ResultSizes(op, operand_sizes);
    if (!shape.defined) {
      if (why != nullptr) *why = {static_cast<int>(op_sizes.size()), shape.rule, shape.dim};
      return std::nullopt;
    }
    op_sizes.push_back(std::move(shape.sizes));
  }
  return op_sizes;
}

}  // namespace tosaic
