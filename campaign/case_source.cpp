// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/case_source.h"

#include <utility>

#include "generators/twins.h"

namespace tosaic {

CaseSource::CaseSource(const CampaignOptions& options)
    : options_(options), steering_(options.seed, options.generator), candidate_(options.shard) {
  if (options.guided && !options.list) guidance_.emplace(options);
}

std::optional<uint64_t> CaseSource::NextTask(const std::map<uint64_t, CaseRecord>& done) {
  while (done.contains(candidate_)) candidate_ += options_.shards;
  const bool is_of_round = !guidance_ || candidate_ < Guidance::RoundEnd(round_);
  if (!is_of_round || !IsAskedFor(candidate_)) return std::nullopt;
  return TaskOf(std::exchange(candidate_, candidate_ + options_.shards));
}

// With steering it says which head of the case is taken.
uint64_t CaseSource::TaskOf(uint64_t number) {
  return Steering::Task(number, options_.steer && !options_.list && !IsMutant(number) ? steering_.HeadOf(number) : 0);
}

Case CaseSource::CaseOfTask(uint64_t task) const {
  const uint64_t number = Steering::NumberOf(task);
  if (options_.list) return options_.list->at(number);
  if (IsMutant(number)) return guidance_->MutantOf(number);
  return Steering::CaseOf(options_.seed, task, guidance_ ? guidance_->OptionsOf(number) : options_.generator);
}

Case CaseSource::CaseOf(uint64_t number) { return CaseOfTask(TaskOf(number)); }

Case CaseSource::JudgedCase(const CaseRecord& record) {
  Case test_case = CaseOf(record.number);
  if (record.of_twin) {
    test_case.twin = record.twin;
    test_case = TwinOf(test_case).value_or(test_case);
  }
  test_case.route = record.route;
  return test_case;
}

bool CaseSource::NextRound(const std::map<uint64_t, CaseRecord>& records) {
  if (!guidance_) return false;
  const uint64_t end = Guidance::RoundEnd(round_);
  std::vector<const CaseRecord*> round;
  uint64_t number = Guidance::RoundBegin(round_);
  number += (options_.shards + options_.shard - number % options_.shards) % options_.shards;
  for (; number < end && IsAskedFor(number); number += options_.shards) {
    const auto record = records.find(number);
    if (record == records.end()) return false;
    round.push_back(&record->second);
  }
  guidance_->Learn(round, [&](uint64_t one) { return CaseOf(one); });
  round_ = end;
  return IsAskedFor(number);
}

bool CaseSource::IsAskedFor(uint64_t number) const { return options_.duration || number < options_.cases; }

std::vector<const CaseRecord*> CaseSource::AskedFor(const std::map<uint64_t, CaseRecord>& records) const {
  std::vector<const CaseRecord*> asked_for;
  for (const auto& [number, record] : records) {
    if (IsAskedFor(number)) asked_for.push_back(&record);
  }
  return asked_for;
}

}  // namespace tosaic
