// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic report --format=markdown: fit to paste into a pull request.
#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/counted.h"
#include "model/escape.h"
#include "reports/formats.h"
#include "reports/mosaic.h"
#include "results/judged_text.h"
#include "results/result_file.h"
#include "results/sorted.h"
#include "results/text.h"
#include "results/view.h"

namespace tosaic {
namespace {

constexpr size_t kLimit = 59900;   // of 60,000, for a line that says how much more there is; GitHub takes 65,536
constexpr size_t kLongest = 4000;  // of one program

// Text between tags: GitHub reads it as HTML.
std::string Tagged(absl::string_view tag, absl::string_view text) {
  return absl::StrCat("<", tag, ">", EscapeMarkup(OneLine(text)), "</", tag, ">");
}

std::string Folded(const std::string& summary, absl::string_view body) {
  return absl::StrCat("<details><summary>", summary, "</summary>\n\n", body, "\n</details>\n\n");
}

std::string Cut(const std::string& text) {
  if (text.size() <= kLongest) return text;
  size_t at = kLongest;
  while (at > 0 && (text[at] & 0xc0) == 0x80) --at;
  return text.substr(0, at) + "\n... (cut)\n";
}

std::string FindingToMarkdown(const ReportFinding& finding) {
  std::string body;
  const auto row = [&](absl::string_view name, absl::string_view value) {
    absl::StrAppend(&body, "- ", EscapeMarkdown(name), ": ", MarkdownCode(value), "\n");
  };
  for (const Fact& line : LinesOf(finding)) row(line.name, WithoutAddresses(line.value));
  if (finding.status == Finding::Status::kRegressed && !finding.known_reason.empty()) {
    row("known", absl::StrCat(finding.cause, ": ", finding.known_reason));
  }
  if (!finding.program.empty()) absl::StrAppend(&body, "\n", MarkdownBlock("mlir", Cut(finding.program)));
  if (!finding.data.empty()) absl::StrAppend(&body, "\n", MarkdownBlock("text", Cut(finding.data)));
  if (!finding.replay.empty()) absl::StrAppend(&body, "\n", MarkdownBlock("sh", Cut(finding.replay)));
  const std::string rule = RuleOf(finding);
  const std::string summary =
      absl::StrCat(Tagged("b", Name(finding.judgement.verdict)), " in ", Tagged("code", finding.op),
                   rule.empty() ? "" : ", rule ", rule.empty() ? "" : Tagged("code", rule), ", ",
                   Counted(finding.count, "case"), finding.known_reason.empty() ? "" : ", a known cause",
                   finding.status == Finding::Status::kNotReduced ? ", not reduced: it may be known" : "");
  return Folded(summary, body);
}

// Appends what fits and says how much did not. `rest` stays free for what comes after.
void AppendAll(const std::vector<std::string>& entries, absl::string_view noun, size_t rest, std::string* out) {
  size_t shown = 0;
  while (shown < entries.size() && out->size() + entries[shown].size() + rest < kLimit) {
    absl::StrAppend(out, entries[shown++]);
  }
  if (shown == entries.size()) return;
  const size_t left = entries.size() - shown;
  absl::StrAppend(out, "\n", left, " more ", noun, left == 1 ? "" : "s", " in the full report.\n\n");
}

std::string CountsTable(const ResultReport& report) {
  const CaseCounts counts = CountChanges(report);
  std::string table = "| | cases | tiles |\n|---|--:|--:|\n";
  const std::pair<Standing, uint64_t> rows[] = {
      {Standing::kRegressed, counts.regressed}, {Standing::kHarnessFault, counts.harness_fault},
      {Standing::kFixed, counts.fixed},         {Standing::kSupported, counts.supported},
      {Standing::kChanged, counts.changed},     {Standing::kUnchanged, counts.unchanged}};
  for (const auto& [standing, cases] : rows) {
    if (standing == Standing::kHarnessFault && cases == 0) continue;
    absl::StrAppend(&table, "| ", Info(standing).name, " | ", cases, " | ", CountTiles(report, standing), " |\n");
  }
  return table + "\n";
}

std::string OpsTable(const ResultReport& report) {
  std::vector<Standing> columns;
  std::string head = "| op |", line = "|---|";
  for (const StandingInfo& info : AllStandings()) {
    if (CountTiles(report, info.standing) == 0) continue;
    columns.push_back(info.standing);
    absl::StrAppend(&head, " ", info.name, " |");
    absl::StrAppend(&line, "--:|");
  }
  std::vector<std::pair<std::string, std::vector<uint64_t>>> rows;
  for (const ReportTile& tile : report.tiles) {
    const auto same = [&](const auto& row) { return row.first == tile.tile.op; };
    auto row = std::find_if(rows.begin(), rows.end(), same);
    if (row == rows.end()) row = rows.insert(rows.end(), {tile.tile.op, std::vector<uint64_t>(columns.size())});
    ++row->second[static_cast<size_t>(std::find(columns.begin(), columns.end(), tile.standing) - columns.begin())];
  }
  std::string table = absl::StrCat(head, "\n", line, "\n");
  for (const auto& [op, counts] : rows) {
    absl::StrAppend(&table, "| ", MarkdownCell(op), " |");
    for (uint64_t count : counts) absl::StrAppend(&table, " ", count == 0 ? "" : absl::StrCat(count), " |");
    absl::StrAppend(&table, "\n");
  }
  return table;
}

std::string ChangesTable(const ResultReport& report, Change change) {
  constexpr size_t kShown = 100;
  std::string groups = "| cases | from -> to | ops |\n|--:|---|---|\n";
  size_t listed = 0;
  for (const ChangeGroup& group : GroupsOf(report.changes, change)) {
    if (++listed > kShown) break;
    absl::StrAppend(&groups, "| ", group.cases.size(), " | ", MarkdownCell(group.verdicts), " | ",
                    MarkdownCell(OpsOf(group, 12)), " |\n");
  }
  std::string table = "\n| case | before | after | rule |\n|---|---|---|---|\n";
  size_t all = 0;
  for (const CaseChange& case_change : report.changes) {
    if (case_change.change != change || ++all > kShown) continue;
    absl::StrAppend(&table, "| ", MarkdownCell(case_change.patch.name), " | ", Name(case_change.base.verdict), " | ",
                    Name(case_change.patch.verdict), " | ", MarkdownCell(ToString(case_change.patch.rule)), " |\n");
  }
  if (all == 0) return "";
  if (all > kShown) absl::StrAppend(&table, "\n", all - kShown, " more in the full report.\n");
  return Folded(Counted(all, absl::StrCat(Name(change), " case")), groups + table);
}

// The ops whose number changed most, over all cases.
std::string OpsBeforeAndAfter(const PlaceChange& place) {
  constexpr size_t kShown = 20;
  std::vector<std::pair<std::string, std::pair<uint64_t, uint64_t>>> ops(place.ops.begin(), place.ops.end());
  SortBy(&ops, [](const auto& entry) {
    const auto [before, after] = entry.second;
    return -static_cast<int64_t>(before > after ? before - after : after - before);
  });
  std::string table = "| op | before | after |\n|---|--:|--:|\n";
  for (size_t i = 0; i < ops.size() && i < kShown; ++i) {
    const auto& [op, counts] = ops[i];
    absl::StrAppend(&table, "| ", MarkdownCell(op), " | ", counts.first, " | ", counts.second, " |\n");
  }
  if (ops.size() > kShown) absl::StrAppend(&table, "\n", ops.size() - kShown, " more in the full report.\n");
  return ops.empty() ? "" : table;
}

std::string AccuracyTable(const ResultReport& report) {
  std::string table = "| op | types | allowed | max error (ulp) | of the allowed error |\n|---|---|---|--:|--:|\n";
  bool any = false;
  for (const AccuracyRow& row : report.accuracy) {
    if (row.max_error == 0) continue;
    any = true;
    absl::StrAppendFormat(&table, "| %s | %s | %s | %.3g | %s |\n", MarkdownCell(row.op), MarkdownCell(row.types),
                          MarkdownCell(row.accuracy), row.max_error, EscapeMarkup(ShareOfBound(row.bound_used)));
  }
  for (const AccuracyRow& row : report.accuracy) {
    if (!row.wrong.empty()) absl::StrAppend(&table, "\n", EscapeMarkup(row.wrong), "\n");
  }
  return any ? Folded("Accuracy", table) : "";
}

std::string CoverageSection(const ResultReport& report) {
  if (report.functions.empty()) return "";
  return Folded("Coverage", MarkdownBlock("text", Cut(FunctionsToText(report.functions, false))));
}

std::string JudgedSection(const ResultReport& report) {
  const std::string table = JudgedToText(report.judged_ops, report.judged_chains);
  return table.empty() ? "" : Folded("Elements really compared", MarkdownBlock("text", table));
}

std::string ProvenanceSection(const ResultReport& report) {
  std::string list;
  for (const Side& side : report.sides) {
    Provenance shown = side.provenance;
    shown.other_pipelines.clear();
    for (const Fact& fact : FactsOf(shown)) {
      absl::StrAppend(&list, "- ", EscapeMarkdown(side.name), side.name.empty() ? "" : " ", EscapeMarkdown(fact.name),
                      ": ", MarkdownCode(Cut(fact.value)), "\n");
    }
  }
  for (const Fact& fact : report.facts) {
    absl::StrAppend(&list, "- ", EscapeMarkdown(fact.name), ": ", MarkdownCode(fact.value), "\n");
  }
  return Folded("Where this comes from", list);
}

// Names the toolchains, and the plugins and pass pipelines as far as they tell the sides apart.
std::string SidesList(const ResultReport& report) {
  const auto quote = [](const std::string& text) { return MarkdownCode(Cut(text)); };
  std::string list;
  for (const Side& side : report.sides) {
    absl::StrAppend(&list, "- ", EscapeMarkdown(side.name), ": ", SideInWords(side.provenance, quote), "\n");
  }
  if (report.sides.size() != 2) return list;
  const Provenance &base = report.sides[0].provenance, &patch = report.sides[1].provenance;
  const std::string change = PipelinesInWords(base, patch, quote);
  return absl::StrCat(
      list, change.empty() ? "- pass pipeline of both: " + quote(base.pipeline) : "- pass pipelines: " + change, "\n");
}

std::string Head(const ResultReport& report) {
  std::string out =
      absl::StrCat("### Tosaic: ", EscapeMarkdown(Headline(report)), "\n\n", EscapeMarkdown(report.title));
  if (report.kind == ResultKind::kComparison) {
    absl::StrAppend(&out, "; ", Counted(report.cases, "case"), "\n\n", SidesList(report), "\n", CountsTable(report));
    return out;
  }
  for (const Side& side : report.sides) {
    absl::StrAppend(&out, "; ", EscapeMarkdown(side.name), side.name.empty() ? "" : " ",
                    MarkdownCode(ToolchainInWords(side.provenance)));
  }
  absl::StrAppend(&out, "; ", Counted(report.cases, "case"), "\n\n");
  if (!report.untested_routes.empty()) {
    absl::StrAppend(&out, "Not tested: ", MarkdownCode(Cut(RoutesInWords(report.untested_routes))), ".\n\n");
  }
  return out;
}

// Says how the IR changed: first the answer, then, folded, the ops that came and went, then samples.
std::string IrSection(const IrChange& change) {
  constexpr size_t kShown = 20;
  std::string section = "#### IR\n\n";
  for (const std::string& line : Headlines(change)) absl::StrAppend(&section, "- ", EscapeMarkdown(line), "\n");
  absl::StrAppend(&section, "\n");
  for (const auto& [place, name] : {std::pair(&change.tensors, "tensors"), {&change.lowered, "lowered"}}) {
    if (place->differ == 0) continue;
    std::string tables = "| cases | what came and went | first |\n|--:|---|---|\n";
    for (size_t i = 0; i < place->groups.size() && i < kShown; ++i) {
      const OpsChange& group = place->groups[i];
      absl::StrAppend(&tables, "| ", group.cases, " | ", MarkdownCell(OpsInWords(group.ops)), " | ",
                      MarkdownCell(group.examples.empty() ? "" : group.examples.front()), " |\n");
    }
    const size_t groups = place->groups.size();
    if (groups > kShown) absl::StrAppend(&tables, "\n", groups - kShown, " more in the full report.\n");
    absl::StrAppend(&tables, "\n", OpsBeforeAndAfter(*place));
    section += Folded(absl::StrCat("What came and went ", PlaceInWords(name)), tables);
  }
  for (const IrSample& sample : change.samples) {
    section += Folded(absl::StrCat("IR ", PlaceInWords(sample.place), " of ", Tagged("code", sample.name)),
                      MarkdownBlock("diff", Cut(sample.diff)));
  }
  return section;
}

// Folds as many of a list's entries as fit. `percent` of the limit stays free.
std::string FoldedList(const std::vector<std::string>& entries, absl::string_view noun, absl::string_view summary,
                       size_t percent) {
  if (entries.empty()) return "";
  std::string list;
  AppendAll(entries, noun, kLimit * percent / 100, &list);
  return Folded(absl::StrCat(entries.size(), summary), list);
}

// The sections at the end, each of bounded length.
std::vector<std::string> Tail(const ResultReport& report) {
  std::vector<std::string> tail;
  if (report.kind == ResultKind::kComparison) {
    for (Change change :
         {Change::kRegressed, Change::kHarnessFault, Change::kChanged, Change::kFixed, Change::kSupported}) {
      tail.push_back(ChangesTable(report, change));
    }
  }
  if (report.ir) tail.insert(tail.begin(), IrSection(*report.ir));
  if (!report.tiles.empty()) tail.push_back(Folded("By op: how many tiles", OpsTable(report)));
  for (std::string section :
       {AccuracyTable(report), CoverageSection(report), JudgedSection(report), ProvenanceSection(report)}) {
    tail.push_back(std::move(section));
  }
  return tail;
}

}  // namespace

std::string ReportToMarkdown(const ResultReport& report) {
  std::string out = Head(report);
  std::vector<std::string> urgent, quiet, faults, unseen;
  for (const ReportFinding& finding : report.findings) {
    if (IsUrgent(finding)) urgent.push_back(FindingToMarkdown(finding));
  }
  for (const Cause& cause : QuietCauses(report)) {
    quiet.push_back(absl::StrCat("- ", cause.count, " x ", MarkdownCode(cause.name), ": ",
                                 cause.reason.empty() ? std::string(Name(cause.status)) : EscapeMarkdown(cause.reason),
                                 "\n"));
  }
  for (const std::string& fault : report.harness_faults) {
    faults.push_back(absl::StrCat("- harness fault: ", MarkdownCode(WithoutAddresses(fault)), "\n"));
  }
  for (const std::string& cause : report.unseen_known) unseen.push_back(absl::StrCat("- ", MarkdownCode(cause), "\n"));
  AppendAll(urgent, "finding", kLimit / 3, &out);
  AppendAll(faults, "harness fault", kLimit / 3, &out);
  absl::StrAppend(&out, FoldedList(quiet, "finding", " known, or beyond the specification", 75),
                  FoldedList(unseen, "known divergence", " known ones that did not show", 90));
  AppendAll(Tail(report), "section", 0, &out);
  return out;
}

}  // namespace tosaic
