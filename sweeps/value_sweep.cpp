// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/value_sweep.h"

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "checking/check_case.h"
#include "checking/progress_line.h"
#include "checking/provenance.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/tensor.h"
#include "oracle/accuracy.h"
#include "sweeps/against_base.h"
#include "sweeps/many_inputs.h"
#include "sweeps/stretches.h"
#include "sweeps/sweep_journal.h"
#include "sweeps/value_chunk.h"
#include "toolchain/progress.h"
#include "workers/map.h"

namespace tosaic {
namespace {

void ListWrong(const ValueSweep& sweep, const InputStretches& wrong, ValueSweepRow* row) {
  const auto bits = [&](uint64_t number) { return BitsOfInput(sweep, number); };
  row->wrong_stretches = wrong.count;
  for (const InputStretch& stretch : wrong.listed) row->wrong.push_back({bits(stretch.first), bits(stretch.last)});
}

constexpr int kKeptBytes = 128 << 20;

class ValueSweepRun {
 public:
  ValueSweepRun(Toolchain& toolchain, const ValueSweepRunOptions& options, const std::atomic<bool>* stop)
      : toolchain_(toolchain),
        options_(options),
        stop_(stop),
        sweeps_(PlanValueSweeps(options.plan)),
        stretches_(StretchesOf(sweeps_, options.plan.all ? kManyInputs : kChunkInputs)) {}

  absl::StatusOr<ValueSweepSummary> Run();

 private:
  bool Stopped() const { return stop_ != nullptr && *stop_; }
  PoolOptions Workers() const { return {.jobs = options_.jobs, .limits = options_.limits}; }
  Case CaseOf(const Stretch& stretch) const {
    return CaseOfInputs(sweeps_[stretch.sweep], stretch.first, stretch.count, options_.route, kChunkInputs);
  }

  ValueChunk JudgeStretch(const Stretch& stretch, const Case& test_case, Observation observation) const {
    if (!options_.plan.all) return JudgeChunk(test_case, observation, stretch.first, options_.judge);
    return JudgeManyInputs(sweeps_[stretch.sweep], test_case, std::move(observation), stretch.first, options_.judge);
  }

  absl::Status OpenJournal(const Provenance& versions);
  absl::Status Keep(size_t index, bool is_confirmed, const ValueChunk& chunk);
  absl::Status Observe(const PoolOptions& workers, const std::vector<size_t>& stretches, absl::string_view label,
                       std::map<size_t, ValueChunk>* chunks, bool is_confirmed = false);
  absl::Status Sweep();
  absl::Status Confirm();
  void Collect();
  void AddToRange(const Stretch& stretch, const ValueChunk& chunk, ValueSweepRow* row);
  void CollectFinding(const Stretch& stretch, const ValueChunk::Finding& found);
  absl::Status SetApartThoseOfPatch();
  void NameFinding(bool is_of_patch, const Stretch& stretch, Finding* finding);
  Case ExampleOf(const Finding& finding, Stretch stretch);

  Toolchain& toolchain_;
  const ValueSweepRunOptions& options_;
  const std::atomic<bool>* stop_;
  const std::vector<ValueSweep> sweeps_;
  const std::vector<Stretch> stretches_;
  std::map<size_t, ValueChunk> chunks_;  // by index into stretches_
  std::optional<SweepJournal> journal_;
  std::set<size_t> confirmed_;                    // by an earlier start
  std::map<size_t, InputStretches> wrong_;        // by index into sweeps_
  using Key = std::pair<FindingSignature, bool>;  // and whether it is the patch's
  std::map<Key, Finding> findings_;
  std::map<Key, Stretch> first_seen_;
  ValueSweepSummary summary_;
  ProgressLine progress_;
};

// Takes over the chunks of earlier starts and of other shards.
absl::Status ValueSweepRun::OpenJournal(const Provenance& versions) {
  const Json identity = SweepIdentity(options_, versions);
  const auto take = [&](const SweepRecords& records) {
    for (const auto& [program, record] : records) {
      if (program >= stretches_.size() || record.chunk.verdict == Verdict::kHarnessFault) continue;
      chunks_.insert_or_assign(program, record.chunk);
      if (record.is_confirmed) confirmed_.insert(program);
    }
  };
  if (!options_.work.empty()) {
    TOSAIC_ASSIGN_OR_RETURN(SweepJournal journal, SweepJournal::Open(options_.work, identity));
    take(journal.records());
    journal_.emplace(std::move(journal));
  }
  for (const std::string& directory : options_.take) {
    TOSAIC_ASSIGN_OR_RETURN(const SweepRecords records, ReadSweepRecords(directory, identity));
    take(records);
  }
  return absl::OkStatus();
}

absl::Status ValueSweepRun::Keep(size_t index, bool is_confirmed, const ValueChunk& chunk) {
  if (!journal_) return absl::OkStatus();
  return journal_->Append({.program = index, .is_confirmed = is_confirmed, .chunk = chunk});
}

absl::Status ValueSweepRun::Observe(const PoolOptions& workers, const std::vector<size_t>& stretches,
                                    absl::string_view label, std::map<size_t, ValueChunk>* chunks, bool is_confirmed) {
  const absl::Time started = absl::Now();
  StretchProgress progress = {.done = 0, .all = stretches.size()};
  for (const size_t index : stretches) progress.inputs_left += stretches_[index].count;
  absl::Status kept;
  auto work = [&](const size_t& index) {
    const Stretch& stretch = stretches_[index];
    const Case test_case = CaseOf(stretch);
    return JudgeStretch(stretch, test_case, Observed([&] { return toolchain_.Observe(test_case); }));
  };
  auto done = [&](const size_t& index, WorkerResult<ValueChunk> result) {
    const Stretch& stretch = stretches_[index];
    ValueChunk& chunk = result.answer;
    if (result.death) chunk = JudgeStretch(stretch, CaseOf(stretch), ObservationOf(*result.death));
    kept.Update(Keep(index, is_confirmed, chunk));
    ++progress.done;
    progress.inputs += stretch.count;
    progress.inputs_left -= stretch.count;
    for (const ValueChunk::Finding& finding : chunk.findings) progress.disagreements += finding.count;
    chunks->insert_or_assign(index, std::move(chunk));
    progress.seconds = absl::ToDoubleSeconds(absl::Now() - started);
    progress_.Show(ToText(label, progress));
  };
  const absl::Status status = Map<size_t, ValueChunk>(workers, stop_, stretches, work, done);
  progress_.Finish();
  return kept.ok() ? status : kept;
}

absl::Status ValueSweepRun::Sweep() {
  // Each program takes tens of megabytes and gives them back. Workers that keep them spend a tenth less time.
  mallopt(M_MMAP_THRESHOLD, kKeptBytes);
  mallopt(M_TRIM_THRESHOLD, kKeptBytes);
  std::vector<size_t> missing;
  for (size_t i = 0; i < stretches_.size(); ++i) {
    if (chunks_.contains(i)) continue;
    i % options_.shards == options_.shard ? missing.push_back(i) : void(++summary_.left_to_other_shards);
  }
  return Observe(Workers(), missing, "swept", &chunks_);
}

// A divergence counts only if it repeats alone in a fresh process.
absl::Status ValueSweepRun::Confirm() {
  std::vector<size_t> divergent;
  for (const auto& [index, chunk] : chunks_) {
    if (!chunk.findings.empty() && !confirmed_.contains(index)) divergent.push_back(index);
  }
  PoolOptions alone = Workers();
  alone.tasks_per_worker = 1;
  std::map<size_t, ValueChunk> again;
  TOSAIC_RETURN_IF_ERROR(Observe(alone, divergent, "replayed alone", &again, true));
  for (auto& [index, chunk] : again) {
    if (ToLine(chunk) == ToLine(chunks_[index])) continue;
    summary_.harness_faults.push_back(
        absl::StrCat(NameOf(sweeps_, stretches_[index]), ": alone in a fresh process the result is another"));
    chunks_[index] = std::move(chunk);
  }
  return absl::OkStatus();
}

void ValueSweepRun::CollectFinding(const Stretch& stretch, const ValueChunk::Finding& found) {
  const Key key = {found.signature, found.base_agrees};
  auto [it, inserted] = findings_.try_emplace(key);
  Finding& finding = it->second;
  ValuesEvidence& values = finding.values();
  if (inserted) {
    finding.signature = found.signature;
    finding.op = std::string(Name(sweeps_[stretch.sweep].op));
    values.types = TypesOf(sweeps_[stretch.sweep]);
    finding.route = options_.route;
    if (!found.listed.empty()) finding.judgement = found.listed.front().judgement;
    first_seen_.emplace(key, stretch);
  }
  finding.count += found.count;
  for (const ValueDisagreement& disagreement : found.listed) {
    if (values.listed.size() < kListedDisagreements) values.listed.push_back(disagreement);
  }
}

void ValueSweepRun::AddToRange(const Stretch& stretch, const ValueChunk& chunk, ValueSweepRow* row) {
  const ValueSweep& sweep = sweeps_[stretch.sweep];
  wrong_[stretch.sweep].Add(chunk.wrong);
  const uint64_t step = stretch.count / std::max<uint64_t>(chunk.parts.size(), 1);
  for (size_t i = 0; i < chunk.parts.size(); ++i) {
    const ValueChunk::Part& part = chunk.parts[i];
    row->curve.push_back({.first = BitsOfInput(sweep, stretch.first + i * step),
                          .error = part.error,
                          .allowed = part.allowed,
                          .is_wrong = part.is_wrong});
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
    summary_.rows.push_back(std::move(row));
  }
  for (const auto& [index, chunk] : chunks_) {
    const Stretch& stretch = stretches_[index];
    ValueSweepRow& row = summary_.rows[stretch.sweep];
    row.inputs += stretch.count;
    ++row.verdicts[chunk.verdict];
    row.profile.Add(chunk.profile);
    if (options_.plan.all) AddToRange(stretch, chunk, &row);
    if (!chunk.note.empty()) summary_.notes.push_back(absl::StrCat(NameOf(sweeps_, stretch), ": ", chunk.note));
    if (!chunk.harness_fault.empty()) {
      summary_.harness_faults.push_back(absl::StrCat(NameOf(sweeps_, stretch), ": ", chunk.harness_fault));
    }
    for (const ValueChunk::Finding& finding : chunk.findings) CollectFinding(stretch, finding);
  }
  for (size_t i = 0; i < sweeps_.size(); ++i) {
    const ValueInputs& inputs = sweeps_[i].inputs;
    summary_.rows[i].exhaustive = inputs.exhaustive() && summary_.rows[i].inputs == inputs.size();
    ListWrong(sweeps_[i], wrong_[i], &summary_.rows[i]);
  }
}

// Of programs with findings that look like known causes: what is the patch's becomes a finding of its own.
absl::Status ValueSweepRun::SetApartThoseOfPatch() {
  std::vector<size_t> asked;
  for (const auto& [index, chunk] : chunks_) {
    if (chunk.findings.empty()) continue;
    const Case shown = CaseOf(stretches_[index]);
    const bool is_listed = absl::c_any_of(chunk.findings, [&](const ValueChunk::Finding& finding) {
      return options_.known.Find(finding.signature, &shown, toolchain_) != nullptr;
    });
    if (is_listed && !MayBeRightByChance(shown.program)) asked.push_back(index);
  }
  PoolOptions alone = Workers();
  alone.tasks_per_worker = 1;
  const auto work = [&](const size_t& index) {
    const Case test_case = CaseOf(stretches_[index]);
    return SetApart(chunks_.at(index).findings, test_case, ObserveBeside(toolchain_, *options_.base, test_case),
                    stretches_[index].first, options_.judge);
  };
  using Findings = std::vector<ValueChunk::Finding>;
  return Map<size_t, Findings>(alone, stop_, asked, work, [&](const size_t& index, WorkerResult<Findings> result) {
    ValueChunk& chunk = chunks_[index];
    if (!result.death) return void(chunk.findings = std::move(result.answer));
    if (chunk.verdict != Verdict::kWrongValue) return;  // MLIR dies with the patch and without it
    summary_.harness_faults.push_back(
        absl::StrCat(NameOf(sweeps_, stretches_[index]), ": it is not known which wrong inputs stock MLIR has right"));
  });
}

// Names a finding after the list's cause.
void ValueSweepRun::NameFinding(bool is_of_patch, const Stretch& stretch, Finding* finding) {
  const Case shown = CaseOf(stretch);
  const KnownDivergences::Entry* known =
      options_.known.Explaining(is_of_patch).Find(finding->signature, &shown, toolchain_);
  finding->cause = known != nullptr ? known->cause : ToString(finding->signature);
  if (known != nullptr) finding->known_reason = known->reason;
}

// One input if that is enough, else the fewest that halving the program leads to: where MLIR or its code died, nobody
// knows at which input.
Case ValueSweepRun::ExampleOf(const Finding& finding, Stretch stretch) {
  auto shows_it = [&](const Stretch& part) {
    return CheckCase(toolchain_, CaseOf(part), options_.limits, options_.judge).signature == finding.signature;
  };
  if (const auto& mismatch = finding.values().listed.front().judgement.mismatch) {
    const Stretch single = {stretch.sweep, mismatch->index, 1};
    if (shows_it(single)) return CaseOf(single);
  }
  while (stretch.count > 1 && !Stopped()) {
    const uint64_t half = stretch.count / 2;
    const Stretch low = {stretch.sweep, stretch.first, half};
    const Stretch high = {stretch.sweep, stretch.first + half, stretch.count - half};
    const bool in_low = shows_it(low);
    if (!in_low && !shows_it(high)) break;
    stretch = in_low ? low : high;
  }
  return CaseOf(stretch);
}

absl::StatusOr<ValueSweepSummary> ValueSweepRun::Run() {
  TOSAIC_RETURN_IF_ERROR(CheckEachTypeHasTile("sweep of values", options_.plan.types, sweeps_));
  const absl::Time started = absl::Now();
  const Provenance versions = VersionsOf(toolchain_, {options_.route});
  if (Stopped()) return absl::CancelledError("interrupted");  // not every question about the tools was answered
  summary_.provenance = WithCommandLine(versions, options_.command_line, toolchain_, options_.judge.policies);
  summary_.route = options_.route;
  summary_.inputs_wanted = options_.plan.inputs;
  summary_.all = options_.plan.all;
  TOSAIC_RETURN_IF_ERROR(OpenJournal(versions));
  TOSAIC_RETURN_IF_ERROR(Sweep());
  if (!Stopped()) {
    TOSAIC_RETURN_IF_ERROR(Confirm());
  }
  if (options_.base && !Stopped()) {
    TOSAIC_RETURN_IF_ERROR(SetApartThoseOfPatch());
  }
  Collect();
  absl::c_move(NotesOnFlushing(summary_.rows), std::back_inserter(summary_.notes));
  for (auto& [key, finding] : findings_) {
    const Stretch& stretch = first_seen_.at(key);
    finding.values().example = Stopped() ? CaseOf(stretch) : ExampleOf(finding, stretch);
    NameFinding(key.second, stretch, &finding);
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
