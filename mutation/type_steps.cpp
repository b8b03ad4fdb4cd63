// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that change shapes, and the data of the runs accordingly.
#include <utility>

#include "absl/algorithm/container.h"
#include "generators/shapes.h"
#include "mutation/mutation.h"
#include "mutation/program_growth.h"
#include "reducer/shape_edits.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;
using Sizes = std::vector<int64_t>;

// An argument or an op that broadcasts; constants do not change.
ValueRef DrawTyped(const MutationTools& tools, const Program& program) {
  std::vector<ValueRef> values = BroadcastValues(program);
  std::erase_if(values, [](ValueRef ref) { return ref.kind == Kind::kConstant; });
  return values[tools.choices.Below(values.size())];
}

// Values that are operands of the same ops, at least one of which is not a shift.
std::vector<ValueRef> DrawGroup(const MutationTools& tools, const Program& program) {
  const std::vector<std::vector<ValueRef>> groups = BroadcastGroups(program);
  return groups[tools.choices.Below(groups.size())];
}

Tensor WithLeadingOne(const Tensor& tensor) {
  Sizes sizes = tensor.sizes();
  sizes.insert(sizes.begin(), 1);
  Tensor higher(tensor.element_type(), std::move(sizes));
  higher.mutable_bytes() = tensor.bytes();
  return higher;
}

// A tensor whose dimension `d` has the wanted size; its elements are repeated.
Tensor Resized(const Tensor& tensor, size_t d, int64_t size) {
  Sizes sizes = tensor.sizes();
  const int64_t before = std::exchange(sizes[d], size);
  Tensor resized(tensor.element_type(), sizes);
  const int64_t inner = ElementCount({sizes.begin() + static_cast<std::ptrdiff_t>(d) + 1, sizes.end()});
  for (size_t i = 0; i < resized.element_count(); ++i) {
    const int64_t row = static_cast<int64_t>(i) / inner, within = static_cast<int64_t>(i) % inner;
    const int64_t from = (row / size * before + row % size % before) * inner + within;
    resized.SetBits(i, tensor.Bits(static_cast<size_t>(from)));
  }
  return resized;
}

}  // namespace

bool LoosenType(const MutationTools& tools, Case& mutant) {
  Shape& shape = *MutableShape(mutant.program, DrawTyped(tools, mutant.program));
  if (!shape.IsRanked()) return false;
  if (tools.choices.Chance(1, 5)) {
    shape = Shape::Unranked();
    return true;
  }
  if (shape.rank() == 0) return false;
  Dim& dim = shape.mutable_dims()[tools.choices.Below(shape.rank())];
  return !std::exchange(dim, Dim::Dynamic()).IsDynamic();
}

bool TightenType(const MutationTools& tools, Case& mutant) {
  const ValueRef ref = DrawTyped(tools, mutant.program);
  const std::optional<Sizes> sizes = SizesInAllRuns(mutant, ref);
  Shape& shape = *MutableShape(mutant.program, ref);
  if (shape.IsStatic() || !sizes) return false;
  if (shape.IsRanked() && shape.rank() != sizes->size()) return false;
  const Shape known = Shape::OfSizes(*sizes);
  if (!shape.IsRanked() || tools.choices.Chance(1, 2)) {
    shape = known;
    return true;
  }
  const size_t d = tools.choices.Below(shape.rank());
  const Dim before = std::exchange(shape.mutable_dims()[d], known[d]);
  return before != known[d];
}

// Makes one value's size in a dimension 1, or gives it the size that others have there.
bool OneAndMany(const MutationTools& tools, Case& mutant) {
  const std::vector<ValueRef> group = DrawGroup(tools, mutant.program);
  std::vector<ValueRef> leaves = group;
  std::erase_if(leaves, [](ValueRef ref) { return ref.kind == Kind::kOp; });
  if (leaves.empty()) return false;
  const ValueRef leaf = leaves[tools.choices.Below(leaves.size())];
  const size_t rank = MaxRank(mutant, leaf);
  if (rank == 0) return false;
  const Position position = tools.choices.Below(rank);
  const std::vector<int64_t> own = SizesAt(mutant, {leaf}, position);
  if (own.empty()) return false;
  const int64_t from = own[tools.choices.Below(own.size())];
  std::vector<int64_t> others = SizesAt(mutant, group, position);
  std::erase(others, 1);
  const int64_t drawn = others.empty() ? DrawSize(tools.choices, 8) : others[tools.choices.Below(others.size())];
  const int64_t to = from == 1 ? drawn : 1;
  if (from == to || from == 0) return false;
  if (Shape* shape = MutableShape(mutant.program, leaf); shape != nullptr && shape->IsRanked()) {
    Dim& dim = shape->mutable_dims()[shape->rank() - 1 - position];
    if (dim.Is(from)) dim = Dim::Static(to);
  }
  EditTensors(mutant, leaf, [&](Tensor& tensor) {
    const size_t own_rank = tensor.sizes().size();
    if (position >= own_rank || tensor.sizes()[own_rank - 1 - position] != from) return;
    if (static_cast<int64_t>(tensor.element_count()) * to > tools.options.max_elements) return;
    tensor = Resized(tensor, own_rank - 1 - position, to);
  });
  return true;
}

// A leading dimension of 1 for all values of a group.
bool RaiseRank(const MutationTools& tools, Case& mutant) {
  constexpr size_t kMostRank = 8;
  const std::vector<ValueRef> group = DrawGroup(tools, mutant.program);
  const auto is_high = [&](ValueRef ref) { return MaxRank(mutant, ref) >= kMostRank; };
  if (absl::c_any_of(group, is_high)) return false;
  const bool dynamic = tools.choices.Chance(1, 3);
  for (const ValueRef ref : group) {
    Shape* shape = MutableShape(mutant.program, ref);
    if (shape != nullptr && shape->IsRanked()) {
      std::vector<Dim>& dims = shape->mutable_dims();
      dims.insert(dims.begin(), dynamic ? Dim::Dynamic() : Dim::Static(1));
    }
    EditTensors(mutant, ref, [](Tensor& tensor) { tensor = WithLeadingOne(tensor); });
  }
  return true;
}

bool LowerRank(const MutationTools& tools, Case& mutant) {
  const std::vector<ValueRef> group = DrawGroup(tools, mutant.program);
  size_t rank = 0;
  for (const ValueRef ref : group) rank = std::max(rank, MaxRank(mutant, ref));
  if (rank == 0) return false;
  const Position position = tools.choices.Below(rank);
  for (const ValueRef ref : group) RemoveDim(mutant, ref, position, Keep::kFirst);
  return true;
}

}  // namespace tosaic
