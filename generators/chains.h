// Named chains: short sequences of ops that canonicalisation, folding and fusion act on.
#ifndef TOSAIC_GENERATORS_CHAINS_H_
#define TOSAIC_GENERATORS_CHAINS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generators/program_builder.h"

namespace tosaic {

struct Chain {
  absl::string_view name;
  absl::string_view what;
  // Builds it; false if the options lack an op or type: then nothing was built.
  bool (*build)(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);
};

absl::Span<const Chain> AllChains();

// Draws one that the options allow and builds it. Its name, or empty if they allow none.
absl::string_view BuildChain(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_CHAINS_H_
