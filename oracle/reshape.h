// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape rules of RESHAPE (tosa-semantics.md, "Reshape"): a new shape has as many elements as the input. The rules
// say which sizes are legal, what is inferred, and which sizes a run has. The elements stay in row-major order.
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

// The new shape. Its -1 is the number of elements that are left if the operand is static, and unknown otherwise.
Shape InferReshape(absl::Span<const int64_t> new_shape, const Shape& operand);

// Whether a result's type has as many dimensions as the new shape, and the sizes that this states, as far as it says.
bool FitsNewShape(const Shape& declared, absl::Span<const int64_t> new_shape);

// Whether a run with these types can have the same number of elements before and after.
bool IsReshapable(absl::Span<const int64_t> new_shape, const Shape& operand, const Shape& result);

// Whether an op is a reshape whose new shape has a -1, which the specification does not know.
bool LeavesASizeOpen(const OpApplication& op);

// The result's sizes in a run. Undefined (runtime.reshape.elements) if the numbers of elements differ.
RuntimeShape ReshapedSizes(absl::Span<const int64_t> new_shape, const std::vector<int64_t>& operand,
                           const Shape& declared_result);

// The inferred shape for an op of any kind: InferResultShape's, or the reshape's.
ShapeInference InferShapeOf(const OpApplication& op, absl::Span<const Shape* const> operands);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_RESHAPE_H_
