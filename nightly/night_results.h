// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the results of a night's parts in its folder, and makes the new findings, the summary, and the list of what is
// known from then on. nightly.h runs the parts.
#ifndef TOSAIC_NIGHTLY_NIGHT_RESULTS_H_
#define TOSAIC_NIGHTLY_NIGHT_RESULTS_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "checking/known_divergences.h"
#include "model/work_paths.h"
#include "nightly/night.h"
#include "nightly/night_folder.h"
#include "results/nights.h"
#include "workers/command.h"

namespace tosaic {

// One of the two toolchains that a night tests, and the names of its results in the night's folder.
struct Tested {
  bool is_other = false;
  const char* campaign = "";
  const char* suite = "";

  WorkPaths CampaignIn(const NightPaths& paths) const { return {paths / campaign}; }
  std::string SuiteIn(const NightPaths& paths) const { return paths / absl::StrCat(suite, ".json"); }
};
inline constexpr Tested kOwn = {false, "campaign", "conform"};
inline constexpr Tested kOther = {true, "other-campaign", "other-conform"};

// Whether the toolchain's result of that name, its campaign's or its suite's, has a new finding.
bool HasNew(const Tested& tested, absl::string_view name, const NightPaths& paths);
// Whether a case regressed by this file of a comparison, if it is there.
bool HasRegressed(const std::string& comparison);

// Copies the folders of a campaign's new findings. Those of the other toolchain have its campaign's name in front.
absl::Status CopyNewFindings(const Tested& tested, const NightPaths& paths);

// Asks since when the new findings are wrong, and by whose fault, for history.md. `tosaic`: the program. Nothing if
// there are none. What cannot be told is no failure.
void DateNewFindings(const NightPaths& paths, const std::string& tosaic,
                     absl::FunctionRef<int(const Command& command)> run);

// The new causes in the results of both toolchains and of the libFuzzer targets, each once. `own`, `other`: the
// toolchains' names.
std::vector<NewOfNight> FoundIn(const NightPaths& paths, const std::string& own, const std::string& other);

// Makes what was reported tonight known tomorrow, and keeps a case of each cause (nightly/reported.h).
absl::Status AddReported(const NightPaths& state, const Night& night, const NightPaths& paths);

// The row of the history about the night, with what its results say, but for alarms. `own`, `other`: as above.
NightRow RowIn(const Night& night, const NightPaths& paths, const std::string& own, const std::string& other);

// The file with the suite's last result under the same flags.
std::string LastSuite(const NightPaths& state, const NightFlags& flags);
// The suite's result to compare with: of the last night with these flags, else of the last night without flags. The
// file need not be there.
std::string SuiteBefore(const NightPaths& state, const NightFlags& flags);

// The summary, of the reports that are there. `known_flag`: of the command that runs the night's campaign again.
std::string SummaryIn(const NightPaths& paths, const NightRow& row, const std::string& known_flag);

// Prints the last lines of a night's output. `all_nights`: the page about all.
void Say(const NightRow& row, const NightPaths& paths, const std::string& all_nights);

}  // namespace tosaic

#endif  // TOSAIC_NIGHTLY_NIGHT_RESULTS_H_
