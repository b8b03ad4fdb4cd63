// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws chains of any two ops.
#ifndef TOSAIC_GENERATORS_PAIRS_H_
#define TOSAIC_GENERATORS_PAIRS_H_

#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "generators/program_builder.h"

namespace tosaic {

// Builds one op on the result of another, as its first operand or any other, on types that both take. All pairs of ops
// are equally likely. The other operands are the first value again, a constant, or another value. False, without
// building anything, if the options allow no such pair.
bool Pair(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_PAIRS_H_
