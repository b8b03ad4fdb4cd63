// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws chains of any two ops.
#ifndef TOSAIC_GENERATORS_PAIRS_H_
#define TOSAIC_GENERATORS_PAIRS_H_

#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "generators/program_builder.h"

namespace tosaic {

// Builds one op behind another, of its first operand or of any, on types that both take: each two ops are as likely as
// any other two. The other operands are the first value again, a constant, or a value of their own. False if the
// options allow no two such ops: then nothing was built.
bool Pair(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_PAIRS_H_
