// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/report.h"

#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "results/view.h"
#include "tests/example_results.h"

namespace tosaic {
namespace {

std::optional<std::string> NothingBeside(const std::string&) { return std::nullopt; }

absl::StatusOr<ResultReport> Read(const std::string& kind, const std::string& text = "text") {
  return ReadReport(ExampleResults(text).at(kind), "dir/" + kind + ".json", NothingBeside);
}

std::string Standings(const ResultReport& report) {
  return absl::StrJoin(report.tiles, "", [](std::string* out, const ReportTile& tile) {
    absl::StrAppend(out, "[", Info(tile.standing).mark, "]");
  });
}

// Views find a standing by that name.
TEST(StandingTest, ChangesAndOutcomesAreStandingsButForOne) {
  for (const Change change : All<Change>()) EXPECT_TRUE(Find<Standing>(Name(change))) << Name(change);
  for (const TileOutcome outcome : All<TileOutcome>()) {
    EXPECT_EQ(Find<Standing>(Name(outcome)).has_value(), outcome != TileOutcome::kDiverges) << Name(outcome);
  }
}

TEST(StandingTest, EachRowStandsAtItsNumberAndHasAMark) {
  for (size_t i = 0; i < AllStandings().size(); ++i) {
    const StandingInfo& info = AllStandings()[i];
    EXPECT_EQ(static_cast<size_t>(info.standing), i);
    EXPECT_EQ(info.mark.size(), 1u);
    EXPECT_FALSE(info.name.empty());
    EXPECT_FALSE(info.meaning.empty());
  }
}

TEST(ReadReportTest, Campaign) {
  const auto files = ExampleFindingFiles("text");
  const absl::StatusOr<ResultReport> report =
      ReadReport(ExampleResults("text").at(kCampaignKind), "dir/summary.json",
                 [&](const std::string& name) -> std::optional<std::string> {
                   const auto at = files.find(name);
                   return at == files.end() ? std::nullopt : std::optional<std::string>(at->second);
                 });
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->title, "Campaign, seed 18446744073709551615");
  EXPECT_EQ(ToolchainInWords(report->sides.at(0).provenance), "mlir-22, LLVM 22.1.8 text");
  EXPECT_EQ(FactsOf(report->sides[0].provenance)[0], (Fact{"toolchain", "mlir-22"}));
  EXPECT_EQ(Headline(*report), "1 new finding, 1 harness fault");
  EXPECT_FALSE(IsGood(*report));
  EXPECT_EQ(Standings(*report), "[!][x][.][-][?][ ]");
  ASSERT_EQ(report->findings.size(), 2u);
  const ReportFinding& fresh = report->findings[0];
  EXPECT_EQ(fresh.status, Finding::Status::kNew);
  EXPECT_EQ(fresh.judgement.expected, "1.5 text");
  EXPECT_EQ(fresh.location, "dir/findings/fresh/reduced.json");
  EXPECT_TRUE(absl::StrContains(fresh.program, "tosa.abs")) << fresh.program;
  EXPECT_TRUE(absl::StrContains(fresh.data, "run 0:")) << fresh.data;
  EXPECT_TRUE(absl::StartsWith(fresh.replay, "cat > case.json")) << fresh.replay;
  EXPECT_TRUE(absl::StrContains(fresh.script, "mlir-opt repro.mlir")) << "the folder's script";
  EXPECT_EQ(fresh.script_file, "dir/findings/fresh/repro.sh");
  EXPECT_EQ(report->findings[1].location, "dir/summary.json") << "its folder is not there";
  EXPECT_EQ(report->findings[1].judgement.expected, "");
}

TEST(ReadReportTest, ACampaignWhoseNumbersContradictEachOtherIsDamaged) {
  Json json = ParseJson(ExampleResults("text").at(kCampaignKind)).value();
  json["cases"] = 0;
  EXPECT_TRUE(absl::StrContains(ReadReport(Dump(json, -1), "dir/summary.json", NothingBeside).status().message(),
                                "dir/summary.json: its verdicts are of "));
}

TEST(ReadReportTest, SaysHowMuchOfACampaignWasCompared) {
  const absl::StatusOr<ResultReport> report = Read(std::string(kCampaignKind));
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->judged_chains.size(), 2u);
  EXPECT_EQ(report->judged_chains[0].share(), 0.75);
  EXPECT_EQ(report->judged_chains[0].widths.Median(), 8u);
}

TEST(ReadReportTest, ABrokenFindingFolderIsNamed) {
  const auto error = [](const std::string& broken) {
    auto files = ExampleFindingFiles("text");
    files[broken] = files[broken].substr(0, files[broken].size() / 2);
    return std::string(ReadReport(ExampleResults("text").at(kCampaignKind), "summary.json",
                                  [&](const std::string& name) -> std::optional<std::string> {
                                    const auto at = files.find(name);
                                    return at == files.end() ? std::nullopt : std::optional<std::string>(at->second);
                                  })
                           .status()
                           .message());
  };
  EXPECT_TRUE(absl::StartsWith(error("findings/fresh/reduced.json"), "findings/fresh/reduced.json: "));
  EXPECT_TRUE(absl::StartsWith(error("findings/fresh/finding.json"), "findings/fresh/finding.json: "));
}

TEST(ReadReportTest, Conformance) {
  const absl::StatusOr<ResultReport> report = Read(kConformanceKind);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(Headline(*report), "1 new finding");
  EXPECT_EQ(report->cases, 3u);
  EXPECT_EQ(report->verdicts.at(Verdict::kWrongValue), 2u);
  EXPECT_EQ(report->suite_cases.size(), 3u);
  EXPECT_EQ(Standings(*report), "[!][x][.][-][?][ ]");
  EXPECT_EQ(report->findings[0].first, "abs/f32/static-equal/0");
  EXPECT_TRUE(absl::StartsWith(report->findings[0].replay, "cat > case.json << 'END'\n{\"tosaic_case\":1,"))
      << report->findings[0].replay;
  const std::vector<Cause> causes = QuietCauses(*report);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].name, "F1");
  EXPECT_EQ(causes[0].count, 3u);
}

TEST(QuietCausesTest, WhatMostCasesShowIsFirst) {
  ResultReport report;
  const auto add = [&](const std::string& cause, uint64_t count, Finding::Status status) {
    ReportFinding& finding = report.findings.emplace_back();
    finding.cause = cause, finding.count = count, finding.status = status;
  };
  add("F1", 2, Finding::Status::kKnown);
  add("F2", 3, Finding::Status::kKnown);
  add("new", 9, Finding::Status::kNew);
  add("F1", 2, Finding::Status::kKnown);
  add("F3", 3, Finding::Status::kKnown);
  add("beyond", 7, Finding::Status::kBeyondSpec);
  std::vector<std::string> names;
  for (const Cause& cause : QuietCauses(report)) names.push_back(cause.name);
  EXPECT_EQ(names, (std::vector<std::string>{"F1", "F2", "F3", "beyond"}));
}

TEST(ReadReportTest, Comparison) {
  const absl::StatusOr<ResultReport> report = Read(kComparisonKind);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(Headline(*report), "1 case regressed, 1 supported now, 1 changed");
  EXPECT_FALSE(IsGood(*report));
  EXPECT_EQ(Standings(*report), "[!][~][*][.][.][ ]");
  ASSERT_EQ(report->findings.size(), 1u);
  EXPECT_EQ(report->findings[0].status, Finding::Status::kRegressed);
  EXPECT_EQ(report->sides.at(1).name, "patch");
  ASSERT_EQ(report->changes.size(), 3u);
  EXPECT_EQ(report->changes[0].change, Change::kRegressed) << "the worst first";
}

TEST(ReadReportTest, SweepOfTypes) {
  const absl::StatusOr<ResultReport> report = Read(kSweepKind);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(Headline(*report), "1 new finding");
  EXPECT_EQ(report->cases, 13u);
  EXPECT_EQ(report->verdicts.at(Verdict::kAgree), 11u);
  EXPECT_EQ(Standings(*report), "[!][.]");
  EXPECT_EQ(report->findings[0].replay, "tosaic explain 'abs(tensor<f32>) -> text'\n");
}

TEST(ReadReportTest, SweepOfValues) {
  const absl::StatusOr<ResultReport> report = Read(kValuesKind);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(Headline(*report), "1 new finding, 1 harness fault");
  ASSERT_EQ(report->accuracy.size(), 2u);
  EXPECT_EQ(report->accuracy[0].max_error, 0.5);
  EXPECT_EQ(report->accuracy[0].bound_used, 0.25);
  EXPECT_EQ(report->accuracy[0].max_error_inputs, std::vector<std::string>{"0x3f800000"});
  EXPECT_EQ(Standings(*report), "[!][.]");
  EXPECT_EQ(report->findings[0].first, "inputs 0xbfc00000");
}

TEST(ReadReportTest, NothingNewIsGood) {
  Json json = ParseJson(ExampleResults("text").at(kConformanceKind)).value();
  json["findings"][0]["reason"] = "known by now";
  const absl::StatusOr<ResultReport> report = ReadReport(Dump(json, 1), "file", NothingBeside);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(Headline(*report), "Nothing new");
  EXPECT_TRUE(IsGood(*report));
  json["interrupted"] = true;
  EXPECT_FALSE(IsGood(ReadReport(Dump(json, 1), "file", NothingBeside).value()));
}

TEST(ReadReportTest, WhatIsNotReducedIsNeitherNewNorQuiet) {
  for (const std::string& kind : {std::string(kConformanceKind), std::string(kCampaignKind)}) {
    Json json = ParseJson(ExampleResults("text").at(kind)).value();
    json["findings"][0]["status"] = "not-reduced";
    json["harness_faults"] = Json::array();
    const ResultReport report = ReadReport(Dump(json, 1), "file", NothingBeside).value();
    EXPECT_EQ(Headline(report), "1 finding not reduced");
    EXPECT_FALSE(IsGood(report));
    EXPECT_TRUE(IsUrgent(report.findings.at(0)));
    EXPECT_EQ(report.tiles.at(0).standing, Standing::kNotReduced) << kind;
    EXPECT_EQ(CountTiles(report, Standing::kNew), 0u);
  }
}

TEST(ReadReportTest, WhatIsNoResultFileIsSaidInOneLine) {
  for (const auto& [kind, text] : ExampleResults("text")) {
    const auto error = [](const std::string& broken) {
      return std::string(ReadReport(broken, "file", NothingBeside).status().message());
    };
    const auto change = [&](absl::string_view from, absl::string_view to) {
      const std::string changed = absl::StrReplaceAll(text, {{from, to}});
      EXPECT_NE(changed, text);
      return error(changed);
    };
    SCOPED_TRACE(kind);
    EXPECT_EQ(error(text.substr(0, text.size() / 2)), "not a JSON document: it is cut short");
    EXPECT_EQ(error(""), "not a JSON document: it is empty");
    EXPECT_TRUE(absl::StrContains(error("{\"seed\": 1}"), "not a result file"));
    EXPECT_TRUE(absl::StrContains(error("[1]"), "not a result file"));
    EXPECT_TRUE(absl::StrContains(change("\"tosaic_report\": 1", "\"tosaic_report\": 2"), "version 2"));
    EXPECT_TRUE(absl::StrContains(change("\"kind\": \"", "\"kind\": \"no-"), "which has no report"));
    EXPECT_TRUE(absl::StrContains(change("\"kind\": \"", "\"sort\": \""), "\"kind\""));
    // The place is named, whichever key is missing.
    const Json json = ParseJson(text).value();
    for (const auto& [key, value] : json.items()) {
      Json without = json;
      without.erase(key);
      const absl::StatusOr<ResultReport> report = ReadReport(Dump(without, 1), "file", NothingBeside);
      if (!report.ok()) {
        EXPECT_TRUE(absl::StrContains(report.status().message(), key)) << report.status();
        EXPECT_FALSE(absl::StrContains(report.status().message(), "\n")) << report.status();
      }
      Json wrong = json;
      wrong[key] = Json::array({Json::array({1})});
      const absl::StatusOr<ResultReport> odd = ReadReport(Dump(wrong, 1), "file", NothingBeside);
      if (!odd.ok()) EXPECT_FALSE(absl::StrContains(odd.status().message(), "\n")) << odd.status();
    }
  }
}

}  // namespace
}  // namespace tosaic
