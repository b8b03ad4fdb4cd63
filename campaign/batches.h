// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prepares many cases at once before each is observed, because a tool that is started once for a batch costs less.
#ifndef TOSAIC_CAMPAIGN_BATCHES_H_
#define TOSAIC_CAMPAIGN_BATCHES_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/status.h"
#include "campaign/campaign_run.h"
#include "campaign/case_record.h"
#include "campaign/case_source.h"

namespace tosaic {

// Prepares cases and their twins in workers. A failure here is harmless: Observe does itself what was not prepared.
absl::Status PrepareAll(const CampaignRun& run, const CaseSource& cases, const std::vector<uint64_t>& tasks);

// Finds in workers the cases that the patch leaves as they are, teaches `cases` which they are, and adds a record of
// each by its number: it need not be run. One that MLIR does not survive is changed, unless it dies alike with and
// without the patch. REQUIRES: the campaign is about a patch (CampaignOptions::changed).
absl::Status FindUnchanged(const CampaignRun& run, CaseSource& cases, const std::vector<uint64_t>& tasks,
                           std::map<uint64_t, CaseRecord>* unchanged);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_BATCHES_H_
