// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/run_sizes.h"

#include <optional>

namespace tosaic {
namespace {

// One dimension of the op, over all operands.
struct Column {
  std::optional<int64_t> forced;     // the result's size, where the types fix it
  bool has_static_provider = false;  // a static size above 1
  std::vector<size_t> dynamic;       // operands that are dynamic here
};

Dim OperandDim(const Shape& shape, size_t dim) { return shape.IsRanked() ? shape[dim] : Dim::Dynamic(); }

std::vector<Column> Columns(const ShapePlan& plan) {
  std::vector<Column> columns(plan.full.size());
  const std::optional<Shape> implied = ImpliedShape(plan.operands);
  for (size_t d = 0; d < columns.size(); ++d) {
    Column& column = columns[d];
    if (plan.result.IsRanked() && plan.result[d].IsStatic()) column.forced = plan.result[d].size();
    if (implied && (*implied)[d].IsStatic()) column.forced = (*implied)[d].size();
    for (size_t k = 0; k < plan.operands.size(); ++k) {
      const Dim dim = OperandDim(plan.operands[k], d);
      if (dim.IsDynamic()) {
        column.dynamic.push_back(k);
      } else if (!dim.Is(1)) {
        column.has_static_provider = true;
      }
    }
  }
  return columns;
}

// Whether an operand can be 1 at run time here against a larger size of another.
bool CanStretch(const Column& column) {
  if (column.forced && *column.forced == 1) return false;
  return column.has_static_provider ? !column.dynamic.empty() : column.dynamic.size() >= 2;
}

// The result's size per dimension. `stretched` gets at least 2 if the limits allow.
std::vector<int64_t> DrawResultSizes(ChoiceSource& choices, const std::vector<Column>& columns,
                                     std::optional<size_t> stretched, int64_t plan_limit, int64_t max_elements) {
  int64_t count = 1;
  for (const Column& column : columns) count *= column.forced.value_or(1);
  const bool is_large = plan_limit > kLargeElements && choices.Chance(1, 3);
  const int64_t limit = is_large ? plan_limit : DrawElementLimit(choices, max_elements);
  std::vector<int64_t> sizes;
  for (size_t d = 0; d < columns.size(); ++d) {
    int64_t size = columns[d].forced.value_or(1);
    if (!columns[d].forced) {
      size = DrawSize(choices, limit / count);
      if (stretched == d && size == 1 && count * 2 <= max_elements) size = 2;
      count *= size;
    }
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace

std::vector<std::vector<int64_t>> DrawRunSizes(ChoiceSource& choices, const ShapePlan& plan, int64_t max_elements) {
  const std::vector<Column> columns = Columns(plan);
  std::vector<size_t> stretchable;
  for (size_t d = 0; d < columns.size(); ++d) {
    if (CanStretch(columns[d])) stretchable.push_back(d);
  }
  // A quarter of the runs has equal sizes throughout; in the others at least one operand is stretched.
  std::optional<size_t> stretched;
  if (!stretchable.empty() && choices.Chance(3, 4)) stretched = stretchable[choices.Below(stretchable.size())];
  const std::vector<int64_t> result = DrawResultSizes(choices, columns, stretched, plan.element_limit, max_elements);

  std::vector<std::vector<int64_t>> operands(plan.operands.size(), std::vector<int64_t>(columns.size()));
  for (size_t d = 0; d < columns.size(); ++d) {
    const std::vector<size_t>& dynamic = columns[d].dynamic;
    for (size_t k = 0; k < operands.size(); ++k) {
      const Dim dim = OperandDim(plan.operands[k], d);
      operands[k][d] = dim.IsStatic() ? dim.size() : result[d];
    }
    if (!stretched || !CanStretch(columns[d])) continue;
    // One dynamic operand keeps the size, unless a static one gives it.
    const size_t start = choices.Below(dynamic.size());
    const size_t may_shrink = columns[d].has_static_provider ? dynamic.size() : dynamic.size() - 1;
    for (size_t i = 0; i < may_shrink; ++i) {
      const bool shrinks = (stretched == d && i == 0) || choices.Chance(2, 5);
      if (shrinks) operands[dynamic[(start + i) % dynamic.size()]][d] = 1;
    }
  }
  return operands;
}

std::optional<int64_t> SizeInAllRuns(const std::vector<std::vector<std::vector<int64_t>>>& runs, size_t op,
                                     size_t dim) {
  if (runs.empty()) return std::nullopt;
  const int64_t size = runs.front()[op][dim];
  for (const auto& sizes : runs) {
    if (sizes[op][dim] != size) return std::nullopt;
  }
  return size;
}

}  // namespace tosaic
