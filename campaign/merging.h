// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merging: the work directories of a campaign's shards become the one that a single machine would have written; those
// of different campaigns become one list of findings with their counts. Nothing runs again, and no line of a journal is
// read but for its number: time and memory go with what was found, and the journals pass through.
#ifndef TOSAIC_CAMPAIGN_MERGING_H_
#define TOSAIC_CAMPAIGN_MERGING_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "campaign/campaign.h"
#include "results/campaign.h"
#include "toolchain/toolchain.h"

namespace tosaic {

struct Merged {
  CampaignSummary summary;           // interrupted if anything is missing
  std::vector<std::string> missing;  // "shard 3 of 8 is missing", "DIR: was interrupted"
  bool is_one_campaign = true;       // else there is no journal
};

// Merges into `options.out`; of the options also counts what says which known divergences are unseen, and with which
// limits. Error: a directory is none of a campaign, a shard is there twice, the shards are another toolchain's, or
// `out` is something else.
absl::StatusOr<Merged> MergeCampaigns(Toolchain& toolchain, const CampaignOptions& options,
                                      const std::vector<std::string>& directories, const std::atomic<bool>* stop);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_MERGING_H_
