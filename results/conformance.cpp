// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/conformance.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "codec/status.h"
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
  v("op", suite_case.op);
  v("types", suite_case.types);
  v("shapes", suite_case.shapes);
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

namespace {

// A comparison knows no more of a case than this.
enum class ComparedAs : uint8_t { kFine, kUnsupported, kWrong };

ComparedAs StandingOf(const SuiteCase& suite_case) {
  if (IsDivergence(suite_case.verdict)) return ComparedAs::kWrong;
  return suite_case.verdict == Verdict::kUnsupported ? ComparedAs::kUnsupported : ComparedAs::kFine;
}

}  // namespace

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

Change ChangeOf(const SuiteCase& base, const SuiteCase& patch) {
  if (base.verdict == Verdict::kHarnessFault || patch.verdict == Verdict::kHarnessFault) return Change::kHarnessFault;
  const ComparedAs before = StandingOf(base), after = StandingOf(patch);
  if (before == after) {
    const bool same = base.verdict == patch.verdict && base.signature == patch.signature;
    return same ? Change::kUnchanged : Change::kChanged;
  }
  // Between a refusal and a divergence: the latter is worse, but the former computes nothing either.
  if (after == ComparedAs::kFine) return before == ComparedAs::kWrong ? Change::kFixed : Change::kSupported;
  if (before == ComparedAs::kFine || after == ComparedAs::kWrong) return Change::kRegressed;
  return Change::kChanged;
}

namespace {

absl::Status CheckComparable(const ConformanceReport& base, const ConformanceReport& patch) {
  TOSAIC_RETURN_IF_ERROR(CheckSamePolicies(base.provenance, patch.provenance));
  for (const ConformanceReport* report : {&base, &patch}) {
    if (!report->interrupted) continue;
    return absl::InvalidArgumentError(absl::StrCat("the ", report == &base ? "base" : "patch",
                                                   "'s report was interrupted after ",
                                                   Counted(report->cases.size(), "case"), ": run its command again"));
  }
  Suite suite = patch.suite;
  suite.route = base.suite.route;
  const std::optional<bool> before = base.suite.own_routes, after = std::exchange(suite.own_routes, before);
  if (before && after && *before != *after) {
    return absl::InvalidArgumentError(absl::StrCat(
        "in the ", *before ? "base's" : "patch's", " report cases of the corpus take routes of their own, in the ",
        *before ? "patch's" : "base's", " all take ", *before ? patch.suite.route : base.suite.route,
        ": run both commands with --route, or both without"));
  }
  if (base.suite == suite && base.cases.size() != patch.cases.size()) {
    return absl::DataLossError(absl::StrCat("the reports have ", base.cases.size(), " and ",
                                            Counted(patch.cases.size(), "case"),
                                            " of one suite: one of the files is damaged; run its command again"));
  }
  if (base.suite != suite) {
    return absl::InvalidArgumentError(absl::StrCat("the reports are of different suites: ", ToLine(base.suite), " and ",
                                                   ToLine(patch.suite),
                                                   "; run both with the same Tosaic, --profile, --ops and --route"));
  }
  return absl::OkStatus();
}

// A signature has the route in it: the same divergence on another one is no change.
SuiteCase OnRoute(SuiteCase suite_case, const std::string& own, const std::string& route) {
  if (suite_case.signature.route == own) suite_case.signature.route = route;
  return suite_case;
}

// By the names of the cases, which are in the order of their numbers.
std::vector<std::string> FaultsOf(const ConformanceReport& report) {
  std::vector<std::string> faults;
  for (const HarnessFault& fault : report.harness_faults) {
    const bool is_there = fault.case_number < report.cases.size();
    faults.push_back(absl::StrCat(is_there ? report.cases[fault.case_number].name : "", ": ", fault.text));
  }
  return faults;
}

}  // namespace

absl::StatusOr<Comparison> Compare(const ConformanceReport& base, const ConformanceReport& patch) {
  TOSAIC_RETURN_IF_ERROR(CheckComparable(base, patch));
  Comparison comparison{.base = base.provenance, .patch = patch.provenance, .suite = base.suite};
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, size_t> places;
  for (size_t i = 0; i < base.tiles.size() && i < patch.tiles.size(); ++i) {
    const Tile& tile = base.tiles[i];
    places[{tile.op, tile.types, tile.shapes}] = comparison.tiles.size();
    comparison.tiles.push_back({.base = tile, .patch = patch.tiles[i]});
  }
  std::map<FindingSignature, uint64_t> regressed;  // cases, without those that showed it before
  const CaseIr kByMemory = {.missing = "MLIR lowers it by what lies in memory"};
  std::vector<IrPair> ir;
  for (size_t i = 0; i < base.cases.size(); ++i) {
    const SuiteCase& before = base.cases[i];
    const SuiteCase& after = patch.cases[i];
    const auto place = places.find({before.op, before.types, before.shapes});
    if (before.name != after.name || place == places.end()) {
      return absl::InvalidArgumentError(absl::StrCat("the reports do not fit each other at case ", before.name));
    }
    const Change change = ChangeOf(before, OnRoute(after, patch.suite.route, base.suite.route));
    TileChange& tile = comparison.tiles[place->second];
    ++tile.cases.Of(change);
    tile.change = std::max(tile.change, change);
    if (change != Change::kUnchanged) comparison.cases.push_back({change, before, after});
    if (before.ir && after.ir) {
      const bool by_memory = IsOfForeignMemory(before.signature.detail) && IsOfForeignMemory(after.signature.detail);
      ir.push_back({before.name, by_memory ? kByMemory : *before.ir, by_memory ? kByMemory : *after.ir});
    }
    if (change == Change::kRegressed) ++regressed[after.signature];
  }
  for (CaseChange& change : comparison.cases) change.base.ir.reset(), change.patch.ir.reset();
  if (!ir.empty()) comparison.ir = CompareIr(ir);
  if (base.values || patch.values) {
    comparison.values =
        CompareSweeps(base.values.value_or(ValueSweepSummary()), patch.values.value_or(ValueSweepSummary()));
  }
  comparison.harness_faults = FaultsOfSides(FaultsOf(base), FaultsOf(patch));
  for (const Finding& finding : patch.findings) {
    const auto by = regressed.find(finding.signature);
    if (by != regressed.end()) comparison.regressions.emplace_back(finding).count = by->second;
  }
  return comparison;
}

ChangeTotals TotalsOf(const Comparison& comparison) {
  CaseCounts cases, tiles;
  for (const TileChange& tile : comparison.tiles) {
    cases += tile.cases;
    ++tiles.Of(tile.change);
  }
  ChangeTotals totals;
  for (const Change change : All<Change>()) {
    totals.tiles[std::string(Name(change))] = tiles.Of(change);
    totals.cases[std::string(Name(change))] = cases.Of(change);
  }
  return totals;
}

namespace {

bool HasRegressedTile(const Comparison& comparison) {
  return std::any_of(comparison.tiles.begin(), comparison.tiles.end(),
                     [](const TileChange& tile) { return tile.cases.regressed > 0; });
}

}  // namespace

bool HasHarnessFaults(const Comparison& comparison) {
  const bool any_case = std::any_of(comparison.tiles.begin(), comparison.tiles.end(),
                                    [](const TileChange& tile) { return tile.cases.harness_fault > 0; });
  return any_case || !comparison.harness_faults.empty() ||
         (comparison.values && !comparison.values->harness_faults.empty());
}

bool HasRegressed(const Comparison& comparison) {
  return HasRegressedTile(comparison) || (comparison.values && HasRegressed(*comparison.values));
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
