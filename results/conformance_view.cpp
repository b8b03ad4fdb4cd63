// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The views of the conformance suite's results, and of what changed between two of them.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "results/result_file.h"
#include "results/sorted.h"
#include "results/text.h"
#include "results/view.h"

namespace tosaic {
namespace {

ReportFinding OfSuite(const Finding& source, const std::string& file, const Provenance& provenance) {
  ReportFinding finding = ViewOf(source, file);
  finding.first = source.cases().case_name;
  ShowCase(source.cases().reduced, "", provenance, &finding);
  return finding;
}

// A program that nobody refuses, though it is wrong: a finding without a case. No list says that it is known.
ReportFinding OfAccepted(const UnwritableTest& test, const std::string& file) {
  ReportFinding finding;
  finding.signature = {
      .verdict = Verdict::kFalseAccept, .op = test.op, .rule = ToString(*test.rule), .detail = test.name};
  finding.cause = ToString(finding.signature);
  finding.op = test.op;
  finding.count = 1;
  finding.first = test.name;
  finding.location = file;
  finding.judgement.verdict = Verdict::kFalseAccept;
  finding.judgement.stage = Stage::kVerify;
  finding.judgement.rule = test.rule->id;
  finding.judgement.expected = "refused: " + test.why;
  finding.judgement.actual = "nobody refuses " + test.name;
  return finding;
}

std::vector<Fact> FactsOf(const Suite& suite) {
  return {{"suite", absl::StrCat("version ", suite.version, ", ", suite.cases, " cases")},
          {"profile", suite.profile},
          {"route", suite.route}};
}

template <typename T>
void MoveTo(std::vector<T>* to, std::vector<T> from) {
  to->insert(to->end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// A sweep of values becomes a part of the suite's report; its inputs are no cases of the suite.
void AddValues(ResultReport values, ResultReport* report) {
  MoveTo(&report->tiles, std::move(values.tiles));
  MoveTo(&report->findings, std::move(values.findings));
  Sort(&report->findings);
  MoveTo(&report->harness_faults, std::move(values.harness_faults));
  MoveTo(&report->notes, std::move(values.notes));
  MoveTo(&report->not_run, std::move(values.not_run));
  report->accuracy = std::move(values.accuracy);
  report->interrupted |= values.interrupted;
  report->elapsed_seconds += values.elapsed_seconds;
}

// Changed sweeps of values become tiles of their own, one for all settings of an op, without cases of the suite.
void AddChangedValues(const SweepComparison& values, const std::string& file, const Provenance& patch,
                      ResultReport* report) {
  report->notes = absl::StrSplit(ToText(values), '\n', absl::SkipEmpty());
  MoveTo(&report->harness_faults, values.harness_faults);
  for (const Finding& finding : values.regressions) report->findings.push_back(ViewOfValues(finding, file, patch));
  std::map<std::pair<std::string, std::string>, Standing> standings;  // by op and types
  for (const SweepChange& change : values.changes) {
    Standing& standing = standings.try_emplace({change.op, change.types}, Standing::kChanged).first->second;
    if (change.HasRegressed()) standing = Standing::kRegressed;
  }
  for (const auto& [key, standing] : standings) {
    Tile tile;
    std::tie(tile.op, tile.types) = key;
    tile.shapes = std::string(kAllInputs);
    for (const Finding& finding : values.regressions) {
      if (key == std::pair(finding.op, finding.values().types)) tile.signatures.push_back(finding.signature);
    }
    report->tiles.push_back({standing, std::move(tile), std::nullopt});
  }
}

Standing StandingOf(Change change) {
  switch (change) {
    case Change::kUnchanged:
      return Standing::kUnchanged;
    case Change::kChanged:
      return Standing::kChanged;
    case Change::kSupported:
      return Standing::kSupported;
    case Change::kFixed:
      return Standing::kFixed;
    case Change::kHarnessFault:
      return Standing::kHarnessFault;
    case Change::kRegressed:
      break;
  }
  return Standing::kRegressed;
}

}  // namespace

ResultReport ViewOf(ConformanceReport read, const std::string& file) {
  ResultReport report = {.kind = ResultKind::kConformance, .file = file};
  report.text = ToText(read);
  report.title = absl::StrCat("Conformance, profile ", read.suite.profile);
  report.sides = {{"", read.provenance}};
  report.facts = FactsOf(read.suite);
  report.cases = read.cases.size();
  for (const SuiteCase& suite_case : read.cases) {
    report.runs += suite_case.runs;
    ++report.verdicts[suite_case.verdict];
  }
  for (const Finding& finding : read.findings) report.findings.push_back(OfSuite(finding, file, read.provenance));
  for (const UnwritableTest& test : read.unwritable) {
    if (test.rule) report.findings.push_back(OfAccepted(test, file));
  }
  Sort(&report.findings);
  AddTiles(std::move(read.tiles), &report);
  report.suite_cases = std::move(read.cases);
  AddFaults(read.harness_faults, &report);
  report.notes = report.not_run = WhyNotRun(read.unwritable);
  report.unseen_known = std::move(read.unseen_known);
  report.interrupted = read.interrupted;
  report.elapsed_seconds = read.elapsed_seconds;
  if (read.values) AddValues(ViewOf(*read.values, file), &report);
  return report;
}

ResultReport ViewOf(Comparison read, const std::string& file) {
  ResultReport report = {.kind = ResultKind::kComparison, .file = file};
  report.text = ToText(read);
  report.sides = {{"base", read.base}, {"patch", read.patch}};
  report.title = absl::StrCat("Comparison, profile ", read.suite.profile);
  report.facts = FactsOf(read.suite);
  for (const Finding& finding : read.regressions) report.findings.push_back(OfSuite(finding, file, read.patch));
  report.harness_faults = std::move(read.harness_faults);
  if (read.values) AddChangedValues(*read.values, file, read.patch, &report);
  for (ReportFinding& finding : report.findings) finding.status = Finding::Status::kRegressed;
  // Unknown findings come first, then those that most cases show.
  SortBy(&report.findings, [](const ReportFinding& finding) {
    return std::make_tuple(!finding.known_reason.empty(), -static_cast<int64_t>(finding.count), finding.signature);
  });
  for (TileChange& change : read.tiles) {
    const bool any = !change.base.verdicts.empty() || !change.patch.verdicts.empty();
    const Standing standing = any ? StandingOf(change.change) : Standing::kNotApplicable;
    report.cases += change.patch.cases;
    report.runs += change.patch.runs;
    AddCounts(change.patch.verdicts, &report.verdicts);
    Tile patch = change.patch;
    report.tiles.push_back({standing, std::move(patch), std::move(change)});
  }
  report.ir = std::move(read.ir);
  report.changes = std::move(read.cases);
  SortBy(&report.changes, [](const CaseChange& change) { return -static_cast<int>(change.change); });
  return report;
}

}  // namespace tosaic
