#include "reports/campaign_report.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/mlir_text.h"
#include "model/work_paths.h"
#include "results/result_file.h"

namespace tosaic {
namespace {

double ComparedShare(const OpSummary& op) {
  const uint64_t all = op.compared + op.masked;
  return all == 0 ? 0 : static_cast<double>(op.compared) / static_cast<double>(all);
}

std::string Status(const Finding& finding) {
  return std::string(FindingStatus(finding.known_reason, finding.judgement.beyond_spec));
}

Json ToJson(const Share& share) { return Json{{"seen", share.seen}, {"possible", share.possible}}; }

Json ToJson(const Coverage& coverage) {
  return Json{{"op_types", ToJson(coverage.op_types)},
              {"op_types_shapes", ToJson(coverage.op_types_shapes)},
              {"op_types_shapes_routes", ToJson(coverage.op_types_shapes_routes)},
              {"shapes", coverage.shapes},
              {"routes", coverage.routes},
              {"twins", coverage.twins},
              {"rules", coverage.rules},
              {"categories", coverage.categories},
              {"patterns", ToJson(coverage.patterns)},
              {"patterns_never_fired", coverage.never_fired},
              {"patterns_fired", coverage.fired}};
}

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

Json SummaryToJson(const CampaignSummary& summary) {
  Json json;
  json["tosaic_report"] = kReportVersion;
  json["kind"] = kCampaignKind;
  json["provenance"] = summary.provenance;
  json["seed"] = summary.seed;
  json["cases"] = summary.cases;
  json["runs"] = summary.runs;
  json["verdicts"] = ToJson(summary.verdicts);
  json["by_op"] = Json::object();
  for (const auto& [op, entry] : summary.by_op) {
    json["by_op"][op] = Json{{"verdicts", ToJson(entry.verdicts)},
                             {"types", entry.types},
                             {"elements_compared", entry.compared},
                             {"elements_masked", entry.masked},
                             {"compared_share", ComparedShare(entry)}};
  }
  json["coverage"] = ToJson(summary.coverage);
  json["tiles"] = Json::array();
  for (const Tile& tile : summary.tiles) json["tiles"].push_back(tosaic::ToJson(tile));
  json["findings"] = Json::array();
  for (size_t i = 0; i < summary.findings.size(); ++i) {
    const Finding& finding = summary.findings[i];
    const FindingPaths paths = {summary.finding_directories[i]};
    json["findings"].push_back(Json{{"signature", finding.signature},
                                    {"verdict", std::string(Name(finding.judgement.verdict))},
                                    {"op", finding.op},
                                    {"route", finding.route},
                                    {"count", finding.count},
                                    {"status", Status(finding)},
                                    {"cause", finding.cause},
                                    {"reason", finding.known_reason},
                                    {"case_number", finding.case_number},
                                    {"case", paths.original_case()},
                                    {"reduced", paths.reduced_case()}});
  }
  json["new_findings"] = CountNew(summary);
  json["causes"] = CountCauses(summary);
  json["harness_faults"] = Json::array();
  for (const HarnessFault& fault : summary.harness_faults) {
    json["harness_faults"].push_back(
        Json{{"case", fault.case_number}, {"what", fault.what}, {"preceding_cases_from", fault.first_preceding}});
  }
  json["notes"] = summary.notes;
  json["unused_support"] = summary.unused_support;
  json["unseen_known"] = summary.unseen_known;
  json["interrupted"] = summary.interrupted;
  json["elapsed_seconds"] = summary.elapsed_seconds;
  json["cases_per_second"] =
      summary.elapsed_seconds > 0 ? static_cast<double>(summary.cases_observed) / summary.elapsed_seconds : 0;
  return json;
}

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
    known += finding.known_reason.empty() ? 0 : 1;
    beyond += finding.known_reason.empty() && finding.judgement.beyond_spec ? 1 : 0;
  }
  absl::StrAppendFormat(&out, "\n%d findings: %d new, %d known, %d beyond the specification; %d causes within it\n",
                        summary.findings.size(), CountNew(summary), known, beyond, CountCauses(summary));
  for (size_t i = 0; i < summary.findings.size(); ++i) {
    const Finding& finding = summary.findings[i];
    if (!finding.known_reason.empty()) continue;
    absl::StrAppendFormat(&out, "  %-12s%5d x  %s\n%24s%s\n", Status(finding), finding.count, finding.signature, "",
                          summary.finding_directories[i]);
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

Json FindingToJson(const Finding& finding) {
  Json json;
  json["signature"] = finding.signature;
  json["op"] = finding.op;
  json["route"] = finding.route;
  json["status"] = Status(finding);
  json["cause"] = finding.cause;
  json["reason"] = finding.known_reason;
  json["count"] = finding.count;
  json["case_number"] = finding.case_number;
  json["pipeline"] = finding.pipeline;
  json["judgement_of_reduced"] = ToJson(finding.judgement);
  return json;
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
