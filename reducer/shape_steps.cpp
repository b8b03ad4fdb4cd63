// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that simplify types and sizes, and the data of the runs accordingly.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "absl/algorithm/container.h"
#include "model/static_program.h"
#include "reducer/reduction_steps.h"
#include "reducer/shape_edits.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

// Gives one value another declared shape.
bool TryShape(Proposals& proposals, ValueRef ref, Shape shape) {
  Case changed = proposals.current();
  Shape* declared = MutableShape(changed.program, ref);
  if (declared == nullptr || *declared == shape) return false;
  *declared = std::move(shape);
  return proposals.Try(std::move(changed));
}

// Makes every value for which `applies` as static as its sizes at run time are known.
template <typename Applies>
bool TryAllStatic(Proposals& proposals, Applies applies) {
  Case changed = proposals.current();
  for (ValueRef ref : AllValues(changed.program)) {
    Shape* declared = MutableShape(changed.program, ref);
    const std::optional<std::vector<int64_t>> sizes = SizesInAllRuns(proposals.current(), ref);
    if (declared != nullptr && sizes && applies(ref, *declared)) *declared = Shape::OfSizes(*sizes);
  }
  return proposals.Try(std::move(changed));
}

size_t MaxRank(const Case& test_case, const std::vector<ValueRef>& values) {
  size_t rank = 0;
  for (ValueRef ref : values) rank = std::max(rank, MaxRank(test_case, ref));
  return rank;
}

// The broadcast of an op's operands, as declared.
Shape OperandBroadcast(const Program& program, const OpApplication& op) {
  std::vector<Shape> shapes;
  for (size_t i = 0; i < BroadcastOperandCount(Info(op.op)); ++i) {
    shapes.push_back(TypeOf(program, op.operands[i]).shape);
  }
  return LooseBroadcast(shapes);
}

// Ranked shapes that an unranked value may have instead.
std::vector<Shape> RankedChoices(const Case& test_case, ValueRef ref) {
  const Program& program = test_case.program;
  std::vector<Shape> choices;
  if (const auto sizes = SizesInAllRuns(test_case, ref)) choices.push_back(Shape::OfSizes(*sizes));
  if (ref.kind == Kind::kOp) choices.push_back(OperandBroadcast(program, program.ops[ref.index]));
  for (size_t rank = 0; rank <= MaxRank(test_case, AllValues(program)); ++rank) {
    choices.push_back(Shape(std::vector<Dim>(rank, Dim::Dynamic())));
  }
  for (ValueRef other : AllValues(program)) choices.push_back(TypeOf(program, other).shape);
  return choices;
}

// Makes size `from` at `position` of the values `to`.
bool TryResize(Proposals& proposals, const std::vector<ValueRef>& values, Position position, int64_t from, int64_t to,
               Keep keep) {
  Case changed = proposals.current();
  for (ValueRef ref : values) ResizeDim(changed, ref, position, from, to, keep);
  return proposals.Try(std::move(changed));
}

// The power of two below a size, which keeps a dependence on multiples.
int64_t PowerBelow(int64_t size) {
  return size > 1 ? static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(size) - 1)) : 0;
}

// Shrinks one size of some values in every way, from either end: to 1, 2, 3, by half, to a power of two, by less and
// less, so that a limit in the thousands is met in few steps, by one.
bool TryShrink(Proposals& proposals, const std::vector<ValueRef>& values, Position position, int64_t size) {
  for (int64_t to : {int64_t{1}, int64_t{2}, int64_t{3}, size / 2, size - size / 2, PowerBelow(size), size - size / 4,
                     size - size / 16, size - size / 128, size - 1}) {
    if (to < 1 || (size != 0 && to >= size)) continue;
    for (Keep keep : {Keep::kFirst, Keep::kLast}) {
      if (TryResize(proposals, values, position, size, to, keep)) return true;
    }
  }
  return false;
}

// Cuts every size above `cap` to it.
bool TryCap(Proposals& proposals, const std::vector<ValueRef>& values, int64_t cap) {
  Case changed = proposals.current();
  for (Position position = 0; position < MaxRank(changed, values); ++position) {
    for (int64_t size : SizesAt(changed, values, position)) {
      if (size <= cap) continue;
      for (ValueRef ref : values) ResizeDim(changed, ref, position, size, cap, Keep::kFirst);
    }
  }
  return proposals.Try(std::move(changed));
}

// Of a program with block-scaled values: each value becomes one block, the same of all data. A reshape keeps its shape,
// whose sizes would else say how many blocks there are.
bool TryOneBlock(Proposals& proposals, size_t block) {
  Case changed = proposals.current();
  const std::vector<int64_t> sizes = {kBlockSize};
  const auto cut = [&](Tensor& tensor) {
    const size_t first = block * kBlockSize;
    if (tensor.element_count() < first + kBlockSize) return;
    Tensor kept(tensor.element_type(), sizes);
    for (size_t i = 0; i < kBlockSize; ++i) kept.SetBits(i, tensor.Bits(first + i));
    tensor = std::move(kept);
  };
  absl::c_for_each(changed.program.constants, cut);
  for (Run& run : changed.runs) absl::c_for_each(run, cut);
  for (const ValueRef ref : BroadcastValues(changed.program)) {
    if (Shape* shape = MutableShape(changed.program, ref)) *shape = Shape::OfSizes(sizes);
  }
  absl::c_for_each(changed.program.ops, StateNewShape);
  return proposals.Try(std::move(changed));
}

}  // namespace

void ProposeRanked(Proposals& proposals) {
  auto unranked = [](ValueRef, const Shape& shape) { return !shape.IsRanked(); };
  if (TryAllStatic(proposals, unranked)) return;
  for (ValueRef ref : AllValues(proposals.current().program)) {
    if (TypeOf(proposals.current().program, ref).shape.IsRanked()) continue;
    for (Shape& choice : RankedChoices(proposals.current(), ref)) {
      if (choice.IsRanked() && TryShape(proposals, ref, std::move(choice))) return;
    }
  }
}

void ProposeLowerRank(Proposals& proposals) {
  const std::vector<ValueRef> all = BroadcastValues(proposals.current().program);
  auto try_without = [&](const std::vector<ValueRef>& lowered, Position first, Position end, Keep keep) {
    Case changed = proposals.current();
    for (Position position = end; position-- > first;) {
      for (ValueRef ref : lowered) RemoveDim(changed, ref, position, keep);
    }
    return proposals.Try(std::move(changed));
  };
  auto try_lower = [&](const std::vector<ValueRef>& values) {
    const size_t rank = MaxRank(proposals.current(), values);
    for (Keep keep : {Keep::kFirst, Keep::kLast}) {
      if (try_without(values, 0, rank, keep)) return true;
      // All but one dimension, then all but two, then one by one.
      if (rank > 2 && (try_without(values, 1, rank, keep) || try_without(values, 2, rank, keep))) return true;
      for (Position position = 0; position < rank; ++position) {
        if (try_without(values, position, position + 1, keep)) return true;
      }
    }
    return false;
  };
  if (try_lower(all)) return;
  const std::vector<std::vector<ValueRef>> groups = BroadcastGroups(proposals.current().program);
  for (const std::vector<ValueRef>& group : groups) {
    if (groups.size() > 1 && try_lower(group)) return;
  }
  for (ValueRef ref : all) {
    const size_t own_rank = MaxRank(proposals.current(), ref);
    if (own_rank > 0 && try_without({ref}, own_rank - 1, own_rank, Keep::kFirst)) return;
  }
}

void ProposeStaticDims(Proposals& proposals) {
  auto dynamic = [](const Shape& shape) { return shape.IsRanked() && !shape.IsStatic(); };
  if (TryAllStatic(proposals, [&](ValueRef, const Shape& shape) { return dynamic(shape); })) return;
  if (TryAllStatic(proposals,
                   [&](ValueRef ref, const Shape& shape) { return ref.kind == Kind::kArgument && dynamic(shape); })) {
    return;
  }
  const std::vector<ValueRef> values = AllValues(proposals.current().program);
  for (ValueRef ref : values) {
    const Shape shape = TypeOf(proposals.current().program, ref).shape;
    for (size_t i = 0; dynamic(shape) && i < shape.rank(); ++i) {
      if (shape[i].IsStatic()) continue;
      const Position position = shape.rank() - 1 - i;
      std::vector<int64_t> choices = SizesAt(proposals.current(), {ref}, position);
      for (int64_t size : SizesAt(proposals.current(), values, position)) choices.push_back(size);
      choices.insert(choices.end(), {1, 2});
      for (int64_t size : choices) {
        Shape fixed = shape;
        fixed.mutable_dims()[i] = Dim::Static(size);
        if (TryShape(proposals, ref, std::move(fixed))) return;
      }
    }
  }
}

void ProposeSmallerSizes(Proposals& proposals) {
  constexpr size_t kMostBlocks = 32;
  for (size_t block = 0; HasBlocks(proposals.current().program) && block < kMostBlocks; ++block) {
    if (TryOneBlock(proposals, block)) return;
  }
  std::vector<std::vector<ValueRef>> together = BroadcastGroups(proposals.current().program);
  if (together.size() > 1) together.insert(together.begin(), BroadcastValues(proposals.current().program));
  for (const std::vector<ValueRef>& values : together) {
    for (int64_t cap : {1, 2, 3, 4, 8, 16, 32, 64}) {
      if (TryCap(proposals, values, cap)) return;
    }
  }
  auto shrink_each = [&](const std::vector<ValueRef>& values) {
    for (Position position = 0; position < MaxRank(proposals.current(), values); ++position) {
      for (int64_t size : SizesAt(proposals.current(), values, position)) {
        if (TryShrink(proposals, values, position, size)) return true;
      }
    }
    return false;
  };
  for (const std::vector<ValueRef>& values : together) {
    if (shrink_each(values)) return;
  }
  for (ValueRef ref : AllValues(proposals.current().program)) {
    if (shrink_each({ref})) return;
  }
}

void ProposeExactResult(Proposals& proposals) {
  for (ValueRef ref : AllValues(proposals.current().program)) {
    if (ref.kind != Kind::kOp) continue;
    const Program& program = proposals.current().program;
    const Shape exact = OperandBroadcast(program, program.ops[ref.index]);
    if (exact.IsRanked() && TryShape(proposals, ref, exact)) return;
    if (const auto sizes = SizesInAllRuns(proposals.current(), ref)) {
      if (TryShape(proposals, ref, Shape::OfSizes(*sizes))) return;
    }
  }
}

}  // namespace tosaic
