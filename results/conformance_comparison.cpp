// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two results of the conformance suite: the cases and tiles that changed, and how.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/counted.h"
#include "model/signature.h"
#include "results/conformance.h"

namespace tosaic {

namespace {

// The class of shapes of tests that are no programs for Tosaic.
constexpr absl::string_view kNotRepresentable = "not-representable";

// A comparison knows no more of a case than this.
enum class ComparedAs : uint8_t { kFine, kUnsupported, kWrong };

ComparedAs StandingOf(const SuiteCase& suite_case) {
  if (IsDivergence(suite_case.verdict)) return ComparedAs::kWrong;
  return suite_case.verdict == Verdict::kUnsupported ? ComparedAs::kUnsupported : ComparedAs::kFine;
}

}  // namespace

Change ChangeOf(const SuiteCase& base, const SuiteCase& patch, bool is_new) {
  if (base.verdict == Verdict::kHarnessFault || patch.verdict == Verdict::kHarnessFault) return Change::kHarnessFault;
  const ComparedAs before = StandingOf(base), after = StandingOf(patch);
  if (before == after) {
    const bool same = base.verdict == patch.verdict && base.signature == patch.signature;
    if (same) return Change::kUnchanged;
    return is_new && after == ComparedAs::kWrong ? Change::kRegressed : Change::kChanged;
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

// The signatures that the report itself calls new: of several causes with one signature, one is.
std::set<FindingSignature> NewIn(const ConformanceReport& report) {
  std::set<FindingSignature> signatures;
  for (const Finding& finding : report.findings) {
    if (IsNew(finding)) signatures.insert(finding.signature);
  }
  return signatures;
}

// A test that is no program for Tosaic, as a case in a tile of its op.
SuiteCase CaseOf(const UnwritableTest& test, const DecidingRule& rule) {
  SuiteCase suite_case{{test.op, "", std::string(kNotRepresentable)}, test.name};
  suite_case.verdict = test.rule ? Verdict::kFalseAccept : Verdict::kAgree;
  suite_case.rule = rule;
  suite_case.test = test.test;
  return suite_case;
}

void AddTo(const SuiteCase& suite_case, Tile* tile) {
  static_cast<TileName&>(*tile) = suite_case;
  tile->Add({.verdicts = {{suite_case.verdict, 1}}, .cases = 1});
}

// Adds the tests that one side refuses and the other does not, of those that both were asked about.
void CompareRefusals(const std::vector<UnwritableTest>& base, const std::vector<UnwritableTest>& patch,
                     Comparison* comparison) {
  std::map<std::string, const UnwritableTest*> before;
  for (const UnwritableTest& test : base) before[test.name] = &test;
  std::map<std::string, TileChange> tiles;  // by op
  for (const UnwritableTest& test : patch) {
    const auto found = before.find(test.name);
    if (found == before.end() || found->second->test.refused_by.empty() || test.test.refused_by.empty()) continue;
    if (found->second->rule.has_value() == test.rule.has_value()) continue;
    const DecidingRule rule = test.rule ? *test.rule : *found->second->rule;
    const CaseChange change = {test.rule ? Change::kRegressed : Change::kFixed, CaseOf(*found->second, rule),
                               CaseOf(test, rule)};
    TileChange& tile = tiles[test.op];
    ++tile.cases.Of(change.change);
    tile.change = std::max(tile.change, change.change);
    AddTo(change.base, &tile.base);
    AddTo(change.patch, &tile.patch);
    comparison->cases.push_back(change);
  }
  for (auto& [op, tile] : tiles) comparison->tiles.push_back(std::move(tile));
}

}  // namespace

// The IR of a case on both sides, which must outlive the result. REQUIRES: both have it.
static IrPair IrOf(const SuiteCase& before, const SuiteCase& after) {
  if (!IsOfForeignMemory(before.signature.detail) || !IsOfForeignMemory(after.signature.detail)) {
    return {before.name, *before.ir, *after.ir};
  }
  static const CaseIr& by_memory = *new CaseIr{.missing = "MLIR lowers it by what lies in memory"};
  return {before.name, by_memory, by_memory};
}

absl::StatusOr<Comparison> Compare(const ConformanceReport& base, const ConformanceReport& patch) {
  TOSAIC_RETURN_IF_ERROR(CheckComparable(base, patch));
  Comparison comparison{.base = base.provenance, .patch = patch.provenance, .suite = base.suite};
  std::map<TileName, size_t> places;
  for (size_t i = 0; i < base.tiles.size() && i < patch.tiles.size(); ++i) {
    places[base.tiles[i]] = i;
    comparison.tiles.push_back({.base = base.tiles[i], .patch = patch.tiles[i]});
  }
  std::map<FindingSignature, uint64_t> regressed;  // cases, without those that showed it before
  const std::set<FindingSignature> new_before = NewIn(base), new_after = NewIn(patch);
  std::vector<IrPair> ir;
  for (size_t i = 0; i < base.cases.size(); ++i) {
    const SuiteCase& before = base.cases[i];
    const SuiteCase& after = patch.cases[i];
    const auto place = places.find(before);
    if (before.name != after.name || place == places.end()) {
      return absl::InvalidArgumentError(absl::StrCat("the reports do not fit each other at case ", before.name));
    }
    const bool is_new = new_after.contains(after.signature) && !new_before.contains(before.signature);
    const Change change = ChangeOf(before, OnRoute(after, patch.suite.route, base.suite.route), is_new);
    TileChange& tile = comparison.tiles[place->second];
    ++tile.cases.Of(change);
    tile.change = std::max(tile.change, change);
    if (change != Change::kUnchanged) comparison.cases.push_back({change, before, after});
    if (before.ir && after.ir) ir.push_back(IrOf(before, after));
    if (change == Change::kRegressed) ++regressed[after.signature];
  }
  CompareRefusals(base.unwritable, patch.unwritable, &comparison);
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

}  // namespace tosaic
