// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// InputStretches: inputs of a sweep, such as the wrong ones, as stretches of consecutive bit patterns.
#ifndef TOSAIC_RESULTS_INPUT_STRETCHES_H_
#define TOSAIC_RESULTS_INPUT_STRETCHES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/visitor.h"

namespace tosaic {

struct InputStretch {
  uint64_t first = 0;
  uint64_t last = 0;

  friend bool operator==(const InputStretch& a, const InputStretch& b) = default;
};
void Fields(Visitor& v, InputStretch& stretch);

struct InputStretches {
  static constexpr size_t kListed = 64;

  uint64_t inputs = 0;               // in all stretches
  uint64_t count = 0;                // stretches, those not listed included
  std::vector<InputStretch> listed;  // the first of them
  InputStretch last;                 // the last one; meaningful if there is any

  // Inputs behind all that are there already.
  void Add(uint64_t input) { Add({.inputs = 1, .count = 1, .listed = {{input, input}}, .last = {input, input}}); }
  void Add(const InputStretches& next);

  friend bool operator==(const InputStretches& a, const InputStretches& b) = default;
};
void Fields(Visitor& v, InputStretches& stretches);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_INPUT_STRETCHES_H_
