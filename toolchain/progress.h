// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records a case's current stage, pass and run as a worker's progress, and turns a death there into an observation.
#ifndef TOSAIC_TOOLCHAIN_PROGRESS_H_
#define TOSAIC_TOOLCHAIN_PROGRESS_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "model/observation.h"
#include "workers/progress.h"
#include "workers/worker_pool.h"

namespace tosaic {

void EnterStage(Stage stage);
void EnterStage(Stage stage, Observation* observation);  // the same, and says so there
void EnterPass(absl::string_view name);                  // kLower: the pass at work
void EnterRun(uint32_t run);                             // kExecute: the run at work

// Asks that this process be replaced if MLIR left IR that does not verify: what it read for that may be memory that is
// not its own, and a context that has a type with such a size refuses right programs. Returns whether it did.
bool RetireAfter(const Observation& observation);

// Calls `observe`, and RetireAfter. A death within is the toolchain's, one after it is Tosaic's own, until the next
// stage is entered.
Observation Observed(absl::FunctionRef<Observation()> observe);

// The diagnostic of a process that somebody killed (IsSignalFromOutside), which says nothing about the case; and
// whether an observation is about that.
std::string KilledFromOutside(int signal);
bool IsOfKillFromOutside(const Observation& observation);

// An observation that ended there by a signal, whose number the caller adds; kToolFailure if Tosaic itself was at work.
Observation EndedAt(const Progress& progress);

// The death of a worker as the observation of its case: outcome, stage, pass, signal, and the tail of its output. It is
// kToolFailure if Tosaic itself was at work, had less memory than a case may take, or was killed from outside.
Observation ObservationOf(const Death& death);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_PROGRESS_H_
