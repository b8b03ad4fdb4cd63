// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/formats.h"

#include <gtest/gtest.h>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "codec/codec.h"
#include "model/digest.h"
#include "model/escape.h"
#include "results/text.h"
#include "tests/example_results.h"
#include "tests/validators.h"

namespace tosaic {
namespace {

ResultReport Read(const std::string& kind, const std::string& text) {
  const auto files = ExampleFindingFiles(text);
  return ReadReport(ExampleResults(text).at(kind), "dir/" + kind + ".json",
                    [&](const std::string& name) -> std::optional<std::string> {
                      const auto at = files.find(name);
                      return at == files.end() ? std::nullopt : std::optional<std::string>(at->second);
                    })
      .value();
}

// Every kind, with plain and with nasty words, and reports of nothing.
std::vector<ResultReport> AllReports() {
  std::vector<ResultReport> reports;
  for (const std::string& text : {std::string("text"), kNasty}) {
    for (const auto& [kind, file] : ExampleResults(text)) reports.push_back(Read(kind, text));
  }
  for (const auto& [kind, file] : ExampleResults("")) {
    reports.emplace_back().kind = *Find<ResultKind>(kind);
    reports.back().sides.emplace_back();
    reports.back().text = "Nothing\n";
  }
  return reports;
}

TEST(ReportFormatsTest, SayHowMuchOfACampaignWasCompared) {
  const ResultReport report = Read(std::string(kCampaignKind), "text");
  for (const std::string& written : {report.text, ReportToMarkdown(report)}) {
    for (const char* line : {"  abs                                             40    0.0 %       0          -\n",
                             "  abs(exp)                                        20   75.0 %       3          8\n",
                             "  all computed from values not returned           22   68.2 %       3          8\n"}) {
      EXPECT_TRUE(absl::StrContains(written, line)) << line << written;
    }
  }
  const std::string page = ReportToHtml(report);
  EXPECT_TRUE(absl::StrContains(page,
                                "computed from values that are not returned: 22 elements, 68.2 % compared, 3 open, for "
                                "at least half of them the allowed "
                                "values span at most 8 ulp"));
  EXPECT_TRUE(absl::StrContains(page, "<code>abs(exp)</code>"));
}

TEST(ReportFormatsTest, NoControlCharacterGetsThrough) {
  for (const ResultReport& report : AllReports()) {
    for (const ReportFormat& format : AllReportFormats()) {
      const std::string text = format.write(report);
      EXPECT_FALSE(text.empty()) << format.name;
      for (const char c : text) {
        // JSON may hold DEL as it is.
        ASSERT_TRUE(!absl::ascii_iscntrl(static_cast<unsigned char>(c)) || c == '\n' || c == '\t' ||
                    (c == '\x7f' && (format.name == "json" || format.name == "sarif")))
            << format.name << " of " << Name(report.kind) << ": " << static_cast<int>(c);
      }
    }
  }
}

TEST(ReportFormatsTest, TheSameReportGivesTheSameText) {
  for (const ReportFormat& format : AllReportFormats()) {
    EXPECT_EQ(format.write(Read(kConformanceKind, "text")), format.write(Read(kConformanceKind, "text")));
  }
}

TEST(ReportFormatsTest, WhatIsNotReducedAsksForAttentionAndIsNotCalledNew) {
  ResultReport report = Read(std::string(kCampaignKind), "text");
  report.harness_faults.clear();
  report.findings[0].status = Finding::Status::kNotReduced;
  for (ReportTile& tile : report.tiles) {
    if (tile.standing == Standing::kNew) tile.standing = Standing::kNotReduced;
  }
  const std::map<std::string, std::string> says = {{"csv", "not-reduced"},
                                                   {"html", ">Not reduced <small>1</small>"},
                                                   {"json", "not-reduced"},
                                                   {"junit", "failures=\"1\""},
                                                   {"sarif", "it may be known"},
                                                   {"tap", "not ok"},
                                                   {"markdown", "not reduced: it may be known"}};
  for (const ReportFormat& format : AllReportFormats()) {
    if (format.name == "text") continue;  // results/campaign_text_test.cpp
    const std::string text = format.write(report);
    ASSERT_TRUE(says.contains(std::string(format.name))) << format.name;
    EXPECT_TRUE(absl::StrContains(text, says.at(std::string(format.name)))) << format.name << "\n" << text;
    EXPECT_FALSE(absl::StrContains(text, "new finding")) << format.name;
  }
}

template <typename T>
std::string TextOfCommand(const std::string& kind, const std::string& text) {
  return EscapeControls(ToText(FromText<T>(ExampleResults(text).at(kind)).value()));
}

TEST(TextReportTest, IsWhatTheCommandPrints) {
  for (const std::string& text : {std::string("text"), kNasty}) {
    const std::map<std::string, std::string> texts = {
        {kConformanceKind, TextOfCommand<ConformanceReport>(kConformanceKind, text)},
        {kComparisonKind, TextOfCommand<Comparison>(kComparisonKind, text)},
        {kSweepKind, TextOfCommand<SweepSummary>(kSweepKind, text)},
        {kValuesKind, TextOfCommand<ValueSweepSummary>(kValuesKind, text)},
        {kProofsKind, TextOfCommand<ProofSummary>(kProofsKind, text)}};
    const ReportFormat& format = AllReportFormats().back();
    ASSERT_EQ(format.name, "text");
    for (const auto& [kind, printed] : texts) EXPECT_EQ(format.write(Read(kind, text)), printed);
    const std::string campaign = format.write(Read(kCampaignKind, text));
    EXPECT_TRUE(absl::StrContains(campaign, "\n  tosaic report 'dir' --format=html --out=report.html\n")) << campaign;
  }
}

TEST(MarkdownReportTest, AComparisonSaysFirstWhatRegressed) {
  const std::string text = ReportToMarkdown(Read(kComparisonKind, "text"));
  EXPECT_TRUE(absl::StartsWith(text, "### Tosaic: 1 case regressed, 1 supported now, 1 changed\n")) << text;
  EXPECT_TRUE(absl::StrContains(text, "| regressed | 1 | 1 |\n| fixed | 0 | 0 |\n| supported | 1 | 1 |\n")) << text;
  EXPECT_TRUE(absl::StrContains(text, "```mlir\nfunc.func @main")) << "the reduced case of the regression";
  EXPECT_TRUE(absl::StrContains(text, "| 1 | `agree [rule text] -> wrong-value [rule text]` | `abs/f32` |\n")) << text;
  EXPECT_TRUE(absl::StrContains(text, "| `abs/f32/static-equal/0` | agree | wrong-value | `rule text` |")) << text;
  EXPECT_LT(text.find("<b>wrong-value</b> in <code>abs</code>"), text.find("1 supported case"));
}

TEST(MarkdownReportTest, FitsIntoAPullRequestHoweverMuchThereIs) {
  ResultReport report = Read(kConformanceKind, "text");
  for (int i = 0; i < 1000; ++i) {
    report.findings.push_back(report.findings[i % 2]);
    report.findings.back().cause += absl::StrCat(i);
    report.findings.back().program += std::string(1000, 'x');
    report.unseen_known.push_back(std::string(200, 'y'));
  }
  const std::string text = ReportToMarkdown(report);
  EXPECT_LT(text.size(), 65536u);
  EXPECT_TRUE(absl::StrContains(text, " more findings in the full report"));
  EXPECT_TRUE(absl::StrContains(text, "By op: how many tiles"));
}

std::string MarkdownOf(Comparison comparison) {
  return ReportToMarkdown(
      *ReadReport(Dump(ToJson(comparison), 1), "comparison.json", [](const std::string&) { return std::nullopt; }));
}

TEST(MarkdownReportTest, RegressionsOfKnownCausesAreMarkedAndBehindTheOthers) {
  Comparison comparison = FromText<Comparison>(ExampleResults("text")[kComparisonKind]).value();
  comparison.regressions = {ExampleFinding("wrong-value/a", "text", true),
                            ExampleFinding("wrong-value/b", "text", false)};
  const std::string text = MarkdownOf(comparison);
  EXPECT_TRUE(absl::StrContains(text, ", 3 cases, a known cause</summary>")) << text;
  EXPECT_TRUE(absl::StrContains(text, "- known: `F1: because text`")) << text;
  EXPECT_LT(text.find("`wrong-value/b`"), text.find("`wrong-value/a`"));
}

// No case of the suite regressed, and values did: an op that no longer runs has no finding of a sweep.
TEST(ReportFormatsTest, ValuesThatRegressFailInEveryFormat) {
  const ValueSweepSummary base = FromText<ValueSweepSummary>(ExampleResults("text")[kValuesKind]).value();
  for (const bool runs : {true, false}) {
    ValueSweepSummary patch = base;
    ASSERT_FALSE(patch.rows.empty());
    for (ValueSweepRow& row : patch.rows) {
      row.profile.disagreements += 5;
      if (!runs) row.profile = {};
    }
    if (!runs) patch.findings.clear();
    ValueSweepSummary twice = base;  // an op with two settings is one tile
    twice.rows.push_back(base.rows.front()), patch.rows.push_back(patch.rows.front());
    twice.rows.back().setting = patch.rows.back().setting = "another";
    Comparison comparison;
    comparison.values = CompareSweeps(twice, patch);
    ASSERT_TRUE(HasRegressed(comparison));
    ASSERT_EQ(comparison.values->regressions.empty(), !runs);
    const ResultReport report =
        *ReadReport(Dump(ToJson(comparison), 1), "c.json", [](const std::string&) { return std::nullopt; });
    EXPECT_FALSE(IsGood(report));
    EXPECT_EQ(report.tiles.size(), base.rows.size());
    EXPECT_TRUE(absl::StrContains(Headline(report), "of values regressed")) << Headline(report);
    EXPECT_TRUE(absl::StrContains(ReportToMarkdown(report), "of values regressed"));
    EXPECT_TRUE(absl::StrContains(ReportToTap(report), "\nnot ok "));
    EXPECT_TRUE(absl::StrContains(ReportToHtml(report), "of values regressed"));
    const std::string junit = ReportToJunit(report);
    EXPECT_TRUE(absl::StrContains(junit, "<failure message=\"regressed")) << junit;
    EXPECT_FALSE(absl::StrContains(junit, "tests=\"0\"")) << junit;
    EXPECT_EQ(ToJson(report)["good"], false);
    const std::string csv = ReportToCsv(report);
    EXPECT_TRUE(absl::StrContains(csv, ",regressed,")) << csv;
    EXPECT_EQ(absl::StrContains(csv, "fewer in abs f32 all-inputs"), !runs) << csv;
    EXPECT_EQ(ReportToSarif(report)["runs"][0]["results"][0]["level"], "error");
  }
}

// Two reports of a suite of which every case regressed, each in its own way.
TEST(MarkdownReportTest, AComparisonOfThousandsOfRegressionsFitsToo) {
  ConformanceReport base = ConformanceFromText(ExampleResults("text")[kConformanceKind]).value();
  base.tiles.resize(1);
  base.cases.clear();
  base.findings.clear();
  ConformanceReport patch = base;
  for (int i = 0; i < 1500; ++i) {
    const std::string name = absl::StrCat("abs/f32/static-equal/", i), signature = absl::StrCat("wrong-value/abs/", i);
    SuiteCase suite_case = {{"abs", "f32", "static-equal"}, name, Verdict::kAgree, {RuleId::kNone, "rule"}, {}, 2, {}};
    suite_case.ir = CaseIr{IrInShort{"0", {{"linalg.generic", 1}}}, IrInShort{"0", {}}, 100, ""};
    base.cases.push_back(suite_case);
    suite_case.verdict = Verdict::kWrongValue, suite_case.signature = ParseFindingSignature(signature);
    suite_case.ir->tensors = IrInShort{"1", {{absl::StrCat("a.b", i), 1}}};
    patch.cases.push_back(suite_case);
    patch.findings.push_back(ExampleFinding(signature, "text", false));
    patch.findings.back().judgement.actual = "died at 0x7f12ab34cd56";
  }
  Comparison comparison = Compare(base, patch).value();
  comparison.ir->samples = {{"abs/f32/static-equal/0", "tensors", std::string(20000, 'x')}};
  const std::string text = MarkdownOf(comparison);
  EXPECT_LE(text.size(), 60000u);
  EXPECT_TRUE(absl::StartsWith(text, "### Tosaic: 1500 cases regressed\n")) << text.substr(0, 100);
  for (const char* wanted :
       {" more findings in the full report.", "IR before bufferization: 1500 of 1500 cases differ",
        "1400 more in the full report", "- inputs: `-1.5`", "- actual: `died at 0x...`", "\n```sh\ncat > case.json"}) {
    EXPECT_TRUE(absl::StrContains(text, wanted)) << wanted << "\n" << text;
  }
  EXPECT_FALSE(absl::StrContains(text, "0x7f12"));
  size_t fences = 0, opened = 0, closed = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    fences += absl::StartsWith(line, "```") ? 1 : 0;
    opened += absl::StartsWith(line, "<details>") ? 1 : 0;
    closed += line == "</details>" ? 1 : 0;
  }
  EXPECT_EQ(fences % 2, 0u);
  EXPECT_EQ(opened, closed) << "it is cut between items";
}

TEST(MarkdownReportTest, NothingInItIsHtmlButWhatFolds) {
  for (const ResultReport& report : AllReports()) {
    const std::string text = ReportToMarkdown(report);
    bool in_block = false;
    for (absl::string_view line : absl::StrSplit(text, '\n')) {
      if (absl::StartsWith(line, "```")) in_block = !in_block;
      // Only a fenced block and a code span hold it as it is.
      if (in_block || absl::StrContains(line, "`")) continue;
      EXPECT_FALSE(absl::StrContains(line, "<script")) << line;
    }
    EXPECT_FALSE(in_block);
  }
}

TEST(JsonReportTest, FitsItsSchema) {
  for (const ResultReport& report : AllReports()) {
    ExpectValidJson(Dump(ToJson(report), 1), "docs/report.schema.json");
  }
}

TEST(JsonReportTest, SaysWhatTheResultFileSays) {
  const Json json = ToJson(Read(kComparisonKind, "text"));
  EXPECT_EQ(json["tosaic_report"], 1);
  EXPECT_EQ(json["kind"], "report");
  EXPECT_EQ(json["of"], "comparison");
  EXPECT_EQ(json["good"], false);
  EXPECT_EQ(
      json["totals"]["changes"],
      (Json{{"regressed", 1}, {"harness_fault", 0}, {"fixed", 0}, {"supported", 1}, {"changed", 1}, {"unchanged", 0}}));
  EXPECT_EQ(json["tiles"][0]["standing"], "regressed");
  EXPECT_EQ(json["changes"][0]["name"], "abs/f32/static-equal/0");
  EXPECT_EQ(json["changes"][0]["base"]["verdict"], "agree");
  EXPECT_EQ(json["findings"][0]["status"], "regressed");
  EXPECT_EQ(ToJson(Read(kConformanceKind, "text"))["cases"].size(), 3u);
  EXPECT_EQ(ToJson(Read(kValuesKind, "text"))["accuracy"][0]["bound_used"], 0.25);
  EXPECT_EQ(ToJson(Read(kProofsKind, "text"))["tiles"].size(), 2u) << "what is open is a note";
}

TEST(JunitReportTest, FitsItsSchema) {
  for (const ResultReport& report : AllReports()) ExpectValidXml(ReportToJunit(report), "tests/schemas/junit.xsd");
}

TEST(JunitReportTest, ATestCasePerTile) {
  const std::string text = ReportToJunit(Read(kConformanceKind, "text"));
  EXPECT_TRUE(absl::StrContains(text, "tests=\"6\" failures=\"1\" errors=\"0\" time=\"")) << text;
  EXPECT_TRUE(absl::StrContains(text, "tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"2\"")) << text;
  EXPECT_TRUE(absl::StrContains(text,
                                "<testcase classname=\"tosa.abs\" name=\"f32 static-equal\">\n"
                                "      <failure message=\"wrong-value/abs/text\">signature: "))
      << text;
  EXPECT_TRUE(absl::StrContains(text, "<skipped message=\"known: because text\"/>")) << text;
  EXPECT_TRUE(absl::StrContains(text, "<skipped message=\"unsupported\"/>")) << text;
  EXPECT_TRUE(absl::StrContains(text, "<testcase classname=\"tosa.abs\" name=\"i32 dynamic\"/>")) << text;
}

// As RFC 4180 has them: the rows of a table, their fields without quotes.
std::vector<std::vector<std::string>> RowsOf(const std::string& csv) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (size_t i = 0; i < csv.size(); ++i) {
    const bool doubled = quoted && csv[i] == '"' && i + 1 < csv.size() && csv[i + 1] == '"';
    if (doubled) rows.back().back() += csv[++i];
    if (doubled) continue;
    if (csv[i] == '"') {
      quoted = !quoted;
    } else if (csv[i] == ',' && !quoted) {
      rows.back().emplace_back();
    } else if (csv[i] == '\n') {
      EXPECT_FALSE(quoted) << csv;
      rows.push_back({""});
    } else {
      rows.back().back() += csv[i];
    }
  }
  EXPECT_EQ(rows.back(), std::vector<std::string>{""}) << "the last line ends";
  rows.pop_back();
  return rows;
}

template <typename T>
ResultReport Viewed(const T& result) {
  return *ReadReport(Dump(ToJson(result), 1), "r.json", [](const std::string&) { return std::nullopt; });
}

// One signature may have several causes: the one that asks for attention decides, and the others are told.
TEST(JunitReportTest, ANewFindingFailsThoughAKnownOneHasItsSignature) {
  ConformanceReport conformance = ConformanceFromText(ExampleResults("text").at(kConformanceKind)).value();
  conformance.findings.push_back(ExampleFinding(ToString(conformance.findings[0].signature), "elsewhere", true));
  for (const bool is_known_first : {false, true}) {
    if (is_known_first) std::swap(conformance.findings.front(), conformance.findings.back());
    const std::string text = ReportToJunit(Viewed(conformance));
    EXPECT_TRUE(absl::StrContains(text, "<failure message=\"wrong-value/abs/text\">signature: ")) << text;
    EXPECT_TRUE(absl::StrContains(text, "actual: -1.5 text\n")) << text;
    EXPECT_TRUE(absl::StrContains(text, "known: because elsewhere\n")) << text;
    EXPECT_TRUE(absl::StrContains(text, "<skipped message=\"known: because text\"/>")) << text;
    EXPECT_FALSE(absl::StrContains(text, "harness fault")) << text;
  }
}

TEST(JunitReportTest, NewAndNotReducedFindingsOfOneSignatureAreBothTold) {
  ConformanceReport conformance = ConformanceFromText(ExampleResults("text").at(kConformanceKind)).value();
  Finding open = ExampleFinding(ToString(conformance.findings[0].signature), "elsewhere", false);
  open.cases().is_reduced = false;
  conformance.findings.push_back(open);
  const std::string text = ReportToJunit(Viewed(conformance));
  EXPECT_TRUE(absl::StrContains(text, "actual: -1.5 text\n")) << text;
  EXPECT_TRUE(absl::StrContains(text, "actual: -1.5 elsewhere\n")) << text;
}

// Such a case has no signature, and so no finding.
TEST(ReportFormatsTest, ACaseThatIsRefusedNowFailsInEveryFormat) {
  ConformanceReport base = ConformanceFromText(ExampleResults("text").at(kConformanceKind)).value();
  base.findings.clear();
  base.cases.erase(base.cases.begin(), base.cases.begin() + 2);
  ConformanceReport patch = base;
  patch.cases[0].verdict = Verdict::kUnsupported;
  patch.cases[0].rule = {RuleId::kSupportFp8, ""};
  const ResultReport report = Viewed(Compare(base, patch).value());
  ASSERT_FALSE(IsGood(report));
  const std::vector<std::vector<std::string>> rows = RowsOf(ReportToCsv(report));
  ASSERT_EQ(rows.size(), 2u) << ReportToCsv(report);
  EXPECT_EQ(absl::StrJoin(rows[1], "|").substr(rows[1][0].size()),
            "|regressed|unsupported|abs|||support.fp8|1|corpus/text|agree [rule]|unsupported [support.fp8] in "
            "corpus/text|corpus/text||corpus/text|r.json");
  const Json run = ReportToSarif(report)["runs"][0];
  ASSERT_EQ(run["results"].size(), 1u);
  EXPECT_EQ(run["results"][0]["level"], "error");
  EXPECT_EQ(run["results"][0]["ruleId"], "support.fp8");
  EXPECT_EQ(run["results"][0]["message"]["text"],
            "unsupported in tosa.abs, 1 case: expected agree [rule], actual unsupported [support.fp8] in corpus/text");
  EXPECT_EQ(run["results"][0]["partialFingerprints"]["tosaicSignature/v1"], "corpus/text");
  EXPECT_TRUE(absl::StrContains(ReportToJunit(report), "failures=\"1\""));
  EXPECT_TRUE(absl::StrContains(ReportToTap(report), "\nnot ok "));
  EXPECT_TRUE(absl::StrContains(ReportToMarkdown(report), "`corpus/text`"));
}

// A test of a suite that others wrote, whose program Tosaic cannot represent and nobody refuses.
TEST(ReportFormatsTest, AProgramThatNobodyRefusesFailsInEveryFormat) {
  ConformanceReport conformance = ConformanceFromText(ExampleResults("text").at(kConformanceKind)).value();
  conformance.findings.erase(conformance.findings.begin());
  conformance.tiles.erase(conformance.tiles.begin());
  ASSERT_TRUE(IsGood(Viewed(conformance)));
  conformance.unwritable = {{"add/mine", "add", "add has 1 operand", {}, DecidingRule{RuleId::kLegalCount, ""}}};
  conformance.unwritable[0].test.refused_by = "nobody";
  const ResultReport report = Viewed(conformance);
  EXPECT_FALSE(IsGood(report));
  EXPECT_EQ(Headline(report), "1 new finding");
  EXPECT_TRUE(report.notes.empty());
  const std::map<std::string, std::string> says = {
      {"csv",
       ",new,false-accept,add,,verify,legal.count,1,add/mine,refused: add has 1 operand,nobody refuses add/mine,"},
      {"html", "nobody refuses add/mine"},
      {"json", "nobody refuses add/mine"},
      {"junit",
       "<testcase classname=\"tosa.add\" name=\"add/mine\">\n      <failure "
       "message=\"false-accept/add/legal.count/add/mine\">signature: "},
      {"sarif", "nobody refuses add/mine"},
      {"tap", "not ok 6 - false-accept/add/legal.count/add/mine\n"},
      {"text", "nobody refuses add/mine [legal.count]"},
      {"markdown", "nobody refuses add/mine"}};
  for (const ReportFormat& format : AllReportFormats()) {
    const std::string text = format.write(report);
    EXPECT_TRUE(absl::StrContains(text, says.at(std::string(format.name)))) << format.name << "\n" << text;
  }
}

TEST(ReportFormatsTest, TextPageAndMarkdownSayWhichRoutesWereNotTested) {
  const ResultReport report = Read(kCampaignKind, "text");
  for (const std::string& text : {report.text, ReportToHtml(report), ReportToMarkdown(report)}) {
    EXPECT_TRUE(absl::StrContains(text, "Not tested: ")) << text;
    EXPECT_TRUE(absl::StrContains(text, "route fused (not there: pass text)")) << text;
  }
  EXPECT_EQ(ToJson(report)["untested_routes"], (Json{{{"route", "fused"}, {"why", "not there: pass text"}}}));
}

TEST(FormatsTest, EachSaysWhatDidNotRun) {
  ResultReport report = Read(kConformanceKind, "text");
  report.not_run = {"2 tests not run: no op"};
  for (const ReportFormat& format : AllReportFormats()) {
    if (format.name == "text") continue;  // what the command printed
    EXPECT_TRUE(absl::StrContains(format.write(report), "2 tests not run: no op")) << format.name;
  }
  const std::string csv = ReportToCsv(report);
  for (const absl::string_view line : absl::StrSplit(csv, '\n', absl::SkipEmpty())) {
    if (absl::StartsWith(line, ",not-run")) EXPECT_EQ(line, ",not-run,,,,,,,,,2 tests not run: no op,,,,");
  }
  EXPECT_EQ(Headline(report), "1 new finding, 2 tests not run: no op");
}

TEST(FormatsTest, EachSaysWhatAMergeDidNotHave) {
  CampaignSummary summary = FromText<CampaignSummary>(ExampleResults("text").at(kCampaignKind)).value();
  summary.missing = {"shard 2 of 9: it is not there", "shards/4: it was interrupted"};
  summary.interrupted = true;
  const ResultReport report = ReadReport(ToLine(summary), "summary.json", [](const std::string&) {
                                return std::optional<std::string>();
                              }).value();
  for (const ReportFormat& format : AllReportFormats()) {
    for (const std::string& what : summary.missing)
      EXPECT_TRUE(absl::StrContains(format.write(report), what)) << format.name;
  }
  EXPECT_TRUE(absl::StrContains(Headline(report), ", 2 parts missing, interrupted")) << Headline(report);
  EXPECT_EQ(ToJson(summary)["missing"], Json(summary.missing));
  EXPECT_FALSE(ToJson(CampaignSummary()).contains("missing"));
}

TEST(MarkdownReportTest, ACommandLineIsAsItWasGiven) {
  ResultReport report = Read(kCampaignKind, "text");
  report.sides[0].provenance = {.command_line = "tosaic fuzz --replace='a|b:c'"};
  report.tiles[0].tile.op = "a|b";
  const std::string text = ReportToMarkdown(report);
  EXPECT_TRUE(absl::StrContains(text, "- command line: `tosaic fuzz --replace='a|b:c'`\n")) << text;
  EXPECT_TRUE(absl::StrContains(text, "\n| `a\\|b` |")) << "a bar would end the cell: " << text;
}

// The schema of Jenkins' xUnit plugin (junit-10.xsd) refuses a file whose root has it.
TEST(JunitReportTest, OnlySuitesCountWhatIsSkipped) {
  const std::string text = ReportToJunit(Read(kCampaignKind, "text"));
  const std::string root = text.substr(text.find("<testsuites"), text.find("<testsuite ") - text.find("<testsuites"));
  EXPECT_FALSE(absl::StrContains(root, "skipped")) << root;
  EXPECT_TRUE(absl::StrContains(text, "<testsuite name=\"tosa.abs\"")) << text;
  EXPECT_TRUE(absl::StrContains(text, " skipped=\"")) << text;
}

TEST(JunitReportTest, AHarnessFaultFails) {
  const std::string text = ReportToJunit(Read(kCampaignKind, "text"));
  EXPECT_TRUE(absl::StrContains(text, "<failure message=\"harness fault\">case 5: harness text</failure>")) << text;
}

TEST(TapReportTest, ATestPointPerTileAndPerThingThatAsksForAttention) {
  for (const ResultReport& report : AllReports()) {
    size_t urgent = report.harness_faults.size() + report.not_run.size();
    for (const ReportFinding& finding : report.findings) urgent += IsUrgent(finding);
    const std::string text = ReportToTap(report);
    const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n', absl::SkipEmpty());
    ASSERT_GE(lines.size(), 3u);
    EXPECT_EQ(lines[0], "TAP version 14");
    EXPECT_EQ(lines[2], absl::StrCat("1..", report.tiles.size() + urgent));
    ASSERT_EQ(lines.size(), 3 + report.tiles.size() + urgent);
    for (size_t i = 3; i < lines.size(); ++i) {
      EXPECT_TRUE(absl::StartsWith(lines[i], absl::StrCat("ok ", i - 2, " - ")) ||
                  absl::StartsWith(lines[i], absl::StrCat("not ok ", i - 2, " - ")))
          << lines[i];
    }
  }
}

TEST(CsvReportTest, ARowPerFindingAndFaultAllAsLong) {
  for (const ResultReport& report : AllReports()) {
    const std::vector<std::vector<std::string>> rows = RowsOf(ReportToCsv(report));
    ASSERT_EQ(rows.size(), 1 + report.findings.size() + report.harness_faults.size() + report.not_run.size());
    ASSERT_EQ(rows[0].size(), 15u);
    for (const std::vector<std::string>& row : rows) EXPECT_EQ(row.size(), rows[0].size());
    for (size_t i = 0; i < report.findings.size(); ++i) {
      EXPECT_EQ(rows[i + 1][1], Name(report.findings[i].status));
      EXPECT_EQ(rows[i + 1][7], absl::StrCat(report.findings[i].count));
    }
  }
}

TEST(CsvReportTest, NothingIsAFormulaAndNumbersStay) {
  ResultReport report;
  const std::pair<std::string, std::string> fields[] = {
      {"=1+2", "'=1+2"}, {"@a", "'@a"},    {"-x", "'-x"}, {"-0", "-0"},
      {"+1.5", "+1.5"},  {"-inf", "-inf"}, {"", ""},      {"a \"b\", c", "a \"b\", c"}};
  for (const auto& [actual, shown] : fields) report.findings.emplace_back().judgement.actual = actual;
  const std::vector<std::vector<std::string>> rows = RowsOf(ReportToCsv(report));
  ASSERT_EQ(rows.size(), 1 + std::size(fields));
  for (size_t i = 0; i < std::size(fields); ++i) EXPECT_EQ(rows[i + 1][10], fields[i].second);
}

TEST(JunitReportTest, OfAComparisonATestCasePerChange) {
  const std::string text = ReportToJunit(Read(kComparisonKind, "text"));
  EXPECT_TRUE(absl::StrContains(text, "tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\"")) << text;
  EXPECT_TRUE(absl::StrContains(text, "<failure message=\"regressed: agree -&gt; wrong-value [rule text]\">signature:"))
      << text;
}

TEST(SarifReportTest, FitsItsSchema) {
  for (const ResultReport& report : AllReports()) {
    ExpectValidJson(Dump(ReportToSarif(report), 1), "tests/schemas/sarif-subset.schema.json");
  }
}

TEST(SarifReportTest, ARulePerDecidingRuleAResultPerFinding) {
  const Json run = ReportToSarif(Read(kCampaignKind, "text"))["runs"][0];
  const Json& rules = run["tool"]["driver"]["rules"];
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0]["id"], "value.abs");
  const RuleInfo& rule = Info(RuleId::kValueAbsPlain);
  EXPECT_EQ(rules[0]["shortDescription"]["text"], rule.states);
  EXPECT_EQ(rules[0]["helpUri"], rule.link);
  EXPECT_TRUE(absl::StrContains(rules[0]["help"]["text"].get<std::string>(), rule.broken));
  EXPECT_EQ(rules[1]["id"], "unknown") << "the finding's folder is not there";
  EXPECT_FALSE(rules[1].contains("help"));
  const Json& fresh = run["results"][0];
  EXPECT_EQ(fresh["ruleId"], "value.abs");
  EXPECT_EQ(fresh["level"], "error");
  EXPECT_EQ(fresh["partialFingerprints"]["tosaicSignature/v1"], "wrong-value/abs/text");
  EXPECT_EQ(fresh["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "dir/findings/fresh/reduced.json");
  EXPECT_EQ(run["results"][1]["level"], "note") << "known";
  EXPECT_EQ(fresh["partialFingerprints"]["primaryLocationLineHash"],
            absl::StrFormat("%016x:1", Digest("wrong-value/abs/text")));
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false) << "a harness fault";
}

TEST(SarifReportTest, PathsBecomeUris) {
  ResultReport report = Read(kConformanceKind, "text");
  report.findings[0].location = "/a b/#1%/\xc3\xa4.json";
  const Json result = ReportToSarif(report)["runs"][0]["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "file:///a%20b/%231%25/%C3%A4.json");
  report.findings[0].location = "";
  const Json nowhere = ReportToSarif(report)["runs"][0]["results"][0]["locations"][0];
  EXPECT_FALSE(nowhere.contains("physicalLocation")) << "no file, and so no empty address of one";
  EXPECT_TRUE(nowhere.contains("logicalLocations"));
}

}  // namespace
}  // namespace tosaic
