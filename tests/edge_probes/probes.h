// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Probes of the oracle: programs of one to three ops, with one, all but one or all values returned, and results that a
// toolchain could have given: inside what the specification allows, at its edge, one step outside, or of a value that
// is not returned and that its users see differently. The results come from dumb_scalar_ops, which shares nothing with
// the oracle. A probe whose results are all allowed must not be blamed; one with a mistake must be, unless other values
// of what is not returned explain it.
#ifndef TOSAIC_TESTS_EDGE_PROBES_PROBES_H_
#define TOSAIC_TESTS_EDGE_PROBES_PROBES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/observation.h"
#include "model/program.h"

namespace tosaic::edge_probes {

struct Probe {
  Case test_case;
  Observation observation;
  std::string cause;              // "exp", or for a step outside behind hidden values "abs(exp)"
  std::optional<size_t> outside;  // the op that made a mistake; none if all is allowed
  bool all_returned = false;
  // Of a step outside: whether some values of what is not returned explain the result; null if nobody can tell.
  std::optional<bool> explained;
};

// The probe of this number; nullopt if its random data leave an element open, which says nothing about the oracle.
std::optional<Probe> Make(uint64_t seed, uint64_t number);

struct Counts {
  uint64_t allowed = 0;           // probes without a step outside
  uint64_t blamed = 0;            // of them: must be none
  uint64_t outside = 0;           // probes with a step outside and all values returned
  uint64_t accepted = 0;          // of them: must be none
  uint64_t hidden_outside = 0;    // with a step outside, and values not returned that do not explain it
  uint64_t hidden_accepted = 0;   // of them
  uint64_t hidden_explained = 0;  // some hidden value explains the step outside, so that accepting is right
  uint64_t hidden_undecided = 0;  // nobody can tell whether some do

  Counts& operator+=(const Counts& other);
};

struct Result {
  std::map<std::string, Counts> by_cause;
  uint64_t left_out = 0;  // numbers without a probe
  // A line each for the first probes that were blamed or accepted wrongly, and for the first that were accepted
  // although nothing that is not returned explains them.
  std::vector<std::string> complaints;
  std::vector<std::string> hidden_complaints;
  Counts Total() const;
};

// Makes and judges the probes of the numbers from `first` on.
Result JudgeProbes(uint64_t seed, uint64_t first, uint64_t count);

}  // namespace tosaic::edge_probes

#endif  // TOSAIC_TESTS_EDGE_PROBES_PROBES_H_
