// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways in which the element types and the special operands of a legal one-op program become illegal: rows of
// illegality.cpp name them.
#ifndef TOSAIC_GENERATORS_ILLEGAL_OPERANDS_H_
#define TOSAIC_GENERATORS_ILLEGAL_OPERANDS_H_

#include "generators/choice_source.h"
#include "model/program.h"

namespace tosaic {

inline constexpr ElementType kCommonTypes[] = {ElementType::kI1,  ElementType::kI8,  ElementType::kI16,
                                               ElementType::kI32, ElementType::kF16, ElementType::kBF16,
                                               ElementType::kF32};
// Draws a common type other than `type`.
ElementType DrawOther(ChoiceSource& choices, ElementType type);

// An operand with the role gets another common element type.
void MistypeOperand(ChoiceSource& choices, Program& program, OperandRole role);
// A special operand with the role gets a shape that no operand of its access rule has.
void MisshapeOperand(ChoiceSource& choices, Program& program, OperandRole role);

// An input of rank 0, which has no last dimension. Multiplier and shift have one element, as for a single channel.
void ScaleChannelsOfScalar(ChoiceSource& choices, Program& program);
// A zero point that must be 0, and is not.
void SetZeroPoint(ChoiceSource& choices, Program& program, OperandRole role);
// mul's shift: outside 0..63, or not 0 where it must be.
void SetShift(ChoiceSource& choices, Program& program);

// Illegal for tosa-validate.
void MoveSpecialToRunTime(ChoiceSource& choices, Program& program);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_ILLEGAL_OPERANDS_H_
