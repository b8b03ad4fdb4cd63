// Findings of a campaign's records: one per signature, shown by its first case; named once their cases are reduced.
#ifndef TOSAIC_CAMPAIGN_FINDINGS_H_
#define TOSAIC_CAMPAIGN_FINDINGS_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "campaign/case_record.h"
#include "campaign/checking/known_divergences.h"
#include "model/program.h"
#include "results/finding.h"

namespace tosaic {

// Sorted by signature. `judged_case` gives what a record is about.
std::vector<Finding> FindingsOf(const std::vector<const CaseRecord*>& records,
                                absl::FunctionRef<Case(const CaseRecord&)> judged_case);

// Findings whose reduced cases show the same become one; then what is known of them is written down.
std::vector<Finding> Named(std::vector<Finding> findings, const KnownDivergences& known);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_FINDINGS_H_
