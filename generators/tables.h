// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables for the op `table`.
#ifndef TOSAIC_GENERATORS_TABLES_H_
#define TOSAIC_GENERATORS_TABLES_H_

#include "generators/choice_source.h"
#include "model/tensor.h"

namespace tosaic {

// Draws as many entries as inputs of the type look up: a line, the limits in turns, or any. Entries of i16 beside each
// other differ by no more than an i16, so that what lies between them is defined; with `any_step` they may.
Tensor DrawTable(ChoiceSource& choices, ElementType input, bool any_step);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_TABLES_H_
