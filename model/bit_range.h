// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BitRange: the bit patterns of an element between two bounds.
#ifndef TOSAIC_MODEL_BIT_RANGE_H_
#define TOSAIC_MODEL_BIT_RANGE_H_

#include <cstdint>

namespace tosaic {

struct BitRange {
  uint64_t first = 0;
  uint64_t last = 0;  // inclusive

  friend bool operator==(BitRange a, BitRange b) = default;
};

}  // namespace tosaic

#endif  // TOSAIC_MODEL_BIT_RANGE_H_
