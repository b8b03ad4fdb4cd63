// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reducer/shape_edits.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

// A tensor that grows (from size 0) stays below this.
constexpr int64_t kMaxElements = 1 << 16;

int64_t Product(const std::vector<int64_t>& sizes, size_t begin, size_t end) {
  return ElementCount({sizes.begin() + begin, sizes.begin() + end});
}

// Crops dimension `dim` to `size`, or fills it up with zeros.
Tensor Resized(const Tensor& tensor, size_t dim, int64_t size, Keep keep) {
  const int64_t old_size = tensor.sizes()[dim];
  std::vector<int64_t> sizes = tensor.sizes();
  sizes[dim] = size;
  if (size > old_size && ElementCount(sizes) > kMaxElements) return tensor;
  Tensor resized(tensor.element_type(), sizes);
  if (resized.element_count() == 0 || tensor.element_count() == 0) return resized;
  const int64_t outer = Product(sizes, 0, dim);
  const int64_t row = Product(sizes, dim + 1, sizes.size()) * StorageBytes(tensor.element_type());
  const int64_t kept = std::min(old_size, size);
  const int64_t first = keep == Keep::kLast ? old_size - kept : 0;
  for (int64_t i = 0; i < outer; ++i) {
    std::memcpy(resized.mutable_bytes().data() + i * size * row, tensor.bytes().data() + (i * old_size + first) * row,
                kept * row);
  }
  return resized;
}

Tensor WithoutDim(const Tensor& tensor, size_t dim, Keep keep) {
  const Tensor slice = Resized(tensor, dim, 1, keep);
  if (slice.sizes()[dim] != 1) return tensor;
  std::vector<int64_t> sizes = slice.sizes();
  sizes.erase(sizes.begin() + dim);
  Tensor lower(slice.element_type(), sizes);
  lower.mutable_bytes() = slice.bytes();
  return lower;
}

}  // namespace

std::vector<ValueRef> AllValues(const Program& program) {
  std::vector<ValueRef> values;
  auto add = [&](Kind kind, size_t count) {
    for (size_t i = 0; i < count; ++i) values.push_back({kind, static_cast<int>(i)});
  };
  add(Kind::kArgument, program.arguments.size());
  add(Kind::kConstant, program.constants.size());
  add(Kind::kOp, program.ops.size());
  return values;
}

std::vector<ValueRef> BroadcastValues(const Program& program) {
  std::vector<ValueRef> values = AllValues(program);
  auto only_special = [&](ValueRef ref) {
    bool special = false;
    for (const OpApplication& op : program.ops) {
      for (size_t i = 0; i < op.operands.size(); ++i) {
        if (op.operands[i] != ref) continue;
        if (i < BroadcastOperandCount(Info(op.op))) return false;
        special = true;
      }
    }
    return special;
  };
  values.erase(std::remove_if(values.begin(), values.end(), only_special), values.end());
  return values;
}

std::vector<std::vector<ValueRef>> BroadcastGroups(const Program& program) {
  std::vector<std::vector<ValueRef>> groups;
  for (const ValueRef ref : BroadcastValues(program)) groups.push_back({ref});
  auto group_of = [&](ValueRef ref) {
    return std::find_if(groups.begin(), groups.end(), [&](const std::vector<ValueRef>& group) {
      return std::find(group.begin(), group.end(), ref) != group.end();
    });
  };
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const OpApplication& op = program.ops[i];
    for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
      auto to = group_of({Kind::kOp, static_cast<int>(i)}), from = group_of(op.operands[k]);
      // A value that is only a shift or zero point is in no group.
      if (from == to || from == groups.end() || to == groups.end()) continue;
      to->insert(to->end(), from->begin(), from->end());
      groups.erase(from);
    }
  }
  return groups;
}

std::vector<ValueRef> ShiftValues(const Program& program) {
  std::vector<ValueRef> shifts;
  for (const OpApplication& op : program.ops) {
    const absl::Span<const OperandRole> roles = Info(op.op).operands;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      if (roles[i] == OperandRole::kShift) shifts.push_back(op.operands[i]);
    }
  }
  return shifts;
}

Shape* MutableShape(Program& program, ValueRef ref) {
  if (ref.kind == Kind::kArgument) return &program.arguments[ref.index].shape;
  return ref.kind == Kind::kOp ? &program.ops[ref.index].result.shape : nullptr;
}

size_t MaxRank(const Case& test_case, ValueRef ref) {
  const TensorType type = TypeOf(test_case.program, ref);
  size_t rank = type.shape.IsRanked() ? type.shape.rank() : 0;
  if (ref.kind != Kind::kArgument) return rank;
  for (const Run& run : test_case.runs) rank = std::max(rank, run[ref.index].sizes().size());
  return rank;
}

std::vector<int64_t> SizesAt(const Case& test_case, const std::vector<ValueRef>& values, Position position) {
  std::set<int64_t> found;
  auto add = [&](const Shape& shape) {
    if (!shape.IsRanked() || position >= shape.rank()) return;
    const Dim dim = shape[shape.rank() - 1 - position];
    if (dim.IsStatic()) found.insert(dim.size());
  };
  for (ValueRef ref : values) {
    add(TypeOf(test_case.program, ref).shape);
    if (ref.kind != Kind::kArgument) continue;
    for (const Run& run : test_case.runs) add(Shape::OfSizes(run[ref.index].sizes()));
  }
  return {found.begin(), found.end()};
}

void ResizeDim(Case& test_case, ValueRef ref, Position position, int64_t from, int64_t to, Keep keep) {
  Shape* shape = MutableShape(test_case.program, ref);
  if (shape != nullptr && shape->IsRanked() && position < shape->rank()) {
    Dim& dim = shape->mutable_dims()[shape->rank() - 1 - position];
    if (dim.Is(from)) dim = Dim::Static(to);
  }
  EditTensors(test_case, ref, [&](Tensor& tensor) {
    const size_t rank = tensor.sizes().size();
    if (position >= rank || tensor.sizes()[rank - 1 - position] != from) return;
    tensor = Resized(tensor, rank - 1 - position, to, keep);
  });
}

void RemoveDim(Case& test_case, ValueRef ref, Position position, Keep keep) {
  Shape* shape = MutableShape(test_case.program, ref);
  if (shape != nullptr && shape->IsRanked() && position < shape->rank()) {
    shape->mutable_dims().erase(shape->mutable_dims().end() - 1 - position);
  }
  EditTensors(test_case, ref, [&](Tensor& tensor) {
    const size_t rank = tensor.sizes().size();
    if (position < rank) tensor = WithoutDim(tensor, rank - 1 - position, keep);
  });
}

Shape LooseBroadcast(const std::vector<Shape>& shapes) {
  size_t rank = 0;
  for (const Shape& shape : shapes) {
    if (!shape.IsRanked()) return Shape::Unranked();
    rank = std::max(rank, shape.rank());
  }
  auto wins = [](Dim a, Dim b) {
    if (a.IsDynamic() || b.IsDynamic()) return a.IsDynamic() ? b.Is(1) : !a.Is(1);
    return b.Is(1) || (!a.Is(1) && a.size() > b.size());
  };
  std::vector<Dim> dims(rank, Dim::Static(1));
  for (const Shape& shape : shapes) {
    for (size_t i = 0; i < shape.rank(); ++i) {
      Dim& dim = dims[rank - shape.rank() + i];
      if (wins(shape[i], dim)) dim = shape[i];
    }
  }
  return Shape(std::move(dims));
}

std::optional<std::vector<int64_t>> SizesInRun(const Case& test_case, const Run* run, ValueRef ref) {
  if (ref.kind == Kind::kArgument && run != nullptr) return (*run)[ref.index].sizes();
  Shape shape = TypeOf(test_case.program, ref).shape;
  if (ref.kind == Kind::kOp && !shape.IsStatic()) {
    const OpApplication& op = test_case.program.ops[ref.index];
    std::vector<Shape> operands;
    for (size_t i = 0; i < BroadcastOperandCount(Info(op.op)); ++i) {
      const std::optional<std::vector<int64_t>> sizes = SizesInRun(test_case, run, op.operands[i]);
      if (!sizes) return std::nullopt;
      operands.push_back(Shape::OfSizes(*sizes));
    }
    shape = LooseBroadcast(operands);
  }
  if (!shape.IsStatic()) return std::nullopt;
  std::vector<int64_t> sizes;
  for (Dim dim : shape.dims()) sizes.push_back(dim.size());
  return sizes;
}

std::optional<std::vector<int64_t>> SizesInAllRuns(const Case& test_case, ValueRef ref) {
  if (test_case.runs.empty()) return SizesInRun(test_case, nullptr, ref);
  std::optional<std::vector<int64_t>> sizes = SizesInRun(test_case, &test_case.runs[0], ref);
  for (const Run& run : test_case.runs) {
    if (SizesInRun(test_case, &run, ref) != sizes) return std::nullopt;
  }
  return sizes;
}

}  // namespace tosaic
