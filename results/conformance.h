// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of the conformance suite: a mosaic of tiles (op x element types x class of shapes), the cases behind
// them, and what diverges; and what two of them say of each other. Plain values with a JSON form (docs/keys.md).
#ifndef TOSAIC_RESULTS_CONFORMANCE_H_
#define TOSAIC_RESULTS_CONFORMANCE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/provenance.h"
#include "model/verdict.h"
#include "results/campaign.h"
#include "results/finding.h"
#include "results/ir_change.h"
#include "results/result_file.h"
#include "results/sweep_comparison.h"
#include "results/tile.h"
#include "results/value_sweep.h"

namespace tosaic {

// A test of a foreign suite says this about itself, and has these outcomes beside the verdict.
struct TestFacts {
  std::vector<std::string> tags, profiles, extensions;
  std::string error;  // of a program that must be refused: what is wrong with it, in the suite's word
  // Of such a program: "verifier", "tosa-validate", "nobody", "verifier, for another reason" than that which is wrong
  // with a program that is no case, or "" if nobody was asked.
  std::string refused_by;
  std::string tolerance;  // whether the results keep the tolerance that the test states: "kept", "missed", or ""

  friend bool operator==(const TestFacts& a, const TestFacts& b) = default;
};
void Fields(Visitor& v, TestFacts& facts);

// A test that Tosaic cannot represent as a program, and did not run. It may have asked who refuses the program.
struct UnwritableTest {
  std::string name, op, why;
  TestFacts test;
  std::optional<DecidingRule> rule;  // that nobody refuses it breaks this rule

  friend bool operator==(const UnwritableTest& a, const UnwritableTest& b) = default;
};
void Fields(Visitor& v, UnwritableTest& test);
// "12 tests not run: Tosaic has no op RESCALE", a line per reason, of those of which nobody said who refuses them.
std::vector<std::string> WhyNotRun(const std::vector<UnwritableTest>& tests);
// "nobody refuses add/mine [legal.count]: add has 1 operand and 1 result instead of 2 and 1", a line for each of them.
std::vector<std::string> WronglyAccepted(const std::vector<UnwritableTest>& tests);

// A case of the suite: "add/f32/static-equal/0", "corpus/regressions/NAME.json".
struct SuiteCase : TileName {
  std::string name;
  Verdict verdict = Verdict::kAgree;
  DecidingRule rule;
  FindingSignature signature;     // empty unless it diverges
  uint64_t runs = 0;              // executed
  std::optional<CaseIr> ir;       // where it was asked for
  std::optional<TestFacts> test;  // of a suite that others wrote

  friend bool operator==(const SuiteCase& a, const SuiteCase& b) = default;
};
void Fields(Visitor& v, SuiteCase& suite_case);

// The suite: equal suites have equal cases.
struct Suite {
  int version = 0;
  std::string profile;  // "pro-int", "pro-fp", "all", "accepted"; "arm": tests of Arm's suite
  std::string route;
  uint64_t cases = 0;
  std::string digest;              // of all cases
  std::optional<bool> own_routes;  // whether cases of the corpus take others than `route`; none: unknown

  friend bool operator==(const Suite& a, const Suite& b) = default;
};
void Fields(Visitor& v, Suite& suite);

struct ConformanceReport {
  Provenance provenance;
  Suite suite;
  std::vector<Tile> tiles;       // in the catalogue's order
  std::vector<SuiteCase> cases;  // in the suite's order
  std::vector<Finding> findings;
  std::vector<HarnessFault> harness_faults;
  std::vector<std::string> unseen_known;
  std::vector<UnwritableTest> unwritable;   // of a suite that others wrote
  std::optional<ValueSweepSummary> values;  // of all inputs, if they were asked for
  bool interrupted = false;
  double elapsed_seconds = 0;
};
void Fields(Visitor& v, ConformanceReport& report);
// Errors: those of ParseResultFile(), another kind, and what is wrong inside, by place.
absl::StatusOr<ConformanceReport> ConformanceFromText(absl::string_view text);

// This says how a result compares with the one before.
enum class Change : uint8_t { kUnchanged, kChanged, kSupported, kFixed, kHarnessFault, kRegressed };
EnumNames NamesOf(Change change);  // "regressed"

struct CaseChange {
  Change change = Change::kUnchanged;
  SuiteCase base;
  SuiteCase patch;
};

// The number of cases per Change.
struct CaseCounts {
  uint64_t regressed = 0, harness_fault = 0, fixed = 0, supported = 0, changed = 0, unchanged = 0;

  uint64_t& Of(Change change);
  CaseCounts& operator+=(CaseCounts other);
};

struct TileChange {
  Change change = Change::kUnchanged;  // the worst of its cases': regressed, harness-fault, fixed, ...
  Tile base;
  Tile patch;
  CaseCounts cases;
};

// This says how a patch changes a toolchain.
struct Comparison {
  Provenance base;
  Provenance patch;
  Suite suite;
  std::vector<TileChange> tiles;            // all
  std::vector<CaseChange> cases;            // those that are not unchanged
  std::vector<Finding> regressions;         // the patch's findings that regressed cases show, with how many these are
  std::vector<std::string> harness_faults;  // of both: "base: add/f32/rank-0/0: WHY"
  std::optional<IrChange> ir;               // where both results have it
  std::optional<SweepComparison> values;    // where a result has them
};

// The change between two results of one case. A result agrees (or is left open by the documents), is a refusal that the
// support table lists, or diverges. From agreement to refusal is a regression; from refusal to agreement is "supported"
// and not "fixed", because nothing was wrong. Two divergences with one signature are unchanged. A harness fault on
// either side leaves nothing to compare. `is_new`: the patch's report calls its divergence new, and the base's does not
// call its own new; then another divergence is a regression too.
Change ChangeOf(const SuiteCase& base, const SuiteCase& patch, bool is_new = false);

// Error: the suites differ (but for the route, which may be the patch), or one of the reports was interrupted.
absl::StatusOr<Comparison> Compare(const ConformanceReport& base, const ConformanceReport& patch);
bool HasRegressed(const Comparison& comparison);
bool HasHarnessFaults(const Comparison& comparison);
// Totals by the name of the change.
struct ChangeTotals {
  std::map<std::string, uint64_t> tiles, cases;
};
ChangeTotals TotalsOf(const Comparison& comparison);
void Fields(Visitor& v, Comparison& comparison);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_CONFORMANCE_H_
