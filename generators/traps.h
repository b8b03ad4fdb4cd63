// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs around constants that trap or are undefined: a divisor of 0, the least integer divided by -1, shift amounts
// out of range. Their elements are undefined, but a folder must not crash on them or leave illegal IR.
#ifndef TOSAIC_GENERATORS_TRAPS_H_
#define TOSAIC_GENERATORS_TRAPS_H_

#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "generators/program_builder.h"

namespace tosaic {

// Builds such a program; false, without building anything, if the options have no op that can trap.
bool BuildTrap(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_TRAPS_H_
