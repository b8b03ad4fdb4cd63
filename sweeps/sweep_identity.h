// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The identity of a value sweep: the first line of its journal. A sweep can only go on with a journal of an equal one.
#ifndef TOSAIC_SWEEPS_SWEEP_IDENTITY_H_
#define TOSAIC_SWEEPS_SWEEP_IDENTITY_H_

#include "model/json.h"
#include "model/provenance.h"
#include "sweeps/value_sweep.h"

namespace tosaic {

// Names the whole sweep, whatever the shard, by every option that decides what its programs say. `versions`: of the
// toolchain (checking/provenance.h).
Json SweepIdentity(const ValueSweepRunOptions& options, const Provenance& versions);

}  // namespace tosaic

#endif  // TOSAIC_SWEEPS_SWEEP_IDENTITY_H_
