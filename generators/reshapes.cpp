// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/reshapes.h"

#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "generators/program_edits.h"
#include "generators/shapes.h"
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
  return (has_one || shape.rank() > 1) && !IsSpecialOperand(program, {Kind::kArgument, argument});
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

// Puts a reshape of the value to the shape before op `at`.
ValueRef PutReshapeOf(Program& program, int at, ValueRef value, const Shape& wanted) {
  OpApplication reshape = {.op = OpKind::kReshape, .operands = {value}};
  reshape.result = {wanted, ElementTypeOf(program, value)};
  StateNewShape(reshape);
  return PutOp(program, at, std::move(reshape));
}

// Lets all that takes a value after op `at` take another one.
void Replace(Program& program, int at, ValueRef from, ValueRef to) {
  for (auto op = program.ops.begin() + at + 1; op != program.ops.end(); ++op) {
    absl::c_replace(op->operands, from, to);
  }
  absl::c_replace(program.results, from, to);
}

// Gives an argument another rank, and puts a reshape back first, where all others then take it from; the runs get its
// new sizes. Its dimensions of 1 are dropped, or all dimensions are merged.
bool ReshapeArgument(ChoiceSource& choices, Case& generated) {
  Program& program = generated.program;
  std::vector<int> arguments;
  for (int i = 0; i < static_cast<int>(program.arguments.size()); ++i) {
    if (CanBeReshaped(program, i)) arguments.push_back(i);
  }
  if (arguments.empty()) return false;
  const int drawn = arguments[choices.Below(arguments.size())];
  const auto argument = static_cast<size_t>(drawn);
  const Shape wanted = program.arguments[argument].shape;
  const std::vector<size_t> dims = DrawRemaining(choices, wanted);
  const bool merges = dims.empty() && wanted.rank() > 1;
  const ValueRef value = {Kind::kArgument, drawn};
  Replace(program, 0, value, PutReshapeOf(program, 0, value, wanted));
  program.arguments[argument].shape = Remaining(wanted, dims, merges);
  for (Run& run : generated.runs) run[argument] = WithSizesOf(run[argument], dims, merges);
  return true;
}

// Whether a reshape can say how many elements each dimension has: one size may be left open, if no other is 0.
bool IsSettled(const Shape& shape) {
  if (!shape.IsRanked()) return false;
  const auto open = absl::c_count_if(shape.dims(), [](Dim dim) { return dim.IsDynamic(); });
  const bool is_empty = absl::c_any_of(shape.dims(), [](Dim dim) { return dim.Is(0); });
  return open == 0 || (open == 1 && !is_empty);
}

// Splits a dimension in two, of which one has 2 or 3, if one can be.
bool Split(ChoiceSource& choices, std::vector<Dim>& dims) {
  const int64_t factor = choices.Chance(1, 2) ? 2 : 3;
  const auto found = absl::c_find_if(dims, [&](Dim dim) { return dim.IsStatic() && dim.size() % factor == 0; });
  if (found == dims.end() || found->Is(0)) return false;
  *found = Dim::Static(found->size() / factor);
  dims.insert(found + (choices.Chance(1, 2) ? 1 : 0), Dim::Static(factor));
  return true;
}

// Another shape for as many elements. REQUIRES: the shape is settled.
Shape DrawOther(ChoiceSource& choices, const Shape& shape) {
  std::vector<Dim> dims(shape.dims().begin(), shape.dims().end());
  uint64_t way = choices.Below(5);
  // A matrix and its other form are what a mistake about the order of elements tells apart.
  if (dims.size() == 2 && !dims[0].Is(1) && !dims[1].Is(1) && choices.Chance(1, 2)) way = 2;
  const auto one = absl::c_find(dims, Dim::Static(1));
  if (way == 0 && dims.size() != 1) return Remaining(shape, {}, /*merges=*/true);
  if (way == 1 && one != dims.end()) dims.erase(one);
  if (way == 2) absl::c_reverse(dims);
  if (way == 3 && dims.size() < kMaxRankOfLevels) Split(choices, dims);
  if (Shape other(dims); other != shape) return other;
  if (dims.size() == kMaxRankOfLevels) return Remaining(shape, {}, /*merges=*/true);
  dims.insert(dims.begin() + static_cast<ptrdiff_t>(choices.Below(dims.size() + 1)), Dim::Static(1));
  return Shape(std::move(dims));
}

// Of a value that is used, also a constant: a reshape to another shape and one back; or, for a result of the program,
// the first alone.
bool ReshapeUse(ChoiceSource& choices, Case& generated) {
  Program& program = generated.program;
  std::vector<Use> uses = UsesIn(program);
  std::erase_if(uses, [&](Use use) { return !IsSettled(TypeOf(program, At(program, use)).shape); });
  if (uses.empty()) return false;
  const auto is_constant = [&](Use use) { return At(program, use).kind == Kind::kConstant; };
  if (absl::c_any_of(uses, is_constant) && choices.Chance(1, 2)) std::erase_if(uses, std::not_fn(is_constant));
  Use use = uses[choices.Below(uses.size())];
  const ValueRef value = At(program, use);
  const Shape shape = TypeOf(program, value).shape;
  const bool is_result = use.op == static_cast<int>(program.ops.size());
  ValueRef reshaped = PutReshapeOf(program, use.op++, value, DrawOther(choices, shape));
  if (!is_result || choices.Chance(1, 2)) reshaped = PutReshapeOf(program, use.op++, reshaped, shape);
  At(program, use) = reshaped;
  return true;
}

// Whether the op computes each element from those at the same position alone, also in another shape.
bool IsPositionless(const Program& program, const OpApplication& op) {
  const OpInfo& info = Info(op.op);
  const Shape& shape = op.result.shape;
  const size_t operands = BroadcastOperandCount(info);
  if (HasNewShape(info) || op.attributes.per_channel.value_or(false)) return false;
  if (!IsSettled(shape) || (operands > 1 && !shape.IsStatic())) return false;
  return absl::c_all_of(absl::MakeConstSpan(op.operands).first(operands),
                        [&](ValueRef operand) { return TypeOf(program, operand).shape == shape; });
}

// An op between reshapes: one of each operand to another shape, in which it computes, and one back.
bool ReshapeAround(ChoiceSource& choices, Case& generated) {
  Program& program = generated.program;
  std::vector<int> ops;
  for (int i = 0; i < static_cast<int>(program.ops.size()); ++i) {
    if (IsPositionless(program, program.ops[static_cast<size_t>(i)])) ops.push_back(i);
  }
  if (ops.empty()) return false;
  int at = ops[choices.Below(ops.size())];
  const size_t operands = BroadcastOperandCount(Info(program.ops[static_cast<size_t>(at)].op));
  const Shape shape = program.ops[static_cast<size_t>(at)].result.shape;
  const Shape other = DrawOther(choices, shape);
  for (size_t k = 0; k < operands; ++k) {
    const ValueRef value = program.ops[static_cast<size_t>(at)].operands[k];
    const ValueRef reshaped = PutReshapeOf(program, at++, value, other);
    program.ops[static_cast<size_t>(at)].operands[k] = reshaped;
  }
  program.ops[static_cast<size_t>(at)].result.shape = other;
  const ValueRef computed = {Kind::kOp, at};
  const ValueRef back = PutReshapeOf(program, at + 1, computed, shape);
  Replace(program, at + 1, computed, back);
  return true;
}

// Where the way that is drawn does not fit, another does.
bool ReshapeSomewhere(ChoiceSource& choices, Case& generated) {
  using Way = bool (*)(ChoiceSource&, Case&);
  constexpr Way kWays[] = {ReshapeArgument, ReshapeUse, ReshapeAround};
  const size_t drawn = choices.Below(std::size(kWays));
  for (size_t i = 0; i < std::size(kWays); ++i) {
    if (kWays[(drawn + i) % std::size(kWays)](choices, generated)) return true;
  }
  return false;
}

void HideSizes(TensorType& type) {
  if (type.shape.IsRanked()) absl::c_fill(type.shape.mutable_dims(), Dim::Dynamic());
}

}  // namespace

bool PutReshape(ChoiceSource& choices, Case& generated) {
  const Route* route = FindRoute(generated.route);
  if (route != nullptr && (route->extracts || route->calls_library)) return false;  // for elementwise ops alone
  if (generated.runs.empty()) return false;
  bool changed = false;
  for (uint64_t left = 1 + choices.Below(3); left > 0; --left) changed |= ReshapeSomewhere(choices, generated);
  return changed;
}

void HideReshapedSizes(ChoiceSource& choices, Program& program) {
  for (int i = 0; i < static_cast<int>(program.ops.size()); ++i) {
    OpApplication& op = program.ops[static_cast<size_t>(i)];
    if (!HasNewShape(Info(op.op)) || !choices.Chance(1, 4)) continue;
    if (!IsSpecialOperand(program, {Kind::kOp, i})) HideSizes(op.result);
    const ValueRef operand = op.operands.front();
    const bool is_argument = operand.kind == Kind::kArgument;
    if (is_argument && !IsSpecialOperand(program, operand))
      HideSizes(program.arguments[static_cast<size_t>(operand.index)]);
  }
}

}  // namespace tosaic
