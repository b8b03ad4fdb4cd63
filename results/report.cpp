// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/report.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "model/counted.h"
#include "results/result_file.h"
#include "results/sorted.h"

namespace tosaic {
namespace {

constexpr StandingInfo kStandings[] = {
    {Standing::kRegressed, "regressed", "!",
     "a case was right before, and diverges or is refused now; or it was wrong in a known way, and is in a new one"},
    {Standing::kNew, "new", "!", "a case diverges in a way that is not known"},
    {Standing::kHarnessFault, "harness-fault", "!", "nothing is known of a case: Tosaic or the toolchain failed on it"},
    {Standing::kNotReduced, "not-reduced", "!", "a case diverges; it was not reduced, so this may be known"},
    {Standing::kChanged, "changed", "~", "a case was wrong before, and is wrong in another way now"},
    {Standing::kKnown, "known", "x", "cases diverge; all of this is known or beyond the specification"},
    {Standing::kFixed, "fixed", "+", "a case diverged before, and is right now"},
    {Standing::kSupported, "supported", "*", "a case was refused before, and is right now"},
    {Standing::kUnsupported, "unsupported", "-", "MLIR refuses every case cleanly, as the support table says"},
    {Standing::kUndefinedOnly, "undefined-only", "?", "the documents leave every case open"},
    {Standing::kConforms, "conforms", ".", "every case with an expected result agrees"},
    {Standing::kUnchanged, "unchanged", ".", "every case is as it was before"},
    {Standing::kNotApplicable, "not-applicable", " ", "there is no such case"},
};

}  // namespace

absl::Span<const StandingInfo> AllStandings() { return kStandings; }

const StandingInfo& Info(Standing standing) { return kStandings[static_cast<size_t>(standing)]; }

EnumNames NamesOf(Standing) {
  static constexpr auto kNames = [] {
    std::array<absl::string_view, std::size(kStandings)> names{};
    for (size_t i = 0; i < names.size(); ++i) names[i] = kStandings[i].name;
    return names;
  }();
  return NamesFor<Standing>(kNames, "a standing");
}

std::string RuleOf(const ReportFinding& finding) { return std::string(Name(finding.judgement.rule)); }

std::string StageOf(const ReportFinding& finding) {
  return finding.judgement.rule == RuleId::kNone ? "" : std::string(Name(finding.judgement.stage));
}

uint64_t CountFindings(const ResultReport& report, Finding::Status status) {
  return static_cast<uint64_t>(std::count_if(report.findings.begin(), report.findings.end(),
                                             [&](const ReportFinding& finding) { return finding.status == status; }));
}

std::vector<Cause> QuietCauses(const ResultReport& report) {
  std::vector<Cause> causes;
  for (const ReportFinding& finding : report.findings) {
    if (IsUrgent(finding)) continue;
    const auto same = [&](const Cause& cause) { return cause.status == finding.status && cause.name == finding.cause; };
    auto at = std::find_if(causes.begin(), causes.end(), same);
    if (at == causes.end())
      at = causes.insert(causes.end(), {finding.status, finding.cause, finding.known_reason, 0, {}});
    at->count += finding.count;
    at->findings.push_back(&finding);
  }
  // Known causes come first, and among equals those that most cases show.
  SortBy(&causes, [](const Cause& cause) {
    return std::pair(-static_cast<int>(cause.status), -static_cast<int64_t>(cause.count));
  });
  return causes;
}

uint64_t CountTiles(const ResultReport& report, Standing standing) {
  return static_cast<uint64_t>(std::count_if(report.tiles.begin(), report.tiles.end(),
                                             [&](const ReportTile& tile) { return tile.standing == standing; }));
}

CaseCounts CountChanges(const ResultReport& report) {
  CaseCounts counts;
  for (const ReportTile& tile : report.tiles) {
    if (tile.change) counts += tile.change->cases;
  }
  return counts;
}

// The tiles of a comparison that are sweeps of values.
static uint64_t CountSweeps(const ResultReport& report, Standing standing) {
  return static_cast<uint64_t>(absl::c_count_if(
      report.tiles, [&](const ReportTile& tile) { return tile.standing == standing && !tile.change; }));
}

// Whether the IR of cases was compared, and is the same everywhere.
static bool ComparesAlikeIr(const ResultReport& report) {
  const auto is_alike = [](const PlaceChange& place) {
    return place.differ + place.base_alone + place.patch_alone == 0;
  };
  return report.ir && report.ir->lowered.compared > 0 && is_alike(report.ir->tensors) && is_alike(report.ir->lowered);
}

static std::string HeadlineOfComparison(const ResultReport& report) {
  const CaseCounts counts = CountChanges(report);
  const uint64_t sweeps = CountSweeps(report, Standing::kRegressed);
  std::string headline =
      counts.regressed > 0 ? absl::StrCat(Counted(counts.regressed, "case"), " regressed") : "No regression";
  if (sweeps > 0) {
    headline =
        absl::StrCat(counts.regressed > 0 ? headline + ", " : "", Counted(sweeps, "tile"), " of values regressed");
  }
  if (counts.fixed > 0) absl::StrAppend(&headline, ", ", counts.fixed, " fixed");
  if (counts.supported > 0) absl::StrAppend(&headline, ", ", counts.supported, " supported now");
  if (counts.changed > 0) absl::StrAppend(&headline, ", ", counts.changed, " changed");
  if (counts.harness_fault > 0) absl::StrAppend(&headline, ", ", counts.harness_fault, " not compared");
  if (counts.regressed + counts.fixed + counts.supported + counts.changed + counts.harness_fault + sweeps == 0) {
    const uint64_t differ = report.ir ? std::max(report.ir->tensors.differ, report.ir->lowered.differ) : 0;
    if (CountSweeps(report, Standing::kChanged) == 0) {
      headline =
          ComparesAlikeIr(report) ? "Nothing changed, nor the IR of any case: none tests the patch" : "Nothing changed";
    }
    if (differ > 0) headline = absl::StrCat("No verdict changed, but the IR of ", Counted(differ, "case"));
  }
  return headline;
}

std::string Headline(const ResultReport& report) {
  std::string headline;
  if (report.kind == ResultKind::kComparison) {
    headline = HeadlineOfComparison(report);
  } else if (report.kind == ResultKind::kCoverage) {
    const BlockTotals totals = TotalsOf(report.functions);
    headline = absl::StrCat(totals.reached, " of ", Counted(totals.blocks, "block"), " reached, ",
                            Counted(totals.never_entered, "function"), " never entered");
  } else {
    const uint64_t fresh = CountFindings(report, Finding::Status::kNew);
    const uint64_t open = CountFindings(report, Finding::Status::kNotReduced);
    if (fresh > 0 || open == 0) headline = fresh > 0 ? Counted(fresh, "new finding") : "Nothing new";
    if (open > 0) absl::StrAppend(&headline, fresh > 0 ? ", " : "", Counted(open, "finding"), " not reduced");
  }
  if (!report.harness_faults.empty()) {
    absl::StrAppend(&headline, ", ", Counted(report.harness_faults.size(), "harness fault"));
  }
  if (report.kind == ResultKind::kProofs) {
    if (!report.not_run.empty()) absl::StrAppend(&headline, ", ", report.not_run.size(), " unknown");
  } else if (report.kind == ResultKind::kCampaign && report.not_run.size() > 1) {
    absl::StrAppend(&headline, ", ", report.not_run.size(), " parts missing");
  } else {
    for (const std::string& part : report.not_run) absl::StrAppend(&headline, ", ", part);
  }
  if (report.interrupted) absl::StrAppend(&headline, ", interrupted");
  return headline;
}

absl::string_view NotRunInWords(const ResultReport& report) {
  return report.kind == ResultKind::kProofs ? "unknown" : "not run";
}

bool IsGood(const ResultReport& report) {
  const bool urgent = absl::c_any_of(report.findings, [](const ReportFinding& finding) { return IsUrgent(finding); });
  return !urgent && report.harness_faults.empty() && !report.interrupted && CountChanges(report).regressed == 0 &&
         CountTiles(report, Standing::kRegressed) == 0;
}

}  // namespace tosaic
