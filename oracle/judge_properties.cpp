// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties of a run beside its values: where it stops, how it stores and calls, and where its results lie.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "model/routes.h"
#include "oracle/judging.h"
#include "oracle/run_properties.h"
#include "oracle/run_values.h"

namespace tosaic {

// Run-time verification must stop a run whose extents are at least 1 and do not fit (the trait document leaves it
// undefined, so stopping is the only promise). `actual`: what the run did instead.
bool Judging::JudgeMissedStop(size_t run, const std::string& actual) {
  UndefinedSizes why;
  if (!observation_.verifies_extents || SizesOfAllOps(case_.program, case_.runs[run], &why)) return false;
  if (why.rule != RuleId::kRuntimeConflict && why.rule != RuleId::kRuntimeStaticResult) return false;
  // Passes that are not the route's may leave no linalg op whose extents could be verified.
  if (case_.route == kCustomRoute) {
    NoteOnce(std::string(Name(RuleId::kVerificationMissedStop)));
    return false;
  }
  return Decide(Verdict::kContractViolation, RuleId::kVerificationMissedStop,
                absl::StrCat("a stop: ", Name(why.rule), " in dimension ", why.dim),
                absl::StrCat("run ", run, ": ", actual));
}

// Judges linalg's properties that a run shows, on the routes that observe them.
bool Judging::JudgeProperties(size_t run) {
  const RunObservation& observed = observation_.runs[run];
  const auto is_stored_once = [](const ResultObservation& result) { return result.not_stored_once.empty(); };
  const bool stored_once = observed.uneven_stores.empty() && absl::c_all_of(observed.results, is_stored_once);
  if (stored_once && !observation_.calls_library) return false;
  std::optional<Breach> breach = CheckStores(case_.program, observed, case_.route == kCustomRoute);
  if (breach) breach->actual = absl::StrCat("run ", run, ", ", breach->actual);
  if (observation_.calls_library) {
    RunCheck check = CheckLibraryCalls(case_, run, observed, options_.policies);
    for (const RuleId note : check.notes) NoteOnce(std::string(Name(note)));
    if (!breach) breach = std::move(check.breach);
  }
  return breach && Decide(Verdict::kContractViolation, breach->rule, breach->expected, breach->actual);
}

// Judges where the results lie: each is the caller's, who may call again, and free it where the code deallocates.
bool Judging::JudgeMemory(size_t run) {
  const std::vector<ResultObservation>& results = observation_.runs[run].results;
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].overwritten) {
      return Decide(Verdict::kContractViolation, RuleId::kRunFresh, "a result that no later call changes",
                    absl::StrCat(Where(run, i), "a later call changed it"));
    }
    if (!results[i].not_owned.empty()) {
      return Decide(Verdict::kContractViolation, RuleId::kRunOwned, "a buffer that the caller may free",
                    absl::StrCat(Where(run, i), "the allocated pointer is another; it lies in ", results[i].not_owned));
    }
  }
  return false;
}

}  // namespace tosaic
