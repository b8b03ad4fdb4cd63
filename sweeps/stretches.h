// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stretches: the parts of value sweeps that are a program each, and a worker's task.
#ifndef TOSAIC_SWEEPS_STRETCHES_H_
#define TOSAIC_SWEEPS_STRETCHES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generators/value_sweeps.h"

namespace tosaic {

struct Stretch {
  size_t sweep;  // an index
  uint64_t first;
  uint64_t count;
};

// All inputs of all sweeps, in order, of each at most `step` at once.
std::vector<Stretch> StretchesOf(const std::vector<ValueSweep>& sweeps, uint64_t step);

// "exp f32, inputs 0 to 65535"
std::string NameOf(const std::vector<ValueSweep>& sweeps, const Stretch& stretch);

// Totals of a pass over stretches.
struct StretchProgress {
  size_t done, all;  // programs
  uint64_t inputs, inputs_left, disagreements;
  double seconds;
};
// In one line, with the time that is left.
std::string ToText(absl::string_view label, const StretchProgress& progress);

}  // namespace tosaic

#endif  // TOSAIC_SWEEPS_STRETCHES_H_
