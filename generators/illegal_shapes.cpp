// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/illegal_shapes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "generators/program_edits.h"

namespace tosaic {
namespace {

constexpr size_t kMaxRank = 6;

// A shape with a dimension more or, at the highest rank, less.
Shape OfOtherRank(ChoiceSource& choices, const Shape& shape) {
  std::vector<Dim> dims = shape.dims();
  if (dims.size() == kMaxRank || choices.Chance(1, 3)) {
    dims.erase(dims.begin());
    return Shape(std::move(dims));
  }
  const Dim added[] = {Dim::Static(1), Dim::Static(2), Dim::Dynamic()};
  const Dim dim = added[choices.Below(3)];
  dims.insert(choices.Chance(1, 2) ? dims.begin() : dims.end(), dim);
  return Shape(std::move(dims));
}

// Gives every broadcast operand that has a static size above 1 in `dim` the size `size`, and at least one of them.
void MakeStatic(ChoiceSource& choices, Program& program, size_t dim, int64_t size) {
  const size_t count = BroadcastOperandCount(TheRow(program));
  const size_t chosen = choices.Below(count);
  for (size_t k = 0; k < count; ++k) {
    const Dim old = OperandType(program, k).shape[dim];
    if (k == chosen || (old.IsStatic() && !old.Is(1))) SetOperandDim(program, k, dim, Dim::Static(size));
  }
}

// Calls `edit` on the shapes of the operands that broadcast and of the result, or on one of them.
template <typename Edit>
void EditShapes(Program& program, std::optional<size_t> only, const Edit& edit) {
  const size_t count = BroadcastOperandCount(TheRow(program));
  for (size_t k = 0; k <= count; ++k) {
    if (only && *only != k) continue;
    Shape shape = k == count ? TheOp(program).result.shape : OperandType(program, k).shape;
    edit(shape);
    k == count ? void(TheOp(program).result.shape = shape) : SetOperandShape(program, k, shape);
  }
}

// Whether the op has a new shape. If so, it is one size: what is left of the elements.
bool TakesWhatIsLeft(Program& program, Dim declared) {
  std::optional<std::vector<int64_t>>& new_shape = TheOp(program).attributes.new_shape;
  if (!new_shape) return false;
  new_shape = {-1};
  TheOp(program).result.shape = Shape({declared});
  return true;
}

// A new shape of another number of elements than the operand, which becomes static.
std::vector<int64_t> OfOtherCount(ChoiceSource& choices, Program& program) {
  Shape operand = OperandType(program, 0).shape;
  int64_t elements = 1;
  for (Dim& dim : operand.mutable_dims()) {
    if (dim.IsDynamic()) dim = Dim::Static(choices.Between(1, 4));
    elements *= dim.size();
  }
  SetOperandShape(program, 0, operand);
  const std::vector<int64_t> wrong[] = {{elements + 1}, {2, elements}, {elements + 1, -1}, {1, -1, 2 * elements}};
  return wrong[choices.Below(4)];
}

size_t DrawValue(ChoiceSource& choices, const Program& program) {
  return choices.Below(BroadcastOperandCount(TheRow(program)) + 1);
}

}  // namespace

void MismatchOperandRank(ChoiceSource& choices, Program& program) {
  const size_t k = choices.Below(BroadcastOperandCount(TheRow(program)));
  SetOperandShape(program, k, OfOtherRank(choices, OperandType(program, k).shape));
}

void NeedRankExpansion(ChoiceSource& choices, Program& program) {
  const int64_t size = choices.Between(1, 4);
  SetOperandDims(program, 0, Dim::Static(size));
  SetResultDim(program, 0, choices.Chance(1, 2) ? Dim::Static(size) : Dim::Dynamic());
  const size_t k = choices.Below(BroadcastOperandCount(TheRow(program)));
  Shape shape = OperandType(program, k).shape;
  shape.mutable_dims().erase(shape.mutable_dims().begin());
  SetOperandShape(program, k, shape);
}

void MismatchResultRank(ChoiceSource& choices, Program& program) {
  Shape& shape = TheOp(program).result.shape;
  shape = OfOtherRank(choices, shape);
}

void ConflictSizes(ChoiceSource& choices, Program& program) {
  const size_t dim = DrawDim(choices, program);
  const size_t count = BroadcastOperandCount(TheRow(program));
  const int64_t size = choices.Between(2, 5);
  MakeStatic(choices, program, dim, size);
  const size_t first = choices.Below(count);
  const size_t second = (first + 1 + choices.Below(count - 1)) % count;
  SetOperandDim(program, first, dim, Dim::Static(size));
  SetOperandDim(program, second, dim, Dim::Static(choices.Chance(1, 4) ? size * 2 : size + 1));
  SetResultDim(program, dim, choices.Chance(1, 2) ? Dim::Static(size) : Dim::Dynamic());
}

void WrongResultSize(ChoiceSource& choices, Program& program) {
  const size_t dim = DrawDim(choices, program);
  const int64_t size = choices.Between(2, 5);
  MakeStatic(choices, program, dim, size);
  const int64_t wrong[] = {size + 1, size - 1, 1, size * 2};
  SetResultDim(program, dim, Dim::Static(wrong[choices.Below(4)]));
}

void BroadcastResult(ChoiceSource& choices, Program& program) {
  const size_t dim = DrawDim(choices, program);
  SetOperandDims(program, dim, Dim::Static(1));
  SetResultDim(program, dim, Dim::Static(choices.Between(2, 5)));
}

void ZeroSize(ChoiceSource& choices, Program& program) {
  const size_t dim = DrawDim(choices, program);
  SetOperandDims(program, dim, Dim::Static(0));
  if (TakesWhatIsLeft(program, Dim::Dynamic())) return;
  SetResultDim(program, dim, choices.Chance(1, 2) ? Dim::Static(0) : Dim::Dynamic());
}

void ZeroResultSize(ChoiceSource& choices, Program& program) {
  const size_t dim = DrawDim(choices, program);
  SetOperandDims(program, dim, Dim::Dynamic());
  if (!TakesWhatIsLeft(program, Dim::Static(0))) SetResultDim(program, dim, Dim::Static(0));
}

void BreakNewShape(ChoiceSource& choices, Program& program) {
  std::vector<int64_t> sizes = *TheOp(program).attributes.new_shape;
  const size_t at = choices.Below(sizes.size());
  const uint64_t kind = choices.Below(6);
  if (kind == 0) sizes = {-1, choices.Between(1, 3), -1};
  if (kind == 1) sizes[at] = -2 - choices.Between(0, 3);
  if (kind == 2) sizes[at] = 0;
  if (kind == 3) sizes = OfOtherCount(choices, program);
  std::vector<Dim> dims;
  for (const int64_t size : sizes) {
    const bool is_declared = size > 0 && choices.Chance(1, 2);
    dims.push_back(is_declared ? Dim::Static(size) : Dim::Dynamic());
  }
  if (kind == 4) dims.push_back(Dim::Static(1));
  if (kind == 5) {
    sizes[at] = std::max<int64_t>(sizes[at], 1);
    dims[at] = Dim::Static(sizes[at] + choices.Between(1, 3));
  }
  TheOp(program).attributes.new_shape = std::move(sizes);
  TheOp(program).result.shape = Shape(std::move(dims));
}

void Unrank(ChoiceSource& choices, Program& program) {
  EditShapes(program, DrawValue(choices, program), [](Shape& shape) { shape = Shape::Unranked(); });
  TheOp(program).result.shape = Shape::Unranked();
}

void MakeDynamic(ChoiceSource& choices, Program& program) {
  const size_t dim = DrawDim(choices, program);
  EditShapes(program, DrawValue(choices, program), [&](Shape& shape) { shape.mutable_dims()[dim] = Dim::Dynamic(); });
}

void ExceedRank(ChoiceSource& choices, Program& program) {
  const size_t rank = kMaxRank + 1 + choices.Below(3);
  EditShapes(program, std::nullopt, [&](Shape& shape) {
    std::vector<Dim>& dims = shape.mutable_dims();
    dims.insert(dims.begin(), rank - dims.size(), Dim::Static(1));
  });
  if (auto& sizes = TheOp(program).attributes.new_shape) sizes->insert(sizes->begin(), rank - sizes->size(), 1);
}

void ExceedSize(ChoiceSource& choices, Program& program) {
  const size_t dim = DrawDim(choices, program);
  const int64_t size = (int64_t{1} << 31) + choices.Between(0, 1);
  if (TakesWhatIsLeft(program, Dim::Static(size))) {
    TheOp(program).attributes.new_shape = {size};
    return SetOperandShape(program, 0, Shape({Dim::Static(size)}));
  }
  EditShapes(program, std::nullopt, [&](Shape& shape) { shape.mutable_dims()[dim] = Dim::Static(size); });
}

}  // namespace tosaic
