// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/batches.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "codec/status.h"
#include "generators/twins.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// Part `number` of the tasks, of `size` each but for the last.
absl::Span<const uint64_t> PartOf(const std::vector<uint64_t>& tasks, uint64_t number, size_t size) {
  return absl::MakeConstSpan(tasks).subspan(number * size, size);
}

// It is not run.
CaseRecord RecordOfUnchanged(uint64_t task, const Case& test_case) {
  CheckedCase checked;
  checked.judgement.verdict = Verdict::kUnsupported;
  checked.judgement.rule = RuleId::kSupportUnchanged;
  CaseRecord record = RecordOf(Steering::NumberOf(task), test_case, checked);
  record.first_preceding = record.number;
  return record;
}

// Adds the cases of which MLIR dies alike with and without the patch, where it runs in the worker.
absl::Status FindDyingAlike(const CampaignRun& run, const CaseSource& cases, const std::vector<uint64_t>& tasks,
                            std::map<uint64_t, CaseRecord>* unchanged) {
  std::vector<std::optional<std::pair<Death::How, int>>> ends(2 * tasks.size());  // without and with the patch
  const auto work = [&](uint64_t number) {
    run.options.changed->LowerAlone(cases.CaseOfTask(tasks[number / 2]), number % 2 == 1);
    return true;
  };
  const auto done = [&](uint64_t number, const WorkerResult<bool>& result) {
    if (result.death) ends[number] = {result.death->how, result.death->status};
  };
  TOSAIC_RETURN_IF_ERROR(MapIndices<bool>(run.Workers(), run.stop, ends.size(), work, done));
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (!ends[2 * i] || ends[2 * i] != ends[2 * i + 1]) continue;
    unchanged->emplace(Steering::NumberOf(tasks[i]), RecordOfUnchanged(tasks[i], cases.CaseOfTask(tasks[i])));
  }
  return absl::OkStatus();
}

uint64_t PartsOf(const std::vector<uint64_t>& tasks, size_t size) { return (tasks.size() + size - 1) / size; }

}  // namespace

absl::Status PrepareAll(const CampaignRun& run, const CaseSource& cases, const std::vector<uint64_t>& tasks) {
  const size_t size = run.toolchain.description().batch_size;
  auto work = [&](uint64_t number) {
    std::vector<Case> batch;
    for (const uint64_t task : PartOf(tasks, number, size)) {
      batch.push_back(cases.CaseOfTask(task));
      if (std::optional<Case> twin = TwinOf(batch.back())) batch.push_back(*std::move(twin));
    }
    run.toolchain.Prepare(batch);
    return true;
  };
  return MapIndices<bool>(run.Supervisors(), run.stop, PartsOf(tasks, size), work, [](uint64_t, WorkerResult<bool>) {});
}

absl::Status FindUnchanged(const CampaignRun& run, const CaseSource& cases, const std::vector<uint64_t>& tasks,
                           std::map<uint64_t, CaseRecord>* unchanged) {
  const ChangedPrograms& changed = *run.options.changed;
  const size_t size = std::max(run.toolchain.description().batch_size, changed.base().description().batch_size);
  const auto work = [&](uint64_t number) {
    std::vector<Case> some;
    for (const uint64_t task : PartOf(tasks, number, size)) some.push_back(cases.CaseOfTask(task));
    const std::vector<bool> is_changed = changed.Among(some);
    std::vector<CaseRecord> same;
    for (size_t i = 0; i < some.size(); ++i) {
      if (!is_changed[i]) same.push_back(RecordOfUnchanged(PartOf(tasks, number, size)[i], some[i]));
    }
    return same;
  };
  // Programs that a worker starts have limits of their own.
  const PoolOptions workers = size > 1 ? run.Supervisors() : run.Workers();
  std::vector<uint64_t> died;
  const auto done = [&](uint64_t number, WorkerResult<std::vector<CaseRecord>> result) {
    if (result.death && size == 1) died.push_back(tasks[number]);
    if (result.death) return;
    for (CaseRecord& record : result.answer) unchanged->emplace(record.number, std::move(record));
  };
  TOSAIC_RETURN_IF_ERROR(MapIndices<std::vector<CaseRecord>>(workers, run.stop, PartsOf(tasks, size), work, done));
  return FindDyingAlike(run, cases, died, unchanged);
}

}  // namespace tosaic
