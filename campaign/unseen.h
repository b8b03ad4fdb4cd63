// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Known divergences that many cases of a campaign might have shown, and none did; nor do the cases that are kept of
// them.
#ifndef TOSAIC_CAMPAIGN_UNSEEN_H_
#define TOSAIC_CAMPAIGN_UNSEEN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "campaign/campaign_run.h"
#include "results/finding.h"

namespace tosaic {

// `kinds`: of KindsOf().
std::vector<std::string> UnseenKnownOf(const CampaignRun& run, const std::map<std::string, uint64_t>& kinds,
                                       const std::vector<Finding>& findings);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_UNSEEN_H_
