// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/lowered_sizes.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "oracle/result_shape.h"

namespace tosaic {
namespace {

using Kind = LoweredValue::Kind;

const LoweredValue& At(const LoweredIr& ir, int v) { return ir.values[static_cast<size_t>(v)]; }

}  // namespace

int BelowCast(const LoweredIr& ir, int value) {
  return At(ir, value).kind == Kind::kCast ? At(ir, value).operands[0] : value;
}

int ConditionDim(const LoweredIr& ir, const LoweredValue& conditional) {
  const LoweredValue& condition = At(ir, conditional.operands[0]);
  if (condition.kind != Kind::kEqual) return -1;
  for (const auto& [left, right] : {std::pair(0, 1), std::pair(1, 0)}) {
    const LoweredValue& dim = At(ir, condition.operands[static_cast<size_t>(left)]);
    const LoweredValue& one = At(ir, condition.operands[static_cast<size_t>(right)]);
    if (dim.kind != Kind::kDim || one.kind != Kind::kIndex || one.number != 1) continue;
    if (dim.operands[0] != conditional.operands[2] || At(ir, dim.operands[1]).kind != Kind::kIndex) continue;
    return static_cast<int>(At(ir, dim.operands[1]).number);
  }
  return -1;
}

LargestOf LargestOfSize(const LoweredIr& ir, int v) {
  const LoweredValue& value = At(ir, v);
  if (value.kind == Kind::kDim && At(ir, value.operands[1]).kind == Kind::kIndex) {
    return {{value.operands[0], At(ir, value.operands[1]).number}};
  }
  if (value.kind != Kind::kMax) return {};
  LargestOf left = LargestOfSize(ir, value.operands[0]), right = LargestOfSize(ir, value.operands[1]);
  if (left.empty() || right.empty()) return {};
  left.merge(right);
  return left;
}

std::string Describe(const LoweredIr& ir, const LargestOf& dims) {
  if (dims.empty()) return "a size made otherwise";
  return absl::StrCat("the largest of ", absl::StrJoin(dims, ", ", [&](std::string* out, const DimOf& dim) {
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
