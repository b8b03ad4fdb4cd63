// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells a patch's mistakes from those of the MLIR below it, in a campaign about a patch (CampaignOptions::changed).
#ifndef TOSAIC_CAMPAIGN_OF_PATCH_H_
#define TOSAIC_CAMPAIGN_OF_PATCH_H_

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "campaign/campaign_run.h"
#include "campaign/case_record.h"
#include "campaign/case_source.h"
#include "results/finding.h"

namespace tosaic {

// The numbers of the divergent cases that a list would call known, and that agree without the patch: whatever the list
// says, they are the patch's. Left out are programs that MLIR lowers by reading memory that it should not (findings F2
// and F20), because they may agree by chance.
absl::StatusOr<std::set<uint64_t>> DivergencesOfPatch(const CampaignRun& run, CaseSource& cases,
                                                      const std::map<uint64_t, CaseRecord>& divergences);

// Marks findings as known that the MLIR without the patch shows too. If the first case of such a finding is `of_patch`,
// reducing it led to another mistake: the finding goes back to the unreduced case, and is not marked.
absl::Status SetApartWhatBaseShows(const CampaignRun& run, const std::set<uint64_t>& of_patch,
                                   std::vector<Finding>& findings);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_OF_PATCH_H_
