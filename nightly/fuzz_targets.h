// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the libFuzzer targets of a night.
#ifndef TOSAIC_NIGHTLY_FUZZ_TARGETS_H_
#define TOSAIC_NIGHTLY_FUZZ_TARGETS_H_

#include <cstdint>

#include "nightly/night.h"
#include "nightly/night_folder.h"
#include "nightly/nightly.h"

namespace tosaic {

struct TargetRun {
  const NightlyOptions& options;
  const CommandRunner& run;
  NightPaths state, paths;  // `paths`: the night's
  uint64_t seed = 0;
  double seconds = 0;  // for all targets
};

// Runs a target for its share of the time, and prunes its corpus: those inputs stay that together cover what all of
// them do. Says so if the target is left out, or does not run.
TargetResult RunTarget(const TargetRun& run, const NightlyTarget& target);

}  // namespace tosaic

#endif  // TOSAIC_NIGHTLY_FUZZ_TARGETS_H_
