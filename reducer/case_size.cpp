// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reducer/case_size.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "absl/algorithm/container.h"
#include "model/pass_sequence.h"
#include "reducer/element_simplification.h"
#include "reducer/shape_edits.h"

namespace tosaic {
namespace {

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

class Measure {
 public:
  void Add(SizeField field, uint64_t amount) {
    uint64_t& sum = size_[static_cast<size_t>(field)];
    sum = amount > kMost - sum ? kMost : sum + amount;
  }

  void AddTensor(const Tensor& tensor, uint64_t (&cost)(ElementType, uint64_t) = ElementCost) {
    Add(SizeField::kRank, tensor.sizes().size());
    for (int64_t size : tensor.sizes()) Add(SizeField::kSizes, SizeCost(size));
    for (size_t i = 0; i < tensor.element_count(); ++i) {
      Add(SizeField::kData, cost(tensor.element_type(), tensor.RawBits(i)));
    }
  }

  void AddShape(const Shape& shape) {
    if (!shape.IsRanked()) return Add(SizeField::kUnranked, 1);
    Add(SizeField::kRank, shape.rank());
    for (Dim dim : shape.dims()) {
      if (dim.IsDynamic()) {
        Add(SizeField::kDynamic, 1);
      } else {
        Add(SizeField::kSizes, SizeCost(dim.size()));
      }
    }
  }

  void AddOp(const OpApplication& op) {
    const OpInfo& info = Info(op.op);
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const bool is_constant = op.operands[i].kind == ValueRef::Kind::kConstant;
      const bool should_be = i >= BroadcastOperandCount(info);
      if (is_constant != should_be) Add(SizeField::kMisplaced, 1);
    }
    AddShape(op.result);
    AddAttributes(op.attributes);
  }

  const CaseSize& size() const { return size_; }

 private:
  void AddShape(const TensorType& type) { AddShape(type.shape); }

  void AddAttributes(const Attributes& attributes) {
    ForEachValue(attributes,
                 ByKind{[&](const AttributeInfo&, const TypedBits& number) {
                          Add(SizeField::kData, ElementCost(number.type, number.bits));
                        },
                        [&](const AttributeInfo&, const bool& value) { Add(SizeField::kAttributes, value); },
                        [&]<NamedEnum E>(const AttributeInfo&, const E& value) {
                          Add(SizeField::kAttributes, static_cast<uint64_t>(value) + 1);
                        },
                        [](const AttributeInfo&, const std::vector<int64_t>&) {}});
  }

  CaseSize size_ = {};
};

// How often the ranked shapes contradict each other: ranks below the largest, further static sizes that are not 1.
uint64_t ConflictsAmong(const std::vector<Shape>& shapes) {
  size_t rank = 0;
  for (const Shape& shape : shapes) rank = std::max(rank, shape.IsRanked() ? shape.rank() : 0);
  uint64_t conflicts = 0;
  std::vector<std::set<int64_t>> sizes(rank);
  for (const Shape& shape : shapes) {
    if (!shape.IsRanked()) continue;
    conflicts += rank - shape.rank();
    for (size_t i = 0; i < shape.rank(); ++i) {
      if (shape[i].IsStatic() && !shape[i].Is(1)) sizes[rank - shape.rank() + i].insert(shape[i].size());
    }
  }
  for (const std::set<int64_t>& at : sizes) conflicts += at.empty() ? 0 : at.size() - 1;
  return conflicts;
}

// The same for an op, between its operands and between their broadcast and its result.
uint64_t ConflictsOf(const std::vector<Shape>& operands, const Shape& result) {
  const Shape exact = LooseBroadcast(operands);
  uint64_t conflicts = ConflictsAmong(operands);
  if (!exact.IsRanked() || !result.IsRanked()) return conflicts;
  if (exact.rank() != result.rank()) {
    return conflicts + std::max(exact.rank(), result.rank()) - std::min(exact.rank(), result.rank());
  }
  for (size_t i = 0; i < exact.rank(); ++i) {
    if (exact[i].IsStatic() && result[i].IsStatic() && exact[i] != result[i]) ++conflicts;
  }
  return conflicts;
}

// The sum over all ops, for declared types and for every run.
uint64_t Conflicts(const Case& test_case) {
  uint64_t conflicts = 0;
  for (const OpApplication& op : test_case.program.ops) {
    const size_t count = BroadcastOperandCount(Info(op.op));
    std::vector<Shape> declared;
    for (size_t i = 0; i < count; ++i) declared.push_back(TypeOf(test_case.program, op.operands[i]).shape);
    conflicts += ConflictsOf(declared, op.result.shape);
    for (const Run& run : test_case.runs) {
      std::vector<Shape> actual;
      for (size_t i = 0; i < count; ++i) {
        const std::optional<std::vector<int64_t>> sizes = SizesInRun(test_case, &run, op.operands[i]);
        actual.push_back(sizes ? Shape::OfSizes(*sizes) : Shape::Unranked());
      }
      conflicts += ConflictsOf(actual, op.result.shape);
    }
  }
  return conflicts;
}

}  // namespace

uint64_t ConstantCost(ElementType type, uint64_t bits) {
  const std::optional<uint64_t> ordinary = OrdinaryBits(type);
  if (!ordinary) return ElementCost(type, bits);
  return bits == *ordinary ? 0 : ElementCost(type, bits) + 1;
}

bool OnlyBroadcasts(const Program& program, size_t constant) {
  return absl::c_none_of(program.ops, [&](const OpApplication& op) {
    const auto parameters = op.operands.begin() + static_cast<std::ptrdiff_t>(BroadcastOperandCount(Info(op.op)));
    return std::any_of(parameters, op.operands.end(), [&](ValueRef operand) {
      return operand.kind == ValueRef::Kind::kConstant && static_cast<size_t>(operand.index) == constant;
    });
  });
}

uint64_t TypeCost(ElementType type) { return static_cast<uint64_t>(Info(type).cost); }

uint64_t SizeCost(int64_t size) { return size == 0 ? uint64_t{1} << 32 : static_cast<uint64_t>(size - 1); }

CaseSize SizeOf(const Case& test_case) {
  const Program& program = test_case.program;
  Measure measure;
  if (const absl::StatusOr<PassSequence> passes = ParseSequence(test_case.route); passes.ok()) {
    measure.Add(SizeField::kPasses, passes->size());
  }
  measure.Add(SizeField::kOps, program.ops.size());
  measure.Add(SizeField::kResults, program.results.size());
  measure.Add(SizeField::kValues, program.arguments.size() + program.constants.size());
  measure.Add(SizeField::kRuns, test_case.runs.size());
  measure.Add(SizeField::kConflicts, Conflicts(test_case));
  const std::vector<ValueRef> shifts = ShiftValues(program);
  for (const ValueRef ref : AllValues(program)) {
    const bool is_shift = std::find(shifts.begin(), shifts.end(), ref) != shifts.end();
    if (!is_shift) measure.Add(SizeField::kTypes, TypeCost(ElementTypeOf(program, ref)));
  }
  for (const TensorType& type : program.arguments) measure.AddShape(type.shape);
  for (size_t i = 0; i < program.constants.size(); ++i) {
    measure.AddTensor(program.constants[i], OnlyBroadcasts(program, i) ? ConstantCost : ElementCost);
  }
  for (const OpApplication& op : program.ops) measure.AddOp(op);
  for (const Run& run : test_case.runs) {
    for (const Tensor& tensor : run) measure.AddTensor(tensor);
  }
  return measure.size();
}

}  // namespace tosaic
