// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ShapeClass: how the declared types of an op's operands relate to each other. Each class is one tile of the mosaic.
#ifndef TOSAIC_MODEL_SHAPE_CLASS_H_
#define TOSAIC_MODEL_SHAPE_CLASS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "codec/names.h"
#include "model/program.h"
#include "model/shape.h"

namespace tosaic {

enum class ShapeClass : uint8_t {
  kRank0,            // all of rank 0
  kStaticEqual,      // all static, and equal
  kStaticBroadcast,  // all static, not equal
  kDynamic,          // every dimension of every operand is dynamic
  kMixed,            // some dimensions are dynamic in all operands, the others static in all
  kDynamicStatic,    // some dimension is dynamic in one operand and static in another
  kUnranked,         // an operand or the result is unranked
  kSeveralOps,       // of a program, whose ops may be of different classes
};
EnumNames NamesOf(ShapeClass shape_class);  // "static-broadcast"

// The class of the operands that broadcast. Operands of different rank, which are illegal, are classified by their
// innermost dimensions.
// REQUIRES: at least one operand.
ShapeClass ClassOf(absl::Span<const Shape> operands, const Shape& result);
ShapeClass ClassOf(const Program& program, const OpApplication& op);

// Whether an op with this many broadcasting operands can be of the class: a single operand cannot differ from itself.
bool IsPossible(ShapeClass shape_class, size_t broadcast_operands);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SHAPE_CLASS_H_
