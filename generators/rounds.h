// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounds of a campaign that learns from its cases. What the cases of one round show says how those of the next are
// drawn, so that everything depends on the seed and the numbers alone.
#ifndef TOSAIC_GENERATORS_ROUNDS_H_
#define TOSAIC_GENERATORS_ROUNDS_H_

#include <cstdint>

namespace tosaic {

// The first number of the round that a case belongs to, and the number behind its last. The first rounds are short,
// because there is most to learn in them.
uint64_t RoundBegin(uint64_t number);
uint64_t RoundEnd(uint64_t number);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_ROUNDS_H_
