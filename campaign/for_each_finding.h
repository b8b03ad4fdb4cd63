// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOSAIC_CAMPAIGN_FOR_EACH_FINDING_H_
#define TOSAIC_CAMPAIGN_FOR_EACH_FINDING_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "campaign/campaign_run.h"
#include "checking/progress_line.h"
#include "results/finding.h"
#include "workers/map.h"

namespace tosaic {

// Hands each finding to a fresh worker. `take` gets the answer of `work`; if the worker died, it is not called, and the
// finding stays as it was.
template <typename Answer>
absl::Status ForEachFinding(const CampaignRun& run, std::vector<Finding>& findings, absl::string_view label,
                            absl::FunctionRef<Answer(size_t)> work, absl::FunctionRef<void(Finding&, Answer)> take) {
  PoolOptions workers = run.Supervisors();
  workers.tasks_per_worker = 1;
  size_t taken = 0;
  ProgressLine progress;
  return MapIndices<Answer>(workers, run.stop, findings.size(), work, [&](uint64_t index, WorkerResult<Answer> result) {
    progress.Show(absl::StrFormat("%d/%d %s", ++taken, findings.size(), label));
    if (!result.death) take(findings[index], std::move(result.answer));
  });
}

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_FOR_EACH_FINDING_H_
