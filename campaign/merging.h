// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merging: turns the work directories of a campaign's shards into the one that a single machine would have written, and
// those of different campaigns into one list of findings with their counts. Nothing runs again. Lines of journals are
// copied and only their numbers are read, so time and memory depend on the number of findings.
#ifndef TOSAIC_CAMPAIGN_MERGING_H_
#define TOSAIC_CAMPAIGN_MERGING_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "campaign/campaign_options.h"
#include "results/campaign.h"
#include "toolchain/toolchain.h"

namespace tosaic {

struct Merged {
  CampaignSummary summary;           // interrupted if anything is missing
  std::vector<std::string> missing;  // "shard 3 of 8 is missing", "DIR: was interrupted"
};

// Whose list says what is known.
enum class Naming : uint8_t {
  kByShards,    // each shard's own
  kByThisList,  // options.known
};

// Merges into `options.out`. It also uses the options about unseen known divergences, with their limits. Errors: a
// directory is not a campaign's, a case is in two of them, the shards are from another toolchain, or `out` is something
// else.
absl::StatusOr<Merged> MergeCampaigns(Toolchain& toolchain, const CampaignOptions& options, Naming naming,
                                      const std::vector<std::string>& directories, const std::atomic<bool>* stop);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_MERGING_H_
