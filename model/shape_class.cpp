// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/shape_class.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/signature.h"

namespace tosaic {

EnumNames NamesOf(ShapeClass) {
  static constexpr absl::string_view kNames[] = {"rank-0", "static-equal",   "static-broadcast", "dynamic",
                                                 "mixed",  "dynamic-static", "unranked",         kSeveralOps};
  return NamesFor<ShapeClass>(kNames, "a class of shapes");
}

ShapeClass ClassOf(absl::Span<const Shape> operands, const Shape& result) {
  size_t rank = 0;
  for (const Shape& shape : operands) {
    if (!shape.IsRanked()) return ShapeClass::kUnranked;
    rank = std::max(rank, shape.rank());
  }
  if (!result.IsRanked()) return ShapeClass::kUnranked;
  if (rank == 0) return ShapeClass::kRank0;
  bool any_dynamic = false, any_static = false;
  for (size_t d = 0; d < rank; ++d) {
    bool is_dynamic = false, is_static = false;
    for (const Shape& shape : operands) {
      if (d >= shape.rank()) continue;
      (shape[shape.rank() - 1 - d].IsDynamic() ? is_dynamic : is_static) = true;
    }
    if (is_dynamic && is_static) return ShapeClass::kDynamicStatic;
    any_dynamic |= is_dynamic;
    any_static |= is_static;
  }
  if (any_dynamic) return any_static ? ShapeClass::kMixed : ShapeClass::kDynamic;
  const bool equal = std::all_of(operands.begin(), operands.end(), [&](const Shape& s) { return s == operands[0]; });
  return equal ? ShapeClass::kStaticEqual : ShapeClass::kStaticBroadcast;
}

ShapeClass ClassOf(const Program& program, const OpApplication& op) {
  std::vector<Shape> operands;
  for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
    operands.push_back(TypeOf(program, op.operands[k]).shape);
  }
  return ClassOf(operands, op.result.shape);
}

bool IsPossible(ShapeClass shape_class, size_t broadcast_operands) {
  if (shape_class == ShapeClass::kStaticBroadcast || shape_class == ShapeClass::kDynamicStatic) {
    return broadcast_operands > 1;
  }
  return shape_class != ShapeClass::kSeveralOps;
}

}  // namespace tosaic
