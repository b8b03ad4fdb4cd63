// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The third stage of a campaign: it reduces the findings' cases to small and plain ones, and writes reproducers that
// need no Tosaic. It works on several findings at a time, each in a process of its own.
#ifndef TOSAIC_CAMPAIGN_REDUCING_H_
#define TOSAIC_CAMPAIGN_REDUCING_H_

#include <vector>

#include "absl/status/status.h"
#include "campaign/campaign_run.h"
#include "results/finding.h"

namespace tosaic {

// Findings that show something plainer now have its signature. An interruption leaves some that are not reduced, and
// `--no-reduce` all.
absl::Status ReduceFindings(const CampaignRun& run, std::vector<Finding>& findings);

absl::Status MakeReproducers(const CampaignRun& run, std::vector<Finding>& findings);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_REDUCING_H_
