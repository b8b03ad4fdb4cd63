// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws one op twice.
#ifndef TOSAIC_GENERATORS_SIBLINGS_H_
#define TOSAIC_GENERATORS_SIBLINGS_H_

#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "generators/program_builder.h"

namespace tosaic {

// Builds one op twice on the same operands, in the other order or with other attributes; or two casts of one value. A
// pass merges them by mistake if it does not compare all parts of the ops. False, without building anything, if the
// options allow no such op.
bool Siblings(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_SIBLINGS_H_
