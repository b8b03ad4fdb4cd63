// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/reshapes.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "model/routes.h"
#include "model/static_program.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

// Whether the argument's shape can be that of a reshape: of the sizes, only one is left open, and no op takes it for a
// shift or zero point.
bool CanBeReshaped(const Program& program, int argument) {
  const Shape& shape = program.arguments[static_cast<size_t>(argument)].shape;
  if (!shape.IsRanked() || shape.rank() == 0) return false;
  if (absl::c_count_if(shape.dims(), [](Dim dim) { return dim.IsDynamic(); }) > 1) return false;
  const bool has_one = absl::c_any_of(shape.dims(), [](Dim dim) { return dim.Is(1); });
  if (!has_one && shape.rank() == 1) return false;
  const ValueRef ref = {Kind::kArgument, argument};
  return absl::c_none_of(program.ops, [&](const OpApplication& op) {
    const auto special = absl::MakeConstSpan(op.operands).subspan(BroadcastOperandCount(Info(op.op)));
    return absl::c_linear_search(special, ref);
  });
}

// Which dimensions remain; without any, all become one.
std::vector<size_t> DrawRemaining(ChoiceSource& choices, const Shape& shape) {
  const bool has_one = absl::c_any_of(shape.dims(), [](Dim dim) { return dim.Is(1); });
  if (!has_one || (shape.rank() > 1 && choices.Chance(1, 4))) return {};
  const bool leading = choices.Chance(1, 2) && shape[0].Is(1);
  std::vector<size_t> remaining;
  for (size_t i = 0; i < shape.rank(); ++i) {
    const bool goes = shape[i].Is(1) && !(leading && !remaining.empty());
    if (!goes) remaining.push_back(i);
  }
  if (remaining.empty() && shape.rank() > 1) remaining.push_back(0);  // [1, 1] becomes [1]
  return remaining;
}

Shape Remaining(const Shape& shape, const std::vector<size_t>& dims, bool merges) {
  std::vector<Dim> left;
  int64_t elements = 1;
  bool is_open = false;
  for (const Dim dim : shape.dims()) {
    is_open |= dim.IsDynamic();
    if (dim.IsStatic()) elements *= dim.size();
  }
  if (merges) return Shape({is_open ? Dim::Dynamic() : Dim::Static(elements)});
  for (const size_t dim : dims) left.push_back(shape[dim]);
  return Shape(std::move(left));
}

Tensor WithSizesOf(const Tensor& tensor, const std::vector<size_t>& dims, bool merges) {
  std::vector<int64_t> sizes;
  for (const size_t dim : dims) sizes.push_back(tensor.sizes()[dim]);
  if (merges) sizes = {static_cast<int64_t>(tensor.element_count())};
  Tensor reshaped(tensor.element_type(), std::move(sizes));
  reshaped.mutable_bytes() = tensor.bytes();
  return reshaped;
}

// Puts the reshape of the argument first, where all others then take it from.
void PutFirst(Program& program, int argument, const Shape& wanted) {
  OpApplication reshape = {.op = OpKind::kReshape, .operands = {{Kind::kArgument, argument}}};
  reshape.attributes.new_shape = NewShapeFor(wanted);
  reshape.result = {wanted, program.arguments[static_cast<size_t>(argument)].element_type};
  const auto move = [&](ValueRef& ref) {
    if (ref.kind == Kind::kOp) ++ref.index;
    if (ref == reshape.operands[0]) ref = {Kind::kOp, 0};
  };
  for (OpApplication& op : program.ops) absl::c_for_each(op.operands, move);
  absl::c_for_each(program.results, move);
  program.ops.insert(program.ops.begin(), std::move(reshape));
}

}  // namespace

bool PutReshape(ChoiceSource& choices, Case& generated) {
  const Route* route = FindRoute(generated.route);
  if (route != nullptr && (route->extracts || route->calls_library)) return false;  // for elementwise ops alone
  Program& program = generated.program;
  std::vector<int> arguments;
  for (int i = 0; i < static_cast<int>(program.arguments.size()); ++i) {
    if (CanBeReshaped(program, i)) arguments.push_back(i);
  }
  if (generated.runs.empty() || arguments.empty()) return false;
  const int drawn = arguments[choices.Below(arguments.size())];
  const auto argument = static_cast<size_t>(drawn);
  const Shape wanted = program.arguments[argument].shape;
  const std::vector<size_t> dims = DrawRemaining(choices, wanted);
  const bool merges = dims.empty() && wanted.rank() > 1;
  PutFirst(program, drawn, wanted);
  program.arguments[argument].shape = Remaining(wanted, dims, merges);
  for (Run& run : generated.runs) run[argument] = WithSizesOf(run[argument], dims, merges);
  return true;
}

}  // namespace tosaic
