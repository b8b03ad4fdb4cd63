// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CaseSource: the cases of a campaign by their numbers, from a list or generated from its seed, and the ones that this
// start runs.
#ifndef TOSAIC_CAMPAIGN_CASE_SOURCE_H_
#define TOSAIC_CAMPAIGN_CASE_SOURCE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "campaign/campaign_options.h"
#include "campaign/case_record.h"
#include "campaign/guidance.h"
#include "campaign/work_directory.h"
#include "generators/changed_ops.h"
#include "generators/steering.h"
#include "model/program.h"

namespace tosaic {

class CaseSource {
 public:
  // `options` must outlive it. `has_one_route`: so has the toolchain, and no case has a twin on another one.
  explicit CaseSource(const CampaignOptions& options, bool has_one_route = false);

  // The next case that is not done, as a task for workers (Steering::Task); none if the number of cases is reached.
  std::optional<uint64_t> NextTask(absl::FunctionRef<bool(uint64_t number)> is_done);
  // May be called in a worker; TaskOf goes through all earlier cases.
  Case CaseOfTask(uint64_t task) const;
  uint64_t TaskOf(uint64_t number);
  Case CaseOf(uint64_t number) { return CaseOfTask(TaskOf(number)); }
  // The case that a record is about: the case itself or its twin, on the route where it was judged.
  Case JudgedCase(const CaseRecord& record) { return JudgedCaseOfTask(TaskOf(record.number), record); }
  Case JudgedCaseOfTask(uint64_t task, const CaseRecord& record) const;

  // The guidance of a guided campaign, or null.
  const Guidance* guidance() const { return guidance_ ? &*guidance_ : nullptr; }
  Guidance* guidance() { return guidance_ ? &*guidance_ : nullptr; }
  // Says whether the patch changes the program of a case of this round. NextRound finds it out itself, which takes
  // longer, for cases that an earlier start has run.
  void Learn(uint64_t number, const Case& test_case, ProgramChange change);
  // The numbers that the patch brings into the IR of a case of this round.
  std::vector<double> NewNumbersOf(uint64_t number) const;
  // Goes on to the next round once all cases of this one are in the directory. False if there is no next round, or if
  // this one is not over. A campaign has one round if nothing guides it and it is about no patch.
  absl::StatusOr<bool> NextRound(const WorkDirectory& directory);

  // Whether there is a case of this number.
  bool IsAskedFor(uint64_t number) const { return options_.duration || number < options_.cases; }

 private:
  bool IsMutant(uint64_t number) const { return guidance_ && guidance_->IsMutant(number); }
  bool HasRounds() const { return guidance_ || changed_ops_; }

  Case DrawnOfTask(uint64_t task) const;
  // From a round whose records are in the directory.
  absl::Status LearnOps(const std::vector<uint64_t>& round, uint64_t end, const WorkDirectory& directory);
  absl::Status LearnBlocks(const std::vector<uint64_t>& round, const WorkDirectory& directory);

  const CampaignOptions& options_;
  const bool has_one_route_;
  Steering steering_;
  uint64_t candidate_;  // the next case number to make a task of
  std::optional<Guidance> guidance_;
  std::optional<ChangedOps> changed_ops_;          // of a campaign about a patch
  std::map<uint64_t, ChangedOps::Known> learned_;  // by case number; those of this round
  uint64_t round_ = 0;                             // a case number in it
};

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_CASE_SOURCE_H_
