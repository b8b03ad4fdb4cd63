// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways in which the shapes of a legal one-op program become illegal: rows of illegality.cpp name them.
#ifndef TOSAIC_GENERATORS_ILLEGAL_SHAPES_H_
#define TOSAIC_GENERATORS_ILLEGAL_SHAPES_H_

#include "generators/choice_source.h"
#include "model/program.h"

namespace tosaic {

// Illegal for the op's verifier.
void MismatchOperandRank(ChoiceSource& choices, Program& program);
// An operand without the leading dimension, which is legal by the trait's rank expansion but not in TOSA.
void NeedRankExpansion(ChoiceSource& choices, Program& program);
void MismatchResultRank(ChoiceSource& choices, Program& program);
void ConflictSizes(ChoiceSource& choices, Program& program);
void WrongResultSize(ChoiceSource& choices, Program& program);
void BroadcastResult(ChoiceSource& choices, Program& program);
void ZeroSize(ChoiceSource& choices, Program& program);
void ZeroResultSize(ChoiceSource& choices, Program& program);
// A new shape that no number of elements has, another number of elements than the operand's, or another result than the
// new shape's.
void BreakNewShape(ChoiceSource& choices, Program& program);

// Illegal for tosa-validate. The result, and sometimes an operand as well: otherwise the others may not imply a ranked
// result.
void Unrank(ChoiceSource& choices, Program& program);
void MakeDynamic(ChoiceSource& choices, Program& program);
void ExceedRank(ChoiceSource& choices, Program& program);
// 2^31 bytes or more, of any element type.
void ExceedSize(ChoiceSource& choices, Program& program);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_ILLEGAL_SHAPES_H_
