// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/proofs.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "codec/visitor.h"
#include "model/counted.h"
#include "results/result_file.h"
#include "results/text.h"
#include "results/value_sweep.h"
#include "results/view.h"

namespace tosaic {
namespace {

// "unknown: why", "refuted: another value at 0x00, 0x01; run: wrong-value [value.add]".
std::string VerdictInWords(const ProofRow& row) {
  std::string text = absl::StrCat(Name(row.verdict), row.why.empty() ? "" : ": ", row.why);
  if (!row.inputs.empty()) absl::StrAppend(&text, " at ", absl::StrJoin(row.inputs, ", "));
  if (!row.execution.empty()) absl::StrAppend(&text, "; run: ", row.execution);
  return text;
}

}  // namespace

EnumNames NamesOf(ProofVerdict) {
  static constexpr absl::string_view kNames[] = {"proved", "unknown", "refuted"};
  return NamesFor<ProofVerdict>(kNames, "a verdict of a proof");
}

uint64_t ProofSummary::Count(ProofVerdict verdict) const {
  return static_cast<uint64_t>(absl::c_count_if(rows, [&](const ProofRow& row) { return row.verdict == verdict; }));
}

uint64_t ProofSummary::CountNewlyRefuted() const {
  return static_cast<uint64_t>(absl::c_count_if(rows, [&](const ProofRow& row) {
    const auto is_of_row = [&](const Finding& finding) {
      return finding.op == row.op && finding.values().types == row.types;
    };
    const bool is_known = absl::c_any_of(findings, is_of_row) && absl::c_none_of(findings, [&](const Finding& finding) {
                            return is_of_row(finding) && IsNew(finding);
                          });
    return row.verdict == ProofVerdict::kRefuted && !is_known;
  }));
}

void Fields(Visitor& v, ProofRow& row) {
  v.Type("proof");
  v("op", row.op);
  v("types", row.types);
  v("verdict", row.verdict);
  v("why", row.why, "of `unknown` and `refuted`: what, and for which setting of the attributes");
  v.MayLack("refused", row.refused, "of `unknown`: the pass pipeline does not take a program of it");
  v("settings", row.settings,
    "of attributes, shifts and zero points; without those of the extension `INEXACT_ROUND` that the lowering does not "
    "take");
  v("bodies", row.bodies, "different ones, which the solver was asked about");
  v("seconds", row.seconds, "CPU time");
  v("inputs", row.inputs, "of `refuted`: bit patterns of an element of each operand");
  v("execution", row.execution, "of `refuted`: the verdict of a run on these inputs");
}

void Fields(Visitor& v, ProofSummary& summary) {
  v.Constant("tosaic_report", kReportVersion);
  v.Constant("kind", kProofsKind);
  v("provenance", summary.provenance);
  v("route", summary.route);
  v.Optional("folders", summary.folders,
             "whether the programs have constant or equal operands, and the canonicalizer ran before the route");
  v("ranks", summary.ranks, "bodies were taken from shapes of ranks 0 to this");
  v("timeout_seconds", summary.timeout_seconds, "for an op with its element types");
  v("proofs", summary.rows);
  v.Derived("proved", summary.Count(ProofVerdict::kProved));
  v.Derived("refuted", summary.Count(ProofVerdict::kRefuted));
  v.Derived("unknown", summary.Count(ProofVerdict::kUnknown));
  v("findings", Each<FindingOfValues>(summary.findings));
  v.Derived("new_findings", CountNew(summary.findings));
  v("harness_faults", summary.harness_faults);
  v("interrupted", summary.interrupted);
  v("elapsed_seconds", summary.elapsed_seconds);
}

std::string ToText(const ProofSummary& summary) {
  std::string text;
  double seconds = 0;
  for (const ProofRow& row : summary.rows) {
    absl::StrAppend(&text, row.op, " ", row.types, ": ", VerdictInWords(row), "\n");
    seconds += row.seconds;
  }
  for (const Finding& finding : summary.findings) {
    absl::StrAppend(&text, IsNew(finding) ? "new    " : "known  ", ToString(finding.signature), "\n");
    if (!IsNew(finding)) absl::StrAppend(&text, "       ", finding.known_reason, "\n");
  }
  for (const std::string& fault : summary.harness_faults) absl::StrAppend(&text, "harness fault: ", fault, "\n");
  if (summary.interrupted) absl::StrAppend(&text, "interrupted: not everything was asked\n");
  absl::StrAppendFormat(&text, "%s%s: %d proved, %d refuted, %d unknown; %.1f CPU seconds\n",
                        Counted(summary.rows.size(), "tile"), summary.folders ? " with constant or equal operands" : "",
                        summary.Count(ProofVerdict::kProved), summary.Count(ProofVerdict::kRefuted),
                        summary.Count(ProofVerdict::kUnknown), seconds);
  return text;
}

ResultReport ViewOf(const ProofSummary& summary, const std::string& file) {
  ResultReport report = {.kind = ResultKind::kProofs, .file = file};
  report.text = ToText(summary);
  report.title = summary.folders ? "Proofs of folders" : "Proofs of bodies";
  report.sides = {{"", summary.provenance}};
  report.facts = {{"route", summary.route},
                  {"ranks", absl::StrCat(summary.folders ? "1 to " : "0 to ", summary.ranks)},
                  {"shapes", "a body does not see extents; maps and broadcasts go by dimension (route contract)"},
                  {"seconds for a tile", absl::StrCat(summary.timeout_seconds)}};
  for (const Finding& source : summary.findings) {
    ReportFinding finding = ViewOf(source, file);
    ShowCase(source.values().example, "", summary.provenance, &finding);
    report.findings.push_back(std::move(finding));
  }
  Sort(&report.findings);
  std::vector<Tile> tiles;
  for (const ProofRow& row : summary.rows) {
    ++report.cases;
    // The mosaic shows what is decided.
    const std::string row_text = absl::StrCat(row.op, " ", row.types, ": ", VerdictInWords(row));
    if (row.verdict != ProofVerdict::kProved) report.notes.push_back(row_text);
    if (row.verdict == ProofVerdict::kUnknown) {
      report.not_run.push_back(row_text);
      continue;
    }
    Tile& tile = tiles.emplace_back();
    tile.op = row.op, tile.types = row.types, tile.shapes = "every-value", tile.cases = 1;
    tile.verdicts[row.verdict == ProofVerdict::kProved ? Verdict::kAgree : Verdict::kWrongValue] = 1;
    for (const Finding& finding : summary.findings) {
      if (finding.op == row.op && finding.values().types == row.types) tile.signatures.push_back(finding.signature);
    }
    AddCounts(tile.verdicts, &report.verdicts);
  }
  AddTiles(std::move(tiles), &report);
  report.harness_faults = summary.harness_faults;
  report.interrupted = summary.interrupted;
  report.elapsed_seconds = summary.elapsed_seconds;
  return report;
}

}  // namespace tosaic
