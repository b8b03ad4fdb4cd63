// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Value sweep: every op and element-type tuple of the specification on all inputs, or on very many (see
// generators/value_inputs.h), observed in workers and judged element by element, with an accuracy profile of each. The
// result depends on the options only, never on the number of workers.
#ifndef TOSAIC_SWEEPS_VALUE_SWEEP_H_
#define TOSAIC_SWEEPS_VALUE_SWEEP_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "checking/known_divergences.h"
#include "checking/patch_base.h"
#include "generators/value_sweeps.h"
#include "oracle/judge.h"
#include "results/value_sweep.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// Elements of a program's tensors: all of a 16-bit type, all pairs of 8 bits.
inline constexpr uint64_t kChunkInputs = 65536;
// Inputs of a program of a sweep of all inputs: runs of kChunkInputs.
inline constexpr uint64_t kManyInputs = 64 * kChunkInputs;

struct ValueSweepRunOptions {
  ValueSweepOptions plan;
  std::string route = "loops";
  int jobs = 1;
  WorkerLimits limits;  // of a program, its judging included
  JudgeOptions judge;
  KnownDivergences known;
  std::optional<PatchBase> base;  // stock MLIR, if there is one: no known cause of MLIR explains what it has right
  uint64_t shard = 0;             // of `shards`: the programs whose numbers are congruent to it
  uint64_t shards = 1;
  std::string work;               // the work directory, which an earlier start may have left; empty: none
  std::vector<std::string> take;  // work directories of other shards, whose programs need not run here
  std::string command_line;       // for the provenance
};

// Runs the sweep. *stop set (Ctrl-C): ends early with what there is. The error is about the workers, never about a
// value, or says that there is nothing to sweep.
absl::StatusOr<ValueSweepSummary> RunValueSweep(Toolchain& toolchain, const ValueSweepRunOptions& options,
                                                const std::atomic<bool>* stop);

}  // namespace tosaic

#endif  // TOSAIC_SWEEPS_VALUE_SWEEP_H_
