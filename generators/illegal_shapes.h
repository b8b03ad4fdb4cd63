// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways in which the shapes of a legal one-op program become illegal: rows of illegality.cpp name them.
#ifndef TOSAIC_GENERATORS_ILLEGAL_SHAPES_H_
#define TOSAIC_GENERATORS_ILLEGAL_SHAPES_H_

#include "generators/choice_source.h"
#include "model/program.h"

namespace tosaic {

// To the op's verifier.
void MismatchOperandRank(ChoiceSource& choices, Program& program);
// What the trait's rank expansion makes legal, and TOSA does not allow: an operand without the leading dimension.
void NeedRankExpansion(ChoiceSource& choices, Program& program);
void MismatchResultRank(ChoiceSource& choices, Program& program);
void ConflictSizes(ChoiceSource& choices, Program& program);
void WrongResultSize(ChoiceSource& choices, Program& program);
void BroadcastResult(ChoiceSource& choices, Program& program);
void ZeroSize(ChoiceSource& choices, Program& program);
void ZeroResultSize(ChoiceSource& choices, Program& program);

// To tosa-validate.
// The result, and at times an operand: without it, the others may not make up a ranked result.
void Unrank(ChoiceSource& choices, Program& program);
void MakeDynamic(ChoiceSource& choices, Program& program);
void ExceedRank(ChoiceSource& choices, Program& program);
// 2^31 bytes or more, of any element type.
void ExceedSize(ChoiceSource& choices, Program& program);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_ILLEGAL_SHAPES_H_
