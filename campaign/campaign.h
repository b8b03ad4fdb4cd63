// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Campaign: it generates cases, observes them in workers, judges them, confirms each divergence alone in a fresh
// process, reduces one case per finding, and leaves a work directory. The verdicts depend only on the seed and the case
// numbers, never on the number of workers. A campaign that was stopped continues from its journal.
#ifndef TOSAIC_CAMPAIGN_CAMPAIGN_H_
#define TOSAIC_CAMPAIGN_CAMPAIGN_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "campaign/campaign_options.h"
#include "campaign/case_record.h"
#include "results/campaign.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// The routes of a campaign that names none, with how often each is drawn: the toolchain's routes that have a weight.
std::vector<std::pair<std::string, int>> MixedRoutes(const std::vector<const Route*>& table);

// Runs the campaign. If *stop is set (Ctrl-C), it ends early with the results so far. An error is about the work
// directory or the workers, never about a case. `records`, if not null, gets the record of each case by its number,
// with the findings' signatures.
absl::StatusOr<CampaignSummary> RunCampaign(Toolchain& toolchain, const CampaignOptions& options,
                                            const std::atomic<bool>* stop,
                                            std::map<uint64_t, CaseRecord>* records = nullptr);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_CAMPAIGN_H_
