// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/lowered_sizes.h"

#include <cstddef>
#include <iterator>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "oracle/lowered_copies.h"
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
