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

// Part `number` of them, of `size` each but for the last.
template <typename T>
absl::Span<const T> PartOf(const std::vector<T>& all, uint64_t number, size_t size) {
  return absl::MakeConstSpan(all).subspan(number * size, size);
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

// Adds those of `died` of which MLIR dies alike with and without the patch, where it runs in the worker.
absl::Status FindDyingAlike(const CampaignRun& run, const std::vector<Case>& drawn, const std::vector<size_t>& died,
                            std::vector<bool>* is_same) {
  std::vector<std::optional<std::pair<Death::How, int>>> ends(2 * died.size());  // without and with the patch
  const auto work = [&](uint64_t number) {
    run.options.changed->LowerAlone(drawn[died[number / 2]], number % 2 == 1);
    return true;
  };
  const auto done = [&](uint64_t number, const WorkerResult<bool>& result) {
    if (result.death) ends[number] = {result.death->how, result.death->status};
  };
  TOSAIC_RETURN_IF_ERROR(MapIndices<bool>(run.Workers(), run.stop, ends.size(), work, done));
  for (size_t i = 0; i < died.size(); ++i) (*is_same)[died[i]] = ends[2 * i] && ends[2 * i] == ends[2 * i + 1];
  return absl::OkStatus();
}

// Asks about each of `died` by itself, because one of a batch may be why the others were not answered. Those that die
// again stay.
absl::Status FindWithoutCompany(const CampaignRun& run, const std::vector<Case>& drawn, std::vector<size_t>* died,
                                std::vector<bool>* is_same) {
  const std::vector<size_t> together = std::move(*died);
  died->clear();
  const auto work = [&](uint64_t number) {
    return bool{run.options.changed->Among(PartOf(drawn, together[number], 1)).front()};
  };
  const auto done = [&](uint64_t number, const WorkerResult<bool>& is_changed) {
    if (is_changed.death) {
      died->push_back(together[number]);
    } else {
      (*is_same)[together[number]] = !is_changed.answer;
    }
  };
  return MapIndices<bool>(run.Supervisors(), run.stop, together.size(), work, done);
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

absl::Status FindUnchanged(const CampaignRun& run, CaseSource& cases, const std::vector<uint64_t>& tasks,
                           std::map<uint64_t, CaseRecord>* unchanged) {
  const ChangedPrograms& changed = *run.options.changed;
  const size_t size = std::max(run.toolchain.description().batch_size, changed.base().description().batch_size);
  std::vector<Case> drawn;  // here, and not in each worker: they are needed again below
  for (const uint64_t task : tasks) drawn.push_back(cases.CaseOfTask(task));
  // Programs that a worker starts have limits of their own.
  const PoolOptions workers = size > 1 ? run.Supervisors() : run.Workers();
  std::vector<bool> is_same(tasks.size(), false);
  std::vector<size_t> died;  // indices in `drawn`
  const auto work = [&](uint64_t number) {
    const std::vector<bool> is_changed = changed.Among(PartOf(drawn, number, size));
    std::vector<uint64_t> same;  // indices in `drawn`
    for (size_t i = 0; i < is_changed.size(); ++i) {
      if (!is_changed[i]) same.push_back(number * size + i);
    }
    return same;
  };
  const auto done = [&](uint64_t number, const WorkerResult<std::vector<uint64_t>>& result) {
    for (const uint64_t i : result.answer) is_same[i] = true;
    const size_t count = PartOf(drawn, number, size).size();
    for (size_t i = 0; result.death && i < count; ++i) died.push_back(number * size + i);
  };
  TOSAIC_RETURN_IF_ERROR(MapIndices<std::vector<uint64_t>>(workers, run.stop, PartsOf(tasks, size), work, done));
  if (size > 1) TOSAIC_RETURN_IF_ERROR(FindWithoutCompany(run, drawn, &died, &is_same));
  TOSAIC_RETURN_IF_ERROR(FindDyingAlike(run, drawn, died, &is_same));
  for (size_t i = 0; i < tasks.size(); ++i) {
    const uint64_t number = Steering::NumberOf(tasks[i]);
    cases.Learn(number, drawn[i], !is_same[i]);
    if (is_same[i]) unchanged->emplace(number, RecordOfUnchanged(tasks[i], drawn[i]));
  }
  return absl::OkStatus();
}

}  // namespace tosaic
