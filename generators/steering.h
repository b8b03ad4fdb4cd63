// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steering: chooses the head of each case (generator.h), so that rare combinations of route, op, element types and
// shapes come first. The choice depends only on the seed and the case number, never on which worker ran what.
#ifndef TOSAIC_GENERATORS_STEERING_H_
#define TOSAIC_GENERATORS_STEERING_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generators/generator.h"
#include "generators/generator_options.h"

namespace tosaic {

// A campaign that learns from its cases goes in rounds: what the cases of one show says how those of the next are
// drawn, so that everything depends on the seed and the numbers alone. These are the first number of the round that a
// case belongs to, and the number behind its last. The first rounds are short, because there is most to learn in them.
uint64_t RoundBegin(uint64_t number);
uint64_t RoundEnd(uint64_t number);

class Steering {
 public:
  static constexpr int kHeads = 8;  // that a case has the choice of

  Steering(uint64_t seed, const GeneratorOptions& options) : seed_(seed), options_(options) {}

  // Draws three of four cases from `number` on by these options, until it is called again. REQUIRES: no case from
  // `number` on was asked for.
  void PreferFrom(uint64_t number, GeneratorOptions preferred);
  // The options of a case. They stay where they are.
  const GeneratorOptions& OptionsOf(uint64_t number) const;

  // The head of case `number`, from 0 to kHeads-1: the first whose combination is rarest among the cases before it. It
  // goes through all earlier cases that it has not seen yet, which takes about 10 us each.
  int HeadOf(uint64_t number);

  // Encodes a case's number and its head as one number for workers, which do not know the head otherwise, and decodes
  // it.
  static uint64_t Task(uint64_t number, int head) { return number * kHeads + static_cast<uint64_t>(head); }
  static uint64_t NumberOf(uint64_t task) { return task / kHeads; }
  static Case CaseOf(uint64_t seed, uint64_t task, const GeneratorOptions& options) {
    return GenerateCase(seed, NumberOf(task), options, static_cast<int>(task % kHeads));
  }

 private:
  uint64_t seed_;
  GeneratorOptions options_;
  std::map<uint64_t, GeneratorOptions> preferred_;    // by the first number that they are for
  std::vector<uint8_t> heads_;                        // of the cases walked over
  absl::flat_hash_map<Combination, uint64_t> taken_;  // by how many of these
};

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_STEERING_H_
