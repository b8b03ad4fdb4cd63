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

// Finds those of `died` of which MLIR dies alike with and without the patch, where it runs in the worker.
absl::Status FindDyingAlike(const CampaignRun& run, const std::vector<Case>& drawn, const std::vector<size_t>& died,
                            std::vector<ProgramChange>* changes) {
  std::vector<std::optional<std::pair<Death::How, int>>> ends(2 * died.size());  // without and with the patch
  const auto work = [&](uint64_t number) {
    run.options.changed->LowerAlone(drawn[died[number / 2]], number % 2 == 1);
    return true;
  };
  const auto done = [&](uint64_t number, const WorkerResult<bool>& result) {
    if (result.death) ends[number] = {result.death->how, result.death->status};
  };
  TOSAIC_RETURN_IF_ERROR(MapIndices<bool>(run.Workers(), run.stop, ends.size(), work, done));
  for (size_t i = 0; i < died.size(); ++i) {
    (*changes)[died[i]].is_changed = !ends[2 * i] || ends[2 * i] != ends[2 * i + 1];
  }
  return absl::OkStatus();
}

// Asks about each of `died` by itself, because one of a batch may be why the others were not answered. Those that die
// again stay.
absl::Status FindWithoutCompany(const CampaignRun& run, const std::vector<Case>& drawn, std::vector<size_t>* died,
                                std::vector<ProgramChange>* changes) {
  const std::vector<size_t> together = std::move(*died);
  died->clear();
  const auto work = [&](uint64_t number) { return run.options.changed->Of(drawn[together[number]]); };
  const auto done = [&](uint64_t number, WorkerResult<ProgramChange> result) {
    if (result.death) {
      died->push_back(together[number]);
    } else {
      (*changes)[together[number]] = std::move(result.answer);
    }
  };
  return MapIndices<ProgramChange>(run.Supervisors(), run.stop, together.size(), work, done);
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
  const Toolchain& base = run.options.base->toolchain();
  const size_t size = std::max(run.toolchain.description().batch_size, base.description().batch_size);
  std::vector<Case> drawn;  // here, and not in each worker: they are needed again below
  for (const uint64_t task : tasks) drawn.push_back(cases.CaseOfTask(task));
  // Programs that a worker starts have limits of their own.
  const PoolOptions workers = size > 1 ? run.Supervisors() : run.Workers();
  // One whose change is not found out has changed.
  std::vector<ProgramChange> changes(tasks.size(), ProgramChange{.is_changed = true});
  std::vector<size_t> died;  // indices in `drawn`
  const auto work = [&](uint64_t number) { return changed.Among(PartOf(drawn, number, size)); };
  const auto done = [&](uint64_t number, WorkerResult<std::vector<ProgramChange>> result) {
    const size_t count = PartOf(drawn, number, size).size();
    for (size_t i = 0; i < count; ++i) {
      if (result.death) {
        died.push_back(number * size + i);
      } else {
        changes[number * size + i] = std::move(result.answer[i]);
      }
    }
  };
  TOSAIC_RETURN_IF_ERROR(MapIndices<std::vector<ProgramChange>>(workers, run.stop, PartsOf(tasks, size), work, done));
  if (size > 1) TOSAIC_RETURN_IF_ERROR(FindWithoutCompany(run, drawn, &died, &changes));
  TOSAIC_RETURN_IF_ERROR(FindDyingAlike(run, drawn, died, &changes));
  for (size_t i = 0; i < tasks.size(); ++i) {
    const uint64_t number = Steering::NumberOf(tasks[i]);
    if (!changes[i].is_changed) unchanged->emplace(number, RecordOfUnchanged(tasks[i], drawn[i]));
    cases.Learn(number, drawn[i], std::move(changes[i]));
  }
  return absl::OkStatus();
}

}  // namespace tosaic
