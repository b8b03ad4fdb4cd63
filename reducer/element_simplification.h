// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which element values are simpler than others, as bit patterns of a type.
#ifndef TOSAIC_REDUCER_ELEMENT_SIMPLIFICATION_H_
#define TOSAIC_REDUCER_ELEMENT_SIMPLIFICATION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "model/element_type.h"

namespace tosaic {

// How complex a value is for a reader: 0, then 1, -1, few significant bits, a small magnitude. Below 2^15.
uint64_t ElementCost(ElementType type, uint64_t bits);

// The bit pattern of 3, a number that no rule of algebra singles out as it does 0, 1 and -1; nullopt if the type has no
// such number (i1), and of blocks.
std::optional<uint64_t> OrdinaryBits(ElementType type);

// The bit pattern of -1 (unsigned types and i1: 1).
uint64_t MinusOneBits(ElementType type);

// Simpler values to try instead, simplest first; all of lower cost. An element of a block keeps its scale.
std::vector<uint64_t> SimplerElements(ElementType type, uint64_t bits);

// Bytes of scales nearer to 1 than that of an element of a block.
std::vector<uint64_t> SimplerScales(uint64_t bits);

}  // namespace tosaic

#endif  // TOSAIC_REDUCER_ELEMENT_SIMPLIFICATION_H_
