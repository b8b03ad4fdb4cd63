// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/counted.h"
#include "results/judgement_text.h"
#include "results/text.h"

namespace tosaic {
std::string ToText(const SweepSummary& summary) {
  std::string text;
  uint64_t disagreements = 0, known = 0, beyond_spec = 0;
  for (const auto& [signature, disagreement] : summary.total.disagreements) {
    disagreements += disagreement.types().decisions.size();
    if (StatusOf(disagreement) == Finding::Status::kKnown) {
      known += disagreement.types().decisions.size();
    } else if (StatusOf(disagreement) == Finding::Status::kBeyondSpec) {
      beyond_spec += disagreement.types().decisions.size();
    }
    absl::StrAppend(&text,
                    absl::StrFormat("%-12s%8d x  %s\n", Name(StatusOf(disagreement)),
                                    disagreement.types().decisions.size(), ToString(signature)),
                    "  first:     ", disagreement.types().decisions.front(),
                    "\n  expected:  ", disagreement.judgement.expected,
                    "\n  actual:    ", disagreement.judgement.actual, "\n");
    if (!disagreement.known_reason.empty()) absl::StrAppend(&text, "  known:     ", disagreement.known_reason, "\n");
  }
  for (const auto& [note, count] : summary.total.notes) {
    absl::StrAppend(&text, "note: ", Counted(count, "decision"), ": ", NoteInWords(note), "\n");
  }
  if (summary.interrupted) absl::StrAppend(&text, "interrupted: not everything was decided\n");
  absl::StrAppend(
      &text, absl::StrFormat("%s (%d accepted), %.0f/s on %s, %s (%d known, %d "
                             "beyond the specification)\n",
                             Counted(summary.total.decisions, "decision"), summary.total.accepted,
                             summary.decisions_per_second(), Counted(static_cast<uint64_t>(summary.jobs), "worker"),
                             Counted(disagreements, "disagreement"), known, beyond_spec));
  return text;
}

}  // namespace tosaic
