// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/confirming.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "campaign/observing.h"
#include "checking/check_case.h"
#include "checking/progress_line.h"
#include "codec/status.h"
#include "model/pass_sequence.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// Checks the cases of tasks again, alone in fresh processes; `take` gets what became of each. `case_of` makes the case
// of one, in a worker: all of them in memory would be many. `where` is for the progress line.
absl::Status ReplayAlone(const CampaignRun& run, const CaseSource& source, const std::vector<uint64_t>& tasks,
                         absl::FunctionRef<Case(uint64_t)> case_of, absl::string_view where,
                         absl::FunctionRef<void(CaseRecord)> take) {
  auto work = [&](uint64_t task) {
    const Case test_case = case_of(task);
    const CheckedCase checked = CheckCase(run.toolchain, test_case, run.options.limits, run.options.judge);
    return RecordWithOpinion(run, Steering::NumberOf(task), test_case, checked);
  };
  ProgressLine progress;
  uint64_t replayed = 0;
  auto done = [&](uint64_t task, WorkerResult<CaseRecord> result) {
    take(result.death
             ? RecordOfDeath(Steering::NumberOf(task), *result.death, source.CaseOfTask(task), run.options.judge)
             : std::move(result.answer));
    progress.Show(absl::StrFormat("%d/%d divergences replayed alone%s", ++replayed, tasks.size(), where));
  };
  return Map<uint64_t, CaseRecord>(run.Supervisors(), run.stop, tasks, work, done);
}

// Gives the record of a replay what only the first run of the case knows.
void TakeFromFirstRun(CaseRecord first, CaseRecord* replayed) {
  replayed->patterns = std::move(first.patterns);
  replayed->reached = std::move(first.reached);
  replayed->new_numbers = std::move(first.new_numbers);
  replayed->first_preceding = first.first_preceding;
}

bool IsRight(const CaseRecord& record) {
  return !IsDivergence(record.verdict) && record.verdict != Verdict::kHarnessFault;
}

}  // namespace

bool IsFailure(Verdict verdict, RuleId rule) {
  return verdict == Verdict::kHarnessFault && rule != RuleId::kHarnessNotRepeatable;
}

std::string NotRepeatableText(const FindingSignature& divergence, Verdict now) {
  return absl::StrCat(ToString(divergence), " became ", Name(now));
}

CaseRecord Confirmed(CaseRecord before, CaseRecord alone, bool is_known) {
  // The verdict in a fresh process counts. Where MLIR's own behaviour is undefined (it reads memory it never
  // wrote), the two may differ and both be divergences.
  const bool failed = IsFailure(alone.verdict, alone.rule.id);
  if (failed) absl::StrAppend(&alone.rule.fault, ", when ", ToString(before.signature), " was replayed");
  if (IsDivergence(alone.verdict) || failed) {
    TakeFromFirstRun(std::move(before), &alone);
    return alone;
  }
  if (is_known) {
    constexpr char kNote[] = "known, and not repeatable";  // as code is that reads memory nobody wrote
    if (!absl::c_linear_search(before.notes, kNote)) before.notes.push_back(kNote);
    return before;
  }
  before.rule = {RuleId::kHarnessNotRepeatable, NotRepeatableText(before.signature, alone.verdict)};
  before.verdict = Verdict::kHarnessFault;
  before.signature = {};
  return before;
}

bool MayBeOfFirstRoute(const CaseRecord& record, const std::string& first) {
  const absl::string_view route = RouteName(record.route);
  return IsDivergence(record.verdict) && route != RouteName(first) && record.signature.route == route;
}

CaseRecord AttributedToFirstRoute(CaseRecord record, const std::string& first, CaseRecord on_first) {
  FindingSignature as_first = record.signature;
  as_first.route = first;
  if (on_first.signature != as_first) return record;
  on_first.of_twin = record.of_twin;
  on_first.twin = record.twin;
  TakeFromFirstRun(std::move(record), &on_first);
  return on_first;
}

// Replays each as it is. A case that somebody killed is replayed until it was right twice or showed something; a replay
// may be killed, too.
static absl::Status ReplayAsItIs(const CampaignRun& run, CaseSource& cases, std::map<uint64_t, CaseRecord>* records) {
  std::vector<uint64_t> tasks;
  for (const auto& [number, record] : *records) tasks.push_back(cases.TaskOf(number));
  const auto itself = [&](uint64_t task) { return cases.CaseOfTask(task); };
  constexpr int kMostRounds = 8;
  std::map<uint64_t, int> times_right;
  for (int round = 1; round <= kMostRounds && !tasks.empty(); ++round) {
    std::vector<uint64_t> again;
    TOSAIC_RETURN_IF_ERROR(ReplayAlone(run, cases, tasks, itself, round > 1 ? " again" : "", [&](CaseRecord alone) {
      CaseRecord& record = records->at(alone.number);
      const bool is_right = IsKilled(record) && IsRight(alone);
      if (is_right && ++times_right[alone.number] == 2) {
        TakeFromFirstRun(std::move(record), &alone);
        record = std::move(alone);
      } else if ((is_right || IsKilled(alone)) && round < kMostRounds) {
        again.push_back(cases.TaskOf(alone.number));
      } else {
        const Case judged = cases.JudgedCase(record);
        const bool is_known = run.options.known.Find(record.signature, &judged, run.toolchain) != nullptr;
        record = Confirmed(std::move(record), std::move(alone), is_known);
      }
    }));
    tasks = std::move(again);
  }
  return absl::OkStatus();
}

// A divergence that the first route shows as well is that route's, or each would be reported once per route.
static absl::Status ReplayOnFirstRoute(const CampaignRun& run, CaseSource& cases,
                                       std::map<uint64_t, CaseRecord>* records) {
  const std::string& first = run.options.generator.routes.front().first;
  std::vector<uint64_t> elsewhere;
  for (const auto& [number, record] : *records) {
    if (MayBeOfFirstRoute(record, first)) elsewhere.push_back(cases.TaskOf(number));
  }
  const auto on_first_route = [&](uint64_t task) {
    Case judged = cases.JudgedCaseOfTask(task, records->at(Steering::NumberOf(task)));
    judged.route = first;
    return judged;
  };
  return ReplayAlone(run, cases, elsewhere, on_first_route, absl::StrCat(", on ", first), [&](CaseRecord on_first) {
    CaseRecord& record = records->at(on_first.number);
    record = AttributedToFirstRoute(std::move(record), first, std::move(on_first));
  });
}

absl::StatusOr<std::map<uint64_t, CaseRecord>> Confirm(const CampaignRun& run, CaseSource& cases,
                                                       std::map<uint64_t, CaseRecord> records) {
  std::vector<uint64_t> killed;
  for (const auto& [number, record] : records) {
    if (IsKilled(record)) killed.push_back(cases.TaskOf(number));
  }
  // Replayed alone, a case does not show its patterns.
  TOSAIC_RETURN_IF_ERROR(WatchAgain(
      run, cases, killed, [&](CaseRecord again) { records.at(again.number).patterns = std::move(again.patterns); }));
  TOSAIC_RETURN_IF_ERROR(ReplayAsItIs(run, cases, &records));
  TOSAIC_RETURN_IF_ERROR(ReplayOnFirstRoute(run, cases, &records));
  return records;
}

}  // namespace tosaic
