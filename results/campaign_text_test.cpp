// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "results/text.h"

namespace tosaic {
namespace {

constexpr SummaryLength kDetails = SummaryLength::kDetails;

using Kind = ValueRef::Kind;

Case Abs() {
  Case test_case;
  const TensorType type = ParseTensorType("tensor<?xf32>").value();
  test_case.program.arguments = {type};
  test_case.program.ops = {{OpKind::kAbs, {{Kind::kArgument, 0}}, {}, type}};
  test_case.program.results = {{Kind::kOp, 0}};
  test_case.runs = {{Tensor(ElementType::kF32, {20})}};
  test_case.runs[0][0].SetBits(0, 0xbfc00000);
  return test_case;
}

Finding WrongValue(const std::string& signature) {
  Finding finding;
  finding.signature = ParseFindingSignature(signature);
  finding.op = "abs";
  finding.route = "loops";
  finding.count = 3;
  finding.cases().case_number = 17;
  finding.cases().original = finding.cases().reduced = Abs();
  finding.judgement.verdict = Verdict::kWrongValue;
  finding.judgement.rule = RuleId::kValueAbsPlain;
  finding.judgement.expected = "1.5";
  finding.judgement.actual = "-1.5";
  ElementMismatch& mismatch = finding.judgement.mismatch.emplace();
  mismatch.inputs = {"-1.5"};
  mismatch.expected = "1.5";
  mismatch.actual = "-1.5";
  mismatch.expected_bits = "0x3fc00000";
  mismatch.actual_bits = "0xbfc00000";
  mismatch.ulp_distance = std::numeric_limits<double>::infinity();
  mismatch.bound = "exact";
  mismatch.count = 4;
  return finding;
}

CampaignSummary Summary() {
  CampaignSummary summary;
  summary.provenance = {.command_line = "tosaic fuzz"};
  summary.seed = 18446744073709551615u;
  summary.cases = 10;
  summary.runs = 70;
  summary.verdicts = {{Verdict::kAgree, 7}, {Verdict::kWrongValue, 3}};
  OpSummary& abs = summary.by_op["abs"];
  abs.verdicts = summary.verdicts;
  abs.types = {{"f32", 6}, {"f16", 4}};
  abs.compared = 75;
  abs.masked = 15;
  abs.open = 10;
  abs.compared_beyond_spec = 30;
  abs.masked_beyond_spec = 10;
  summary.by_op["add"].verdicts = {};
  Tile& tile = summary.tiles.emplace_back();
  tile.op = "abs", tile.types = "f32", tile.shapes = "dynamic", tile.verdicts = {{Verdict::kWrongValue, 3}};
  summary.findings = {WrongValue("new/one"), WrongValue("known/one"), WrongValue("beyond/one")};
  summary.findings[1].known_reason = "LLVM-12345";
  summary.findings[2].judgement.beyond_spec = true;
  summary.findings[0].cause = "new/one";
  summary.findings[1].cause = "F9";
  summary.findings[2].cause = "beyond/one";
  summary.findings[0].cases().folder = "findings/a";
  summary.findings[1].cases().folder = "findings/b";
  summary.findings[2].cases().folder = "findings/c";
  summary.harness_faults = {{5, "harness.not-repeatable", 2}};
  summary.notes = {{"infer.less-precise", 2}};
  summary.unused_support = {"support.fp8"};
  summary.unseen_known = {"crash/*"};
  summary.elapsed_seconds = 2.5;
  summary.cases_observed = 10;
  summary.coverage.op_types = {3, 4};
  summary.coverage.op_types_shapes_routes = {1, 8};
  summary.coverage.routes = {{"fused", 2}, {"loops", 8}};
  summary.coverage.patterns = {41, 42};
  summary.coverage.never_fired = {"lower-tanh"};
  return summary;
}

TEST(CampaignReportTest, JsonHasTheKeysOfTheContract) {
  const Json json = ToJson(Summary());
  const Json expected = {
      {"seed", 18446744073709551615u}, {"cases", 10}, {"runs", 70}, {"verdicts", {{"agree", 7}, {"wrong-value", 3}}}};
  for (const auto& [key, value] : expected.items()) EXPECT_EQ(json[key], value) << key;
  EXPECT_EQ(json["provenance"]["command_line"], "tosaic fuzz");
  EXPECT_EQ(json["tosaic_report"], 1);
  EXPECT_EQ(json["kind"], "campaign");
  EXPECT_EQ(json["tiles"][0]["outcome"], "diverges");
  EXPECT_EQ(json["tiles"][0]["verdicts"]["wrong-value"], 3);
  EXPECT_EQ(json["by_op"]["abs"]["verdicts"]["wrong-value"], 3);
  EXPECT_EQ(json["by_op"]["abs"]["types"]["f32"], 6);
  EXPECT_EQ(json["by_op"]["abs"]["elements_compared"], 75);
  EXPECT_EQ(json["by_op"]["abs"]["elements_masked"], 15);
  EXPECT_EQ(json["by_op"]["abs"]["elements_open"], 10);
  EXPECT_EQ(json["by_op"]["abs"]["compared_share"], 0.75);
  EXPECT_EQ(json["by_op"]["abs"]["compared_beyond_spec"], 30);
  EXPECT_EQ(json["by_op"]["abs"]["masked_beyond_spec"], 10);
  EXPECT_EQ(json["by_op"]["add"]["compared_share"], 0) << "nothing to compare is no share, and no division by zero";
  EXPECT_EQ(json["new_findings"], 1);
  EXPECT_EQ(json["interrupted"], false);
  EXPECT_EQ(json["elapsed_seconds"], 2.5);
  EXPECT_EQ(json["cases_per_second"], 4);
  EXPECT_EQ(json["notes"]["infer.less-precise"], 2);
  EXPECT_EQ(json["unused_support"], Json::array({"support.fp8"}));
  EXPECT_EQ(json["unseen_known"], Json::array({"crash/*"}));
  EXPECT_EQ(json["harness_faults"][0],
            (Json{{"case", 5}, {"what", "harness.not-repeatable"}, {"preceding_cases_from", 2}}));
}

TEST(CampaignReportTest, EachFindingNamesItsFiles) {
  const Json findings = ToJson(Summary())["findings"];
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0], (Json{{"signature", "new/one"},
                               {"verdict", "wrong-value"},
                               {"op", "abs"},
                               {"route", "loops"},
                               {"status", "new"},
                               {"cause", "new/one"},
                               {"reason", ""},
                               {"count", 3},
                               {"case_number", 17},
                               {"case", "findings/a/original.json"},
                               {"reduced", "findings/a/reduced.json"}}));
  EXPECT_EQ(findings[1]["status"], "known");
  EXPECT_EQ(findings[1]["reason"], "LLVM-12345");
  EXPECT_EQ(findings[2]["status"], "beyond-spec");
}

TEST(CampaignReportTest, AnEmptyCampaignHasAllKeysToo) {
  std::set<std::string> full, empty;
  const Json filled = ToJson(Summary()), json = ToJson(CampaignSummary());
  for (const auto& [key, value] : filled.items()) full.insert(key);
  for (const auto& [key, value] : json.items()) empty.insert(key);
  EXPECT_EQ(empty, full);
  EXPECT_EQ(json["cases_per_second"], 0);
  EXPECT_TRUE(json["verdicts"].is_object());
  EXPECT_TRUE(json["findings"].is_array());
  const std::string text = ToText({}, "out", SummaryLength::kShort);
  EXPECT_EQ(text,
            "0 cases, 0 runs, seed 0, 0.0 s, 0 cases/s\n\nNothing diverges from the documents.\n\n"
            "To see more (--details: tables of ops and chains, coverage):\n"
            "  tosaic report 'out' --format=html --out=report.html\n");
  CampaignSummary interrupted;
  interrupted.interrupted = true;
  EXPECT_TRUE(absl::StrContains(ToText(interrupted, "out", kDetails),
                                "Nothing diverged from the documents until the campaign was interrupted.\n"));
}

TEST(CampaignReportTest, FindingsOfOneCauseCountOnce) {
  CampaignSummary summary = Summary();
  EXPECT_EQ(ToJson(summary)["causes"], 2);
  EXPECT_EQ(ToJson(summary)["findings"][1]["cause"], "F9");
  summary.findings[0].cause = "F9";
  EXPECT_EQ(ToJson(summary)["causes"], 1);
}

TEST(CampaignReportTest, WhatIsNotReducedIsNotCalledNew) {
  CampaignSummary summary = Summary();
  summary.findings[0].cases().is_reduced = false;
  const Json json = ToJson(summary);
  EXPECT_EQ(json["findings"][0]["status"], "not-reduced");
  EXPECT_EQ(json["new_findings"], 0);
  EXPECT_EQ(json["not_reduced_findings"], 1) << "what is known or beyond the specification is so without reduction";
  const std::string text = ToText(summary, "out", kDetails);
  EXPECT_TRUE(absl::StrContains(text,
                                "\n3 causes, 1 not reduced, 1 beyond the specification, 1 known:\n"
                                "  not-reduced      3 cases  new/one: "))
      << text;
  EXPECT_TRUE(absl::StrContains(text, "what is not reduced may be known. Run it without --no-reduce to see.\n"));
  summary.interrupted = true;
  EXPECT_TRUE(
      absl::StrContains(ToText(summary, "out", kDetails), "may be known. Run the same command again to continue.\n"));
}

TEST(CampaignReportTest, CoverageStandsInBothForms) {
  const Json json = ToJson(Summary())["coverage"];
  EXPECT_EQ(json["op_types"], (Json{{"seen", 3}, {"possible", 4}}));
  EXPECT_EQ(json["routes"]["loops"], 8);
  EXPECT_EQ(json["patterns_never_fired"], Json::array({"lower-tanh"}));
  const std::string text = ToText(Summary(), "out", kDetails);
  EXPECT_TRUE(absl::StrContains(text, "     3 of      4 (75.0 %)")) << text;
  EXPECT_TRUE(absl::StrContains(text, "routes: loops 8, fused 2\n")) << text;
  EXPECT_TRUE(absl::StrContains(text, "never fired: lower-tanh\n")) << text;
  CampaignSummary many = Summary();
  many.coverage.never_fired = {"(anonymous namespace)::a", "b", "c", "d", "e", "f"};
  EXPECT_TRUE(absl::StrContains(ToText(many, "out", kDetails),
                                "  never fired: a, b, c, d and 2 more, which summary.json lists\n"));
  CampaignSummary blind = Summary();
  blind.coverage.patterns.seen = 0;
  EXPECT_FALSE(absl::StrContains(ToText(blind, "out", kDetails), "never fired")) << "nobody looked";
}

TEST(CampaignReportTest, WhatWasFoundAndHowToSeeMoreStandLast) {
  CampaignSummary summary = Summary();
  summary.findings.push_back(WrongValue("known/two"));
  summary.findings[3].known_reason = "another place of it";
  summary.findings[3].cause = "F9";
  summary.findings[3].count = 1;
  const std::string text = ToText(summary, "out", kDetails);
  size_t at = 0;
  for (const std::string& part : std::vector<std::string>{
           "10 cases, 70 runs, seed 18446744073709551615, 2.5 s, 4 cases/s\n", "  agree                        7\n",
           "  wrong-value                  3\n",
           absl::StrCat("  2 cases: ", Info(RuleId::kInferLessPrecise).states, " [infer.less-precise]\n"),
           "support.fp8", "75 (75.0 %)", "harness-fault: case 5: harness.not-repeatable",
           "Listed as known, but no case showed it, though many might have; if it is fixed, remove its entry:\n  "
           "crash/*\n",
           "3 causes, 1 new, 1 beyond the specification, 1 known:\n",
           absl::StrCat("  new              3 cases  new/one: ", Info(RuleId::kValueAbsPlain).broken, "\n"),
           "findings/a\n", "  beyond-spec      3 cases  beyond/one: ", "  known            4 cases  F9: LLVM-12345\n",
           "\nTo see more:\n  tosaic report 'out' --format=html --out=report.html\n  cat 'out/findings/a/issue.md' "}) {
    const size_t found = text.find(part, at);
    EXPECT_NE(found, std::string::npos) << part << " in\n" << text;
    if (found != std::string::npos) at = found;
  }
  const std::string brief = ToText(summary, "out", SummaryLength::kShort);
  for (const char* detail : {"75.0 %", "coverage\n", "infer.less-precise", "support.fp8"}) {
    EXPECT_TRUE(absl::StrContains(text, detail)) << detail;
    EXPECT_FALSE(absl::StrContains(brief, detail)) << detail;
  }
  EXPECT_TRUE(absl::StrContains(brief, "harness-fault: case 5")) << brief;
  const std::string found = ToText(summary, "out", SummaryLength::kFound);
  EXPECT_TRUE(absl::StartsWith(found, "3 causes, 1 new,")) << found;
  EXPECT_TRUE(absl::StrContains(found, "harness-fault: case 5")) << "the exit status is 3: " << found;
  EXPECT_FALSE(absl::StrContains(text, "known/one")) << "what is known is named by its cause";
  EXPECT_FALSE(absl::StrContains(text, "interrupted"));
  summary.interrupted = true;
  EXPECT_TRUE(absl::StrContains(ToText(summary, "out", kDetails), "(interrupted)\n"));
  summary.missing = {"shard 1 of 9: it is not there", "shards/4: it was interrupted"};
  EXPECT_TRUE(absl::StartsWith(ToText(summary, "out", SummaryLength::kFound),
                               "Missing: shard 1 of 9: it is not there; shards/4: it was interrupted.\n"));
}

TEST(CampaignReportTest, TheHeadlineCountsCausesInWords) {
  const auto headline = [](std::vector<Finding> findings) {
    CampaignSummary summary;
    summary.findings = std::move(findings);
    const std::string text = ToText(summary, "out", SummaryLength::kFound);
    return text.substr(0, text.find('\n'));
  };
  const Finding fresh = Summary().findings[0], known = Summary().findings[1];
  Finding other = known;
  other.cause = "F10";
  EXPECT_EQ(headline({known, other}), "2 causes, all known:");
  EXPECT_EQ(headline({known, known}), "1 cause, known:");
  EXPECT_EQ(headline({fresh}), "1 cause, new:");
  EXPECT_EQ(headline({known, fresh, other}), "3 causes, 1 new, 2 known:");
}

TEST(CampaignReportTest, WhatWasNotRunIsNoAgreement) {
  CampaignSummary summary;
  summary.cases = 10;
  summary.executed = 2;
  summary.verdicts = {{Verdict::kAgree, 3}, {Verdict::kUnsupported, 7}};
  const auto text = [&] { return ToText(summary, "out", SummaryLength::kFound); };
  EXPECT_EQ(text(), "Nothing diverges from the documents.\n");
  summary.executed = 0;
  summary.coverage.rules = {{"support.not-built", 7}, {"legal.rank", 3}};
  EXPECT_EQ(text(),
            "No program was run, so no value was judged: most cases are support.not-built.\n"
            "Nothing diverges from the documents.\n");
  summary.executed = 2;
  summary.coverage.rules = {{"support.unchanged", 7}, {"legal.rank", 3}};
  EXPECT_EQ(text(),
            "The patch leaves 7 of 10 cases as they are; these were not run.\nNothing diverges from the documents.\n");
  summary.executed = 0;
  summary.coverage.rules = {{"support.unchanged", 10}};
  EXPECT_EQ(text(),
            "The patch leaves 10 of 10 cases as they are; these were not run.\n"
            "No case tests the patch: nothing is known of it.\n");
  summary.coverage.rules = {{"support.unchanged", 8}, {"legal.rank", 2}};
  summary.coverage.categories = {{"rank", 2}};
  EXPECT_EQ(text(),
            "The patch leaves 8 of 10 cases as they are; these were not run.\n"
            "No case tests the patch: nothing is known of it.\n")
      << "the verifier refuses the others";
}

TEST(CampaignReportTest, AFindingIsTheWholeStory) {
  const Finding finding = WrongValue("wrong-value/abs");
  const std::string text = FindingToText(finding);
  for (const char* part :
       {"signature: wrong-value/abs\n", "seen:      3 times, first in case 17\n", "rule:      value.abs\n",
        "expected:  1.5\n", "actual:    -1.5\n", "element:   0 of %0 in run 0 (4 elements there disagree)\n",
        "bits:      expected 0x3fc00000, actual 0xbfc00000\n", "distance:  inf ulp, allowed: exact\n", "tosa.abs",
        "%arg0 = f32 20: -1.5 0 0", " ...\n"}) {
    EXPECT_TRUE(absl::StrContains(text, part)) << part << " in\n" << text;
  }
  const Json json = ToJson(finding);
  EXPECT_EQ(json["signature"], "wrong-value/abs");
  EXPECT_EQ(json["status"], "new");
  EXPECT_EQ(json["case_number"], 17);
  const absl::StatusOr<Judgement> judgement =
      FromJson<Judgement>(ParseJson(Dump(json, 2)).value()["judgement_of_reduced"]);
  ASSERT_TRUE(judgement.ok()) << judgement.status();
  EXPECT_EQ(*judgement, finding.judgement) << "an infinite distance included";
}

}  // namespace
}  // namespace tosaic
