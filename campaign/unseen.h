// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the known divergences that many cases of a campaign could have shown, and that neither these cases nor those in
// the corpus show.
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
