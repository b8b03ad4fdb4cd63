// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the libFuzzer targets of a night.
#ifndef TOSAIC_NIGHTLY_FUZZ_TARGETS_H_
#define TOSAIC_NIGHTLY_FUZZ_TARGETS_H_

#include <cstdint>
#include <set>
#include <string>

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

// How many inputs stopped the night's targets.
uint64_t CrashesIn(const NightPaths& paths);
// Prints that so many inputs stopped the targets, and the night's signatures.
void SayCrashes(const NightPaths& paths, uint64_t crashes);

// The signatures that the night's targets printed as new, as far as they are kept.
std::set<std::string> SignaturesIn(const NightPaths& paths);
// Adds the signatures in the logs of the night's targets to its `fuzz-signatures`: a target that runs again writes its
// log anew.
absl::Status KeepSignatures(const NightPaths& paths);

}  // namespace tosaic

#endif  // TOSAIC_NIGHTLY_FUZZ_TARGETS_H_
