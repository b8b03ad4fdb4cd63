// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/lowered_sizes.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "oracle/lowering_prediction.h"
#include "oracle/result_shape.h"

namespace tosaic {
namespace {

using Kind = LoweredValue::Kind;

const LoweredValue& At(const LoweredIr& ir, int v) { return ir.values[static_cast<size_t>(v)]; }

int BelowCasts(const LoweredIr& ir, int value) {
  while (At(ir, value).kind == Kind::kCast) value = At(ir, value).operands[0];
  return value;
}

// Of the dimensions that become one, the one that is kept; -1 if more than one of them may be greater than 1. Where all
// are 1, any of them may be said to be kept: the one that the copy has at its own place, or else the first.
int KeptOf(const std::vector<int>& group, const Shape& shape, const MapResult& read) {
  int kept = -1;
  for (const int dim : group) {
    if (shape[static_cast<size_t>(dim)].Is(1)) continue;
    if (kept >= 0) return -1;
    kept = dim;
  }
  if (kept >= 0) return kept;
  const bool is_own = read.kind == MapResult::Kind::kLoop && std::count(group.begin(), group.end(), read.number) > 0;
  return is_own ? static_cast<int>(read.number) : group.front();
}

// The same copy, of the tensor before the tensor.collapse_shape that `copy` reads.
std::optional<LoweredCopy> BeforeCollapse(const LoweredIr& ir, const LoweredCopy& copy) {
  const LoweredValue& collapse = At(ir, copy.of);
  const int collapsed = collapse.operands[0];
  const Shape& shape = At(ir, collapsed).type->shape;
  LoweredCopy result{.of = collapsed, .map = IndexingMap(shape.rank(), kZeroIndex)};
  for (size_t g = 0; g < collapse.groups.size(); ++g) {
    const int kept = KeptOf(collapse.groups[g], shape, copy.map[g]);
    if (kept < 0) return std::nullopt;
    result.map[static_cast<size_t>(kept)] = copy.map[g];
  }
  if (At(ir, collapsed).kind != Kind::kCast) return result;
  result.of = At(ir, collapsed).operands[0];
  const Shape& before = At(ir, result.of).type->shape;
  for (size_t d = 0; d < shape.rank(); ++d) {
    const bool is_dropped = result.map[d] == kZeroIndex && shape[d].Is(1);
    if (!before.IsRanked() || (before[d] != shape[d] && !is_dropped)) return std::nullopt;
  }
  return result;
}

// The dimension that the then branch repeats, if the type below the casts says whether it is 1, and says so.
int FoldedConditionDim(const LoweredIr& ir, const LoweredValue& conditional, bool is_one) {
  const std::optional<LoweredCopy> copy = CopyOf(ir, At(ir, BelowCast(ir, conditional.operands[1])));
  if (!copy) return -1;
  for (size_t d = 0; d < copy->map.size(); ++d) {
    const DimOf size = SizeOf(ir, conditional.operands[2], d);
    if (copy->map[d] == kZeroIndex && size.first == kKnownSize)
      return (size.second == 1) == is_one ? static_cast<int>(d) : -1;
  }
  return -1;
}

}  // namespace

std::optional<LoweredCopy> CopyOf(const LoweredIr& ir, const LoweredValue& value) {
  if (value.kind != Kind::kGeneric || value.generic->inputs != 1) return std::nullopt;
  const Payload& payload = value.generic->payload;
  if (!payload.ops.empty() || !payload.captures.empty() || payload.reads_output) return std::nullopt;
  const LoweredCopy copy{.of = value.operands[0], .map = value.generic->maps[0]};
  return At(ir, copy.of).kind == Kind::kCollapseShape ? BeforeCollapse(ir, copy) : copy;
}

int BelowCast(const LoweredIr& ir, int value) {
  return At(ir, value).kind == Kind::kCast ? At(ir, value).operands[0] : value;
}

DimOf SizeOf(const LoweredIr& ir, int value, size_t dim) {
  value = BelowCasts(ir, value);
  const Shape& shape = At(ir, value).type->shape;
  const bool is_known = shape.IsRanked() && dim < shape.rank() && shape[dim].IsStatic();
  return is_known ? DimOf(kKnownSize, shape[dim].size()) : DimOf(value, static_cast<int64_t>(dim));
}

int ConditionDim(const LoweredIr& ir, const LoweredValue& conditional) {
  const LoweredValue& condition = At(ir, conditional.operands[0]);
  if (condition.kind == Kind::kIndex) return FoldedConditionDim(ir, conditional, condition.number != 0);
  if (condition.kind != Kind::kEqual) return -1;
  for (const auto& [left, right] : {std::pair(0, 1), std::pair(1, 0)}) {
    const LoweredValue& dim = At(ir, condition.operands[static_cast<size_t>(left)]);
    const LoweredValue& value = At(ir, condition.operands[static_cast<size_t>(right)]);
    if (dim.kind != Kind::kDim || value.kind != Kind::kIndex || value.number != 1) continue;
    if (BelowCasts(ir, dim.operands[0]) != BelowCasts(ir, conditional.operands[2])) continue;
    if (At(ir, dim.operands[1]).kind != Kind::kIndex) continue;
    return static_cast<int>(At(ir, dim.operands[1]).number);
  }
  return -1;
}

LargestOf Merged(LargestOf a, LargestOf b) {
  a.merge(b);
  // Numbers stand before dimensions, the largest last.
  while (a.size() > 1 && std::next(a.begin())->first == kKnownSize) a.erase(a.begin());
  return a;
}

LargestOf LargestOfSize(const LoweredIr& ir, int v) {
  const LoweredValue& value = At(ir, v);
  if (value.kind == Kind::kIndex) return {{kKnownSize, value.number}};
  if (value.kind == Kind::kDim && At(ir, value.operands[1]).kind == Kind::kIndex) {
    return {SizeOf(ir, value.operands[0], static_cast<size_t>(At(ir, value.operands[1]).number))};
  }
  if (value.kind != Kind::kMax) return {};
  LargestOf left = LargestOfSize(ir, value.operands[0]), right = LargestOfSize(ir, value.operands[1]);
  return left.empty() || right.empty() ? LargestOf() : Merged(std::move(left), std::move(right));
}

std::string Describe(const LoweredIr& ir, const LargestOf& dims) {
  if (dims.empty()) return "a size made otherwise";
  return absl::StrCat("the largest of ", absl::StrJoin(dims, ", ", [&](std::string* out, const DimOf& dim) {
                        if (dim.first == kKnownSize) return absl::StrAppend(out, dim.second);
                        absl::StrAppend(out, "dim ", dim.second, " of value ", dim.first, " (",
                                        Describe(At(ir, dim.first)), ")");
                      }));
}

std::vector<Breach> CheckSizesOfRuns(const Case& test_case, const LoweredIr& ir) {
  std::vector<Breach> breaches;
  for (size_t run = 0; run < test_case.runs.size(); ++run) {
    const auto expected = SizesOfAllOps(test_case.program, test_case.runs[run]);
    if (!expected) continue;
    const LoweredSizes actual = FollowSizes(ir, test_case.runs[run]);
    const std::string where = absl::StrCat("run ", run, ": ");
    for (const Breach& breach : actual.breaches) {
      breaches.push_back({breach.rule, breach.expected, where + breach.actual});
    }
    for (size_t i = 0; i < actual.returned.size(); ++i) {
      const ValueRef ref = test_case.program.results[i];
      if (ref.kind != ValueRef::Kind::kOp || !actual.returned[i]) continue;
      const std::vector<int64_t>& sizes = (*expected)[static_cast<size_t>(ref.index)];
      if (*actual.returned[i] == sizes) continue;
      breaches.push_back({RuleId::kContractExtent, SizesToString(sizes), where + SizesToString(*actual.returned[i])});
    }
  }
  return breaches;
}

}  // namespace tosaic
