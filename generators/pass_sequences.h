// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws pass sequences (model/pass_sequence.h): in any order within a stage, and each pass at a stage whose IR it can
// change.
#ifndef TOSAIC_GENERATORS_PASS_SEQUENCES_H_
#define TOSAIC_GENERATORS_PASS_SEQUENCES_H_

#include <string>

#include "generators/choice_source.h"
#include "model/pass_sequence.h"

namespace tosaic {

// The route, with one to eight passes if it is kSequenceRoute without a list.
std::string WithDrawnPasses(ChoiceSource& choices, std::string route);

// Adds one more pass at its stage. It does not draw a pass for loops of a kind that the stage lacks.
void AddDrawnPass(ChoiceSource& choices, PassSequence& sequence);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_PASS_SEQUENCES_H_
