// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ProofComparison: what a patch changes in what is proved of bodies, from two result files of `tosaic prove`.
#ifndef TOSAIC_RESULTS_PROOF_COMPARISON_H_
#define TOSAIC_RESULTS_PROOF_COMPARISON_H_

#include <cstdint>
#include <string>
#include <vector>

#include "results/proofs.h"

namespace tosaic {

// An op with its element types of both files whose verdict differs.
struct ProofChange {
  std::string row;  // "add i32"
  ProofVerdict before = ProofVerdict::kUnknown;
  ProofVerdict after = ProofVerdict::kUnknown;
  std::string why;                  // of the patch, if it is not proved
  bool newly_refused = false;       // the patch's pass pipeline refuses a program that the base's takes
  std::vector<std::string> inputs;  // refuted: bit patterns of a wrong element of the patch, by operand
  std::string execution;            // refuted: what running the patch's inputs shows

  // A lost proof may be a matter of time, and is no regression.
  bool HasRegressed() const { return after == ProofVerdict::kRefuted || newly_refused; }
};
void Fields(Visitor& v, ProofChange& change);

struct ProofComparison {
  uint64_t compared = 0;                    // rows
  std::vector<ProofChange> changes;         // in the order of the patch's rows
  std::vector<std::string> uncompared;      // rows that one of them lacks
  std::vector<std::string> harness_faults;  // of both: "patch: add i32: WHY"
};
void Fields(Visitor& v, ProofComparison& comparison);

ProofComparison CompareProofs(const ProofSummary& base, const ProofSummary& patch);

// "regressed add i32: proved -> refuted: WHY", a line per change, and a last line with totals.
std::string ToText(const ProofComparison& comparison);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_PROOF_COMPARISON_H_
