// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/value_sweep.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "checking/check_case.h"
#include "checking/progress_line.h"
#include "checking/provenance.h"
#include "codec/status.h"
#include "oracle/accuracy.h"
#include "sweeps/value_chunk.h"
#include "toolchain/progress.h"
#include "workers/map.h"

namespace tosaic {
namespace {

class ValueSweepRun {
 public:
  ValueSweepRun(Toolchain& toolchain, const ValueSweepRunOptions& options, const std::atomic<bool>* stop)
      : toolchain_(toolchain), options_(options), stop_(stop), sweeps_(PlanValueSweeps(options.plan)) {}

  absl::StatusOr<ValueSweepSummary> Run();

 private:
  // Inputs that are one program, and a worker's task.
  struct Stretch {
    size_t sweep;
    uint64_t first;
    uint64_t count;
  };

  bool Stopped() const { return stop_ != nullptr && *stop_; }
  PoolOptions Workers() const { return {.jobs = options_.jobs, .limits = options_.limits}; }
  Case CaseOf(const Stretch& stretch) const {
    return CaseOfInputs(sweeps_[stretch.sweep], stretch.first, stretch.count, options_.route);
  }
  std::string NameOf(const Stretch& stretch) const {
    const ValueSweep& sweep = sweeps_[stretch.sweep];
    return absl::StrCat(Name(sweep.op), " ", TypesOf(sweep), sweep.setting.empty() ? "" : " ", sweep.setting,
                        ", inputs ", stretch.first, " to ", stretch.first + stretch.count - 1);
  }

  void PlanStretches();
  absl::Status Observe(const PoolOptions& workers, const std::vector<size_t>& stretches, absl::string_view what,
                       std::map<size_t, ValueChunk>* chunks);
  absl::Status Confirm();
  void Collect();
  void CollectFinding(const Stretch& stretch, const ValueChunk::Finding& found);
  void NoteFlushing();
  Case ExampleOf(const Finding& finding, Stretch stretch);

  Toolchain& toolchain_;
  const ValueSweepRunOptions& options_;
  const std::atomic<bool>* stop_;
  std::vector<ValueSweep> sweeps_;
  std::vector<Stretch> stretches_;
  std::map<size_t, ValueChunk> chunks_;  // by index into stretches_
  std::map<FindingSignature, Finding> findings_;
  std::map<FindingSignature, Stretch> first_seen_;
  ValueSweepSummary summary_;
  ProgressLine progress_;
};

void ValueSweepRun::PlanStretches() {
  for (size_t i = 0; i < sweeps_.size(); ++i) {
    const uint64_t size = sweeps_[i].inputs.size();
    for (uint64_t first = 0; first < size; first += kChunkInputs) {
      stretches_.push_back({i, first, std::min(kChunkInputs, size - first)});
    }
  }
}

absl::Status ValueSweepRun::Observe(const PoolOptions& workers, const std::vector<size_t>& stretches,
                                    absl::string_view what, std::map<size_t, ValueChunk>* chunks) {
  const absl::Time started = absl::Now();
  auto work = [&](const size_t& index) {
    const Stretch& stretch = stretches_[index];
    const Case test_case = CaseOf(stretch);
    return JudgeChunk(test_case, Observed([&] { return toolchain_.Observe(test_case); }), stretch.first,
                      options_.judge);
  };
  uint64_t inputs = 0, disagreements = 0;
  auto done = [&](const size_t& index, WorkerResult<ValueChunk> result) {
    const Stretch& stretch = stretches_[index];
    ValueChunk& chunk = result.answer;
    if (result.death) chunk = JudgeChunk(CaseOf(stretch), ObservationOf(*result.death), stretch.first, options_.judge);
    inputs += stretch.count;
    for (const ValueChunk::Finding& finding : chunk.findings) disagreements += finding.count;
    chunks->insert_or_assign(index, std::move(chunk));
    const double seconds = absl::ToDoubleSeconds(absl::Now() - started);
    progress_.Show(absl::StrFormat("%d/%d programs %s, %d inputs, %d disagree, %.0f inputs/s", chunks->size(),
                                   stretches.size(), what, inputs, disagreements,
                                   static_cast<double>(inputs) / std::max(seconds, 1e-9)));
  };
  const absl::Status status = Map<size_t, ValueChunk>(workers, stop_, stretches, work, done);
  progress_.Finish();
  return status;
}

// A divergence counts only if it repeats alone in a fresh process.
absl::Status ValueSweepRun::Confirm() {
  std::vector<size_t> divergent;
  for (const auto& [index, chunk] : chunks_) {
    if (!chunk.findings.empty()) divergent.push_back(index);
  }
  PoolOptions alone = Workers();
  alone.tasks_per_worker = 1;
  std::map<size_t, ValueChunk> again;
  TOSAIC_RETURN_IF_ERROR(Observe(alone, divergent, "replayed alone", &again));
  for (auto& [index, chunk] : again) {
    if (ToLine(chunk) == ToLine(chunks_[index])) continue;
    summary_.harness_faults.push_back(
        absl::StrCat(NameOf(stretches_[index]), ": alone in a fresh process the result is another"));
    chunks_[index] = std::move(chunk);
  }
  return absl::OkStatus();
}

void ValueSweepRun::CollectFinding(const Stretch& stretch, const ValueChunk::Finding& found) {
  auto [it, inserted] = findings_.try_emplace(found.signature);
  Finding& finding = it->second;
  ValuesEvidence& values = finding.values();
  if (inserted) {
    finding.signature = found.signature;
    finding.op = std::string(Name(sweeps_[stretch.sweep].op));
    values.types = TypesOf(sweeps_[stretch.sweep]);
    const Case shown = CaseOf(stretch);
    finding.route = shown.route;
    const KnownDivergences::Entry* known = options_.known.Find(found.signature, &shown, toolchain_);
    finding.cause = known != nullptr ? known->cause : ToString(found.signature);
    if (known != nullptr) finding.known_reason = known->reason;
    if (!found.listed.empty()) finding.judgement = found.listed.front().judgement;
    first_seen_.emplace(found.signature, stretch);
  }
  finding.count += found.count;
  for (const ValueDisagreement& one : found.listed) {
    if (values.listed.size() < kListedDisagreements) values.listed.push_back(one);
  }
}

// In the order of the plan, whatever the order in which workers answered.
void ValueSweepRun::Collect() {
  for (const ValueSweep& sweep : sweeps_) {
    const OpInfo& op = Info(sweep.op);
    ValueSweepRow row;
    row.op = std::string(op.name);
    row.types = TypesOf(sweep);
    row.setting = sweep.setting;
    row.accuracy = Describe(AccuracyOf(op, sweep.result, options_.judge.policies));
    row.exhaustive = sweep.inputs.exhaustive();
    summary_.rows.push_back(std::move(row));
  }
  for (const auto& [index, chunk] : chunks_) {
    const Stretch& stretch = stretches_[index];
    ValueSweepRow& row = summary_.rows[stretch.sweep];
    row.inputs += stretch.count;
    ++row.verdicts[chunk.verdict];
    row.profile.Add(chunk.profile);
    if (!chunk.note.empty()) summary_.notes.push_back(absl::StrCat(NameOf(stretch), ": ", chunk.note));
    if (!chunk.harness_fault.empty()) {
      summary_.harness_faults.push_back(absl::StrCat(NameOf(stretch), ": ", chunk.harness_fault));
    }
    for (const ValueChunk::Finding& finding : chunk.findings) CollectFinding(stretch, finding);
  }
}

// Implementations flush all subnormals of a type or none (tosa-semantics.md, Frame); seen where results are exact.
void ValueSweepRun::NoteFlushing() {
  for (const ValueSweepRow& row : summary_.rows) {
    const uint64_t kept = row.profile.exact_kept, flushed = row.profile.exact_flushed;
    if (kept == 0 || flushed == 0) continue;
    summary_.notes.push_back(absl::StrCat(Name(RuleId::kValueFlushing), ": ", row.op, " ", row.types,
                                          row.setting.empty() ? "" : " ", row.setting, ": ", flushed,
                                          " subnormal results flushed to zero, ", kept, " kept"));
  }
}

// One input if that is enough, else the fewest that halving the program leads to: where MLIR or its code died, nobody
// knows at which input.
Case ValueSweepRun::ExampleOf(const Finding& finding, Stretch stretch) {
  auto shows_it = [&](const Stretch& part) {
    return CheckCase(toolchain_, CaseOf(part), options_.limits, options_.judge).signature == finding.signature;
  };
  if (const auto& mismatch = finding.values().listed.front().judgement.mismatch) {
    const Stretch one = {stretch.sweep, mismatch->index, 1};
    if (shows_it(one)) return CaseOf(one);
  }
  while (stretch.count > 1 && !Stopped()) {
    const uint64_t half = stretch.count / 2;
    const Stretch low = {stretch.sweep, stretch.first, half};
    const Stretch high = {stretch.sweep, stretch.first + half, stretch.count - half};
    if (shows_it(low)) {
      stretch = low;
    } else if (shows_it(high)) {
      stretch = high;
    } else {
      break;
    }
  }
  return CaseOf(stretch);
}

absl::StatusOr<ValueSweepSummary> ValueSweepRun::Run() {
  if (sweeps_.empty()) {
    return absl::InvalidArgumentError("no op asked for takes any of the element types asked for");
  }
  const absl::Time started = absl::Now();
  summary_.provenance = ProvenanceOf(options_.command_line, toolchain_, {options_.route});
  summary_.route = options_.route;
  summary_.inputs_wanted = options_.plan.inputs;
  PlanStretches();
  std::vector<size_t> all(stretches_.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  TOSAIC_RETURN_IF_ERROR(Observe(Workers(), all, "swept", &chunks_));
  if (!Stopped()) {
    TOSAIC_RETURN_IF_ERROR(Confirm());
  }
  Collect();
  NoteFlushing();
  for (auto& [signature, finding] : findings_) {
    const Stretch& stretch = first_seen_.at(signature);
    finding.values().example = Stopped() ? CaseOf(stretch) : ExampleOf(finding, stretch);
    summary_.findings.push_back(std::move(finding));
  }
  summary_.interrupted = Stopped();
  summary_.elapsed_seconds = absl::ToDoubleSeconds(absl::Now() - started);
  return std::move(summary_);
}

}  // namespace

absl::StatusOr<ValueSweepSummary> RunValueSweep(Toolchain& toolchain, const ValueSweepRunOptions& options,
                                                const std::atomic<bool>* stop) {
  return ValueSweepRun(toolchain, options, stop).Run();
}

}  // namespace tosaic
