// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Swarm: options that leave out a random part of the ops, element types, features and routes. What is left then
// combines in ways that are rare if all take part.
#ifndef TOSAIC_GENERATORS_SWARM_H_
#define TOSAIC_GENERATORS_SWARM_H_

#include <cstdint>

#include "generators/generator_options.h"

namespace tosaic {

// The same for a seed and a number. Never more than `all` allow; the first route stays. If what is left has no op, all.
GeneratorOptions SwarmOf(const GeneratorOptions& all, uint64_t seed, uint64_t number);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_SWARM_H_
