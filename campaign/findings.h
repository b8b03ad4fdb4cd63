// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of a campaign's records: one per signature, shown by its first case; named once their cases are reduced.
#ifndef TOSAIC_CAMPAIGN_FINDINGS_H_
#define TOSAIC_CAMPAIGN_FINDINGS_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "campaign/case_record.h"
#include "campaign/checking/known_divergences.h"
#include "model/program.h"
#include "results/finding.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// Sorted by signature; with the known cause, if any, of the first case. `judged_case` gives what a record is about.
// Under one signature, cases of another known cause, or of none, are a finding of their own: who reduced only the first
// case would hide what the others are about.
std::vector<Finding> FindingsOf(const std::vector<const CaseRecord*>& records,
                                absl::FunctionRef<Case(const CaseRecord&)> judged_case, const KnownDivergences& known,
                                const Toolchain& toolchain);

// Writes down what is known of findings.
std::vector<Finding> Named(std::vector<Finding> findings, const KnownDivergences& known, const Toolchain& toolchain);
// Named findings whose reduced cases show the same, and are known as the same or not at all, become one. Sorted by
// signature, then cause.
std::vector<Finding> UnitedBySignature(std::vector<Finding> findings);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_FINDINGS_H_
