// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What front ends do to make ranks equal: an operand of another rank gets its shape from a reshape before the op.
#ifndef TOSAIC_GENERATORS_RESHAPES_H_
#define TOSAIC_GENERATORS_RESHAPES_H_

#include "generators/choice_source.h"
#include "model/program.h"

namespace tosaic {

// Gives an argument another rank, and a reshape back to the shape that the program uses; the runs get its sizes. Its
// dimensions of 1 go, or all become one. False: there is no argument of which sizes can be told so.
bool PutReshape(ChoiceSource& choices, Case& generated);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_RESHAPES_H_
