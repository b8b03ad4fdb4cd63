// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges very many inputs that were observed as one program with many runs. A filter decides nearly all elements
// (oracle/element_filter.h); the others, with those that may have the largest error, go the exact way.
#ifndef TOSAIC_SWEEPS_MANY_INPUTS_H_
#define TOSAIC_SWEEPS_MANY_INPUTS_H_

#include <cstdint>

#include "generators/value_sweeps.h"
#include "model/observation.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "sweeps/value_chunk.h"

namespace tosaic {

// An error below this, in units of the last place, may count as none where a filter computes with doubles.
inline constexpr double kLeastError = 0x1p-16;

// The case has one op, and its runs are the sweep's inputs from `first` on. What the chunk says does not depend on the
// filter, but for errors below kLeastError, and for the sum of errors, of which each is within 2^-22.
ValueChunk JudgeManyInputs(const ValueSweep& sweep, const Case& test_case, Observation observation, uint64_t first,
                           const JudgeOptions& options);

}  // namespace tosaic

#endif  // TOSAIC_SWEEPS_MANY_INPUTS_H_
