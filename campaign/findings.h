// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of a campaign's records: one per signature, shown by its first case. They get their names after their cases
// are reduced.
#ifndef TOSAIC_CAMPAIGN_FINDINGS_H_
#define TOSAIC_CAMPAIGN_FINDINGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "campaign/case_record.h"
#include "checking/known_divergences.h"
#include "model/program.h"
#include "results/finding.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// The ops that may be to blame where the signature names none, each once: "bitwise_not, table"; else "".
std::string SuspectsOf(const FindingSignature& signature, const Program& program);

// Sorted by signature; with the known cause, if any, of the first case. `judged_case` gives what a record is about.
// Cases with the same signature, but another known cause or none, other suspects, or another answer of the base, are a
// separate finding: reducing only the first case would hide the others' cause. Where the base agrees, entries of MLIR
// explain nothing.
std::vector<Finding> FindingsOf(const std::vector<const CaseRecord*>& records,
                                absl::FunctionRef<Case(const CaseRecord&)> judged_case, const KnownDivergences& known,
                                const Toolchain& toolchain);

// Marks findings as known.
std::vector<Finding> Named(std::vector<Finding> findings, const KnownDivergences& known, const Toolchain& toolchain);
// Puts a reduced case in the place of the finding's, and names the finding after that case's last op.
void ShowBy(Case reduced, Finding* finding);

// Merges named findings whose reduced cases show the same and have the same known cause or none. Sorted by signature,
// then cause.
std::vector<Finding> UnitedBySignature(std::vector<Finding> findings);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_FINDINGS_H_
