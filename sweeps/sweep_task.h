// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SweepTask: a part of a sweep's space, on which one worker asks MLIR's verifier and the oracle.
#ifndef TOSAIC_SWEEPS_SWEEP_TASK_H_
#define TOSAIC_SWEEPS_SWEEP_TASK_H_

#include <cstddef>
#include <vector>

#include "model/observation.h"
#include "oracle/policy.h"
#include "results/type_sweep.h"
#include "sweeps/sweep_space.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// Tuples of a space, with some of its result types.
struct SweepTask {
  size_t space = 0;
  size_t begin = 0, end = 0;
  size_t result_begin = 0, result_end = 0;
  size_t part_of = 0;  // the task that it was split from

  // The tasks to try if MLIR died on this one: each tuple alone, then each result type; empty if it was a single
  // decision.
  std::vector<SweepTask> Split() const;
};

std::vector<SweepTask> TasksOf(const std::vector<SweepSpace>& spaces);

// In a worker: counts the decisions of MLIR and of the oracle.
SweepCounts Decide(Toolchain& toolchain, const SweepSpace& space, const SweepTask& task, const Policies& policies);

// The same of a task of one decision that a worker did not survive.
SweepCounts CountsOfDeath(const SweepSpace& space, const SweepTask& task, const Observation& death);

}  // namespace tosaic

#endif  // TOSAIC_SWEEPS_SWEEP_TASK_H_
