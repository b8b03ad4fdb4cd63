// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes, and the operands that act as attributes: mul's shift and negate's zero points.
#ifndef TOSAIC_GENERATORS_ATTRIBUTES_H_
#define TOSAIC_GENERATORS_ATTRIBUTES_H_

#include "generators/choice_source.h"
#include "model/program.h"

namespace tosaic {

// Draws legal values for the attributes that the op's row lists, sizes apart: bounds of the inputs' element type in
// order and no NaN.
Attributes DrawAttributes(ChoiceSource& choices, const OpInfo& op, ElementType input);

// Draws mul's shift, a tensor<1xi8>: 0 unless the inputs are i32. `any_value`: any i8, defined or not.
Tensor DrawShift(ChoiceSource& choices, ElementType input, bool any_value);

// Draws a zero point of shape [1]: 0 unless the inputs are i8; for i8 it is 0 half of the time.
Tensor DrawZeroPoint(ChoiceSource& choices, ElementType input);

// Whether an operand with this role is such an operand.
inline bool IsSpecial(OperandRole role) { return role == OperandRole::kShift || role == OperandRole::kZeroPoint; }

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_ATTRIBUTES_H_
