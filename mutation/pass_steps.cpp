// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>

#include "generators/pass_sequences.h"
#include "mutation/mutation.h"

namespace tosaic {

bool ChangePasses(const MutationTools& tools, Case& mutant) {
  absl::StatusOr<PassSequence> sequence = ParseSequence(mutant.route);
  if (!sequence.ok()) return false;
  ChoiceSource& choices = tools.choices;
  const size_t at = sequence->empty() ? 0 : choices.Below(sequence->size());
  switch (sequence->empty() ? 0 : choices.Below(3)) {
    case 1:
      sequence->erase(sequence->begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 2:
      if (at == 0 || (*sequence)[at - 1].stage != (*sequence)[at].stage) return false;
      std::swap((*sequence)[at - 1], (*sequence)[at]);
      break;
    default:
      AddDrawnPass(choices, *sequence);
  }
  mutant.route = SequenceText(*sequence);
  return true;
}

}  // namespace tosaic
