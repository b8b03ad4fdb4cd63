// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "model/counted.h"
#include "results/text.h"

namespace tosaic {
namespace {

std::string Error(double ulp) {
  if (ulp == 0) return "0";
  return ulp < 0.001 || ulp >= 10'000 ? absl::StrFormat("%.1e", ulp) : absl::StrFormat("%.3f", ulp);
}

std::string Used(const AccuracyProfile& profile) {
  return profile.bound_used.value == 0 ? "" : ShareOfBound(profile.bound_used.value);
}

// Whether a row belongs to the profile: its numbers were compared, and may differ.
bool HasErrors(const ValueSweepRow& row) { return row.profile.error.value > 0; }

struct Totals {
  uint64_t inputs = 0, compared = 0, open = 0, unpredictable = 0, disagreements = 0, exact = 0, exhaustive = 0;
  uint64_t unsupported = 0, unsupported_inputs = 0;  // of which nothing was computed
};

Totals TotalsOf(const ValueSweepSummary& summary) {
  Totals totals;
  for (const ValueSweepRow& row : summary.rows) {
    totals.inputs += row.inputs;
    totals.compared += row.profile.compared;
    totals.open += row.profile.open;
    totals.unpredictable += row.profile.unpredictable;
    totals.disagreements += row.profile.disagreements;
    totals.exact += row.profile.compared > 0 && !HasErrors(row) && row.profile.disagreements == 0 ? 1 : 0;
    const bool is_unsupported = row.verdicts.size() == 1 && row.verdicts.contains(Verdict::kUnsupported);
    totals.exhaustive += row.exhaustive && !is_unsupported ? 1 : 0;
    totals.unsupported += is_unsupported ? 1 : 0;
    totals.unsupported_inputs += is_unsupported ? row.inputs : 0;
  }
  return totals;
}

void AppendFinding(const Finding& finding, std::string* out) {
  absl::StrAppendFormat(out, "\n%-6s %s: %s\n", IsNew(finding) ? "new" : "known", ToString(finding.signature),
                        Counted(finding.count, "input"));
  if (!IsNew(finding)) absl::StrAppend(out, "       ", finding.known_reason, "\n");
  constexpr size_t kShown = 4;
  for (size_t i = 0; i < finding.values().listed.size() && i < kShown; ++i) {
    const ValueDisagreement& disagreement = finding.values().listed[i];
    if (!disagreement.judgement.mismatch) {
      absl::StrAppend(out, "       ", Name(disagreement.judgement.rule), ": expected ", disagreement.judgement.expected,
                      "; ", disagreement.judgement.actual, "\n");
      continue;
    }
    absl::StrAppend(out, "       ", Name(disagreement.judgement.rule), ": ",
                    absl::StrJoin(disagreement.input_bits, ", "), " (",
                    absl::StrJoin(disagreement.judgement.mismatch->inputs, ", "), "): expected ",
                    disagreement.judgement.mismatch->expected, ", actual ",
                    disagreement.judgement.mismatch->actual_bits, " (", disagreement.judgement.mismatch->actual, ")\n");
  }
}

// "0x3f800010 to 0x3f80001f, 0x40000000 and 3 more".
std::string Stretches(const ValueSweepRow& row, size_t most) {
  std::vector<std::string> texts;
  for (const BitStretch& stretch : row.wrong) {
    if (texts.size() < most) texts.push_back(InWords(stretch));
  }
  const uint64_t more = row.wrong_stretches - texts.size();
  return absl::StrCat(absl::StrJoin(texts, ", "), more > 0 ? absl::StrCat(" and ", more, " more") : "");
}

}  // namespace

std::string Oddities(const VerdictCounts& verdicts) {
  std::vector<std::string> names;
  for (const auto& [verdict, count] : verdicts) {
    if (verdict != Verdict::kAgree) names.push_back(std::string(Name(verdict)));
  }
  return absl::StrJoin(names, ", ");
}

std::string NameOf(const ValueSweepRow& row) {
  return absl::StrCat(row.op, " ", row.types, row.setting.empty() ? "" : " ", row.setting);
}

std::string InWords(const BitStretch& stretch) {
  return stretch.first == stretch.last ? stretch.first : stretch.first + " to " + stretch.last;
}

std::string ShareOfBound(double share) {
  if (share > 0 && share < 0.001) return "< 0.1 %";
  if (share >= 100) return absl::StrFormat("%.1e times", share);
  const std::string text = absl::StrFormat("%.1f %%", 100 * share);
  return share < 1 && text == "100.0 %" ? "> 99.9 %" : text;
}

std::string WrongInputsInWords(const ValueSweepRow& row, size_t most) {
  if (row.wrong_stretches == 0) return "";
  return absl::StrCat(NameOf(row), ": ", Counted(row.profile.disagreements, "wrong input"), ", ", Stretches(row, most));
}

std::string ToText(const ValueSweepSummary& summary) {
  std::string out = absl::StrFormat("%-24s%-14s%12s%12s%12s%12s%10s%15s  %s\n", "op", "types", "compared", "open",
                                    "flushed", "max ulp", "mean ulp", "of bound", "at");
  for (const ValueSweepRow& row : summary.rows) {
    const AccuracyProfile& profile = row.profile;
    const std::string oddities = Oddities(row.verdicts);
    if (!HasErrors(row) && oddities.empty()) continue;
    absl::StrAppendFormat(&out, "%-24s%-14s%12d%12d%12d%12s%10s%15s  %-26s%s%s%s\n", row.op, row.types,
                          profile.compared, profile.open, profile.flushed, Error(profile.error.value),
                          Error(row.MeanError()), Used(profile), absl::StrJoin(profile.error.inputs, ", "), row.setting,
                          row.setting.empty() ? "" : " ", oddities);
  }
  for (const Finding& finding : summary.findings) AppendFinding(finding, &out);
  constexpr size_t kShown = 8;
  for (const ValueSweepRow& row : summary.rows) {
    const std::string wrong = WrongInputsInWords(row, kShown);
    if (!wrong.empty()) absl::StrAppend(&out, "\n", wrong, "\n");
  }
  for (const std::string& note : summary.notes) absl::StrAppend(&out, "\nnote: ", note);
  if (!summary.notes.empty()) absl::StrAppend(&out, "\n");
  for (const std::string& fault : summary.harness_faults) absl::StrAppend(&out, "\nharness-fault: ", fault);
  if (!summary.harness_faults.empty()) absl::StrAppend(&out, "\n");
  const Totals totals = TotalsOf(summary);
  absl::StrAppendFormat(&out,
                        "\n%s (%d exhaustive, %d without any error%s), route %s: %d inputs, %d compared, %d "
                        "open, %d unpredictable, %s%d disagree; %s, %d new; %.1f s%s\n",
                        Counted(summary.rows.size(), "sweep"), totals.exhaustive, totals.exact,
                        totals.unsupported > 0 ? absl::StrFormat(", %d unsupported", totals.unsupported) : "",
                        summary.route, totals.inputs, totals.compared, totals.open, totals.unpredictable,
                        totals.unsupported > 0 ? absl::StrFormat("%d unsupported, ", totals.unsupported_inputs) : "",
                        totals.disagreements, Counted(summary.findings.size(), "finding"), CountNew(summary.findings),
                        summary.elapsed_seconds, summary.interrupted ? " (interrupted)" : "");
  if (summary.left_to_other_shards > 0) {
    absl::StrAppend(&out, Counted(summary.left_to_other_shards, "program"), " left to other shards (--take)\n");
  }
  return out;
}

std::string ProfileToMarkdown(const ValueSweepSummary& summary) {
  std::string out =
      "| op | types | allowed | inputs compared | open | of them flushed | max error (ulp) | reached at | mean error "
      "(ulp) | "
      "of the allowed "
      "error |\n|---|---|---|---|---|---|---|---|---|---|\n";
  for (const ValueSweepRow& row : summary.rows) {
    const AccuracyProfile& profile = row.profile;
    if (!HasErrors(row)) continue;
    absl::StrAppendFormat(&out, "| %s | %s | %s | %d%s | %d | %d | %s | %s | %s | %s |\n", row.op, row.types,
                          absl::StrReplaceAll(row.accuracy, {{"|", "\\|"}}), profile.compared,
                          row.exhaustive ? " (all)" : "", profile.open, profile.flushed, Error(profile.error.value),
                          absl::StrJoin(profile.error.inputs, ", "), Error(row.MeanError()), Used(profile));
  }
  return out;
}

}  // namespace tosaic
