// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named chains: short sequences of ops that canonicalisation, folding and fusion act on.
#ifndef TOSAIC_GENERATORS_CHAINS_H_
#define TOSAIC_GENERATORS_CHAINS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generators/program_builder.h"

namespace tosaic {

struct Chain {
  absl::string_view name;
  absl::string_view description;
  // Builds the chain; false, without building anything, if the options lack an op or type.
  bool (*build)(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);
  int weight = 1;  // how often it is drawn: more often if it stands for many pairs of ops
};

absl::Span<const Chain> AllChains();

// Draws one to four chains that the options allow and builds them, the later ones mostly in a separate group. Returns
// their names joined by "+"; empty if the options allow none.
std::string BuildChains(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_CHAINS_H_
