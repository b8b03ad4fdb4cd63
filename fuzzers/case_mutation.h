// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Case files as a fuzzer's inputs: libFuzzer's custom mutator and crossover, which use the table of mutation/.
#ifndef TOSAIC_FUZZERS_CASE_MUTATION_H_
#define TOSAIC_FUZZERS_CASE_MUTATION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "generators/generator_options.h"
#include "model/program.h"

namespace tosaic {

// The case in a file if a target can take it: it is well formed, within the limits of checks, and on an existing route;
// and it has no shift or zero point at run time, which makes MLIR 22 overwrite its own memory, and so the target's, and
// no reshape of an unranked tensor, for which MLIR takes all the memory and time that there is. None otherwise.
std::optional<Case> CaseInInput(absl::string_view input);

// A mutant of the case in the input, combined with the case of `other` if there is one and they can be joined; a
// generated case if the input has none. The same seed and inputs give the same file. It has at most `most` bytes, or is
// empty.
std::string MutatedInput(absl::string_view input, absl::string_view other, uint64_t seed,
                         const GeneratorOptions& options, size_t most);

}  // namespace tosaic

#endif  // TOSAIC_FUZZERS_CASE_MUTATION_H_
