// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/lowered_copies.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "oracle/lowering_prediction.h"

namespace tosaic {
namespace {

using Kind = LoweredValue::Kind;

const LoweredValue& ValueOf(const LoweredIr& ir, int v) { return ir.values[static_cast<size_t>(v)]; }

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
  const LoweredValue& collapse = ValueOf(ir, copy.of);
  const int collapsed = collapse.operands[0];
  const Shape& shape = ValueOf(ir, collapsed).type->shape;
  LoweredCopy result{.of = collapsed, .map = IndexingMap(shape.rank(), kZeroIndex)};
  for (size_t g = 0; g < collapse.groups.size(); ++g) {
    const int kept = KeptOf(collapse.groups[g], shape, copy.map[g]);
    if (kept < 0) return std::nullopt;
    result.map[static_cast<size_t>(kept)] = copy.map[g];
  }
  if (ValueOf(ir, collapsed).kind != Kind::kCast) return result;
  result.of = ValueOf(ir, collapsed).operands[0];
  const Shape& before = ValueOf(ir, result.of).type->shape;
  for (size_t d = 0; d < shape.rank(); ++d) {
    const bool is_dropped = result.map[d] == kZeroIndex && shape[d].Is(1);
    if (!before.IsRanked() || (before[d] != shape[d] && !is_dropped)) return std::nullopt;
  }
  return result;
}

}  // namespace

std::optional<LoweredCopy> CopyOf(const LoweredIr& ir, const LoweredValue& value) {
  if (value.kind != Kind::kGeneric || value.generic->inputs != 1) return std::nullopt;
  const Payload& payload = value.generic->payload;
  if (!payload.ops.empty() || !payload.captures.empty() || payload.reads_output) return std::nullopt;
  const LoweredCopy copy{.of = value.operands[0], .map = value.generic->maps[0]};
  return ValueOf(ir, copy.of).kind == Kind::kCollapseShape ? BeforeCollapse(ir, copy) : copy;
}

}  // namespace tosaic
