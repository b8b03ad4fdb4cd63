// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steering: which head of each case to take (generator.h), so that combinations of route, op, element types and shapes
// that were seen least come first. It depends on the seed and the case number alone, never on what ran where.
#ifndef TOSAIC_GENERATORS_STEERING_H_
#define TOSAIC_GENERATORS_STEERING_H_

#include <cstdint>
#include <map>
#include <vector>

#include "generators/generator.h"
#include "generators/generator_options.h"

namespace tosaic {

class Steering {
 public:
  static constexpr int kHeads = 8;  // that a case has the choice of

  Steering(uint64_t seed, const GeneratorOptions& options) : seed_(seed), options_(options) {}

  // The head of case `number`, from 0 to kHeads-1: that of the combination which the cases before it have least; of
  // several the first. Walks over the cases up to it that were not asked for yet: some 10 us each.
  int HeadOf(uint64_t number);

  // A case's number and its head as one number, for workers: they cannot know the head without walking. And back.
  static uint64_t Task(uint64_t number, int head) { return number * kHeads + static_cast<uint64_t>(head); }
  static uint64_t NumberOf(uint64_t task) { return task / kHeads; }
  static Case CaseOf(uint64_t seed, uint64_t task, const GeneratorOptions& options) {
    return GenerateCase(seed, NumberOf(task), options, static_cast<int>(task % kHeads));
  }

 private:
  uint64_t seed_;
  GeneratorOptions options_;
  std::vector<uint8_t> heads_;             // of the cases walked over
  std::map<Combination, uint64_t> taken_;  // by how many of these
};

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_STEERING_H_
