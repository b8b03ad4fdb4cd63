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

// Draws an operand that acts as an attribute, of shape [1]. mul's shift: 0 unless the inputs are i32; `any_shift`: any
// i8, defined or not. A zero point: 0 unless the inputs are i8; for i8 it is 0 half of the time.
// REQUIRES: IsSpecial(role).
Tensor DrawSpecial(ChoiceSource& choices, OperandRole role, ElementType input, bool any_shift = false);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_ATTRIBUTES_H_
