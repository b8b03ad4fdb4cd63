// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stage, pass and run that a case is at, as a worker's progress; and an observation of what it died of there.
#ifndef TOSAIC_TOOLCHAIN_PROGRESS_H_
#define TOSAIC_TOOLCHAIN_PROGRESS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "model/observation.h"
#include "workers/progress.h"
#include "workers/worker_pool.h"

namespace tosaic {

void EnterStage(Stage stage);
void EnterStage(Stage stage, Observation* observation);  // the same, and says so there
void EnterPass(absl::string_view name);                  // kLower: the pass at work
void EnterRun(uint32_t run);                             // kExecute: the run at work

// An observation that ended there, of a signal: the caller knows its number, or better.
Observation EndedAt(const Progress& progress);

// How a worker died, as the observation of its case: outcome, stage, pass, signal, and the tail of what it printed.
Observation ObservationOf(const Death& death);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_PROGRESS_H_
