// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tosaic conform` and `tosaic compare` as a user has them: one MLIR, with a deliberately broken lowering as its patch.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "results/conformance.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

ConformanceReport ReportIn(const std::string& path) {
  absl::StatusOr<ConformanceReport> report = ConformanceFromText(Slurp(path));
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *std::move(report) : ConformanceReport();
}

const Tile& TileOf(const ConformanceReport& report, const std::string& types, const std::string& shapes) {
  for (const Tile& tile : report.tiles) {
    if (tile.types == types && tile.shapes == shapes) return tile;
  }
  ADD_FAILURE() << types << " " << shapes;
  return report.tiles.front();
}

Ran Conform(const std::string& out, std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"conform", absl::StrCat("--out=", out), kKnownFlag});
  return RunTosaic(flags);
}

TEST(E2eConform, EveryTileOfAnOpHasAResult) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "report.json";
  const Ran ran = Conform(out, {"--ops=maximum,clz"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "0 new"));
  EXPECT_FALSE(fs::exists(out + ".part"));
  const ConformanceReport report = ReportIn(out);
  EXPECT_EQ(report.cases.size(), report.suite.cases);
  EXPECT_EQ(Name(OutcomeOf(TileOf(report, "f32", "dynamic-broadcast"))), "conforms");
  EXPECT_GT(TileOf(report, "f32", "dynamic-broadcast").compared, 50u);
  EXPECT_EQ(Name(OutcomeOf(TileOf(report, "f32", "unranked"))), "conforms");
  EXPECT_GT(TileOf(report, "f32", "unranked").verdicts.at(Verdict::kUnsupported), 0u);
  EXPECT_GT(TileOf(report, "f32", "illegal").verdicts.at(Verdict::kAgree), 5u);
  for (const Tile& tile : report.tiles) {
    EXPECT_EQ(OutcomeOf(tile) == TileOutcome::kNotApplicable, tile.cases == 0) << tile.op << tile.shapes;
    const bool needs_two = tile.shapes == "static-broadcast" || tile.shapes == "dynamic-broadcast" ||
                           tile.shapes == "dynamic-against-static";
    if (tile.op == "clz") EXPECT_EQ(tile.cases == 0, needs_two) << tile.shapes;
  }
}

TEST(E2eConform, TheSameWhateverTheNumberOfWorkers) {
  TemporaryDirectory temporary;
  Conform(temporary / "one.json", {"--ops=sub", "--profile=pro-int", "--jobs=1"});
  Conform(temporary / "three.json", {"--ops=sub", "--profile=pro-int", "--jobs=3"});
  const ConformanceReport one = ReportIn(temporary / "one.json"), three = ReportIn(temporary / "three.json");
  EXPECT_FALSE(one.cases.empty());
  EXPECT_EQ(one.cases, three.cases);
  EXPECT_EQ(one.tiles, three.tiles);
  EXPECT_EQ(one.suite, three.suite);
}

TEST(E2eConform, ProfilesAndABrokenOutputPath) {
  TemporaryDirectory temporary;
  Conform(temporary / "fp.json", {"--ops=add", "--profile=pro-fp"});
  for (const Tile& tile : ReportIn(temporary / "fp.json").tiles) {
    if (tile.shapes != "corpus") EXPECT_TRUE(tile.types == "f32" || tile.types == "f16" || tile.types == "i32");
  }
  EXPECT_EQ(Conform(temporary / "no/such/report.json", {"--ops=add"}).status, 2);
  EXPECT_EQ(Conform(temporary / "x.json", {"--ops=add", "--profile=best"}).status, 2);
  EXPECT_EQ(Conform(temporary / "x.json", {"--ops=addd"}).status, 2);
  EXPECT_EQ(Conform(temporary / "x.json", {"--corpus=/no/such"}).status, 2);
  EXPECT_EQ(Conform(temporary / "x.json", {"--types=f16"}).status, 2);
  const Ran nothing = Conform(temporary / "x.json", {"--ops=bitwise_and", "--all-values"});
  EXPECT_EQ(nothing.err, "tosaic: there is no sweep of values of the ops asked for\n");
  EXPECT_EQ(nothing.status, 2);
  EXPECT_FALSE(fs::exists(temporary / "x.json"));
}

TEST(E2eConform, AnInterruptedRunGoesOn) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "report.json";
  StoppedInTheMidst({"conform", absl::StrCat("--out=", out), "--ops=add,sub,mul,cast", "--jobs=1", kKnownFlag}, out,
                    out + ".part/journal.jsonl", 40, SIGINT);
  const ConformanceReport part = ReportIn(out);
  EXPECT_TRUE(part.interrupted);
  EXPECT_FALSE(part.cases.empty());
  const Ran refused = RunTosaic({"compare", out, out});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(absl::StrContains(refused.err, "interrupted")) << refused.err;
  EXPECT_EQ(Conform(out, {"--ops=add,sub,mul,cast"}).status, 0);
  EXPECT_EQ(ReportIn(out).cases.size(), part.suite.cases);
  EXPECT_FALSE(fs::exists(out + ".part"));
}

TEST(E2eCompare, ShowsWhatAPatchBreaksAndMends) {
  TemporaryDirectory temporary;
  const std::string base = temporary / "base.json", patch = temporary / "patch.json";
  const std::vector<std::string> suite = {"--ops=add", "--profile=pro-int",
                                          "--corpus=" TOSAIC_SOURCE_DIR "/corpus/spec"};
  std::vector<std::string> flags = suite;
  flags.push_back("--route=loops");
  EXPECT_EQ(Conform(base, flags).status, 0);
  const std::string pipeline = ReportIn(base).provenance.pipeline;
  flags = suite;
  flags.push_back(kPluginFlag);
  flags.push_back(absl::StrCat(
      "--pipeline=",
      absl::StrReplaceAll(pipeline, {{",tosa-to-linalg,", ",tosa-to-linalg,tosaic-break{what=minimum-extent},"}})));
  EXPECT_EQ(Conform(patch, flags).status, 1);

  EXPECT_EQ(RunTosaic({"compare", base, base}).status, 0);
  const Ran worse = RunTosaic({"compare", base, patch});
  EXPECT_EQ(worse.status, 1) << worse.err;
  EXPECT_TRUE(absl::StrContains(worse.out, "regression: ")) << worse.out;
  EXPECT_TRUE(absl::StrContains(worse.out, "tosa.add")) << worse.out;
  const Ran better = RunTosaic({"compare", patch, base});
  EXPECT_EQ(better.status, 0);
  const Ran markdown = RunTosaic({"compare", "--format=markdown", base, patch});
  EXPECT_TRUE(absl::StrContains(markdown.out, "<details>")) << markdown.out;
  const std::string out = temporary / "comparison.json";
  EXPECT_EQ(RunTosaic({"compare", "--format=json", absl::StrCat("--out=", out), base, patch}).status, 1);
  const absl::StatusOr<Comparison> comparison = FromText<Comparison>(Slurp(out));
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  EXPECT_FALSE(comparison->regressions.empty());
  for (const TileChange& tile : comparison->tiles) {
    if (tile.base.shapes == "static-equal") EXPECT_EQ(tile.change, Change::kUnchanged);
    if (tile.base.shapes == "dynamic-broadcast") EXPECT_EQ(tile.change, Change::kRegressed) << tile.base.types;
  }
}

// tanh by MLIR's expansion loses the sign of -0, and far more than a unit of small inputs.
TEST(E2eCompare, AllValuesStandInTheReportAndAreCompared) {
  TemporaryDirectory directory;
  const std::string base = directory / "base.json", patch = directory / "patch.json";
  const auto conform = [](const std::string& out, const std::string& route) {
    return Conform(out, {"--ops=tanh", "--no-reduce", "--all-values", "--types=bf16", "--route=" + route});
  };
  const Ran right = conform(base, "loops"), wrong = conform(patch, "math-expanded");
  EXPECT_EQ(right.status, 0) << right.out << right.err;
  EXPECT_TRUE(absl::StrContains(right.out, "65536 inputs")) << right.out;
  EXPECT_TRUE(absl::StrContains(wrong.out, "tanh bf16: 1 wrong input, 0x8000\n")) << wrong.out << wrong.err;
  const ConformanceReport report = ReportIn(patch);
  ASSERT_TRUE(report.values.has_value());
  ASSERT_EQ(report.values->rows.size(), 1u);
  EXPECT_TRUE(report.values->rows[0].exhaustive);
  EXPECT_EQ(report.values->rows[0].profile.disagreements, 1u);
  EXPECT_EQ(report.values->rows[0].curve.size(), 128u);
  const std::string page = RunTosaic({"report", patch, "--format=html"}).out;
  EXPECT_TRUE(absl::StrContains(page, "error of tanh over the range, the largest: 256 ulp at 0x3280"));
  const Ran compared = RunTosaic({"compare", base, patch});
  EXPECT_EQ(compared.status, 1) << compared.err;
  EXPECT_TRUE(absl::StrContains(compared.out,
                                "regressed tanh bf16: worst error 0.5 -> 256.0 ulp at 0x3280, 0 -> 1 "
                                "wrong input; now tanh bf16: 1 wrong input, 0x8000\n"))
      << compared.out;
  EXPECT_EQ(RunTosaic({"compare", base, base}).status, 0);
  // A report without values is not compared with one that has some in silence.
  Conform(patch, {"--ops=tanh", "--no-reduce", "--route=loops"});
  EXPECT_TRUE(
      absl::StrContains(RunTosaic({"compare", base, patch}).out,
                        "not compared: tanh bf16: one of them lacks it, has tried other inputs, or failed on it\n"));
}

TEST(E2eConform, AFindingIsReplayedAsTheDocumentsWereRead) {
  TemporaryDirectory temporary;
  const std::string report = temporary / "report.json";
  EXPECT_EQ(Conform(report, {"--ops=clz", "--no-reduce", "--strict-static-result"}).status, 1);
  const std::string page = RunTosaic({"report", report, "--format=markdown"}).out;
  EXPECT_TRUE(absl::StrContains(page, "\ntosaic check --strict-static-result case.json\n")) << page;
}

TEST(E2eCompare, BadInputIsOneLine) {
  TemporaryDirectory temporary;
  const std::string good = temporary / "good.json", other = temporary / "other.json", cut = temporary / "cut.json";
  Conform(good, {"--ops=clz", "--no-reduce"});
  Conform(other, {"--ops=ceil", "--no-reduce"});
  const std::string text = Slurp(good);
  Spill(cut, text.substr(0, text.size() / 2));
  const std::string old = temporary / "old.json";
  Spill(old, absl::StrReplaceAll(text, {{"\"tosaic_report\": 1", "\"tosaic_report\": 7"}}));
  const std::string values = temporary / "v.json", of_others = temporary / "o.json", interrupted = temporary / "i.json";
  RunTosaic({"sweep", "--values", "--inputs=10", "--types=f16", "--ops=exp", "--out=" + values});
  RunTosaic({"sweep", "--values", "--inputs=10", "--types=f16", "--ops=log", "--out=" + of_others});
  Spill(interrupted, absl::StrReplaceAll(Slurp(values), {{"\"interrupted\": false", "\"interrupted\": true"}}));
  const std::string strict = temporary / "strict.json", strict_values = temporary / "s.json";
  Conform(strict, {"--ops=clz", "--no-reduce", "--strict-static-result"});
  RunTosaic(
      {"sweep", "--values", "--inputs=10", "--types=f16", "--ops=exp", "--strict-values", "--out=" + strict_values});
  const struct {
    std::vector<std::string> arguments;
    absl::string_view error;
  } rows[] = {
      {{"compare", good, other}, "different suites"},
      {{"compare", good, strict}, "not read alike"},
      {{"compare", values, strict_values}, "not read alike"},
      {{"compare", good, cut}, "cut short"},
      {{"compare", good, old}, "version 7"},
      {{"compare", good, temporary / "none.json"}, "none.json"},
      {{"compare", good}, "two reports"},
      {{"compare", values, of_others}, "nothing in common"},
      {{"compare", values, interrupted}, "i.json: its command was interrupted"},
      {{"compare"}, "two reports"},
      {{"compare", good, good, "--base=mlir-22"}, "--patch"},
      {{"compare", "--base=mlir-22", "--patch=mlir-99"}, "mlir-99"},
  };
  for (const auto& row : rows) {
    const Ran ran = RunTosaic(row.arguments);
    EXPECT_EQ(ran.status, 2) << row.error << ran.err;
    EXPECT_TRUE(absl::StrContains(ran.err, row.error)) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

}  // namespace
}  // namespace tosaic
