// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/conformance.h"

#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "codec/codec.h"

namespace tosaic {
namespace {

SuiteCase CaseOf(Verdict verdict, const std::string& signature = "") {
  return {{"add", "f32", "dynamic"},
          "add/f32/dynamic/0",
          verdict,
          {RuleId::kValueAddPlain, ""},
          ParseFindingSignature(signature),
          4};
}

Tile TileOf(VerdictCounts verdicts) {
  Tile tile;
  tile.verdicts = std::move(verdicts);
  tile.op = "add", tile.types = "f32", tile.shapes = "dynamic";
  for (const auto& [verdict, count] : tile.verdicts) tile.cases += count;
  return tile;
}

Case SmallCase() {
  Case test_case;
  test_case.program.arguments = {{Shape::OfSizes({1}), ElementType::kF32}};
  test_case.program.ops = {{OpKind::kAbs, {{ValueRef::Kind::kArgument, 0}}, {}, test_case.program.arguments[0]}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  return test_case;
}

ConformanceReport ReportOf(const SuiteCase& suite_case) {
  ConformanceReport report;
  report.provenance.toolchain = "mlir-22";
  report.suite = {1, "all", "loops", 1, "0123"};
  report.tiles = {TileOf({{suite_case.verdict, 1}})};
  report.cases = {suite_case};
  if (IsDivergence(suite_case.verdict)) {
    report.tiles[0].signatures = {suite_case.signature};
    Finding finding;
    finding.cases().case_name = suite_case.name;
    finding.signature = suite_case.signature;
    finding.cause = ToString(suite_case.signature);
    finding.op = "add";
    finding.route = "loops";
    finding.count = 1;
    finding.judgement.verdict = suite_case.verdict;
    finding.cases().original = finding.cases().reduced = SmallCase();
    report.findings.push_back(finding);
  }
  report.elapsed_seconds = 1.5;
  return report;
}

TEST(Conformance, OutcomeOfATile) {
  const struct {
    VerdictCounts verdicts;
    absl::string_view outcome;
  } rows[] = {
      {{}, "not-applicable"},
      {{{Verdict::kAgree, 3}}, "conforms"},
      {{{Verdict::kAgree, 3}, {Verdict::kUndefined, 1}, {Verdict::kUnsupported, 1}}, "conforms"},
      {{{Verdict::kAgree, 3}, {Verdict::kLeak, 1}}, "diverges"},
      {{{Verdict::kAgree, 3}, {Verdict::kHarnessFault, 1}}, "harness-fault"},
      {{{Verdict::kLeak, 3}, {Verdict::kHarnessFault, 1}}, "diverges"},
      {{{Verdict::kUndefined, 1}, {Verdict::kUnsupported, 1}}, "unsupported"},
      {{{Verdict::kUndefined, 1}}, "undefined-only"},
  };
  for (const auto& row : rows) EXPECT_EQ(Name(OutcomeOf(TileOf(row.verdicts))), row.outcome);
}

TEST(Conformance, ChangeOfACase) {
  const struct {
    SuiteCase base, patch;
    absl::string_view change;
  } rows[] = {
      {CaseOf(Verdict::kAgree), CaseOf(Verdict::kAgree), "unchanged"},
      {CaseOf(Verdict::kAgree), CaseOf(Verdict::kUndefined), "changed"},
      {CaseOf(Verdict::kAgree), CaseOf(Verdict::kUnsupported), "regressed"},
      {CaseOf(Verdict::kAgree), CaseOf(Verdict::kCrash, "crash/a"), "regressed"},
      {CaseOf(Verdict::kAgree), CaseOf(Verdict::kHarnessFault), "harness-fault"},
      {CaseOf(Verdict::kHarnessFault), CaseOf(Verdict::kAgree), "harness-fault"},
      {CaseOf(Verdict::kHarnessFault), CaseOf(Verdict::kHarnessFault), "harness-fault"},
      {CaseOf(Verdict::kHarnessFault), CaseOf(Verdict::kCrash, "crash/a"), "harness-fault"},
      {CaseOf(Verdict::kUnsupported), CaseOf(Verdict::kAgree), "supported"},
      {CaseOf(Verdict::kUnsupported), CaseOf(Verdict::kUnsupported), "unchanged"},
      {CaseOf(Verdict::kUnsupported), CaseOf(Verdict::kWrongValue, "w"), "regressed"},
      {CaseOf(Verdict::kWrongValue, "w"), CaseOf(Verdict::kAgree), "fixed"},
      {CaseOf(Verdict::kWrongValue, "w"), CaseOf(Verdict::kUnsupported), "changed"},
      {CaseOf(Verdict::kWrongValue, "w"), CaseOf(Verdict::kWrongValue, "w"), "unchanged"},
      {CaseOf(Verdict::kWrongValue, "w"), CaseOf(Verdict::kWrongValue, "v"), "changed"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Name(ChangeOf(row.base, row.patch)), row.change) << Name(row.base.verdict) << Name(row.patch.verdict);
  }
}

TEST(Conformance, ReportSurvivesJson) {
  const ConformanceReport report = ReportOf(CaseOf(Verdict::kWrongValue, "wrong-value/add"));
  const Json json = ToJson(report);
  EXPECT_EQ(json["tosaic_report"], 1);
  EXPECT_EQ(json["kind"], "conformance");
  EXPECT_EQ(json["totals"]["tiles"]["diverges"], 1);
  EXPECT_EQ(json["totals"]["verdicts"]["wrong-value"], 1);
  EXPECT_EQ(json["new_findings"], 1);
  const absl::StatusOr<ConformanceReport> read = ConformanceFromText(Dump(json, 1));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToJson(*read), json);
}

TEST(Conformance, BadReportsNameWhatIsWrong) {
  const std::string text = Dump(ToJson(ReportOf(CaseOf(Verdict::kAgree))), 1);
  const auto error = [](const std::string& broken) {
    return std::string(ConformanceFromText(broken).status().message());
  };
  EXPECT_TRUE(absl::StrContains(error(text.substr(0, text.size() / 2)), "cut short"));
  EXPECT_TRUE(absl::StrContains(error("{}"), "not a result file"));
  Json json = *ParseJson(text);
  json["tosaic_report"] = 2;
  EXPECT_TRUE(absl::StrContains(error(Dump(json, 1)), "version 2"));
  json["tosaic_report"] = 1;
  json["kind"] = "campaign";
  EXPECT_TRUE(absl::StrContains(error(Dump(json, 1)), "kind \"campaign\""));
  json["kind"] = "conformance";
  json["cases"][0]["verdict"] = "good";
  EXPECT_EQ(error(Dump(json, 1)), "cases[0].verdict: \"good\" is not a verdict");
  json["cases"][0].erase("verdict");
  EXPECT_EQ(error(Dump(json, 1)), "cases[0]: the key \"verdict\" is missing");
}

TEST(Conformance, ComparesCaseByCase) {
  const ConformanceReport good = ReportOf(CaseOf(Verdict::kAgree));
  ConformanceReport bad = ReportOf(CaseOf(Verdict::kWrongValue, "wrong-value/add"));
  bad.findings[0].count = 3;
  const absl::StatusOr<Comparison> worse = Compare(good, bad);
  ASSERT_TRUE(worse.ok()) << worse.status();
  ASSERT_EQ(worse->tiles.size(), 1u);
  EXPECT_EQ(worse->tiles[0].change, Change::kRegressed);
  EXPECT_EQ(worse->tiles[0].cases.regressed, 1u);
  ASSERT_EQ(worse->regressions.size(), 1u);
  EXPECT_EQ(ToString(worse->regressions[0].signature), "wrong-value/add");
  EXPECT_EQ(worse->regressions[0].count, 1u) << "regressed cases alone";
  const absl::StatusOr<Comparison> better = Compare(bad, good);
  ASSERT_TRUE(better.ok());
  EXPECT_EQ(better->tiles[0].change, Change::kFixed);
  EXPECT_TRUE(better->regressions.empty());
  const absl::StatusOr<Comparison> same = Compare(bad, bad);
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same->tiles[0].cases.unchanged, 1u);
  EXPECT_TRUE(same->cases.empty());

  const absl::StatusOr<Comparison> read = FromText<Comparison>(Dump(ToJson(*worse), 1));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToJson(*read), ToJson(*worse));
  EXPECT_FALSE(FromText<Comparison>(Dump(ToJson(good), 1)).ok());
}

// Reports say which of their findings are new, by lists of what is known.
TEST(Conformance, ANewDivergenceInTheCaseOfAKnownOneIsARegression) {
  const auto report = [](Verdict verdict, const std::string& signature, bool known) {
    ConformanceReport report = ReportOf(CaseOf(verdict, signature));
    if (known) report.findings[0].known_reason = "so it is";
    return report;
  };
  const ConformanceReport known = report(Verdict::kCrash, "crash/add", true);
  const ConformanceReport fresh = report(Verdict::kMemoryFault, "memory-fault/add", false);
  const Comparison worse = *Compare(known, fresh);
  EXPECT_TRUE(HasRegressed(worse));
  EXPECT_EQ(worse.cases.at(0).change, Change::kRegressed);
  ASSERT_EQ(worse.regressions.size(), 1u);
  EXPECT_EQ(ToString(worse.regressions[0].signature), "memory-fault/add");
  for (const auto& [base, patch] : {std::pair(report(Verdict::kCrash, "crash/add", false), fresh),
                                    {fresh, known},
                                    {known, report(Verdict::kMemoryFault, "memory-fault/add", true)}}) {
    const Comparison changed = *Compare(base, patch);
    EXPECT_FALSE(HasRegressed(changed));
    EXPECT_EQ(changed.cases.at(0).change, Change::kChanged);
  }
  // Known as it may be, it shows what it showed.
  EXPECT_FALSE(HasRegressed(*Compare(known, report(Verdict::kCrash, "crash/add", false))));
  // One of two causes with this signature is new.
  ConformanceReport both = fresh;
  both.findings.push_back(fresh.findings[0]);
  both.findings[0].known_reason = "so it is";
  EXPECT_TRUE(HasRegressed(*Compare(known, both)));
  ConformanceReport on_another_route = fresh;
  on_another_route.suite.route = "other";
  on_another_route.cases[0].signature = on_another_route.findings[0].signature =
      ParseFindingSignature("memory-fault/add/other/run.memory");
  EXPECT_TRUE(HasRegressed(*Compare(known, on_another_route)));
}

// A program that is no case of Tosaic's, of a suite that others wrote.
TEST(Conformance, AProgramThatThePatchNoLongerRefusesIsARegression) {
  const auto report = [](const std::string& refused_by) {
    ConformanceReport report = ReportOf(CaseOf(Verdict::kAgree));
    UnwritableTest& test = report.unwritable.emplace_back();
    test = {"add/mine", "add", "add has 1 operand", {}, std::nullopt};
    test.test.refused_by = refused_by;
    if (refused_by == "nobody") test.rule = DecidingRule{RuleId::kLegalCount, ""};
    return report;
  };
  const Comparison worse = *Compare(report("verifier"), report("nobody"));
  EXPECT_TRUE(HasRegressed(worse));
  ASSERT_EQ(worse.cases.size(), 1u);
  EXPECT_EQ(worse.cases[0].patch.name, "add/mine");
  EXPECT_EQ(worse.cases[0].patch.verdict, Verdict::kFalseAccept);
  EXPECT_EQ(ToString(worse.cases[0].patch.rule), "legal.count");
  EXPECT_EQ(TotalsOf(worse).cases.at("regressed"), 1u);
  EXPECT_EQ(ToJson(*FromText<Comparison>(Dump(ToJson(worse), 1))), ToJson(worse));
  const Comparison better = *Compare(report("nobody"), report("tosa-validate"));
  EXPECT_FALSE(HasRegressed(better));
  EXPECT_EQ(better.cases.at(0).change, Change::kFixed);
  for (const auto& [base, patch] : {std::pair("nobody", "nobody"), {"verifier", "tosa-validate"}, {"", "nobody"}}) {
    const Comparison same = *Compare(report(base), report(patch));
    EXPECT_TRUE(same.cases.empty()) << base << patch;
    EXPECT_EQ(same.tiles.size(), 1u);
  }
}

TEST(Conformance, IrThatDependsOnWhatLiesInMemoryIsNotCompared) {
  const auto with_ir = [](absl::string_view signature, absl::string_view digest) {
    SuiteCase result = CaseOf(Verdict::kCrash, std::string(signature));
    result.ir = CaseIr{.tensors = IrInShort{.digest = std::string(digest)}};
    return ReportOf(result);
  };
  constexpr char kByMemory[] = "crash/mul/special-operand-at-run-time", kElse[] = "crash/mul/loops/lower/lower.end";
  const Comparison left_out = *Compare(with_ir(kByMemory, "1"), with_ir(kByMemory, "2"));
  EXPECT_EQ(left_out.ir->tensors.compared, 0u);
  EXPECT_EQ(left_out.ir->base_missing.at("MLIR lowers it by what lies in memory"), 1u);
  EXPECT_EQ(Compare(with_ir(kElse, "1"), with_ir(kElse, "2"))->ir->tensors.differ, 1u);
  EXPECT_EQ(Compare(with_ir(kByMemory, "1"), with_ir(kElse, "2"))->ir->tensors.differ, 1u);
}

// Nothing is known of such a case: it neither regressed nor stayed as it was.
TEST(Conformance, HarnessFaultsOfEitherSideAreTold) {
  ConformanceReport good = ReportOf(CaseOf(Verdict::kAgree)), failed = ReportOf(CaseOf(Verdict::kHarnessFault));
  failed.harness_faults = {{0, "harness.toolchain: boo", 0}};
  const absl::StatusOr<Comparison> both = Compare(failed, failed);
  ASSERT_TRUE(both.ok());
  EXPECT_FALSE(HasRegressed(*both));
  EXPECT_EQ(both->harness_faults, (std::vector<std::string>{"base: add/f32/dynamic/0: harness.toolchain: boo",
                                                            "patch: add/f32/dynamic/0: harness.toolchain: boo"}));
  const absl::StatusOr<Comparison> patch = Compare(good, failed);
  ASSERT_TRUE(patch.ok());
  EXPECT_FALSE(HasRegressed(*patch));
  EXPECT_TRUE(HasHarnessFaults(*patch));
  EXPECT_EQ(patch->tiles[0].cases.harness_fault, 1u);
  EXPECT_FALSE(HasHarnessFaults(*Compare(good, good)));
  EXPECT_EQ(ToJson(*FromText<Comparison>(Dump(ToJson(*patch), 1))), ToJson(*patch));
}

TEST(Conformance, RefusesToCompareWhatDoesNotFit) {
  const ConformanceReport report = ReportOf(CaseOf(Verdict::kAgree));
  ConformanceReport other = report;
  other.suite.digest = "4567";
  EXPECT_TRUE(absl::StrContains(Compare(report, other).status().message(), "different suites"));
  other = report;
  other.suite.own_routes = true;
  EXPECT_TRUE(Compare(report, other).ok()) << "a report of an earlier version does not say";
  ConformanceReport on_one = report;
  on_one.suite.own_routes = false;
  const std::string refused(Compare(other, on_one).status().message());
  EXPECT_EQ(
      refused,
      "in the base's report cases of the corpus take routes of their own, in the patch's all take loops: run both "
      "commands with --route, or both without");
  other = report;
  other.cases.push_back(other.cases[0]);
  EXPECT_TRUE(absl::StrContains(Compare(report, other).status().message(), "1 and 2 cases of one suite"));
  other = report;
  other.provenance.policies = {"--strict-static-result"};
  EXPECT_TRUE(absl::StrContains(Compare(report, other).status().message(), "--strict-static-result"));
  other = report;
  other.interrupted = true;
  EXPECT_TRUE(absl::StrContains(Compare(report, other).status().message(), "interrupted"));
  other = report;
  other.cases[0].name = "add/f32/dynamic/1";
  EXPECT_FALSE(Compare(report, other).ok());
}

TEST(CaseCounts, EachChangeHasACountOfItsOwn) {
  CaseCounts counts;
  for (const Change change : All<Change>()) counts.Of(change) = 1 + static_cast<uint64_t>(change);
  EXPECT_EQ(counts.unchanged, 1 + static_cast<uint64_t>(Change::kUnchanged));
  EXPECT_EQ(counts.changed, 1 + static_cast<uint64_t>(Change::kChanged));
  EXPECT_EQ(counts.supported, 1 + static_cast<uint64_t>(Change::kSupported));
  EXPECT_EQ(counts.fixed, 1 + static_cast<uint64_t>(Change::kFixed));
  EXPECT_EQ(counts.harness_fault, 1 + static_cast<uint64_t>(Change::kHarnessFault));
  EXPECT_EQ(counts.regressed, 1 + static_cast<uint64_t>(Change::kRegressed));
}

}  // namespace
}  // namespace tosaic
