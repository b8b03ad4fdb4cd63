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

void CaseSource::Learn(uint64_t number, const Case& test_case, ProgramChange change) {
  if (!changed_ops_) return;
  learned_.emplace(number, ChangedOps::Known(test_case, change.is_changed, std::move(change.numbers)));
}

std::vector<double> CaseSource::NewNumbersOf(uint64_t number) const {
  const auto found = learned_.find(number);
  return found == learned_.end() ? std::vector<double>() : found->second.numbers;
}

absl::Status CaseSource::LearnOps(const std::vector<uint64_t>& round, uint64_t end, const WorkDirectory& directory) {
  for (const uint64_t number : round) {
    if (const auto found = learned_.find(number); found != learned_.end()) {
      changed_ops_->Add(std::move(found->second));
      continue;
    }
    TOSAIC_ASSIGN_OR_RETURN(const CaseRecord record, directory.Read(number));
    changed_ops_->Add(CaseOf(number), record.rule.id != RuleId::kSupportUnchanged, record.new_numbers);
  }
  learned_.clear();
  steering_.PreferFrom(end, changed_ops_->PreferredOf(options_.generator));
  return absl::OkStatus();
}

absl::Status CaseSource::LearnBlocks(const std::vector<uint64_t>& round, const WorkDirectory& directory) {
  std::vector<CaseRecord> records;
  for (const uint64_t number : round) {
    TOSAIC_ASSIGN_OR_RETURN(records.emplace_back(), directory.Read(number));
  }
  guidance_->Learn(records, [&](uint64_t number) { return CaseOf(number); });
  return absl::OkStatus();
}

absl::StatusOr<bool> CaseSource::NextRound(const WorkDirectory& directory) {
  if (!HasRounds()) return false;
  const uint64_t end = RoundEnd(round_);
  std::vector<uint64_t> round;
  uint64_t number = RoundBegin(round_);
  number += (options_.shards + options_.shard - number % options_.shards) % options_.shards;
  for (; number < end && IsAskedFor(number); number += options_.shards) {
    if (!directory.Has(number)) return false;
    round.push_back(number);
  }
  if (guidance_) TOSAIC_RETURN_IF_ERROR(LearnBlocks(round, directory));
  if (changed_ops_) TOSAIC_RETURN_IF_ERROR(LearnOps(round, end, directory));
  round_ = end;
  return IsAskedFor(number);
}

}  // namespace tosaic
