// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "results/text.h"

namespace tosaic {
namespace {

ValueSweepSummary SweepSummary() {
  ValueSweepSummary summary;
  summary.provenance = {.command_line = "tosaic sweep --values"};
  summary.route = "loops";
  summary.inputs_wanted = 200'000;
  ValueSweepRow exp;
  exp.op = "exp";
  exp.types = "f16";
  exp.accuracy = "AEB(ref, 3 + 2 |x|, 0, 1)";
  exp.exhaustive = true;
  exp.inputs = 65536;
  exp.verdicts = {{Verdict::kAgree, 1}};
  exp.profile.compared = 60000;
  exp.profile.open = 256;
  exp.profile.unpredictable = 5536;
  exp.profile.measured = 50000;
  exp.profile.flushed = 7;
  exp.profile.error_sum = 12500;
  exp.profile.error = {0.5, {"0x25cf"}, "0x3c00"};
  exp.profile.bound_used = {0.125, {"0x25d0"}, "0x3c01"};
  ValueSweepRow abs;
  abs.op = "abs";
  abs.types = "f16";
  abs.accuracy = "exact";
  abs.inputs = abs.profile.compared = abs.profile.measured = 65536;
  abs.verdicts = {{Verdict::kAgree, 1}};
  ValueSweepRow cast;
  cast.op = "cast";
  cast.types = "f8E5M2-f32";
  cast.setting = "";
  cast.inputs = 256;
  cast.verdicts = {{Verdict::kUnsupported, 1}};
  summary.rows = {exp, abs, cast};
  Finding finding;
  finding.signature = ParseFindingSignature("wrong-value/exp/f16/loops/value.exp/inf-for-number");
  finding.op = "exp";
  finding.values().types = "f16";
  finding.count = 3;
  ValueDisagreement& disagreement = finding.values().listed.emplace_back();
  disagreement.input_bits = {"0x4900"};
  disagreement.judgement.verdict = Verdict::kWrongValue;
  disagreement.judgement.rule = RuleId::kValueExpPlain;
  disagreement.judgement.mismatch.emplace();
  disagreement.judgement.mismatch->inputs = {"10"};
  disagreement.judgement.mismatch->expected = "[22016, 22048]";
  disagreement.judgement.mismatch->actual = "inf";
  disagreement.judgement.mismatch->actual_bits = "0x7c00";
  summary.findings.push_back(std::move(finding));
  summary.notes = {"value.flushing: abs f16: 1 subnormal results flushed to zero, 2 kept"};
  summary.elapsed_seconds = 1.5;
  return summary;
}

TEST(ValueSweepReportTest, Json) {
  const Json json = ToJson(SweepSummary());
  EXPECT_EQ(json["provenance"]["command_line"], "tosaic sweep --values");
  EXPECT_EQ(json["route"], "loops");
  ASSERT_EQ(json["sweeps"].size(), 3u);
  const Json& exp = json["sweeps"][0];
  EXPECT_EQ(exp["exhaustive"], true);
  EXPECT_EQ(exp["mean_error_ulp"], 0.25);
  EXPECT_EQ(exp["max_error_ulp"], (Json{{"value", 0.5}, {"inputs", {"0x25cf"}}, {"actual", "0x3c00"}}));
  EXPECT_EQ(exp["max_bound_used"]["value"], 0.125);
  EXPECT_EQ(exp["flushed"], 7);
  EXPECT_EQ(json["sweeps"][1]["max_error_ulp"], nullptr);
  EXPECT_EQ(json["sweeps"][2]["verdicts"], (Json{{"unsupported", 1}}));
  EXPECT_EQ(json["new_findings"], 1);
  EXPECT_EQ(json["findings"][0]["status"], "new");
  EXPECT_EQ(json["findings"][0]["listed"][0]["input_bits"], Json::array({"0x4900"}));
  EXPECT_EQ(json["notes"].size(), 1u);
}

TEST(ValueSweepReportTest, Text) {
  ValueSweepSummary summary = SweepSummary();
  const std::string text = ToText(summary);
  for (const char* part :
       {"12.5 %", "0x25cf", "unsupported", "new    wrong-value/exp/f16/loops/value.exp/inf-for-number: 3 inputs",
        "value.exp: 0x4900 (10): expected [22016, 22048], actual 0x7c00 (inf)", "note: value.flushing: abs f16",
        "3 sweeps (1 exhaustive, 1 without any error, 1 unsupported), route loops: 131328 inputs, 125536 compared, 256 "
        "open, 5536 unpredictable, 256 unsupported, 0 disagree; 1 finding, 1 new; 1.5 s"}) {
    EXPECT_TRUE(absl::StrContains(text, part)) << part << " in\n" << text;
  }
  EXPECT_FALSE(absl::StrContains(text, "abs                     f16"));  // nothing to say of it
  summary.findings[0].known_reason = "so it is";
  summary.interrupted = true;
  const std::string known = ToText(summary);
  for (const char* part : {"known  wrong-value/exp", "so it is", "1 finding, 0 new", "(interrupted)"}) {
    EXPECT_TRUE(absl::StrContains(known, part)) << part << " in\n" << known;
  }
}

TEST(ValueSweepReportTest, TheLongestOpsNameEndsBeforeItsTypes) {
  ValueSweepSummary summary;
  summary.rows.resize(1);
  summary.rows[0].op = "arithmetic_right_shift";
  summary.rows[0].types = "i64";
  summary.rows[0].verdicts = {{Verdict::kUndefined, 1}};
  EXPECT_TRUE(absl::StrContains(ToText(summary), "arithmetic_right_shift  i64 ")) << ToText(summary);
}

// The polynomial of cos is off by 1e+104 units on large inputs, and all columns became one.
TEST(ValueSweepReportTest, ErrorsBeyondAllBoundsKeepToTheirColumns) {
  ValueSweepSummary summary = SweepSummary();
  AccuracyProfile& profile = summary.rows[0].profile;
  profile.error.value = 3.4e104;
  profile.error_sum = 5e104;
  profile.bound_used.value = 2.6e102;
  EXPECT_TRUE(absl::StrContains(ToText(summary), " 7    3.4e+104  1.0e+100 2.6e+102 times  0x25cf "))
      << ToText(summary);
  EXPECT_EQ(ShareOfBound(99.94), "9994.0 %");
}

TEST(ValueSweepReportTest, MarkdownHasTheRowsThatHaveErrors) {
  EXPECT_EQ(
      ProfileToMarkdown(SweepSummary()),
      "| op | types | allowed | inputs compared | open | of them flushed | max error (ulp) | reached at | mean error "
      "(ulp) | of the allowed error |\n|---|---|---|---|---|---|---|---|---|---|\n"
      "| exp | f16 | AEB(ref, 3 + 2 \\|x\\|, 0, 1) | 60000 (all) | 256 | 7 | 0.500 | 0x25cf | 0.250 | 12.5 % |\n");
}

TEST(ValueSweepReportTest, WrongInputsAreNamedByStretches) {
  ValueSweepSummary summary = SweepSummary();
  EXPECT_FALSE(absl::StrContains(ToText(summary), "wrong input"));
  ValueSweepRow& row = summary.rows[0];
  row.profile.disagreements = 40;
  row.wrong_stretches = 12;
  for (int i = 0; i < 10; ++i) row.wrong.push_back({"0x3f800010", i == 0 ? "0x3f80001f" : "0x3f800010"});
  EXPECT_EQ(WrongInputsInWords(row, 2), "exp f16: 40 wrong inputs, 0x3f800010 to 0x3f80001f, 0x3f800010 and 10 more");
  EXPECT_TRUE(absl::StrContains(ToText(summary), "\nexp f16: 40 wrong inputs, 0x3f800010 to ")) << ToText(summary);
}

TEST(ValueSweepReportTest, ASweepOfAllInputsSurvivesTheFile) {
  ValueSweepSummary summary = SweepSummary();
  EXPECT_FALSE(ToJson(summary).contains("all"));
  summary.findings.clear();
  summary.all = true;
  summary.rows[0].wrong_stretches = 1;
  summary.rows[0].wrong = {{"0x3f80", "0x3f81"}};
  summary.rows[0].curve = {{.first = "0x0000", .error = 0.5, .allowed = 3, .is_wrong = true}};
  const absl::StatusOr<ValueSweepSummary> read = FromText<ValueSweepSummary>(Dump(ToJson(summary), 2));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->all);
  EXPECT_EQ(read->rows[0].wrong, summary.rows[0].wrong);
  EXPECT_EQ(read->rows[0].curve, summary.rows[0].curve);
}

TEST(ShareOfBoundTest, IsAllOfItOnlyIfItIs) {
  EXPECT_EQ(ShareOfBound(0), "0.0 %");
  EXPECT_EQ(ShareOfBound(0.00001), "< 0.1 %");
  EXPECT_EQ(ShareOfBound(0.001), "0.1 %");
  EXPECT_EQ(ShareOfBound(0.7451), "74.5 %");
  EXPECT_EQ(ShareOfBound(0.99949), "99.9 %");
  EXPECT_EQ(ShareOfBound(0.999995), "> 99.9 %");
  EXPECT_EQ(ShareOfBound(1), "100.0 %");
  EXPECT_EQ(ShareOfBound(1.5), "150.0 %");
}

}  // namespace
}  // namespace tosaic
