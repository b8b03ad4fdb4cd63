// Choices -> Case: a program with one TOSA op, legal or with one named illegality, or with several, and its runs.
// Decides by the op's row of the catalogue only. Knows nothing of the oracle: what it believes about a case stands in
// `origin`, for people.
#ifndef TOSAIC_GENERATORS_GENERATOR_H_
#define TOSAIC_GENERATORS_GENERATOR_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "model/program.h"

namespace tosaic {

// Generates a case. Always passes CheckWellFormed; its `origin` is "intent=NAME", NAME one of AllIntents(); for chains
// and identities followed by which one: "intent=chain/clamp-clamp".
// Illegal cases have no runs. REQUIRES: CheckOptions(options).ok().
Case GenerateCase(ChoiceSource& choices, const GeneratorOptions& options);

// Generates case `number` of a seed; `origin` is "seed=S case=N intent=NAME".
Case GenerateCase(uint64_t seed, uint64_t number, const GeneratorOptions& options);

// "plain", "beyond-spec", "undefined-data", "nonconstant-special", "chain" (chains.h), "graph" (graph.h), "identity"
// (identities.h), then the names of all illegalities.
std::vector<absl::string_view> AllIntents();

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_GENERATOR_H_
