// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as text: what a command prints when it ends, and `tosaic report --format=text`. Nothing is decided here.
#ifndef TOSAIC_RESULTS_TEXT_H_
#define TOSAIC_RESULTS_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "results/block_report.h"
#include "results/campaign.h"
#include "results/conformance.h"
#include "results/proofs.h"
#include "results/type_sweep.h"
#include "results/value_sweep.h"

namespace tosaic {

// This says how much of a campaign is printed.
enum class SummaryLength : uint8_t {
  kFound,    // the causes of what was found
  kShort,    // the numbers in short, the causes, and how to see more
  kDetails,  // before these also notes, tables of ops and chains, and coverage
};

// The findings and how to see more of the work directory stand last, because a terminal still shows the last lines.
std::string ToText(const CampaignSummary& summary, const std::string& directory, SummaryLength length);
// "97 tiles: conforms 72 ...", and the new findings.
std::string ToText(const ConformanceReport& report);
std::string ToText(const Comparison& comparison);
// The disagreements, and a last line with "N decisions", the rate and their number.
std::string ToText(const SweepSummary& summary);
std::string ToText(const ValueSweepSummary& summary);
// The share of the allowed error that the largest error takes, in tenths of a percent: "19.4 %", "< 0.1 %"; "> 99.9 %"
// is less than all of it.
std::string ShareOfBound(double share);
// A line per op and element types, "add i32: proved", and a last line with their numbers.
std::string ToText(const ProofSummary& summary);
// `all_blocks`: with each block that is not reached.
std::string ToText(const BlockReport& report, bool all_blocks);

// Changes of one kind that go from one verdict and rule to the same other ones. REQUIRES: the changes outlive it.
struct ChangeGroup {
  std::string verdicts;  // "agree [] -> crash [run.signal]"
  std::vector<const CaseChange*> cases;
};
// The most frequent first.
std::vector<ChangeGroup> GroupsOf(absl::Span<const CaseChange> changes, Change change);
// "add/f32, add/i32 and 12 more": the ops and element types of a group's cases.
std::string OpsOf(const ChangeGroup& group, size_t most);

// Says, for a finding's folder, what was expected and what happened.
std::string FindingToText(const Finding& finding, Dialect dialect = kCanonicalDialect);
// Every verdict but agreement: "", "wrong-value", "unsupported".
std::string Oddities(const VerdictCounts& verdicts);
// "clamp f32 min_val=-1.5 max_val=6".
std::string NameOf(const ValueSweepRow& row);
// "0x3f800010 to 0x3f80001f", "0x40000000".
std::string InWords(const BitStretch& stretch);
// "tanh f32: 18 wrong inputs, 0x3f800010 to 0x3f80001f, 0x40000000 and 3 more", at most so many stretches of a
// sweep of all inputs; "" if none is wrong.
std::string WrongInputsInWords(const ValueSweepRow& row, size_t most);
// The profile of the ops whose rule allows an error, as a table for documents with a row per op and element types.
std::string ProfileToMarkdown(const ValueSweepSummary& summary);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_TEXT_H_
