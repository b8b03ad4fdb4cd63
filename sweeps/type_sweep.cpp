// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/type_sweep.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "checking/provenance.h"
#include "codec/status.h"
#include "sweeps/sweep_task.h"
#include "toolchain/progress.h"
#include "workers/map.h"

namespace tosaic {
namespace {

class TypeSweep {
 public:
  TypeSweep(Toolchain& toolchain, const TypeSweepOptions& options, const std::atomic<bool>* stop,
            absl::FunctionRef<void(uint64_t decided, uint64_t all)> progress)
      : toolchain_(toolchain), options_(options), stop_(stop), progress_(progress), spaces_(SweepSpaces(options)) {
    for (const SweepSpace& space : spaces_) all_ += space.decisions();
  }

  absl::StatusOr<SweepSummary> Run() {
    if (toolchain_.deciders() == nullptr) {
      return absl::UnimplementedError(absl::StrCat(toolchain_.description().name, kLacksDeciders));
    }
    const absl::Time start = absl::Now();
    Provenance provenance = ProvenanceOf(options_.command_line, toolchain_, {""}, options_.policies);
    // A task that MLIR does not survive is split, and its parts are asked again in a round of their own, because
    // workers know only the tasks of their round.
    for (std::vector<SweepTask> round = TasksOf(spaces_); !round.empty() && !Stopped();) {
      TOSAIC_ASSIGN_OR_RETURN(round, AskAll(std::move(round)));
    }
    if (!failed_.ok()) return failed_;
    SweepSummary summary = Summary();
    summary.provenance = std::move(provenance);
    summary.elapsed_seconds = absl::ToDoubleSeconds(absl::Now() - start);
    return summary;
  }

 private:
  bool Stopped() const { return stop_ != nullptr && *stop_; }

  // Returns the parts of those that a worker did not survive.
  absl::StatusOr<std::vector<SweepTask>> AskAll(std::vector<SweepTask> round) {
    const size_t first = tasks_.size();
    tasks_.insert(tasks_.end(), round.begin(), round.end());
    counts_.resize(tasks_.size());
    std::vector<SweepTask> again;
    size_t at = first;
    const absl::Status status = MapNumbers<SweepCounts>(
        {.jobs = options_.jobs}, stop_,
        [&]() -> std::optional<uint64_t> { return at < tasks_.size() ? std::optional<uint64_t>(at++) : std::nullopt; },
        [&](uint64_t number) {
          const SweepTask& task = tasks_[number];
          return Decide(toolchain_, spaces_[task.space], task, options_.policies);
        },
        [&](uint64_t number, WorkerResult<SweepCounts> result) {
          Take(number, std::move(result), &again);
          decided_ += counts_[number].decisions;
          progress_(decided_, all_);
        });
    if (!status.ok()) return status;
    return again;
  }

  void Take(uint64_t number, WorkerResult<SweepCounts> result, std::vector<SweepTask>* again) {
    const SweepTask& task = tasks_[number];
    if (!result.death) {
      counts_[number] = std::move(result.answer);
    } else if (const Observation death = ObservationOf(*result.death); death.outcome == Outcome::kToolFailure) {
      failed_.Update(absl::InternalError(Summarize(death)));
    } else if (const std::vector<SweepTask> parts = task.Split(); parts.empty()) {
      counts_[number] = CountsOfDeath(spaces_[task.space], task, death);
      died_again_.insert(task.part_of);
    } else {
      died_.insert(task.part_of);
      again->insert(again->end(), parts.begin(), parts.end());
    }
  }

  SweepSummary Summary() {
    SweepSummary summary;
    summary.jobs = options_.jobs;
    summary.interrupted = Stopped();
    for (const size_t task : died_) {
      const bool is_explained = died_again_.contains(task) || summary.interrupted;
      if (!is_explained) ++counts_[task].notes[std::string(Name(RuleId::kHarnessDeathThatDidNotRepeat))];
    }
    for (size_t i = 0; i < tasks_.size(); ++i) summary.by_op[spaces_[tasks_[i].space].op].Add(counts_[i]);
    for (auto& [op, of_op] : summary.by_op) {
      for (auto& [signature, disagreement] : of_op.disagreements) {
        const KnownDivergences::Entry* known = options_.known.Find(signature, Circumstances());
        disagreement.cause = known != nullptr ? known->cause : ToString(signature);
        if (known != nullptr) disagreement.known_reason = known->reason;
      }
      summary.total.Add(of_op);
    }
    return summary;
  }

  Toolchain& toolchain_;
  const TypeSweepOptions& options_;
  const std::atomic<bool>* stop_;
  absl::FunctionRef<void(uint64_t decided, uint64_t all)> progress_;
  const std::vector<SweepSpace> spaces_;
  std::vector<SweepTask> tasks_;        // of all rounds
  std::vector<SweepCounts> counts_;     // of each
  std::set<size_t> died_, died_again_;  // tasks, and those of them that a single decision explains
  uint64_t all_ = 0, decided_ = 0;      // decisions
  absl::Status failed_;
};

}  // namespace

absl::StatusOr<SweepSummary> RunTypeSweep(Toolchain& toolchain, const TypeSweepOptions& options,
                                          const std::atomic<bool>* stop,
                                          absl::FunctionRef<void(uint64_t decided, uint64_t all)> progress) {
  return TypeSweep(toolchain, options, stop, progress).Run();
}

}  // namespace tosaic
