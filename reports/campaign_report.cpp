#include "reports/campaign_report.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/mlir_text.h"

namespace tosaic {
namespace {

void AppendShare(absl::string_view what, const Share& share, std::string* out) {
  if (share.possible == 0) return;
  absl::StrAppendFormat(out, "  %-44s%6d of %6d (%.1f %%)\n", what, share.seen, share.possible,
                        100.0 * static_cast<double>(share.seen) / static_cast<double>(share.possible));
}

// "loops 1024, canonicalized 240": the most frequent first.
std::string Frequencies(const std::map<std::string, uint64_t>& counts) {
  std::vector<std::pair<std::string, uint64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return absl::StrJoin(sorted, ", ", [](std::string* out, const auto& one) {
    absl::StrAppend(out, one.first.empty() ? "none" : one.first, " ", one.second);
  });
}

std::string CoverageToText(const Coverage& coverage) {
  std::string out = "\ncoverage\n";
  AppendShare("op x element types", coverage.op_types, &out);
  AppendShare("op x element types x shape class", coverage.op_types_shapes, &out);
  AppendShare("op x element types x shape class x route", coverage.op_types_shapes_routes, &out);
  AppendShare("rewrite patterns of TOSA's elementwise ops", coverage.patterns, &out);
  absl::StrAppend(&out, "  shape classes: ", Frequencies(coverage.shapes), "\n  routes: ", Frequencies(coverage.routes),
                  "\n");
  if (!coverage.twins.empty()) absl::StrAppend(&out, "  twins: ", Frequencies(coverage.twins), "\n");
  absl::StrAppendFormat(&out, "  %d deciding rules, %d categories of refusals (counted in summary.json)\n",
                        coverage.rules.size(), coverage.categories.size());
  if (coverage.patterns.seen == 0) return out;
  for (const std::string& pattern : coverage.never_fired) absl::StrAppend(&out, "  never fired: ", pattern, "\n");
  return out;
}

}  // namespace

std::string SummaryToText(const CampaignSummary& summary) {
  std::string out = absl::StrFormat(
      "%d cases, %d runs, seed %d, %.1f s, %.0f cases/s%s\n", summary.cases, summary.runs, summary.seed,
      summary.elapsed_seconds, summary.elapsed_seconds > 0 ? summary.cases_observed / summary.elapsed_seconds : 0.0,
      summary.interrupted ? " (interrupted)" : "");
  for (const auto& [verdict, count] : summary.verdicts)
    absl::StrAppendFormat(&out, "  %-22s%8d\n", Name(verdict), count);
  absl::StrAppend(&out, "\nop                      cases  divergent  elements compared\n");
  for (const auto& [op, entry] : summary.by_op) {
    uint64_t cases = 0, divergent = 0;
    for (const auto& [verdict, count] : entry.verdicts) {
      cases += count;
      if (IsDivergence(verdict)) divergent += count;
    }
    absl::StrAppendFormat(&out, "  %-22s%5d  %9d  %17s\n", op, cases, divergent,
                          entry.compared + entry.masked == 0
                              ? "none"
                              : absl::StrFormat("%d (%.1f %%)", entry.compared, 100 * ComparedShare(entry)));
  }
  absl::StrAppend(&out, CoverageToText(summary.coverage));
  uint64_t known = 0, beyond = 0;
  for (const Finding& finding : summary.findings) {
    known += StatusOf(finding) == Finding::Status::kKnown ? 1 : 0;
    beyond += StatusOf(finding) == Finding::Status::kBeyondSpec ? 1 : 0;
  }
  absl::StrAppendFormat(&out, "\n%d findings: %d new, %d known, %d beyond the specification; %d causes within it\n",
                        summary.findings.size(), CountNew(summary.findings), known, beyond, CountCauses(summary));
  for (const Finding& finding : summary.findings) {
    if (!finding.known_reason.empty()) continue;
    absl::StrAppendFormat(&out, "  %-12s%5d x  %s\n%24s%s\n", Name(StatusOf(finding)), finding.count, finding.signature,
                          "", finding.folder);
  }
  for (const auto& [note, count] : summary.notes) absl::StrAppendFormat(&out, "note: %d x  %s\n", count, note);
  for (const HarnessFault& fault : summary.harness_faults) {
    absl::StrAppendFormat(&out, "harness-fault: case %d: %s (its worker had run cases from %d on)\n", fault.case_number,
                          fault.what, fault.first_preceding);
  }
  if (!summary.unused_support.empty()) {
    absl::StrAppend(&out, "support table rows that no case needed: ", absl::StrJoin(summary.unused_support, ", "),
                    "\n");
  }
  if (!summary.unseen_known.empty()) {
    absl::StrAppend(&out,
                    "known divergences that no case showed, though many might have (fixed upstream? remove them):\n");
    for (const std::string& one : summary.unseen_known) absl::StrAppend(&out, "  ", one, "\n");
  }
  return out;
}

std::string FindingToText(const Finding& finding, Dialect dialect) {
  std::string out =
      absl::StrCat("signature: ", finding.signature, "\nseen:      ", finding.count, " times, first in case ",
                   finding.case_number, "\nroute:     ", finding.route, "\n", JudgementToText(finding.judgement));
  if (!finding.pipeline.empty()) absl::StrAppend(&out, "passes:    ", finding.pipeline, "\n");
  if (!finding.known_reason.empty()) absl::StrAppend(&out, "known:     ", finding.known_reason, "\n");
  absl::StrAppend(&out, "\nreduced program:\n", ToMlir(finding.reduced.program, dialect), RunsToText(finding.reduced));
  return out;
}

}  // namespace tosaic
