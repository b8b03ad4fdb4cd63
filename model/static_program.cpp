// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/static_program.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/algorithm/container.h"
#include "model/op_catalogue.h"

namespace tosaic {
namespace {

using Sizes = std::vector<int64_t>;

// The sizes that the operands, which have static types, broadcast to.
std::optional<Sizes> ResultSizes(const Program& program, const OpApplication& op) {
  const std::vector<TensorType> operands = OperandTypes(program, op);
  Sizes result = StaticSizes(operands.front().shape);
  if (HasNewShape(Info(op.op))) return Reshaped(op, static_cast<int64_t>(ElementCount(result)));
  for (size_t i = 1; i < BroadcastOperandCount(Info(op.op)) && i < operands.size(); ++i) {
    const Sizes sizes = StaticSizes(operands[i].shape);
    if (sizes.size() != result.size()) return std::nullopt;
    for (size_t dim = 0; dim < sizes.size(); ++dim) {
      if (sizes[dim] != result[dim] && sizes[dim] != 1 && result[dim] != 1) return std::nullopt;
      if (result[dim] == 1) result[dim] = sizes[dim];
    }
  }
  return result;
}

}  // namespace

std::optional<Sizes> Reshaped(const OpApplication& reshape, int64_t elements) {
  Sizes new_shape = *reshape.attributes.new_shape;
  const auto open = absl::c_find(new_shape, -1);
  if (open != new_shape.end()) {
    *open = 1;
    const auto others = static_cast<int64_t>(ElementCount(new_shape));
    if (others < 1 || elements % others != 0) return std::nullopt;
    *open = elements / others;
  }
  if (static_cast<int64_t>(ElementCount(new_shape)) != elements) return std::nullopt;
  return new_shape;
}

std::vector<int64_t> NewShapeFor(const Shape& result) {
  Sizes sizes;
  for (const Dim dim : result.dims()) {
    const bool has_rest = absl::c_linear_search(sizes, -1);
    sizes.push_back(dim.IsStatic() ? dim.size() : has_rest ? 1 : -1);
  }
  return sizes;
}

void StateNewShape(OpApplication& op) {
  if (HasNewShape(Info(op.op))) op.attributes.new_shape = NewShapeFor(op.result.shape);
}

bool HasDynamicType(const Program& program) {
  const auto is_dynamic = [](const TensorType& type) { return !type.shape.IsStatic(); };
  return absl::c_any_of(program.arguments, is_dynamic) ||
         absl::c_any_of(program.ops, [&](const OpApplication& op) { return is_dynamic(op.result); });
}

std::optional<Program> WithShapesOf(const Run& run, Program program) {
  for (size_t i = 0; i < program.arguments.size(); ++i) program.arguments[i].shape = Shape::OfSizes(run[i].sizes());
  for (OpApplication& op : program.ops) {
    const std::optional<Sizes> sizes = ResultSizes(program, op);
    if (!sizes || (op.result.shape.IsRanked() && !Admits(op.result.shape, *sizes))) return std::nullopt;
    op.result.shape = Shape::OfSizes(*sizes);
    StateNewShape(op);  // -1 is the dialect's, not the specification's
  }
  return program;
}

}  // namespace tosaic
