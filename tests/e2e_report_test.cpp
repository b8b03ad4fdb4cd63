// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tosaic report` over real results: every kind in every format, each checked by its validator or a browser.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/browser.h"
#include "tests/run_tosaic.h"
#include "tests/validators.h"

namespace tosaic {
namespace {

std::string ReportOf(const std::string& file, const std::string& format) {
  const Ran ran = RunTosaic({"report", file, "--format=" + format});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  return ran.out;
}

// `printed`: what the command that made it has printed.
void ExpectAllFormats(const std::string& file, const std::string& headline, const std::string& printed) {
  SCOPED_TRACE(file);
  EXPECT_EQ(ReportOf(file, "text"), printed);
  EXPECT_TRUE(absl::StrContains(ReportOf(file, "markdown"), headline));
  EXPECT_TRUE(absl::StartsWith(ReportOf(file, "csv"), "toolchain,status,verdict,op,"));
  ExpectValidJson(ReportOf(file, "json"), "docs/report.schema.json");
  ExpectValidJson(ReportOf(file, "sarif"), "tests/schemas/sarif-subset.schema.json");
  ExpectValidXml(ReportOf(file, "junit"), "tests/schemas/junit.xsd");
  const Page page = OpenPage(ReportOf(file, "html"), {});
  EXPECT_TRUE(absl::StrContains(page.dom, "<html lang=\"en\" class=\"js\">"));
  EXPECT_TRUE(absl::StrContains(page.dom, headline));
  EXPECT_EQ(SizeOfPng(page.screenshot), (std::pair<uint32_t, uint32_t>(1280, 900)));
}

TEST(E2eReport, OfACampaign) {
  TemporaryDirectory directory;
  const std::string work = directory / "work";
  // Known since mul's shift may stand at run time: F2 and F5 in docs/findings.md.
  const Ran fuzz = RunTosaic({"fuzz", "--seed=1", "--cases=300", "--ops=mul,abs", "--route=loops", "--known=none",
                              "--details", "--out=" + work});
  ASSERT_EQ(fuzz.status, 1) << fuzz.out << fuzz.err;
  const Json summary = ParseJson(Slurp(work + "/summary.json")).value();
  EXPECT_EQ(summary["tosaic_report"], 1);
  EXPECT_EQ(summary["kind"], "campaign");
  uint64_t cases = 0, runs = 0;
  for (const Json& tile : summary["tiles"]) {
    cases += tile["cases"].get<uint64_t>();
    runs += tile["runs"].get<uint64_t>();
  }
  EXPECT_EQ(cases, 300u) << "every case is in one tile";
  EXPECT_EQ(runs, summary["runs"]);
  const uint64_t fresh = summary["new_findings"].get<uint64_t>();
  const std::string headline = absl::StrCat(fresh, fresh == 1 ? " new finding" : " new findings");
  ExpectAllFormats(work, headline, fuzz.out);
  EXPECT_EQ(ReportOf(work, "json"), ReportOf(work + "/summary.json", "json"));
  // A campaign that went on and was killed, or is at work: its results are not of all its cases.
  const std::string begun = directory / "begun";
  std::filesystem::copy(work, begun, std::filesystem::copy_options::recursive);
  std::ofstream(begun + "/journal.jsonl", std::ios::app) << "{}\n";
  const Ran stale = RunTosaic({"report", begun, "--format=json"});
  EXPECT_EQ(stale.status, 3);
  EXPECT_TRUE(absl::StrContains(stale.err, "its journal has 301 cases, its results are of 300")) << stale.err;
  EXPECT_EQ(ParseJson(stale.out).value()["interrupted"], true);
  std::filesystem::remove(begun + "/summary.json");
  EXPECT_TRUE(absl::StrContains(RunTosaic({"report", begun}).err, "it is at work, or was killed"));
  // The reproducer is complete: run as it stands, it shows the finding.
  const Json report = ParseJson(ReportOf(work, "json")).value();
  for (const Json& finding : report["findings"]) {
    if (finding["status"] != "new") continue;
    EXPECT_TRUE(absl::StrContains(finding["script"].get<std::string>(), "mlir-opt")) << finding["signature"];
    TemporaryDirectory elsewhere;
    Spill(elsewhere / "replay.sh", absl::StrCat("cd '", elsewhere.path(), "'\ntosaic() { '", TOSAIC_BINARY,
                                                "' \"$@\"; }\n", finding["reproducer"].get<std::string>()));
    const int status =
        std::system(absl::StrCat("bash '", elsewhere / "replay.sh", "' > '", elsewhere / "out", "'").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1);
    EXPECT_TRUE(absl::StrContains(Slurp(elsewhere / "out"), finding["verdict"].get<std::string>()))
        << Slurp(elsewhere / "out");
  }
}

TEST(E2eReport, OfSweeps) {
  TemporaryDirectory directory;
  const std::string values = directory / "values.json", types = directory / "types.json";
  const Ran of_values = RunTosaic({"sweep", "--values", "--ops=rsqrt", "--types=f16", "--out=" + values});
  ASSERT_EQ(of_values.status, 0);
  ExpectAllFormats(values, "Nothing new", of_values.out);
  EXPECT_TRUE(absl::StrContains(ReportOf(values, "html"), "% of the allowed error\""));
  const Ran of_types = RunTosaic({"sweep", "--max-rank=1", "--ops=mul", "--known=none", "--out=" + types});
  ASSERT_EQ(of_types.status, 1);
  ExpectAllFormats(types, "1 new finding", of_types.out);
}

TEST(E2eReport, OfTheConformanceSuiteAndAComparison) {
  TemporaryDirectory directory;
  const std::string report = directory / "report.json", comparison = directory / "comparison.json";
  const std::string known = absl::StrCat("--known=", TOSAIC_SOURCE_DIR, "/corpus/known-divergences.json");
  const Ran conform = RunTosaic({"conform", "--profile=pro-int", "--ops=abs,negate", known, "--out=" + report});
  ASSERT_EQ(conform.status, 0);
  ExpectAllFormats(report, "Nothing new", conform.out);
  ASSERT_EQ(RunTosaic({"compare", report, report, "--format=json", "--out=" + comparison}).status, 0);
  ExpectAllFormats(comparison, "Nothing changed", RunTosaic({"compare", report, report}).out);
}

TEST(E2eReport, OutIsWrittenWholeOrNotAtAll) {
  TemporaryDirectory directory;
  const std::string values = directory / "values.json", out = directory / "report.txt";
  ASSERT_EQ(RunTosaic({"sweep", "--max-rank=0", "--ops=abs", "--out=" + values}).status, 0);
  const Ran ran = RunTosaic({"report", values, "--format=text", "--out=" + out});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(Slurp(out), ReportOf(values, "text"));
  EXPECT_EQ(FilesBelow(directory.path()).size(), 2u) << "nothing half written is left";
  const std::string before = Slurp(values);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"report", values, "--format=html"}, {"compare", values, values, "--format=json"}}) {
    std::vector<std::string> onto_itself = command;
    onto_itself.push_back("--out=" + values);
    const Ran refused = RunTosaic(onto_itself);
    EXPECT_EQ(refused.status, 2) << command[0];
    EXPECT_TRUE(absl::StrContains(refused.err, "values.json: it would replace what the command reads")) << refused.err;
    EXPECT_EQ(Slurp(values), before);
  }
}

TEST(E2eReport, BadInputIsSaidInOneLine) {
  TemporaryDirectory directory;
  const std::string good = directory / "good.json", broken = directory / "broken.json";
  ASSERT_EQ(RunTosaic({"sweep", "--max-rank=0", "--ops=abs", "--out=" + good}).status, 0);
  const std::string text = Slurp(good);
  const auto expect_refused = [](const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
    const Ran ran = RunTosaic(arguments);
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(absl::StartsWith(ran.err, "tosaic: ")) << ran.err;
    EXPECT_EQ(ran.err.find('\n'), ran.err.size() - 1) << ran.err;
    for (const std::string& part : parts) EXPECT_TRUE(absl::StrContains(ran.err, part)) << part << " in " << ran.err;
  };
  const auto with = [&](const std::string& content) {
    Spill(broken, content);
    return std::vector<std::string>{"report", broken};
  };
  expect_refused(with(text.substr(0, text.size() / 2)), {broken, "cut short"});
  expect_refused(with(""), {broken, "it is empty"});
  expect_refused(with("{}"), {broken, "not a result file"});
  expect_refused(with(Slurp(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/known-divergences.json"))), {"not a result file"});
  Json json = ParseJson(text).value();
  json["tosaic_report"] = 2;
  expect_refused(with(Dump(json, 1)), {broken, "version 2", "reads version 1"});
  json["tosaic_report"] = 1;
  json["kind"] = "moon";
  expect_refused(with(Dump(json, 1)), {broken, "moon"});
  json["kind"] = "campaign";
  expect_refused(with(Dump(json, 1)), {broken, "missing"});
  expect_refused({"report", directory / "nothing.json"}, {"nothing.json"});
  expect_refused({"report", directory.path()}, {"summary.json"});
  expect_refused({"report", good, "--format=pdf"}, {"--format"});
  expect_refused({"report", good, "--out=/nowhere/report.html"}, {"/nowhere/report.html"});
  expect_refused({"report"}, {"FILE"});
}

// A result file may come from anyone: it says nothing of files that do not lie below it.
TEST(E2eReport, AResultFileReachesNoFileElsewhere) {
  TemporaryDirectory directory;
  const std::string work = directory / "work";
  ASSERT_EQ(RunTosaic({"fuzz", "--seed=1", "--cases=300", "--ops=mul", "--route=loops", "--no-reduce", "--known=none",
                       "--out=" + work})
                .status,
            1);
  Json summary = ParseJson(Slurp(work + "/summary.json")).value();
  Spill(directory / "repro.sh", "a secret");
  summary["findings"][0]["reduced"] = "../reduced.json";
  Spill(work + "/summary.json", Dump(summary, 1));
  EXPECT_FALSE(absl::StrContains(ReportOf(work, "json"), "a secret"));
  summary["findings"][0]["reduced"] = directory / "reduced.json";
  Spill(work + "/summary.json", Dump(summary, 1));
  EXPECT_FALSE(absl::StrContains(ReportOf(work, "json"), "a secret"));
}

}  // namespace
}  // namespace tosaic
