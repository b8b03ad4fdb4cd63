// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells a patch's mistakes from those of the MLIR below it, in a campaign that knows this MLIR (CampaignOptions::base).
// Left out are programs that MLIR lowers by reading memory that it should not (findings F2 and F20), because they may
// be right by chance.
#ifndef TOSAIC_CAMPAIGN_OF_PATCH_H_
#define TOSAIC_CAMPAIGN_OF_PATCH_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "campaign/campaign_run.h"
#include "campaign/case_record.h"
#include "campaign/case_source.h"
#include "model/signature.h"
#include "results/finding.h"

namespace tosaic {

// Whether a divergence is the patch's: the base has the case right, and it is not a known cause that the patch only
// brings to light, by leaving right IR. In a worker.
bool IsOfPatch(const CampaignRun& run, const Case& test_case, absl::FunctionRef<Judgement()> patched,
               const FindingSignature& signature);

// Marks the divergent cases that are the patch's, whatever known cause they resemble (CaseRecord::base_agrees).
absl::Status MarkDivergencesOfPatch(const CampaignRun& run, CaseSource& cases,
                                    std::map<uint64_t, CaseRecord>* divergences);

// Asks the base about the reduced cases of findings. Of those that look like a known cause, the patch's are new and the
// others known. In a campaign about what a patch changes, one that the base shows too is known.
absl::Status CompareWithBase(const CampaignRun& run, std::vector<Finding>& findings);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_OF_PATCH_H_
