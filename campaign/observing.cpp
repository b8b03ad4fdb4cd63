// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/observing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "campaign/batches.h"
#include "campaign/guidance.h"
#include "checking/check_case.h"
#include "checking/progress_line.h"
#include "codec/status.h"
#include "toolchain/progress.h"
#include "workers/map.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

// Patterns are watched in every eighth case: that costs a quarter of a case's time. Each attempt of a pattern takes a
// walk over the module, so that of a program of thirty ops it takes a hundred times a case's, and shows nothing that a
// small one does not.
constexpr uint64_t kWatchedCases = 8;
constexpr size_t kMostWatchedOps = 4;

// The watcher of rewrite patterns for every kWatchedCases-th case, whose number of ops is limited as watching is slow;
// else null.
PatternWatcher* WatcherOf(const CampaignRun& run, uint64_t number, const Case& test_case) {
  const bool is_watched = number % kWatchedCases == 0 && test_case.program.ops.size() <= kMostWatchedOps;
  return is_watched ? run.toolchain.patterns() : nullptr;
}

// The blocks that guide the campaign, or null.
BlockWatcher* BlocksOf(const CampaignRun& run) {
  return run.options.guided && !run.options.list ? run.options.guided->blocks : nullptr;
}

// The blocks that a case reaches whenever it is observed: what a process does only once, it does for whichever case
// comes first. `again` observes the case, which has been observed before.
std::vector<uint32_t> ReachedEachTime(BlockWatcher& blocks, absl::FunctionRef<void()> again) {
  std::vector<uint32_t> first = blocks.Take();
  if (first.empty()) return first;
  again();
  const std::vector<uint32_t> second = blocks.Take();
  std::vector<uint32_t> both;
  absl::c_set_intersection(first, second, std::back_inserter(both));
  return both;
}

// Observes and judges cases. Runs in a worker, as a copy of the parent's object.
class Observer {
 public:
  Observer(const CampaignRun& run, const Guidance* guidance) : run_(run), guidance_(guidance) {}

  CaseRecord Observe(uint64_t number, const Case& test_case) {
    if (!first_) first_ = number;
    std::set<std::string> patterns;
    PatternWatcher* watcher = WatcherOf(run_, number, test_case);
    if (watcher != nullptr) watcher->Watch([&](absl::string_view name) { patterns.insert(std::string(name)); });
    BlockWatcher* blocks = BlocksOf(run_);
    if (blocks != nullptr) blocks->Take();  // what came before the case
    auto observe = [&](const Case& test_case) {
      RestartDeadline();  // each observation has it for itself, as it has alone
      return run_.toolchain.Observe(test_case);
    };
    CheckedCase checked = CheckWith(observe, test_case, run_.options.judge);
    if (CheckedCase again; MayBeStale(test_case, checked) && IsRightAfresh(test_case, &again))
      checked = std::move(again);
    CaseRecord record = RecordWithOpinion(run_, number, test_case, checked);
    if (watcher != nullptr) watcher->Watch(nullptr);
    for (const std::string& pattern : patterns) {
      // This case may be earlier than the one that showed it, because another worker's tasks come late.
      const auto [seen, is_new] = patterns_seen_.emplace(pattern, number);
      if (is_new || number < seen->second) record.patterns.push_back(pattern);
      seen->second = std::min(seen->second, number);
    }
    record.first_preceding = *first_;
    if (guidance_ != nullptr) guidance_->AddNews(patterns, checked.observation, &record);
    if (blocks == nullptr) return record;
    const auto again = [&] { CheckWith(observe, test_case, run_.options.judge); };
    for (const uint32_t block : ReachedEachTime(*blocks, again)) record.reached.push_back(BlockText(block));
    return record;
  }

 private:
  // Pass managers are kept from case to case, and some passes keep what they made of an earlier one (which
  // convert-math-to-funcs calls in a module that is gone). What fails counts only if it fails in a fresh one too, or is
  // known: what reads memory that nobody wrote may stay away.
  bool MayBeStale(const Case& test_case, const CheckedCase& checked) const {
    const Judgement& judgement = checked.judgement;
    const bool failed = IsDivergence(judgement.verdict) || judgement.verdict == Verdict::kHarnessFault;
    const bool lowers = checked.observation.stage >= Stage::kLower && !run_.options.judge.validation;
    const Case* shown = checked.twin ? &*checked.twin : &test_case;
    return failed && lowers && run_.options.known.Find(checked.signature, shown, run_.toolchain) == nullptr;
  }

  bool IsRightAfresh(const Case& test_case, CheckedCase* again) const {
    Lowering* lowering = run_.toolchain.lowering();
    if (lowering == nullptr) return false;
    const ToolchainDescription& toolchain = run_.toolchain.description();
    const auto afresh = [&](const Case& test_case) {
      return lowering->ObserveThrough(test_case, toolchain.PipelineOf(test_case.route));
    };
    *again = CheckWith(afresh, test_case, run_.options.judge);
    const Verdict verdict = again->judgement.verdict;
    return !IsDivergence(verdict) && verdict != Verdict::kHarnessFault;
  }

  const CampaignRun& run_;
  const Guidance* const guidance_;                 // null: nothing guides the campaign
  std::optional<uint64_t> first_;                  // case of this process
  std::map<std::string, uint64_t> patterns_seen_;  // by this process, first in which case
};

// Runs in the parent, and writes the workers' answers into the journal.
class Journalist {
 public:
  Journalist(const CampaignRun& run, CaseSource& cases, WorkDirectory& directory, absl::Time started)
      : run_(run), cases_(cases), directory_(directory), started_(started) {
    divergent_ = directory.Divergent().size();  // a campaign that goes on counts what it had
  }

  void Take(uint64_t number, const WorkerResult<CaseRecord>& result) {
    if (!status_.ok()) return;  // what comes after a line that was cut short would be lost
    CaseRecord record =
        result.death ? RecordOfDeath(number, *result.death, cases_.CaseOf(number), run_.options.judge) : result.answer;
    if (const Guidance* guidance = cases_.guidance()) guidance->AddNews(&record);
    record.new_numbers = cases_.NewNumbersOf(number);
    status_ = directory_.Append(record);
    if (!status_.ok()) return;
    divergent_ += IsDivergence(record.verdict) ? 1 : 0;
    ++observed_;
    const double seconds = absl::ToDoubleSeconds(absl::Now() - started_);
    const CampaignOptions& options = run_.options;
    progress_.Show(absl::StrFormat("%d%s cases, %d divergent, %.0f cases/s", directory_.size(),
                                   options.duration ? "" : absl::StrCat("/", options.cases / options.shards),
                                   divergent_, static_cast<double>(observed_) / std::max(seconds, 1e-9)));
  }

  const absl::Status& status() const { return status_; }
  uint64_t observed() const { return observed_; }

 private:
  const CampaignRun& run_;
  CaseSource& cases_;
  WorkDirectory& directory_;
  const absl::Time started_;
  uint64_t divergent_ = 0, observed_ = 0;
  absl::Status status_;
  ProgressLine progress_;
};

// Observes the cases that a guided campaign begins with, for the blocks that they reach.
absl::Status LearnFromStart(const CampaignRun& run, Guidance& guidance) {
  BlockWatcher* blocks = BlocksOf(run);
  const std::vector<Case>& start = run.options.guided->start;
  if (blocks == nullptr) return absl::OkStatus();
  const auto work = [&](uint64_t i) {
    const auto observe = [&](const Case& test_case) { return run.toolchain.Observe(test_case); };
    const auto once = [&] { CheckWith(observe, start[i], run.options.judge); };
    CaseRecord record;
    blocks->Take();
    once();
    for (const uint32_t block : ReachedEachTime(*blocks, once)) record.reached.push_back(BlockText(block));
    return record;
  };
  std::set<uint32_t> reached;
  const auto done = [&](uint64_t, const WorkerResult<CaseRecord>& result) {
    for (const std::string& text : result.answer.reached) {
      if (uint32_t block = 0; absl::SimpleAtoi(text, &block)) reached.insert(block);
    }
  };
  TOSAIC_RETURN_IF_ERROR(MapIndices<CaseRecord>(run.Workers(), run.stop, start.size(), work, done));
  const std::vector<uint32_t> all(reached.begin(), reached.end());
  guidance.LearnFromStart(all);
  blocks->Forget(all);
  return absl::OkStatus();
}

}  // namespace

CaseRecord RecordWithOpinion(const CampaignRun& run, uint64_t number, const Case& test_case,
                             const CheckedCase& checked) {
  CaseRecord record = RecordOf(number, test_case, checked);
  const auto& second_judge = run.options.second_judge;
  if (second_judge && !checked.twin) record.opinion = second_judge(number, test_case, checked.observation);
  return record;
}

CaseRecord RecordOfDeath(uint64_t number, const Death& death, Case test_case, const JudgeOptions& judge) {
  // The replay finds out whether the case or its twin died.
  test_case.twin.clear();
  auto observe = [&](const Case&) { return ObservationOf(death); };
  CaseRecord record = RecordOf(number, test_case, CheckWith(observe, test_case, judge));
  record.first_preceding = number;
  return record;
}

namespace {

// Until there is no next task; where many cases at once are cheaper, so many at a time.
absl::Status ObserveRound(const CampaignRun& run, CaseSource& cases, absl::FunctionRef<std::optional<uint64_t>()> next,
                          absl::FunctionRef<CaseRecord(uint64_t)> work,
                          absl::FunctionRef<void(uint64_t, const WorkerResult<CaseRecord>&)> done) {
  constexpr size_t kUnchangedAtOnce = 64;  // most cases are unchanged, and cheap
  const size_t batch_size = run.toolchain.description().batch_size;
  if (batch_size == 1 && !run.options.changed) return MapNumbers<CaseRecord>(run.Workers(), run.stop, next, work, done);
  const size_t at_once = (run.options.changed ? std::max(batch_size, kUnchangedAtOnce) : batch_size) *
                         static_cast<size_t>(std::max(run.options.jobs, 1));
  absl::Status status;
  for (bool over = false; !over && status.ok() && !run.stopped();) {
    std::vector<uint64_t> tasks;
    while (tasks.size() < at_once && !over) {
      const std::optional<uint64_t> task = next();
      over = !task.has_value();
      if (task) tasks.push_back(*task);
    }
    std::map<uint64_t, CaseRecord> same;
    if (run.options.changed) status = FindUnchanged(run, cases, tasks, &same);
    std::erase_if(tasks, [&](uint64_t task) {
      const auto found = same.find(Steering::NumberOf(task));
      if (found == same.end()) return false;
      done(task, {.answer = std::move(found->second)});
      return true;
    });
    if (status.ok() && batch_size > 1) status = PrepareAll(run, cases, tasks);
    if (status.ok()) status = Map<uint64_t, CaseRecord>(run.Workers(), run.stop, tasks, work, done);
  }
  return status;
}

}  // namespace

absl::StatusOr<uint64_t> ObserveAll(const CampaignRun& run, CaseSource& cases, WorkDirectory& directory) {
  const absl::Time started = absl::Now();
  Journalist journalist(run, cases, directory, started);
  Observer observer(run, cases.guidance());
  auto next = [&]() -> std::optional<uint64_t> {
    const bool over = run.options.duration && absl::Now() - started >= *run.options.duration;
    if (over || !journalist.status().ok()) return std::nullopt;
    return cases.NextTask([&](uint64_t number) { return directory.Has(number); });
  };
  auto work = [&](uint64_t task) {
    SetOwnWork(true);
    return observer.Observe(Steering::NumberOf(task), cases.CaseOfTask(task));
  };
  auto done = [&](uint64_t task, const WorkerResult<CaseRecord>& result) {
    journalist.Take(Steering::NumberOf(task), result);
  };
  const auto observe_round = [&] {
    return ObserveRound(run, cases, [&] { return journalist.status().ok() ? next() : std::nullopt; }, work, done);
  };
  if (Guidance* guidance = cases.guidance()) TOSAIC_RETURN_IF_ERROR(LearnFromStart(run, *guidance));
  absl::Status status = observe_round();
  while (status.ok() && journalist.status().ok() && !run.stopped()) {
    TOSAIC_ASSIGN_OR_RETURN(const bool goes_on, cases.NextRound(directory));
    if (!goes_on) break;
    status = observe_round();
  }
  // Nobody reads further answers: observing the remaining cases would only cost time.
  if (BlockWatcher* blocks = BlocksOf(run)) {
    std::vector<uint32_t> all(blocks->count());
    std::iota(all.begin(), all.end(), 0);
    blocks->Forget(all);
  }
  if (!journalist.status().ok()) return journalist.status();
  if (!status.ok()) return status;
  return journalist.observed();
}

absl::Status WatchAgain(const CampaignRun& run, const CaseSource& cases, const std::vector<uint64_t>& tasks,
                        absl::FunctionRef<void(CaseRecord)> take) {
  std::vector<uint64_t> watched;
  absl::c_copy_if(tasks, std::back_inserter(watched), [&](uint64_t task) {
    return WatcherOf(run, Steering::NumberOf(task), cases.CaseOfTask(task)) != nullptr;
  });
  Observer observer(run, nullptr);
  return Map<uint64_t, CaseRecord>(
      run.Workers(), run.stop, watched,
      [&](uint64_t task) { return observer.Observe(Steering::NumberOf(task), cases.CaseOfTask(task)); },
      [&](uint64_t, WorkerResult<CaseRecord> result) {
        if (!result.death) take(std::move(result.answer));
      });
}

}  // namespace tosaic
