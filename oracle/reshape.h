// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape rules of RESHAPE (tosa-semantics.md, "Reshape"): a new shape has as many elements as the input. Which sizes
// are legal, what is inferred, and what a run makes. The elements stay in their row-major order.
#ifndef TOSAIC_ORACLE_RESHAPE_H_
#define TOSAIC_ORACLE_RESHAPE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "model/program.h"
#include "model/shape.h"
#include "oracle/broadcast.h"
#include "oracle/result_shape.h"

namespace tosaic {

// The new shape, its -1 being what is left of a static operand's elements, and unknown of another's.
Shape InferReshape(absl::Span<const int64_t> new_shape, const Shape& operand);

// Whether some run of these types has as many elements before as after.
bool IsReshapable(absl::Span<const int64_t> new_shape, const Shape& operand, const Shape& result);

// The result's sizes in a run. Undefined (runtime.reshape.elements) if the numbers of elements differ.
RuntimeShape ReshapedSizes(absl::Span<const int64_t> new_shape, const std::vector<int64_t>& operand,
                           const Shape& declared_result);

// What is inferred of an op of any kind: InferResultShape, or that of a reshape.
ShapeInference InferShapeOf(const OpApplication& op, absl::Span<const Shape* const> operands);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_RESHAPE_H_
