// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/case_source.h"

#include <utility>
#include <vector>

#include "codec/status.h"
#include "generators/steering.h"
#include "generators/twins.h"
#include "model/routes.h"

namespace tosaic {

CaseSource::CaseSource(const CampaignOptions& options, bool has_one_route)
    : options_(options),
      has_one_route_(has_one_route),
      steering_(options.seed, options.generator),
      candidate_(options.shard) {
  if (options.list) return;
  if (options.guided) guidance_.emplace(options);
  if (options.changed) changed_ops_.emplace();
}

std::optional<uint64_t> CaseSource::NextTask(absl::FunctionRef<bool(uint64_t)> is_done) {
  while (is_done(candidate_)) candidate_ += options_.shards;
  const bool is_of_round = !HasRounds() || candidate_ < RoundEnd(round_);
  if (!is_of_round || !IsAskedFor(candidate_)) return std::nullopt;
  return TaskOf(std::exchange(candidate_, candidate_ + options_.shards));
}

// With steering it says which head of the case is taken.
uint64_t CaseSource::TaskOf(uint64_t number) {
  return Steering::Task(number, options_.steer && !options_.list && !IsMutant(number) ? steering_.HeadOf(number) : 0);
}

Case CaseSource::CaseOfTask(uint64_t task) const {
  Case test_case = DrawnOfTask(task);
  // On another route it would be the same case.
  if (has_one_route_ && FindRoute(test_case.twin) != nullptr) test_case.twin.clear();
  return test_case;
}

Case CaseSource::DrawnOfTask(uint64_t task) const {
  const uint64_t number = Steering::NumberOf(task);
  if (options_.list) return options_.list->at(number);
  const GeneratorOptions& generator = steering_.OptionsOf(number);
  if (IsMutant(number)) return guidance_->MutantOf(number, generator);
  return Steering::CaseOf(options_.seed, task, generator);
}

Case CaseSource::JudgedCaseOfTask(uint64_t task, const CaseRecord& record) const {
  Case test_case = CaseOfTask(task);
  if (record.of_twin) {
    test_case.twin = record.twin;
    test_case = TwinOf(test_case).value_or(test_case);
  }
  test_case.route = record.route;
  return test_case;
}

void CaseSource::LearnOps(const std::vector<CaseRecord>& round, uint64_t end) {
  for (const CaseRecord& record : round) {
    changed_ops_->Add(CaseOf(record.number), record.rule.id != RuleId::kSupportUnchanged);
  }
  steering_.PreferFrom(end, changed_ops_->PreferredOf(options_.generator));
}

absl::StatusOr<bool> CaseSource::NextRound(const WorkDirectory& directory) {
  if (!HasRounds()) return false;
  const uint64_t end = RoundEnd(round_);
  std::vector<CaseRecord> round;
  uint64_t number = RoundBegin(round_);
  number += (options_.shards + options_.shard - number % options_.shards) % options_.shards;
  for (; number < end && IsAskedFor(number); number += options_.shards) {
    if (!directory.Has(number)) return false;
    TOSAIC_ASSIGN_OR_RETURN(round.emplace_back(), directory.Read(number));
  }
  if (guidance_) guidance_->Learn(round, [&](uint64_t case_number) { return CaseOf(case_number); });
  if (changed_ops_) LearnOps(round, end);
  round_ = end;
  return IsAskedFor(number);
}

}  // namespace tosaic
