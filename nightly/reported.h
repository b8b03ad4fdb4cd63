// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nights have reported, which later nights with the same passes put in take for known, until it is right again.
#ifndef TOSAIC_NIGHTLY_REPORTED_H_
#define TOSAIC_NIGHTLY_REPORTED_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checking/known_divergences.h"
#include "nightly/night.h"
#include "nightly/night_folder.h"
#include "nightly/nightly.h"

namespace tosaic {

// The list for nights with these passes. Those without have nothing in common with others: other code is tested.
std::string ReportedList(const NightPaths& state, const NightFlags& flags);
// What is in it: nothing if it is not there.
absl::StatusOr<KnownEntries> ReadReported(const NightPaths& state, const NightFlags& flags);
// The case that showed an entry of the list; there need not be one.
std::string CaseOfReported(const NightPaths& state, const NightFlags& flags, const KnownDivergences::Entry& entry);

// Writes known.json: the list that is given and what earlier nights reported.
absl::Status WriteKnown(const NightPaths& state, const NightFlags& flags, const KnownDivergences& given);

// Takes the entries out of the list whose cases are right by now: what they name is new when it comes back. Says so,
// and adds them to fixed.md in the night's folder. On each toolchain it takes a tenth of the night at most.
absl::Status TakeOutFixed(const NightPaths& state, const Night& night, const NightPaths& paths,
                          const NightlyOptions& options, const CommandRunner& run);

}  // namespace tosaic

#endif  // TOSAIC_NIGHTLY_REPORTED_H_
