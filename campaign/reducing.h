// The third stage of a campaign: findings' cases are made small and plain, and shown without Tosaic; several findings
// at a time, each in a process of its own.
#ifndef TOSAIC_CAMPAIGN_REDUCING_H_
#define TOSAIC_CAMPAIGN_REDUCING_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "campaign/campaign_run.h"
#include "results/finding.h"

namespace tosaic {

// Adds to `renamed` what the signatures have become of findings that show something plainer now.
absl::Status ReduceFindings(const CampaignRun& run, std::vector<Finding>& findings,
                            std::map<std::string, std::string>& renamed);

absl::Status MakeReproducers(const CampaignRun& run, std::vector<Finding>& findings);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_REDUCING_H_
