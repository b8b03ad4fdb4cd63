// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does what front ends do to make ranks equal: an operand of another rank gets its shape from a reshape before the op.
#ifndef TOSAIC_GENERATORS_RESHAPES_H_
#define TOSAIC_GENERATORS_RESHAPES_H_

#include "generators/choice_source.h"
#include "model/program.h"

namespace tosaic {

// Gives an argument another rank, and adds a reshape back to the shape that the program uses; the runs get its new
// sizes. Its dimensions of 1 are dropped, or all dimensions are merged. False if no argument's sizes allow this.
bool PutReshape(ChoiceSource& choices, Case& generated);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_RESHAPES_H_
