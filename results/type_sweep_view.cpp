// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The view of a sweep of types.
#include <utility>

#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "model/shell_word.h"
#include "results/result_file.h"
#include "results/text.h"
#include "results/view.h"

namespace tosaic {

ResultReport ViewOf(const SweepSummary& summary, const std::string& file) {
  ResultReport report = {.kind = ResultKind::kSweep, .file = file};
  report.text = ToText(summary);
  report.title = "Sweep of types";
  report.sides = {{"", summary.provenance}};
  const Json options = ToJson(summary.options);
  for (const auto& [key, value] : options.items()) report.facts.push_back(FactInWords(key, value));
  report.cases = summary.total.decisions;
  std::map<std::string, Tile> disagreements;  // by op
  for (const auto& [signature, source] : summary.total.disagreements) {
    ReportFinding finding = ViewOf(source, file);
    finding.first = finding.program = source.types().decisions.front();
    finding.replay = absl::StrCat("tosaic explain ", ShellQuoted(finding.first), "\n");
    Tile& tile = disagreements[finding.op];
    tile.verdicts[finding.judgement.verdict] += finding.count;
    tile.signatures.push_back(finding.signature);
    report.findings.push_back(std::move(finding));
  }
  Sort(&report.findings);
  std::vector<Tile> tiles;
  for (const auto& [op, counts] : summary.by_op) {
    Tile tile = disagreements[op];
    uint64_t wrong = 0;
    for (const auto& [verdict, count] : tile.verdicts) wrong += count;
    tile.op = op;
    tile.shapes = "every-combination";
    tile.cases = counts.decisions;
    if (tile.cases > wrong) tile.verdicts[Verdict::kAgree] = tile.cases - wrong;
    AddCounts(tile.verdicts, &report.verdicts);
    tiles.push_back(std::move(tile));
  }
  AddTiles(std::move(tiles), &report);
  AddNotes(summary.total.notes, &report);
  report.interrupted = summary.interrupted;
  report.elapsed_seconds = summary.elapsed_seconds;
  return report;
}

}  // namespace tosaic
