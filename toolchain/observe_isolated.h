// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Observes a case alone in a worker, so that the death of the process is an observation like any other.
#ifndef TOSAIC_TOOLCHAIN_OBSERVE_ISOLATED_H_
#define TOSAIC_TOOLCHAIN_OBSERVE_ISOLATED_H_

#include "absl/functional/function_ref.h"
#include "model/observation.h"
#include "model/op_signature.h"
#include "model/program.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// Observes one case alone in a fresh process. Always answers; a harness failure is Outcome::kToolFailure.
Observation ObserveIsolated(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits);
Observation ObserveIsolated(Toolchain& toolchain, const OpSignature& probe, const WorkerLimits& limits);
// The same with whatever `observe` does there.
Observation ObserveIsolated(absl::FunctionRef<Observation()> observe, const WorkerLimits& limits);

// Observes one small case in this process, if a child survives it. Then everything that MLIR and LLVM load and resolve
// on first use is available in every worker from the start.
void WarmUp(Toolchain& toolchain);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_OBSERVE_ISOLATED_H_
