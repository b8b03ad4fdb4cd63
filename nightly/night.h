// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decisions of a night, as functions on values: its seed and name, which nights to finish, how long each part
// takes, and what is known after it. nightly.h runs it.
#ifndef TOSAIC_NIGHTLY_NIGHT_H_
#define TOSAIC_NIGHTLY_NIGHT_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "checking/known_divergences.h"
#include "checking/version_range.h"
#include "codec/visitor.h"
#include "model/provenance.h"
#include "results/nights.h"

namespace tosaic {

// What a night tests: the ops (none: all) of its campaigns and suites, and flags that put passes into their routes.
struct NightFlags {
  std::vector<std::string> ops, edits;

  friend bool operator==(const NightFlags& a, const NightFlags& b) = default;
};
void Fields(Visitor& v, NightFlags& flags);

struct Night {
  std::string name;  // its folder below nights/
  uint64_t seed = 0;
  NightFlags flags;
};

// Tonight: the first night of that date ("2026-11-22") that is not done. Its seed is the one asked for, else the date
// and, from the second night on, its ordinal: 20261122, 202611222.
Night Tonight(absl::string_view date, std::optional<uint64_t> seed,
              absl::FunctionRef<bool(const std::string&)> is_done);

// A night as its folder shows it.
struct NightBefore {
  std::string name;
  bool has_seed = false, is_done = false;
};
// The names of those that were cut short, but for tonight's date, which goes on with its own.
std::vector<std::string> InterruptedNights(absl::Span<const NightBefore> nights, absl::string_view date);

// A program that libFuzzer drives.
struct NightlyTarget {
  absl::string_view name;
  int fifths = 0;           // of the time that the targets share
  absl::string_view seeds;  // the folders of the corpus that it begins with, separated by commas
};
absl::Span<const NightlyTarget> NightlyTargets();

// The suite of each toolchain gets an equal part of the suites' time. Of the seconds that are left then, campaigns get
// two thirds, of which another toolchain's gets a third, and the libFuzzer targets the rest. Without targets the
// campaigns get five sixths, because reducing their findings takes time on top. Each gets at least a second, because
// libFuzzer treats 0 as no limit.
double SuiteSeconds(double suite_minutes, bool has_other);
int CampaignSeconds(double left, bool has_other, bool has_fuzzers);
int OtherCampaignSeconds(double left, bool has_fuzzers);  // `left` after the first campaign
int FuzzerSeconds(double left, const NightlyTarget& target);
inline constexpr double kLeastFuzzerSeconds = 3;  // if less is left, the targets do not run

// Flags of the form --name=value as a shell takes them: "--insert-after='cse:my-pass' --route='loops'".
std::string EditsText(const std::vector<std::string>& flags);

// A line that says what the night does beside fuzzing. `other`: "" if there is none.
std::string PlanText(double suite_minutes, const std::string& own, const std::string& other, bool has_fuzzers);

// The signatures that a libFuzzer target printed as new.
std::set<std::string> SignaturesInLog(absl::string_view log);
// Whether the log shows that the target ran.
bool HasRun(absl::string_view log);

// Entries of a list of known divergences.
using KnownEntries = std::vector<KnownDivergences::Entry>;
// Those for the signatures that the night of that date reported, for these versions of a toolchain (none: any).
KnownEntries ReportedEntries(const std::set<std::string>& signatures, absl::string_view date,
                             const std::vector<VersionRange>& versions = {});
// The version that a result's toolchain has, as such an entry names it: "24"; none if the result does not say.
std::vector<VersionRange> VersionsOf(const Provenance& provenance);
// All, sorted by signature; of equal ones for the same versions the first stays.
KnownEntries Joined(KnownEntries list, const KnownEntries& entries);

// A part of the summary: a report in Markdown, under a heading of the summary's.
struct SummaryPart {
  std::string heading;
  std::string markdown;
};
// The summary, Markdown. It begins with what is new. `replay`: the command that runs the night's campaign again.
std::string SummaryText(const NightRow& night, const std::string& replay, absl::Span<const SummaryPart> parts);

inline constexpr absl::string_view kNoTimeLeft = "no time is left";
inline constexpr absl::string_view kNoProgram = "there is no ";  // and its path

// The result of a libFuzzer target.
struct TargetResult {
  std::string name;
  std::string left_out;  // why it did not run: kNoTimeLeft, or what was asked for; empty: it ran
  uint64_t inputs = 0;   // that it tried
  std::set<std::string> signatures;
  bool failed = false;
};
// Whether it was left out though it was asked for.
bool WasDue(const TargetResult& target);
// The inputs that the log of a target counts: the last number after a '#' at the beginning of a line.
uint64_t InputsInLog(absl::string_view log);
// A table of them, Markdown. `crashes`: how many inputs they left.
std::string TargetsText(absl::Span<const TargetResult> targets, uint64_t crashes);

}  // namespace tosaic

#endif  // TOSAIC_NIGHTLY_NIGHT_H_
