// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first stage of a campaign: every case that the journal does not have yet is observed in a worker and judged.
#ifndef TOSAIC_CAMPAIGN_OBSERVING_H_
#define TOSAIC_CAMPAIGN_OBSERVING_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "campaign/campaign_run.h"
#include "campaign/case_record.h"
#include "campaign/case_source.h"
#include "campaign/work_directory.h"
#include "model/program.h"
#include "workers/worker_pool.h"

namespace tosaic {

// Appends a record per case to the journal; returns how many.
absl::StatusOr<uint64_t> ObserveAll(const CampaignRun& run, CaseSource& cases, WorkDirectory& directory);

// Observes those of these tasks once more whose patterns ObserveAll() watches, as it does. `take` gets the record of
// each that did not end its worker.
absl::Status WatchAgain(const CampaignRun& run, const CaseSource& cases, const std::vector<uint64_t>& tasks,
                        absl::FunctionRef<void(CaseRecord)> take);

// The record of a case, with the judgement of the campaign's second judge.
CaseRecord RecordWithOpinion(const CampaignRun& run, uint64_t number, const Case& test_case,
                             const CheckedCase& checked);

// The record of a case on which a worker died.
CaseRecord RecordOfDeath(uint64_t number, const Death& death, Case test_case, const JudgeOptions& judge);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_OBSERVING_H_
