// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report as JSON: docs/report-format.md.
#include "codec/visitor.h"
#include "results/report.h"
#include "results/result_file.h"
#include "results/view.h"

namespace tosaic {

void Fields(Visitor& v, Fact& fact) {
  v.Type("fact");
  v.Strict();
  v("name", fact.name);
  v("value", fact.value);
}

void Fields(Visitor& v, Side& side) {
  v.Type("side");
  v.Strict();
  v("name", side.name, "empty, or `base` and `patch`");
  v.Derived("toolchain", ToolchainInWords(side.provenance));
  v.Derived("provenance", FactsOf(side.provenance));
}

void Fields(Visitor& v, CaseCounts& counts) {
  v.Type("changes");
  v.Strict();
  v("regressed", counts.regressed);
  v("harness_fault", counts.harness_fault, "not compared, because Tosaic or the toolchain failed on either side");
  v("fixed", counts.fixed);
  v("supported", counts.supported, "refused before, and right now");
  v("changed", counts.changed);
  v("unchanged", counts.unchanged);
}

void Fields(Visitor& v, ReportFinding& finding) {
  v.Type("finding");
  v.Strict();
  CommonFields(v, finding, finding.status);
  v.Derived("stage", StageOf(finding), "empty if unknown; so are the following keys");
  v("first", finding.first, "the first of them");
  v.Derived("rule", RuleOf(finding));
  v("expected", finding.judgement.expected);
  v("actual", finding.judgement.actual);
  v.Derived("facts", FactsOf(finding.judgement), "the element that disagrees, and notes");
  v("program", finding.program, "the reduced case as MLIR");
  v("data", finding.data, "its runs");
  v("reproducer", finding.replay, "shell commands that replay it with Tosaic, the case included");
  v("script", finding.script, "`repro.sh`, which shows it without Tosaic");
  v("script_file", finding.script_file, "the file of the script; what the script needs lies beside it");
  v("location", finding.location, "the file of the reduced case, or the result file");
}

void Fields(Visitor& v, AccuracyRow& row) {
  v.Type("accuracy");
  v.Strict();
  v("op", row.op);
  v("types", row.types);
  v("setting", row.setting);
  v("accuracy", row.accuracy, "the rule");
  v("exhaustive", row.exhaustive);
  v("compared", row.compared);
  v.MayLack("open", row.open, "inputs of which the documents allow more than half of all values");
  v("disagreements", row.disagreements);
  v("mean_error_ulp", OrInfinity{row.mean_error});
  v("max_error_ulp", OrInfinity{row.max_error});
  v("max_error_inputs", row.max_error_inputs);
  v("bound_used", OrInfinity{row.bound_used}, "1 is all of the allowed error");
  v.Optional("wrong", row.wrong, "of a sweep of all inputs: which are wrong");
  v.Optional("curve", row.curve, "of a sweep of all inputs: the largest error in each part of the range");
}

namespace {

struct BaseOfTile {
  Tile& tile;
};
void Fields(Visitor& v, BaseOfTile& base) {
  v.Strict();
  v.Derived("outcome", OutcomeOf(base.tile));
  v("verdicts", base.tile.verdicts);
  v("findings", base.tile.signatures);
}

struct ResultOfCase {
  SuiteCase& suite_case;
};
void Fields(Visitor& v, ResultOfCase& result) {
  v.Type("result");
  v.Strict();
  v("verdict", result.suite_case.verdict);
  v("rule", result.suite_case.rule);
  v("finding", result.suite_case.signature, "the signature of a finding, or empty");
}

struct CaseOfReport {
  SuiteCase& suite_case;
};
void Fields(Visitor& v, CaseOfReport& of) {
  v.Type("report-case");
  v.Strict();
  v("name", of.suite_case.name);
  NameFields(v, of.suite_case);
  v("verdict", of.suite_case.verdict);
  v("rule", of.suite_case.rule);
  v("finding", of.suite_case.signature, "the signature of a finding, or empty");
  v("runs", of.suite_case.runs);
  v.Optional("test", of.suite_case.test, "what a test of `--suite` says of itself");
}

struct ChangeOfReport {
  CaseChange& change;
};
void Fields(Visitor& v, ChangeOfReport& of) {
  v.Type("change");
  v.Strict();
  v("change", of.change.change);
  v("name", of.change.patch.name);
  NameFields(v, of.change.patch);
  v("base", ResultOfCase{of.change.base});
  v("patch", ResultOfCase{of.change.patch});
}

struct ReportTotals {
  uint64_t cases = 0, runs = 0;
  VerdictCounts verdicts;
  std::map<Standing, uint64_t> tiles;
  std::map<Finding::Status, uint64_t> findings;
  std::optional<CaseCounts> changes;
};

ReportTotals TotalsOf(const ResultReport& report) {
  ReportTotals totals{report.cases, report.runs, report.verdicts, {}, {}, std::nullopt};
  for (const ReportTile& tile : report.tiles) ++totals.tiles[tile.standing];
  for (const Finding::Status status : All<Finding::Status>()) totals.findings[status] = CountFindings(report, status);
  if (report.kind == ResultKind::kComparison) totals.changes = CountChanges(report);
  return totals;
}

void Fields(Visitor& v, ReportTotals& totals) {
  v.Strict();
  v("cases", totals.cases);
  v("runs", totals.runs);
  v("verdicts", totals.verdicts, "cases by verdict");
  v("tiles", totals.tiles, "by standing");
  v("findings", totals.findings, "by status");
  v.DerivedIf(totals.changes.has_value(), "changes", totals.changes.value_or(CaseCounts()), "of a comparison: cases");
}

}  // namespace

void Fields(Visitor& v, ReportTile& tile) {
  v.Type("tile");
  v.Strict();
  Fields(v, tile.tile);
  v("standing", tile.standing);
  TileChange change = tile.change.value_or(TileChange());
  v.DerivedIf(tile.change.has_value(), "base", BaseOfTile{change.base}, "of a comparison");
  v.DerivedIf(tile.change.has_value(), "changes", change.cases, "of a comparison: cases");
}

void Fields(Visitor& v, ResultReport& report) {
  v.Strict();
  v.Constant("tosaic_report", kReportVersion, "version of the format");
  v.Constant("kind", "report");
  v.Derived("of", report.kind, "the kind of the result file");
  v("title", report.title, "for people");
  v.Derived("headline", Headline(report), "for people");
  v.Derived("good", IsGood(report),
            "true if nothing asks for attention and the command did all that it was asked to do");
  v("sides", report.sides, "one side, or base and patch of a comparison");
  v("facts", report.facts, "what was asked for: seed, route, suite");
  v.Derived("totals", TotalsOf(report));
  v("findings", report.findings);
  v("tiles", report.tiles, "the tiles of the result file, each with its standing");
  v("judged_ops", report.judged_ops, "of a campaign: elements that programs return, by the op that computed them");
  v("judged_chains", report.judged_chains, "the same for elements behind values that the program does not return");
  v("accuracy", report.accuracy, "per op, element types and setting");
  v("functions", report.functions, "of a coverage run: which blocks of MLIR's functions are reached");
  v("cases", Each<CaseOfReport>(report.suite_cases), "of the conformance suite");
  v("changes", Each<ChangeOfReport>(report.changes), "of a comparison: what is not as before");
  v.Optional("ir", report.ir, "of a comparison: what changed in the IR");
  v("harness_faults", report.harness_faults);
  v("notes", report.notes);
  v("not_run", report.not_run, "of what was asked for");
  v("unseen_known", report.unseen_known, "known divergences that did not show");
  v.Optional("untested_routes", report.untested_routes,
             "of a campaign on mixed routes: those that the toolchain does not have");
  v("interrupted", report.interrupted);
  v("elapsed_seconds", report.elapsed_seconds);
}

}  // namespace tosaic
