// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of block-scaled types (the draft of 1.1, model/element_type.def): chains of cast, identity and reshape, of
// static types whose last dimension has whole blocks; and the rules that such a type can break.
#ifndef TOSAIC_GENERATORS_BLOCKS_H_
#define TOSAIC_GENERATORS_BLOCKS_H_

#include "absl/types/span.h"
#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "generators/illegality.h"
#include "model/program.h"

namespace tosaic {

// Whether the options have block-scaled types, and an op and room for them.
bool DrawsBlocks(const GeneratorOptions& options);

// A legal program with runs; or, in options.illegal_percent of the cases, one of one op without runs that breaks a
// rule: of BlockIllegalities(), or one that ops of other types have, too, with `for_validator` of the validator's. Its
// `origin` is "intent=block-scaled", then "/" and the name of the illegality. REQUIRES: DrawsBlocks(options).
Case GenerateBlocks(ChoiceSource& choices, const GeneratorOptions& options, bool for_validator);

// The rules that only ops with a block-scaled type can break.
absl::Span<const Illegality> BlockIllegalities();

// Whether the last dimension of each block-scaled value is a multiple of kBlockSize as far as its type says.
bool HasWholeBlocks(const Program& program);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_BLOCKS_H_
