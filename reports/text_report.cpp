// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic report --format=text.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "model/counted.h"
#include "model/escape.h"
#include "reports/formats.h"
#include "reports/mosaic.h"
#include "results/comparison_text.h"
#include "results/judged_text.h"
#include "results/result_file.h"
#include "results/view.h"

namespace tosaic {
namespace {

constexpr size_t kLineWidth = 80;

// Characters, not bytes.
size_t WidthOf(absl::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// Appends `label` and words behind it, further lines as far in as the first word. Words stay whole: signatures
// and paths are there to be copied.
void Wrap(const std::string& label, absl::string_view text, std::string* out) {
  const std::string cleaned = EscapeControls(text);
  const std::string indent(label.size(), ' ');
  std::string line = label;
  bool empty = true;
  const auto flush = [&] {
    absl::StrAppend(out, line, "\n");
    line = indent;
    empty = true;
  };
  const std::vector<std::string> words = absl::StrSplit(cleaned, absl::ByAnyChar(" \n\t"), absl::SkipEmpty());
  for (absl::string_view word : words) {
    if (!empty && WidthOf(line) + 1 + WidthOf(word) > kLineWidth) flush();
    absl::StrAppend(&line, empty ? "" : " ", word);
    empty = false;
  }
  flush();
}

void Indented(absl::string_view text, std::string* out) {
  const std::string cleaned = EscapeControls(text);
  const std::vector<absl::string_view> lines = absl::StrSplit(absl::string_view(cleaned), '\n', absl::SkipEmpty());
  for (absl::string_view line : lines) absl::StrAppend(out, "    | ", line, "\n");
}

void AppendFinding(const ReportFinding& finding, const std::string& result_file, std::string* out) {
  const auto row = [&](absl::string_view name, absl::string_view value) {
    if (!value.empty()) Wrap(absl::StrFormat("    %-11s", absl::StrCat(name, ":")), value, out);
  };
  Wrap("  ",
       absl::StrCat(Name(finding.status), ": ", Name(finding.judgement.verdict), " in ", finding.op, ", ",
                    Counted(finding.count, "case")),
       out);
  for (const Fact& line : LinesOf(finding)) row(line.name, line.value);
  if (finding.location != result_file) row("reduced", finding.location);
  Indented(finding.program, out);
  Indented(finding.data, out);
  absl::StrAppend(out, "\n");
}

void AppendMosaic(const ResultReport& report, std::string* out) {
  const Mosaic mosaic = MosaicOf(report.tiles);
  absl::StrAppend(out, "mosaic, a mark per class of shapes\n");
  for (const StandingInfo& info : AllStandings()) {
    const uint64_t count = CountTiles(report, info.standing);
    if (count > 0) absl::StrAppendFormat(out, "  %s %-15s%6d\n", info.mark, info.name, count);
  }
  std::string order;
  for (const std::string& shapes : mosaic.shapes) absl::StrAppend(&order, order.empty() ? "" : ", ", shapes);
  Wrap("  in order: ", order, out);
  absl::StrAppend(out, "\n");
  for (const MosaicRow& row : mosaic.rows) {
    std::string cells;
    for (const auto& [column, cell] : row.cells) {
      std::string marks;
      for (size_t i = 0; i < mosaic.shapes.size(); ++i) {
        const auto tile = cell.find(i);
        // A mark that is a space would be lost between words.
        const absl::string_view mark = tile == cell.end() ? " " : Info(report.tiles[tile->second].standing).mark;
        absl::StrAppend(&marks, mark == " " ? "_" : mark);
      }
      absl::StrAppend(&cells, mosaic.columns[column], mosaic.columns[column].empty() ? "" : ":", marks, " ");
    }
    const std::string name = row.result.empty() ? row.op : absl::StrCat(row.op, " -> ", row.result);
    Wrap(absl::StrFormat("  %-30s", EscapeControls(name)), cells, out);
  }
  absl::StrAppend(out, "\n");
}

void AppendAccuracy(const ResultReport& report, std::string* out) {
  absl::StrAppendFormat(out, "%-18s%-14s%14s%14s%12s\n", "accuracy", "types", "max ulp", "mean ulp", "of bound");
  for (const AccuracyRow& row : report.accuracy) {
    if (row.max_error == 0) continue;
    absl::StrAppendFormat(out, "  %-16s%-14s%14.4g%14.4g%10.2f %%\n", EscapeControls(row.op), EscapeControls(row.types),
                          row.max_error, row.mean_error, 100 * row.bound_used);
  }
  absl::StrAppend(out, "\n");
}

void AppendChanges(const ResultReport& report, std::string* out) {
  constexpr size_t kShown = 40;  // of each kind: 16 against 22 has thousands
  for (Change change : {Change::kRegressed, Change::kChanged, Change::kFixed, Change::kSupported}) {
    size_t shown = 0, all = 0;
    for (const CaseChange& one : report.changes) {
      if (one.change != change || ++all > kShown) continue;
      if (shown++ == 0) absl::StrAppend(out, Name(change), " cases\n");
      Wrap("  ", absl::StrCat(one.patch.name, ": ", Name(one.base.verdict), " -> ", Name(one.patch.verdict)), out);
    }
    if (all > shown) absl::StrAppend(out, "  and ", all - shown, " more\n");
    if (all > 0) absl::StrAppend(out, "\n");
  }
}

void AppendIr(const IrChange& change, std::string* out) {
  for (absl::string_view line : absl::StrSplit(EscapeControls(IrToText(change, "    | ")), '\n', absl::SkipEmpty())) {
    absl::StartsWith(line, "    | ") ? absl::StrAppend(out, line, "\n") : Wrap("  ", line, out);
  }
  absl::StrAppend(out, "\n");
}

void AppendQuiet(const ResultReport& report, std::string* out) {
  constexpr size_t kShown = 10;
  const std::vector<Cause> causes = QuietCauses(report);
  if (!causes.empty()) absl::StrAppend(out, "known, or beyond the specification\n");
  for (const Cause& cause : causes) {
    std::string text =
        cause.status == Finding::Status::kKnown ? cause.name : absl::StrCat(cause.name, " (", Name(cause.status), ")");
    if (!cause.reason.empty()) absl::StrAppend(&text, ": ", cause.reason);
    if (cause.findings.size() > 1) absl::StrAppend(&text, " (", cause.findings.size(), " signatures)");
    Wrap(absl::StrFormat("  %7d x  ", cause.count), text, out);
  }
  if (!causes.empty()) absl::StrAppend(out, "\n");
  if (report.unseen_known.empty()) return;
  absl::StrAppend(out, "listed as known, but no case showed it; if it is fixed, remove its entry\n");
  for (size_t i = 0; i < report.unseen_known.size() && i < kShown; ++i) Wrap("  ", report.unseen_known[i], out);
  if (report.unseen_known.size() > kShown) {
    absl::StrAppend(out, "  and ", report.unseen_known.size() - kShown, " more\n");
  }
  absl::StrAppend(out, "\n");
}

}  // namespace

std::string ReportToText(const ResultReport& report) {
  std::string out;
  Wrap("", absl::StrCat(report.title, ": ", Headline(report)), &out);
  const auto plain = [](const std::string& text) { return text; };
  for (const Side& side : report.sides) {
    Wrap(side.name.empty() ? "" : side.name + ": ", SideInWords(side, plain), &out);
  }
  const std::string passes = report.sides.size() == 2 ? PipelinesInWords(report.sides[0], report.sides[1], plain) : "";
  if (!passes.empty()) Wrap("passes: ", passes, &out);
  std::string counts = absl::StrCat(Counted(report.cases, "case"), ", ", Counted(report.runs, "run"));
  for (const auto& [verdict, count] : report.verdicts) absl::StrAppend(&counts, ", ", Name(verdict), " ", count);
  Wrap("", counts, &out);
  absl::StrAppend(&out, "\n");
  for (const ReportFinding& finding : report.findings) {
    if (IsUrgent(finding)) AppendFinding(finding, report.file, &out);
  }
  for (const std::string& fault : report.harness_faults) Wrap("  harness-fault  ", fault, &out);
  AppendChanges(report, &out);
  if (report.ir) AppendIr(*report.ir, &out);
  AppendQuiet(report, &out);
  if (!report.tiles.empty()) AppendMosaic(report, &out);
  if (!report.accuracy.empty()) AppendAccuracy(report, &out);
  if (!report.functions.empty()) absl::StrAppend(&out, EscapeControls(FunctionsToText(report.functions, false)), "\n");
  const std::string judged = EscapeControls(JudgedToText(report.judged_ops, report.judged_chains));
  if (!judged.empty()) absl::StrAppend(&out, judged, "\n");
  for (const Side& side : report.sides) {
    for (const Fact& fact : side.provenance) {
      if (fact.name.find("pipeline of") == 0) continue;  // of every route: in the HTML and JSON
      Wrap(absl::StrCat(side.name, side.name.empty() ? "" : " ", fact.name, ": "), fact.value, &out);
    }
  }
  for (const Fact& fact : report.facts) Wrap(fact.name + ": ", fact.value, &out);
  return out;
}

}  // namespace tosaic
