// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws pass sequences (model/pass_sequence.h): in any order within a stage, passes where they find what they change.
#ifndef TOSAIC_GENERATORS_PASS_SEQUENCES_H_
#define TOSAIC_GENERATORS_PASS_SEQUENCES_H_

#include <string>

#include "generators/choice_source.h"
#include "model/pass_sequence.h"

namespace tosaic {

// The route, with one to eight passes if it is kSequenceRoute without a list.
std::string WithDrawnPasses(ChoiceSource& choices, std::string route);

// Puts one more pass where its stage is: one that stages without loops of its kind have no use for is not drawn.
void AddDrawnPass(ChoiceSource& choices, PassSequence& sequence);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_PASS_SEQUENCES_H_
