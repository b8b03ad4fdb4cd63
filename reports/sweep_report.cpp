#include "reports/sweep_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "results/result_file.h"

namespace tosaic {
namespace {

double Rate(const SweepSummary& summary) {
  return summary.elapsed_seconds > 0 ? static_cast<double>(summary.total.decisions) / summary.elapsed_seconds : 0;
}

}  // namespace

Json SweepToJson(const SweepSummary& summary) {
  Json json{{"tosaic_report", kReportVersion},
            {"kind", kSweepKind},
            {"provenance", summary.provenance},
            {"options", summary.options}};
  json.update(ToJson(summary.total));
  json["by_op"] = Json::object();
  for (const auto& [op, counts] : summary.by_op) {
    Json of_op = ToJson(counts);
    of_op.erase("disagreements");  // they stand above, with the op
    json["by_op"][op] = std::move(of_op);
  }
  json["interrupted"] = summary.interrupted;
  json["elapsed_seconds"] = summary.elapsed_seconds;
  json["decisions_per_second"] = Rate(summary);
  json["jobs"] = summary.jobs;
  return json;
}

std::string SweepToText(const SweepSummary& summary) {
  std::string text;
  uint64_t disagreements = 0, known = 0, beyond_spec = 0;
  for (const auto& [signature, disagreement] : summary.total.disagreements) {
    disagreements += disagreement.cases.size();
    if (!disagreement.known_reason.empty()) {
      known += disagreement.cases.size();
    } else if (disagreement.beyond_spec) {
      beyond_spec += disagreement.cases.size();
    }
    absl::StrAppend(
        &text,
        absl::StrFormat("%-12s%8d x  %s\n", FindingStatus(disagreement.known_reason, disagreement.beyond_spec),
                        disagreement.cases.size(), signature),
        "  first:     ", disagreement.cases.front(), "\n  expected:  ", disagreement.expected,
        "\n  actual:    ", disagreement.actual, "\n");
    if (!disagreement.known_reason.empty()) absl::StrAppend(&text, "  known:     ", disagreement.known_reason, "\n");
  }
  for (const auto& [note, count] : summary.total.notes) {
    absl::StrAppend(&text, absl::StrFormat("note        %8d x  %s\n", count, note));
  }
  if (summary.interrupted) absl::StrAppend(&text, "interrupted: not everything was decided\n");
  absl::StrAppend(&text,
                  absl::StrFormat("%d decisions (%d accepted), %.0f/s on %d workers, %d disagreements (%d known, %d "
                                  "beyond the specification)\n",
                                  summary.total.decisions, summary.total.accepted, Rate(summary), summary.jobs,
                                  disagreements, known, beyond_spec));
  return text;
}

}  // namespace tosaic
