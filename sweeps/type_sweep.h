// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sweep over types: every combination of operand and result types, decided by MLIR's verifier and by the oracle.
// The combinations of types are finite, so none is left out.
#ifndef TOSAIC_SWEEPS_TYPE_SWEEP_H_
#define TOSAIC_SWEEPS_TYPE_SWEEP_H_

#include <atomic>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "results/type_sweep.h"
#include "sweeps/sweep_space.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// Sweeps in worker processes. *stop set: ends early with what there is. `progress` is told the decisions so far and
// all.
absl::StatusOr<SweepSummary> RunTypeSweep(Toolchain& toolchain, const TypeSweepOptions& options,
                                          const std::atomic<bool>* stop,
                                          absl::FunctionRef<void(uint64_t decided, uint64_t all)> progress);

}  // namespace tosaic

#endif  // TOSAIC_SWEEPS_TYPE_SWEEP_H_
