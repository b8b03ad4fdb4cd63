// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Swarm: options that leave out a random part of the ops, element types, features and routes. The rest is then combined
// in ways that are rare otherwise.
#ifndef TOSAIC_GENERATORS_SWARM_H_
#define TOSAIC_GENERATORS_SWARM_H_

#include <cstdint>

#include "generators/generator_options.h"

namespace tosaic {

// It is the same for the same seed and number. It never allows more than `all`, and keeps the first route. If no op
// would be left, it returns `all`.
GeneratorOptions SwarmOf(const GeneratorOptions& all, uint64_t seed, uint64_t number);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_SWARM_H_
