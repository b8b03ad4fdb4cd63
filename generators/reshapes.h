// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts reshapes into a program that does not need them, as front ends do to make ranks equal, and as folders move them.
#ifndef TOSAIC_GENERATORS_RESHAPES_H_
#define TOSAIC_GENERATORS_RESHAPES_H_

#include "generators/choice_source.h"
#include "model/program.h"

namespace tosaic {

// Gives an argument another rank and a reshape back, puts a use of a value between two reshapes, reshapes a result of
// the program, or lets an op compute in another shape, between reshapes. The values stay, so the runs' data does. False
// if no value's shape allows this.
bool PutReshape(ChoiceSource& choices, Case& generated);

// Lets the types of a reshape say no sizes, where it is drawn: its result, and an argument that it takes. The new shape
// still states them, so equal types are no longer equal sizes.
void HideReshapedSizes(ChoiceSource& choices, Program& program);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_RESHAPES_H_
