// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes, and the operands that act as attributes: mul's shift, zero points, tables, and the multipliers and shifts
// of rescale.
#ifndef TOSAIC_GENERATORS_ATTRIBUTES_H_
#define TOSAIC_GENERATORS_ATTRIBUTES_H_

#include <cstdint>

#include "generators/choice_source.h"
#include "generators/typed_op.h"
#include "model/program.h"

namespace tosaic {

// Draws legal values for the attributes that the op's row lists, sizes apart: bounds of the inputs' element type in
// order and no NaN, and of rescale what suits each other and the types.
Attributes DrawAttributes(ChoiceSource& choices, const TypedOp& op);

// RESCALE's ERROR_IFs on attributes: an i48 has no scale of 32 bits, and DOUBLE_ROUND has one; one side may be
// unsigned, and none beside an i32 or i48.
bool ScaleSuits(const Attributes& attributes, ElementType input);
bool SidesSuit(const Attributes& attributes, ElementType input, ElementType result);

// How many elements the parameters have that have one per channel: the last size of the input, if the attribute
// per_channel is set, else 1. Clears per_channel if the input's type does not say that size, or it is above 64.
int64_t SettleChannels(const Shape& input, Attributes* attributes);

// Draws an operand that acts as an attribute. mul's shift: 0 unless the inputs are i32; rescale's, with its multiplier:
// mostly as quantized networks have them. A zero point: 0 unless the type allows others, and else half of the time. A
// table: what may be interpolated. `channels`: of a role that has an element per channel. `any_value`: a shift, a
// multiplier or a table that may be undefined.
// REQUIRES: IsSpecial(role).
Tensor DrawSpecial(ChoiceSource& choices, OperandRole role, const TypedOp& op, const Attributes& attributes,
                   int64_t channels = 1, bool any_value = false);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_ATTRIBUTES_H_
