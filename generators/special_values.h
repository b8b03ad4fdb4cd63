// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that arithmetic often gets wrong: for each element type, a short list of the classic ones and a longer
// list.
#ifndef TOSAIC_GENERATORS_SPECIAL_VALUES_H_
#define TOSAIC_GENERATORS_SPECIAL_VALUES_H_

#include <cstdint>
#include <vector>

#include "model/element_type.h"

namespace tosaic {

// Bit patterns without duplicates; the first of `core` is zero.
struct SpecialValues {
  // Floats: both zeros, +-1, infinities, a quiet NaN with payload, the ends of the subnormals and of the normals.
  // Integers: 0, +-1, +-2, the limits and their neighbours.
  std::vector<uint64_t> core;
  // Floats: halves for rounding, neighbours of 1 and 0.5, where precision ends, integer types' limits, where exp and
  // tanh saturate, another NaN, a signalling one. Integers: powers of two and their neighbours, patterns.
  std::vector<uint64_t> more;
};

const SpecialValues& Specials(ElementType type);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_SPECIAL_VALUES_H_
