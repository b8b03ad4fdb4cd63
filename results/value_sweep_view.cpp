// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The view of a sweep of values.
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "results/result_file.h"
#include "results/text.h"
#include "results/view.h"

namespace tosaic {
namespace {

AccuracyRow ViewOf(const ValueSweepRow& row) {
  return {.op = row.op,
          .types = row.types,
          .setting = row.setting,
          .accuracy = row.accuracy,
          .exhaustive = row.exhaustive,
          .compared = row.profile.compared,
          .open = row.profile.open,
          .disagreements = row.profile.disagreements,
          .mean_error = row.MeanError(),
          .max_error = row.profile.error.value,
          .max_error_inputs = row.profile.error.inputs,
          .bound_used = row.profile.bound_used.value,
          .wrong = WrongInputsInWords(row, row.wrong.size()),
          .curve = row.curve};
}

// One tile for all settings of an op's attributes.
Tile& TileOf(const ValueSweepRow& row, std::vector<Tile>* tiles) {
  const TileName name = {row.op, row.types, std::string(row.exhaustive ? kAllInputs : "spread-inputs")};
  const auto tile = absl::c_find_if(*tiles, [&](const TileName& other) { return other == name; });
  return tile != tiles->end() ? *tile : tiles->emplace_back(Tile{name});
}

}  // namespace

ReportFinding ViewOfValues(const Finding& source, const std::string& file, const Provenance& provenance) {
  ReportFinding finding = ViewOf(source, file);
  const ValuesEvidence& values = source.values();
  if (!values.listed.empty()) {
    finding.first = absl::StrCat("inputs ", absl::StrJoin(values.listed.front().input_bits, ", "));
  }
  ShowCase(values.example, "", provenance, &finding);
  return finding;
}

ResultReport ViewOf(const ValueSweepSummary& summary, const std::string& file) {
  ResultReport report = {.kind = ResultKind::kValues, .file = file};
  report.text = ToText(summary);
  report.title = "Sweep of values";
  report.sides = {{"", summary.provenance}};
  report.facts = {{"route", summary.route},
                  {"inputs wanted", summary.all ? "all" : absl::StrCat(summary.inputs_wanted)}};
  std::map<std::pair<std::string, std::string>, std::vector<FindingSignature>> signatures;  // by op and types
  for (const Finding& source : summary.findings) {
    report.findings.push_back(ViewOfValues(source, file, summary.provenance));
    signatures[{source.op, source.values().types}].push_back(source.signature);
  }
  Sort(&report.findings);
  std::vector<Tile> tiles;
  for (const ValueSweepRow& row : summary.rows) {
    Tile& tile = TileOf(row, &tiles);
    report.cases += row.inputs;
    tile.cases += row.inputs;
    tile.compared += row.profile.compared;
    AddCounts(row.verdicts, &report.verdicts);
    AddCounts(row.verdicts, &tile.verdicts);
    if (OutcomeOf(tile) == TileOutcome::kDiverges) tile.signatures = signatures[{row.op, row.types}];
    report.accuracy.push_back(ViewOf(row));
  }
  AddTiles(std::move(tiles), &report);
  report.harness_faults = summary.harness_faults;
  report.notes = summary.notes;
  if (summary.left_to_other_shards > 0) {
    report.not_run.push_back(absl::StrCat(Counted(summary.left_to_other_shards, "program"), " left to other shards"));
  }
  report.interrupted = summary.interrupted;
  report.elapsed_seconds = summary.elapsed_seconds;
  return report;
}

}  // namespace tosaic
