// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/conformance.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "model/counted.h"
#include "model/signature.h"

namespace tosaic {

void Fields(Visitor& v, TestFacts& facts) {
  v.Type("test-facts");
  v.Optional("tags", facts.tags);
  v.Optional("profiles", facts.profiles, "that have to pass the test");
  v.Optional("extensions", facts.extensions, "that the test needs");
  v.Optional("error", facts.error, "what is wrong with a program that must be refused, in the suite's word");
  v.Optional("refused_by", facts.refused_by,
             "who refuses such a program: `verifier`, `tosa-validate` or `nobody`; `verifier, for another reason`: its "
             "message does not say what is wrong");
  v.Optional("tolerance", facts.tolerance, "whether the tolerance that the test states is `kept` or `missed`");
}

void Fields(Visitor& v, UnwritableTest& test) {
  v.Type("test-left-out");
  v("name", test.name);
  v("op", test.op, "as the suite has it");
  v("why", test.why, "why the test is no program for Tosaic");
  v("test", test.test);
  v.Optional("rule", test.rule, "the rule that an implementation breaks which takes the program");
}

std::vector<std::string> WhyNotRun(const std::vector<UnwritableTest>& tests) {
  std::map<std::string, uint64_t> reasons;
  for (const UnwritableTest& test : tests) {
    if (test.test.refused_by.empty()) ++reasons[test.why];
  }
  std::vector<std::string> lines;
  for (const auto& [why, count] : reasons) lines.push_back(absl::StrCat(Counted(count, "test"), " not run: ", why));
  return lines;
}

std::vector<std::string> WronglyAccepted(const std::vector<UnwritableTest>& tests) {
  std::vector<std::string> lines;
  for (const UnwritableTest& test : tests) {
    if (test.rule)
      lines.push_back(absl::StrCat("nobody refuses ", test.name, " [", ToString(*test.rule), "]: ", test.why));
  }
  return lines;
}

void Fields(Visitor& v, SuiteCase& suite_case) {
  v.Type("suite-case");
  v("name", suite_case.name);
  NameFields(v, suite_case);
  v("verdict", suite_case.verdict);
  v("rule", suite_case.rule);
  v("signature", suite_case.signature, "empty unless it diverges");
  v("runs", suite_case.runs, "executed");
  v.Optional("ir", suite_case.ir, "what the route makes of it, if `--ir` asked for it");
  v.Optional("test", suite_case.test, "what a test of `--suite` says of itself");
}

void Fields(Visitor& v, Suite& suite) {
  v.Type("suite");
  v("version", suite.version);
  v("profile", suite.profile);
  v("route", suite.route);
  v("cases", suite.cases);
  v("digest", suite.digest, "a digest of all cases");
  v.Optional("own_routes", suite.own_routes, "whether cases of the corpus take routes of their own");
}

EnumNames NamesOf(Change) {
  static constexpr absl::string_view kNames[] = {"unchanged", "changed",       "supported",
                                                 "fixed",     "harness-fault", "regressed"};
  return NamesFor<Change>(kNames, "a change");
}

namespace {

struct SuiteTotals {
  std::map<std::string, uint64_t> tiles;
  uint64_t cases = 0, runs = 0;
  VerdictCounts verdicts;
};

SuiteTotals TotalsOf(const ConformanceReport& report) {
  SuiteTotals totals{.cases = report.cases.size()};
  for (const Tile& tile : report.tiles) ++totals.tiles[std::string(Name(OutcomeOf(tile)))];
  for (const SuiteCase& suite_case : report.cases) {
    ++totals.verdicts[suite_case.verdict];
    totals.runs += suite_case.runs;
  }
  return totals;
}

void Fields(Visitor& v, SuiteTotals& totals) {
  v("tiles", totals.tiles, "by outcome");
  v("cases", totals.cases);
  v("runs", totals.runs);
  v("verdicts", totals.verdicts, "cases by verdict");
}

}  // namespace

void Fields(Visitor& v, ChangeTotals& totals) {
  v("tiles", totals.tiles);
  v("cases", totals.cases);
}

void Fields(Visitor& v, TileChange& tile) {
  v("change", tile.change, "the worst of its cases'");
  v("base", tile.base);
  v("patch", tile.patch);
  v("fixed", tile.cases.fixed, "cases");
  v("regressed", tile.cases.regressed);
  v.MayLack("harness_fault", tile.cases.harness_fault, "not compared: Tosaic or the toolchain failed on either side");
  v.MayLack("supported", tile.cases.supported, "refused before, and right now");
  v("changed", tile.cases.changed);
  v("unchanged", tile.cases.unchanged);
}

void Fields(Visitor& v, CaseChange& change) {
  v("change", change.change);
  v("base", change.base);
  v("patch", change.patch);
}

void Fields(Visitor& v, ConformanceReport& report) {
  v.Constant("tosaic_report", kReportVersion);
  v.Constant("kind", kConformanceKind);
  v("provenance", report.provenance);
  v("suite", report.suite);
  v.Derived("totals", TotalsOf(report));
  v("tiles", report.tiles);
  v("cases", report.cases);
  v("findings", Each<FindingOfSuite>(report.findings));
  v.Derived("new_findings", CountNew(report.findings));
  v.Derived("not_reduced_findings", CountNotReduced(report.findings),
            "neither known nor new: nobody reduced their cases, by which known causes are recognised");
  v("harness_faults", Each<FaultOfSuite>(report.harness_faults));
  v("unseen_known", report.unseen_known, "known divergences that no case showed");
  v.Optional("unwritable", report.unwritable, "tests of `--suite` that are no programs for Tosaic");
  v.Optional("values", report.values, "of `--all-values`: a result of `sweep --values --all`");
  v("interrupted", report.interrupted);
  v("elapsed_seconds", report.elapsed_seconds);
}

absl::StatusOr<ConformanceReport> ConformanceFromText(absl::string_view text) {
  return ResultFromText<ConformanceReport, kConformanceKind>(text);
}

uint64_t& CaseCounts::Of(Change change) {
  switch (change) {
    case Change::kUnchanged:
      return unchanged;
    case Change::kChanged:
      return changed;
    case Change::kSupported:
      return supported;
    case Change::kFixed:
      return fixed;
    case Change::kHarnessFault:
      return harness_fault;
    case Change::kRegressed:
      return regressed;
  }
  return unchanged;
}

CaseCounts& CaseCounts::operator+=(CaseCounts other) {
  for (const Change change : All<Change>()) Of(change) += other.Of(change);
  return *this;
}

void Fields(Visitor& v, Comparison& comparison) {
  v.Constant("tosaic_report", kReportVersion);
  v.Constant("kind", kComparisonKind);
  v("base", comparison.base, "its provenance");
  v("patch", comparison.patch, "its provenance");
  v("suite", comparison.suite);
  v.Derived("totals", TotalsOf(comparison), "by change");
  v("tiles", comparison.tiles, "all of them");
  v("cases", comparison.cases, "the cases that are not as before");
  v("regressions", Each<FindingOfSuite>(comparison.regressions), "findings of the patch that regressed cases show");
  v.Optional("harness_faults", comparison.harness_faults, "of both, each with its side and case");
  v.Optional("ir", comparison.ir, "what changed in the IR, where both results have it");
  v.Optional("values", comparison.values, "what changed in the values over all inputs, where a result has them");
}

}  // namespace tosaic
