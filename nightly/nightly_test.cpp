// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nights whose parts are played by a function.
#include "nightly/nightly.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "results/campaign.h"
#include "results/conformance.h"
#include "tests/example_results.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

class NightlyTest : public testing::Test {
 protected:
  NightlyTest() {
    options_.minutes = 1;
    options_.suite_minutes = 0.5;
    options_.clock = [this] { return now_; };
    options_.state = state_.path();
    options_.jobs = 2;
    options_.known = KnownDivergences({{.signature = "old/*", .cause = "F1", .reason = "r"}});
    options_.tosaic = "tosaic";
    options_.own = "mlir-22";
    options_.date = "2026-11-22";
    // A target that is there; what it does is Play()'s.
    options_.fuzzers = state_ / "bin";
    fs::create_directories(options_.fuzzers);
    Spill(options_.fuzzers + "/fuzz_verifier", "");
  }

  static std::string Flag(const Command& command, const std::string& name) {
    for (absl::string_view argument : command.arguments) {
      if (absl::ConsumePrefix(&argument, absl::StrCat("--", name, "="))) return std::string(argument);
    }
    return "";
  }

  // Plays a part: writes what it would leave, with what is new of it.
  int Play(const Command& command) {
    commands_.push_back(absl::StrJoin(command.arguments, " "));
    int seconds = 0;
    if (absl::SimpleAtoi(absl::StripSuffix(Flag(command, "duration"), "s"), &seconds)) now_ += seconds;
    const std::string out = Flag(command, "out");
    const std::string part = command.arguments[1];
    const bool is_other = !Flag(command, "toolchain").empty();
    if (is_other && part == "conform" && other_status_ != 0) return other_status_;
    const std::string status = is_other && !status_of_other_.empty() ? status_of_other_ : status_;
    if (part == "-merge=1") {
      Spill(command.arguments[2] + "/kept", "");
      return merge_status_;
    }
    if (part == "history") {
      Spill(command.log, absl::StrCat("| case | releases |\n|---|---|\n| `", command.arguments[3],
                                      "/one.json` | since 1 |\ntosaic: one.json, whom to blame: 10 s\n"));
      return 1;
    }
    if (part == "check") {
      std::string text;
      for (const std::string& argument : command.arguments) {
        if (absl::EndsWith(argument, ".json")) absl::StrAppend(&text, argument, ": ", checked_, " [rule]\n");
      }
      Spill(command.log, text);
      return 0;
    }
    if (!command.log.empty()) {
      Spill(command.log, log_);
      return 0;
    }
    if (part == "fuzz") {
      fs::create_directories(out + "/findings/one");
      Spill(out + "/journal.jsonl", "");
      if (!fuzz_finishes_) return 3;
      CampaignSummary summary = ResultOf<CampaignSummary>("campaign/one", status);
      Spill(out + "/findings/one/finding.json", Dump(ToJson(summary.findings[0]), 1));
      Spill(out + "/findings/one/reduced.json", "{}");
      Spill(out + "/findings/one/issue.md", "# [mlir][tosa] tosa.add gives &lt;b>\n\ntext\n");
      summary.cases = 1000;
      summary.runs = runs_;
      summary.findings[0].cases().folder = "findings/one";
      Spill(out + "/summary.json", Dump(ToJson(summary), 1));
      return status == "new" ? fuzz_status_ : 0;
    }
    if (part == "conform") {
      const std::string signature = is_other && !of_other_.empty() ? of_other_ : "suite/one";
      Spill(out, Dump(ToJson(ResultOf<ConformanceReport>(signature, status)), 1));
      now_ += suite_seconds_;
      suite_limits_.push_back(command.seconds);
    }
    const bool is_json = absl::EndsWith(out, ".json");
    if (part == "report" || part == "compare") Spill(out, is_json ? changes_ : absl::StrCat("# ", part, "\n"));
    return part == "conform" ? conform_status_ : part == "compare" ? compare_status_ : 0;
  }
  // A result with one finding.
  template <typename T>
  static T ResultOf(const std::string& signature, const std::string& status) {
    T result;
    result.provenance.toolchain_version = "LLVM 24.0.0 (x)";
    Finding& finding = result.findings.emplace_back();
    finding.signature = ParseFindingSignature(signature);
    finding.known_reason = status == "known" ? "r" : "";
    finding.judgement.beyond_spec = status == "beyond-spec";
    finding.cases().is_reduced = status != "not-reduced";
    finding.cases().original = finding.cases().reduced = ExampleCase();
    EXPECT_EQ(Name(StatusOf(finding)), status);
    return result;
  }
  // New findings of the history's last night.
  Json Found() const { return Json::parse(Slurp(state_ / "history.json"))["nights"].back()["found"]; }
  absl::StatusOr<int> Run() {
    return RunNightly(options_, [this](const Command& command) { return Play(command); }, nullptr);
  }
  bool Ran(const std::string& text) const {
    for (const std::string& command : commands_) {
      if (absl::StrContains(command, text)) return true;
    }
    return false;
  }
  std::set<std::string> Reported() const {
    std::set<std::string> signatures;
    if (!fs::exists(state_ / "reported.json")) return signatures;
    const Json list = Json::parse(Slurp(state_ / "reported.json"));
    for (const Json& entry : list["known"]) {
      signatures.insert(entry["signature"].get<std::string>());
    }
    return signatures;
  }

  TemporaryDirectory state_;
  NightlyOptions options_;
  std::vector<std::string> commands_;
  std::vector<double> suite_limits_;
  std::string status_ = "new", log_ = "#1\n";
  std::string status_of_other_;          // of its findings; empty: the same
  std::string of_other_;                 // what the other toolchain's suite shows; empty: the same
  std::string changes_ = "{}";           // of a comparison
  std::string checked_ = "wrong-value";  // what a check says of each case
  int merge_status_ = 0, fuzz_status_ = 1, conform_status_ = 0, compare_status_ = 0, other_status_ = 0;
  uint64_t runs_ = 5000;
  double now_ = 1000, suite_seconds_ = 0;
  bool fuzz_finishes_ = true;
};

TEST_F(NightlyTest, TheTargetOfWholeProgramsBeginsWithTheCorpusOfCases) {
  Spill(options_.fuzzers + "/fuzz_program", "");
  options_.fuzzer_corpus = state_ / "seeds";
  for (const char* folder : {"/rules", "/spec", "/fuzz_program"}) {
    fs::create_directories(options_.fuzzer_corpus + folder);
  }
  EXPECT_EQ(Run().value(), 1);
  const std::string& seeds = options_.fuzzer_corpus;
  EXPECT_TRUE(Ran(absl::StrCat(state_ / "corpus/fuzz_program", " ", seeds, "/rules ", seeds, "/spec")));
  EXPECT_FALSE(Ran(seeds + "/fuzz_program"));
}

// A mistake that comes back, or another one with its signature, was called known in all nights to come.
TEST_F(NightlyTest, WhatIsRightAgainIsNewWhenItComesBack) {
  EXPECT_EQ(Run().value(), 1);
  status_ = "known";
  options_.date = "2026-11-23";
  EXPECT_EQ(Run().value(), 0);
  EXPECT_TRUE(Ran(absl::StrCat("tosaic check --color=never ", state_ / "reported/")));
  EXPECT_EQ(Reported(), (std::set<std::string>{"campaign/one", "suite/one"}));
  EXPECT_EQ(Json::parse(Slurp(state_ / "known.json"))["known"].size(), 3u);
  checked_ = "agree";
  options_.date = "2026-11-24";
  EXPECT_EQ(Run().value(), 0);
  EXPECT_EQ(Reported(), std::set<std::string>());
  EXPECT_EQ(Json::parse(Slurp(state_ / "known.json"))["known"].size(), 1u) << "the list that is given";
  const std::string summary = Slurp(state_ / "nights/2026-11-24/summary.md");
  EXPECT_TRUE(absl::StrContains(summary, "`campaign/one`, reported in the night of 2026-11-22")) << summary;
  commands_.clear();
  options_.date = "2026-11-25";
  EXPECT_EQ(Run().value(), 0);
  EXPECT_FALSE(Ran("tosaic check")) << "there is nothing to ask";
}

// The signatures of two plugins are alike: each has the route custom.
TEST_F(NightlyTest, WhatOtherPassesShowedExplainsNothing) {
  options_.edits = {"--insert-after=cse:one"};
  EXPECT_EQ(Run().value(), 1);
  const auto known = [&] { return Json::parse(Slurp(state_ / "known.json"))["known"].size(); };
  EXPECT_EQ(known(), 1u) << "the list that is given";
  options_.edits = {"--insert-after=cse:two"};
  EXPECT_EQ(Run().value(), 1);
  EXPECT_EQ(known(), 1u);
  options_.edits = {"--insert-after=cse:one"};
  Run().IgnoreError();
  EXPECT_EQ(known(), 3u);
  EXPECT_TRUE(Ran(absl::StrCat("tosaic check --color=never --insert-after=cse:one ", state_ / "reported-")));
}

TEST_F(NightlyTest, LeavesReportsAndWhatIsNew) {
  EXPECT_EQ(Run().value(), 1);
  const std::string night = state_ / "nights/2026-11-22";
  EXPECT_EQ(Slurp(night + "/seed"), "20261122\n");
  for (const char* file : {"done", "campaign.html", "campaign.xml", "campaign.sarif", "campaign.md", "conform.html",
                           "summary.md", "new/one/finding.json", "fuzz_verifier.log"}) {
    EXPECT_TRUE(fs::exists(absl::StrCat(night, "/", file))) << file;
  }
  EXPECT_EQ(Reported(), (std::set<std::string>{"campaign/one", "suite/one"}));
  EXPECT_TRUE(Ran("tosaic fuzz --seed=20261122 --duration=40s --jobs=2"));
  EXPECT_TRUE(
      Ran("fuzz_verifier -fork=2 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 -max_total_time=4 -seed="));
  EXPECT_FALSE(Ran("fuzz_trait"));
  EXPECT_FALSE(Ran("compare"));
  const std::string summary = Slurp(night + "/summary.md");
  for (const char* part : {"# Tosaic: 2 new causes in the night of 2026-11-22, without libFuzzer targets: tosa.add "
                           "gives &lt;b\\>, on mlir-22, "
                           "`new/one`; and 1 more\n",
                           "- tosa.add gives &lt;b\\>, on mlir-22, [new/one](new/one)\n- suite/one, on mlir-22, "
                           "[conform.html](conform.html)\n",
                           "    tosaic fuzz --seed=20261122 --cases=1000 --out=night-2026-11-22\n", "\n## Campaign\n",
                           "\n## libFuzzer targets\n", "| fuzz_verifier | 1 | 0 |", "\n## Conformance suite\n"}) {
    EXPECT_TRUE(absl::StrContains(summary, part)) << part << " in " << summary;
  }
  EXPECT_EQ(absl::StrContains(summary, "\n# "), false) << "one heading: " << summary;
}

TEST_F(NightlyTest, NewFindingsHaveTheirDays) {
  ASSERT_TRUE(Run().ok());
  const std::string night = state_ / "nights/2026-11-22";
  EXPECT_TRUE(Ran(absl::StrCat("tosaic history --blame ", night, "/new-cases")));
  EXPECT_TRUE(fs::exists(night + "/new-cases/one.json"));
  const std::string summary = Slurp(night + "/summary.md");
  EXPECT_TRUE(absl::StrContains(summary, "Since when, and by whose fault")) << summary;
  EXPECT_TRUE(absl::StrContains(summary, "| `one.json` | since 1 |\n")) << summary;
  EXPECT_FALSE(absl::StrContains(summary, "whom to blame")) << summary;
  commands_.clear();
  status_ = "known";
  ASSERT_TRUE(Run().ok());
  EXPECT_FALSE(Ran("tosaic history"));
}

// Why it failed is said by then.
TEST_F(NightlyTest, ACampaignWithoutAResultHasNoReports) {
  fuzz_finishes_ = false;
  EXPECT_EQ(Run().value(), 3);
  EXPECT_FALSE(Ran("tosaic report " + (state_ / "nights/2026-11-22/campaign")));
  EXPECT_TRUE(Ran("tosaic report " + (state_ / "nights/2026-11-22/conform.json")));
}

TEST_F(NightlyTest, KeepsSoManyNightsAndARowOfEach) {
  options_.keep = 2;
  for (int night = 0; night < 3; ++night) {
    ASSERT_TRUE(Run().ok());
    status_ = "known";
  }
  EXPECT_FALSE(fs::exists(state_ / "nights/2026-11-22"));
  EXPECT_TRUE(fs::exists(state_ / "nights/2026-11-22-2"));
  EXPECT_TRUE(fs::exists(state_ / "nights/2026-11-22-3"));
  const Json nights = Json::parse(Slurp(state_ / "history.json"))["nights"];
  ASSERT_EQ(nights.size(), 3u);
  EXPECT_EQ(nights[0]["night"], "2026-11-22");
  EXPECT_EQ(nights[0]["new"], 2);
  EXPECT_EQ(nights[2]["new"], 0);
  EXPECT_EQ(nights[2]["cases"], 1000);
  const std::string page = Slurp(state_ / "index.html");
  EXPECT_TRUE(absl::StrContains(page, "<tr><td>2026-11-22</td>")) << "its summary is gone";
  EXPECT_TRUE(absl::StrContains(page, "<a href=\"nights/2026-11-22-3/summary.md\">"));
}

TEST_F(NightlyTest, ANightThatExecutesMuchLessHasFailed) {
  status_ = "known";
  fuzz_status_ = 0;
  EXPECT_EQ(Run().value(), 0);
  runs_ = 4000;
  EXPECT_EQ(Run().value(), 0) << "four fifths are enough";
  runs_ = 3000;
  EXPECT_EQ(Run().value(), 3);
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "nights/2026-11-22-3/summary.md"),
                                "**Alarm: A case executes 3.00 runs on average, 4.00 in the 2 nights before.**"));
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "index.html"), "A case executes 3.00 runs"));
  options_.ops = {"add"};
  EXPECT_EQ(Run().value(), 0) << "other ops are another measure";
}

// The rows stay, whatever is pruned.
TEST_F(NightlyTest, AnAlarmNeedsNoNightThatIsKept) {
  status_ = "known";
  fuzz_status_ = 0;
  options_.keep = 1;
  EXPECT_EQ(Run().value(), 0);
  EXPECT_EQ(Run().value(), 0);
  runs_ = 3000;
  EXPECT_EQ(Run().value(), 3);
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "nights/2026-11-22-3/summary.md"),
                                "A case executes 3.00 runs on average, 5.00 in the 2 nights before."));
  EXPECT_FALSE(fs::exists(state_ / "nights/2026-11-22-2"));
}

TEST_F(NightlyTest, TheNextNightKnowsWhatWasReportedAndComparesTheSuite) {
  ASSERT_TRUE(Run().ok());
  fuzz_status_ = 0;
  status_ = "known";
  EXPECT_EQ(Run().value(), 0);
  EXPECT_EQ(Slurp(state_ / "nights/2026-11-22-2/seed"), "202611222\n");
  EXPECT_TRUE(fs::is_empty(state_ / "nights/2026-11-22-2/new"));
  EXPECT_EQ(Json::parse(Slurp(state_ / "known.json"))["known"].size(), 3u);
  EXPECT_EQ(Json::parse(Slurp(state_ / "known.json"))["known"][0], ToJson(options_.known)["known"][0]);
  EXPECT_TRUE(Ran("tosaic compare"));
  EXPECT_EQ(Json::parse(Slurp(state_ / "nights/2026-11-22-2/reported.json")), Json::array());
  EXPECT_EQ(Reported().size(), 2u);
}

TEST_F(NightlyTest, AnotherToolchainHasACampaignAndTheSuiteAndWhatDiffersStandsBehind) {
  options_.other = "mlir-trunk";
  EXPECT_EQ(Run().value(), 1);
  const std::string night = state_ / "nights/2026-11-22";
  EXPECT_TRUE(Ran("tosaic fuzz --seed=20261122 --duration=26s"));
  EXPECT_TRUE(Ran("tosaic fuzz --toolchain=mlir-trunk --seed=20261122 --duration=13s"));
  EXPECT_TRUE(Ran("tosaic conform --toolchain=mlir-trunk"));
  EXPECT_TRUE(Ran(absl::StrCat("tosaic compare ", night, "/conform.json ", night, "/other-conform.json")));
  for (const char* file : {"other-campaign.html", "other-conform.xml", "new/one", "new/other-campaign-one"}) {
    EXPECT_TRUE(fs::exists(absl::StrCat(night, "/", file))) << file;
  }
  const std::string summary = Slurp(night + "/summary.md");
  EXPECT_GT(summary.find("**compare**"), summary.rfind("**report**")) << summary;
  EXPECT_EQ(Reported().size(), 2u) << "the same of both";
}

TEST_F(NightlyTest, ADifferenceBetweenVersionsIsNothingNewByItself) {
  options_.other = "mlir-trunk";
  status_ = "known";
  compare_status_ = 1;
  EXPECT_EQ(Run().value(), 0);
  EXPECT_TRUE(Ran("tosaic compare"));
}

// The exit status, the history, the page and the summary speak of the same things.
TEST_F(NightlyTest, WhatIsNewOnTheOtherToolchainAloneCountsEverywhere) {
  options_.other = "mlir-trunk";
  status_ = "known";
  status_of_other_ = "new";
  EXPECT_EQ(Run().value(), 1);
  const Json row = Json::parse(Slurp(state_ / "history.json"))["nights"][0];
  EXPECT_EQ(row["new"], 2);
  EXPECT_EQ(row["found"][0], Json::parse(R"({"signature": "campaign/one", "title": "tosa.add gives <b>",
                                             "toolchain": "mlir-trunk", "place": "new/other-campaign-one"})"));
  const std::string page = Slurp(state_ / "index.html"), summary = Slurp(state_ / "nights/2026-11-22/summary.md");
  EXPECT_TRUE(absl::StrContains(
      page,
      "<p class=\"headline bad\">2 new causes in the night of 2026-11-22, without libFuzzer targets: tosa.add gives "
      "&lt;b&gt;, on mlir-trunk"))
      << page;
  for (const char* link : {"new/other-campaign-one", "new", "other-campaign.html", "other-conform.html"}) {
    EXPECT_TRUE(absl::StrContains(page, absl::StrCat("<a href=\"nights/2026-11-22/", link, "\">"))) << link;
  }
  EXPECT_TRUE(absl::StartsWith(summary,
                               "# Tosaic: 2 new causes in the night of 2026-11-22, without libFuzzer targets: tosa.add "
                               "gives &lt;b\\>, on mlir-trunk"))
      << summary;
}

// A cause that a list has may still make a case worse than it was; an input of libFuzzer need not print a signature.
TEST_F(NightlyTest, WhateverMakesTheStatus1IsNamed) {
  status_ = "known";
  EXPECT_EQ(Run().value(), 0);
  EXPECT_EQ(Found(), Json::array());
  compare_status_ = 1;
  EXPECT_EQ(Run().value(), 1);
  ASSERT_EQ(Found().size(), 1u) << Found();
  EXPECT_EQ(Found()[0]["title"], "cases of the suite regressed since the night before");
  EXPECT_EQ(Found()[0]["place"], "comparison.md");
  compare_status_ = 0;
  status_ = "not-reduced";
  conform_status_ = 1;
  EXPECT_EQ(Run().value(), 1);
  ASSERT_EQ(Found().size(), 1u) << Found();
  EXPECT_EQ(Found()[0]["place"], "conform.html");
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "index.html"), "<p class=\"headline bad\">1 new cause"));
}

// The night that failed is not green either.
TEST_F(NightlyTest, APartThatFailsIsAnAlarm) {
  status_ = "known";
  conform_status_ = 139;
  EXPECT_EQ(Run().value(), 3);
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "index.html"), "the suite on mlir-22 ended with exit status 139"))
      << "page";
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "index.html"), "headline bad"));
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "nights/2026-11-22/summary.md"), "**Alarm: the suite on mlir-22 ended"));
}

TEST_F(NightlyTest, WhatOnlyTheOtherToolchainShowsIsReportedOfItsVersion) {
  options_.other = "mlir-trunk";
  of_other_ = "other/one";
  ASSERT_TRUE(Run().ok());
  const Json list = Json::parse(Slurp(state_ / "reported.json"));
  ASSERT_EQ(list["known"].size(), 3u);
  for (const Json& entry : list["known"]) {
    EXPECT_EQ(entry.contains("versions"), entry["signature"] == "other/one") << entry;
    if (entry.contains("versions")) EXPECT_EQ(entry["versions"], Json::array({"24"}));
  }
}

TEST_F(NightlyTest, AnotherToolchainThatDoesNotRunIsLeftOutAndMissed) {
  options_.other = "mlir-trunk";
  other_status_ = 2;
  fuzz_status_ = 0;
  EXPECT_EQ(Run().value(), 3);
  EXPECT_FALSE(Ran("fuzz --toolchain=mlir-trunk"));
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "nights/2026-11-22/summary.md"),
                                "**Alarm: mlir-trunk is left out: it does not run"));
  status_ = "known";
  other_status_ = 0;
  EXPECT_EQ(Run().value(), 0);
  other_status_ = 2;
  EXPECT_EQ(Run().value(), 3) << "it ran in the night before";
  EXPECT_TRUE(
      absl::StrContains(Slurp(state_ / "nights/2026-11-22-3/summary.md"), "**Alarm: Nothing ran on mlir-trunk"));
}

// --minutes is the time of the whole night.
TEST_F(NightlyTest, TheSuitesTimeIsNotTheCampaigns) {
  options_.other = "mlir-trunk";
  suite_seconds_ = 12;
  ASSERT_TRUE(Run().ok());
  EXPECT_EQ(suite_limits_, (std::vector<double>{15, 15}));
  EXPECT_TRUE(Ran("tosaic fuzz --seed=20261122 --duration=16s"));
  EXPECT_TRUE(Ran("tosaic fuzz --toolchain=mlir-trunk --seed=20261122 --duration=8s"));
  EXPECT_TRUE(Ran("-max_total_time=2 "));
}

TEST_F(NightlyTest, WhereNoTimeIsLeftTheTargetsAreLeftOut) {
  suite_seconds_ = 58;
  ASSERT_TRUE(Run().ok());
  EXPECT_FALSE(Ran("fuzz_verifier"));
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "nights/2026-11-22/summary.md"),
                                "| fuzz_verifier | left out: no time is left |"));
  EXPECT_TRUE(
      absl::StrContains(Slurp(state_ / "index.html"), " in the night of 2026-11-22, without libFuzzer targets"));
}

TEST_F(NightlyTest, ASuiteThatIsCutShortIsLeftOut) {
  ASSERT_TRUE(Run().ok());
  const std::string last = Slurp(state_ / "conform.json");
  conform_status_ = 4;
  status_ = "known";
  EXPECT_EQ(Run().value(), 0);
  const std::string night = state_ / "nights/2026-11-22-2";
  EXPECT_FALSE(fs::exists(night + "/conform.json"));
  EXPECT_FALSE(fs::exists(night + "/conform.html"));
  const std::string headline = "othing new in the night of 2026-11-22-2, without the suite on mlir-22";
  EXPECT_TRUE(absl::StrContains(Slurp(night + "/summary.md"), headline)) << "what was not done is no clean bill";
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "index.html"), headline));
  EXPECT_FALSE(Ran("tosaic compare"));
  EXPECT_EQ(Slurp(state_ / "conform.json"), last);
  EXPECT_TRUE(
      absl::StrContains(Slurp(night + "/summary.md"),
                        "the suite on mlir-22 is left out: it was not done in 30 s; --suite-minutes gives it more"));
}

TEST_F(NightlyTest, NoSuiteIfNoneIsAskedFor) {
  options_.suite_minutes = 0;
  ASSERT_TRUE(Run().ok());
  EXPECT_FALSE(Ran("tosaic conform"));
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "nights/2026-11-22/summary.md"), "is left out: --suite-minutes=0"));
}

TEST_F(NightlyTest, PassesArePutIntoTheRouteOfTheCampaignAndTheSuite) {
  options_.edits = {"--load-pass-plugin=/p.so", "--insert-after=cse:my-pass"};
  ASSERT_TRUE(Run().ok());
  EXPECT_TRUE(Ran(absl::StrCat("--out=", state_ / "nights/2026-11-22/campaign",
                               " --load-pass-plugin=/p.so --insert-after=cse:my-pass")));
  EXPECT_TRUE(Ran(absl::StrCat("--out=", state_ / "nights/2026-11-22/conform.json", " --load-pass-plugin=/p.so")));
  EXPECT_FALSE(Ran("fuzz_verifier"));
  const std::string summary = Slurp(state_ / "nights/2026-11-22/summary.md");
  EXPECT_TRUE(absl::StrContains(summary, " --load-pass-plugin='/p.so' --insert-after='cse:my-pass' --out=")) << summary;
  EXPECT_TRUE(absl::StrContains(summary, "| fuzz_verifier | left out: it tests MLIR without other passes |"));
}

TEST_F(NightlyTest, TheExitStatusIsTheWorst) {
  fuzz_status_ = 0;
  status_ = "known";
  EXPECT_EQ(Run().value(), 0);
  compare_status_ = 2;  // another suite
  EXPECT_EQ(Run().value(), 0);
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "nights/2026-11-22-2/summary.md"),
                                "not compared with that of the night before: that was another suite"));
  Spill(state_ / "conform.json", "{\"cases\": 1");  // somebody cut it short
  EXPECT_EQ(Run().value(), 3);
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "nights/2026-11-22-3/summary.md"),
                                "**Alarm: the suite is not compared with that of the night before: its report"));
  compare_status_ = 3;  // a side has harness faults
  EXPECT_EQ(Run().value(), 3);
  EXPECT_EQ(Slurp(state_ / "nights/2026-11-22-4/comparison.md"), "# compare\n");
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "nights/2026-11-22-4/summary.md"),
                                "**Alarm: not all cases of the suite are compared with the night before"));
  EXPECT_TRUE(Found().empty());
  Comparison comparison;
  comparison.tiles.emplace_back().cases = {.regressed = 1, .harness_fault = 1};
  changes_ = Dump(ToJson(comparison), 1);
  EXPECT_EQ(Run().value(), 3);
  ASSERT_EQ(Found().size(), 1u) << "what regressed beside it would be in the suite that the next night compares with";
  EXPECT_EQ(Found()[0]["title"], "cases of the suite regressed since the night before");
  compare_status_ = 1;
  EXPECT_EQ(Run().value(), 1);
  for (const int status : {2, 3}) {
    conform_status_ = status;
    EXPECT_EQ(Run().value(), 3) << "whatever a part fails of";
  }
  conform_status_ = 0;
  log_ = "it does not start\n";
  EXPECT_EQ(Run().value(), 3);
}

TEST_F(NightlyTest, WhatTheFuzzersFindIsReported) {
  fuzz_status_ = 0;
  status_ = "known";
  log_ = "#1\ntosaic: a new divergence: fuzz/one\n";
  fs::create_directories(state_ / "nights/2026-11-22/crashes");
  Spill(state_ / "nights/2026-11-22/crashes/fuzz_verifier-1", "");
  EXPECT_EQ(Run().value(), 1);
  EXPECT_EQ(Slurp(state_ / "nights/2026-11-22/fuzz-signatures"), "fuzz/one\n");
  EXPECT_EQ(Reported(), (std::set<std::string>{"fuzz/one"}));
}

// Inputs that add no coverage are not kept from night to night; a merge that fails loses nothing.
TEST_F(NightlyTest, CorporaOfTheFuzzersArePruned) {
  const std::string corpus = state_ / "corpus/fuzz_verifier";
  fs::create_directories(corpus);
  Spill(corpus + "/superfluous", "");
  merge_status_ = 1;
  ASSERT_TRUE(Run().ok());
  EXPECT_TRUE(fs::exists(corpus + "/superfluous"));
  merge_status_ = 0;
  ASSERT_TRUE(Run().ok());
  EXPECT_FALSE(fs::exists(corpus + "/superfluous"));
  EXPECT_TRUE(fs::exists(corpus + "/kept"));
  EXPECT_FALSE(fs::exists(corpus + ".pruned"));
  EXPECT_TRUE(Ran(absl::StrCat("fuzz_verifier -merge=1 ", corpus, ".pruned ", corpus)));
}

// A night as the script of earlier versions left it.
TEST_F(NightlyTest, FinishesNightsThatWereCutShort) {
  Spill(state_ / "reported.json", "{\n  \"known\": []\n}\n");
  fs::create_directories(state_ / "nights/2026-11-21/campaign");
  Spill(state_ / "nights/2026-11-21/seed", "5\n");
  Spill(state_ / "nights/2026-11-21/campaign/journal.jsonl", "");
  fs::create_directories(state_ / "nights/2026-11-22");
  Spill(state_ / "nights/2026-11-22/seed", "6\n");
  EXPECT_EQ(Run().value(), 1);
  EXPECT_TRUE(Ran(absl::StrCat("tosaic fuzz --seed=5 --duration=1s --jobs=2 --known=", state_ / "known.json",
                               " --out=", state_ / "nights/2026-11-21/campaign")));
  EXPECT_TRUE(Ran("tosaic fuzz --seed=6 --duration=39s"));
  EXPECT_TRUE(fs::exists(state_ / "nights/2026-11-21/done"));
  EXPECT_TRUE(fs::exists(state_ / "nights/2026-11-22/done"));
  EXPECT_FALSE(fs::exists(state_ / "nights/2026-11-22-2"));
}

class InterruptedNightTest : public NightlyTest {
 protected:
  InterruptedNightTest() {
    fs::create_directories(before_ + "/campaign");
    Spill(before_ + "/seed", "5\n");
    status_ = "known";
  }
  void LeaveCampaign() const { Spill(before_ + "/campaign/journal.jsonl", ""); }
  // Runs tonight, where `play_before` plays the parts of the night before.
  absl::StatusOr<int> RunWith(const CommandRunner& play_before) {
    const auto run = [&](const Command& command) {
      const bool is_before = absl::StrContains(absl::StrJoin(command.arguments, " "), "2026-11-21");
      return is_before ? play_before(command) : Play(command);
    };
    return RunNightly(options_, run, nullptr);
  }
  std::string Summary() const { return Slurp(before_ + "/summary.md"); }

  const std::string before_ = state_ / "nights/2026-11-21";
};

TEST_F(InterruptedNightTest, WhatItsCampaignFoundMakesTonightsStatusAndIsKnownTonight) {
  LeaveCampaign();
  std::string known;
  fuzz_status_ = 0;
  EXPECT_EQ(RunWith([&](const Command& command) {
              status_ = "new";
              const int status = Play(command);
              status_ = "known";
              return status;
            }).value(),
            1);
  EXPECT_TRUE(absl::StrContains(Slurp(state_ / "known.json"), "campaign/one"));
  EXPECT_TRUE(absl::StrContains(Summary(), "1 new cause in the night of 2026-11-21")) << Summary();
  EXPECT_TRUE(absl::StrContains(Summary(), "without what its interruption cut short")) << Summary();
  const std::string tonight = Slurp(state_ / "nights/2026-11-22/summary.md");
  EXPECT_TRUE(absl::StrContains(tonight, "1 new cause in the night of 2026-11-21")) << tonight;
}

TEST_F(InterruptedNightTest, ItsSuiteIsComparedWithTheNightBeforeIt) {
  Spill(state_ / "conform.json", "{}");
  Spill(before_ + "/conform.json", "{}");
  EXPECT_EQ(RunWith([&](const Command& command) {
              compare_status_ = 1;
              const int status = Play(command);
              compare_status_ = 0;
              return status;
            }).value(),
            1);
  EXPECT_TRUE(absl::StrContains(Summary(), "cases of the suite regressed")) << Summary();
}

TEST_F(InterruptedNightTest, WhatItsFuzzersFoundIsReported) {
  fs::create_directories(before_ + "/crashes");
  Spill(before_ + "/crashes/fuzz_trait-1", "");
  Spill(before_ + "/fuzz_trait.log", "#1\ntosaic: a new divergence: fuzz/one\n");
  EXPECT_EQ(Run().value(), 1);
  EXPECT_TRUE(absl::StrContains(Summary(), "fuzz/one")) << Summary();
  EXPECT_TRUE(Reported().contains("fuzz/one"));
}

TEST_F(InterruptedNightTest, ItGoesOnWithItsOwnFlags) {
  LeaveCampaign();
  Spill(before_ + "/flags.json", R"({"ops": ["add", "mul"], "edits": ["--insert-after=cse:my-pass"]})");
  options_.ops = {"floor"};
  EXPECT_EQ(Run().value(), 0);
  EXPECT_TRUE(Ran("2026-11-21/campaign --ops=add,mul --insert-after=cse:my-pass"));
  EXPECT_TRUE(absl::StrContains(Summary(), " --ops=add,mul --insert-after='cse:my-pass' ")) << Summary();
  EXPECT_TRUE(Ran("2026-11-22/campaign --ops=floor"));
}

// Its parts would be of different ops.
TEST_F(InterruptedNightTest, TodaysIsRefusedBeforeAnythingRunsIfItBeganWithOtherFlags) {
  LeaveCampaign();
  fs::create_directories(state_ / "nights/2026-11-22");
  Spill(state_ / "nights/2026-11-22/seed", "6\n");
  Spill(state_ / "nights/2026-11-22/flags.json", R"({"ops": ["mul", "add"], "edits": ["--insert-after=cse:my-pass"]})");
  options_.ops = {"floor"};
  EXPECT_EQ(std::string(Run().status().message()),
            absl::StrCat(state_ / "nights/2026-11-22",
                         ": the night of today that was interrupted began with --insert-after='cse:my-pass' "
                         "--ops='mul,add'; give these again, or remove the folder"));
  EXPECT_FALSE(Ran("tosaic"));
  Spill(state_ / "nights/2026-11-22/flags.json", R"({"ops": [], "edits": []})");
  EXPECT_TRUE(absl::StrContains(std::string(Run().status().message()), "began with no flags for ops or passes; give"));
  options_.ops.clear();
  EXPECT_EQ(Run().value(), 0);
  EXPECT_TRUE(Ran("tosaic fuzz --seed=6"));
}

// Another revision of Tosaic, a damaged journal.
TEST_F(InterruptedNightTest, ACampaignThatCannotGoOnIsAnAlarm) {
  LeaveCampaign();
  EXPECT_EQ(RunWith([&](const Command& command) { return command.arguments[1] == "fuzz" ? 2 : Play(command); }).value(),
            3);
  EXPECT_TRUE(absl::StrContains(Summary(), "Alarm: a campaign cannot go on")) << Summary();
  EXPECT_EQ(Run().value(), 0) << "once";
}

TEST_F(InterruptedNightTest, ASeedThatCannotBeReadHoldsNothingUp) {
  LeaveCampaign();
  Spill(before_ + "/seed", "");
  EXPECT_EQ(Run().value(), 3);
  EXPECT_TRUE(absl::StrContains(Summary(), "seed: it holds no number")) << Summary();
  EXPECT_TRUE(fs::exists(state_ / "nights/2026-11-22/done"));
}

TEST_F(NightlyTest, WhatNobodyWasToldIsToldAgain) {
  for (const char* file : {"nights/2026-11-22/summary.md", "index.html"}) {
    fs::create_directories(state_ / absl::StrCat(file, "/in the way"));
    EXPECT_FALSE(Run().ok()) << file;
    EXPECT_TRUE(Reported().empty()) << file;
    fs::remove_all(state_ / file);
    EXPECT_EQ(Run().value(), 1) << file;
    EXPECT_EQ(Found().size(), 2u) << file;
    EXPECT_FALSE(fs::exists(state_ / "nights/2026-11-22-2")) << file;
    for (const char* left : {"nights", "history.json", "index.html", "reported.json"}) fs::remove_all(state_ / left);
  }
}

TEST_F(NightlyTest, TheSuiteIsComparedWithTheLastOneOfTheSameFlags) {
  status_ = "known";
  ASSERT_EQ(Run().value(), 0);
  const std::string plain = Slurp(state_ / "conform.json");
  options_.ops = {"ceil"};
  status_ = "beyond-spec";
  ASSERT_EQ(Run().value(), 0);
  EXPECT_TRUE(Ran(absl::StrCat("compare ", state_ / "conform.json"))) << "it says why it does not compare";
  EXPECT_EQ(Slurp(state_ / "conform.json"), plain);
  ASSERT_EQ(Run().value(), 0);
  EXPECT_TRUE(Ran(absl::StrCat("compare ", state_ / "conform-"))) << "the same ops again";
}

TEST_F(NightlyTest, ACorpusSurvivesThatTheNightDiedOver) {
  const std::string corpus = state_ / "corpus/fuzz_verifier";
  fs::create_directories(corpus + ".before");
  Spill(corpus + ".before/input", "");
  merge_status_ = 1;
  ASSERT_TRUE(Run().ok());
  EXPECT_TRUE(fs::exists(corpus + "/input"));
}

TEST_F(NightlyTest, AnInterruptedOneIsNotDone) {
  std::atomic<bool> stop = false;
  const auto interrupted = RunNightly(
      options_,
      [&](const Command& command) {
        fuzz_finishes_ = false;
        stop = true;
        return Play(command);
      },
      &stop);
  EXPECT_EQ(interrupted.status().code(), absl::StatusCode::kCancelled) << interrupted.status();
  EXPECT_EQ(commands_.size(), 1u);
  EXPECT_FALSE(fs::exists(state_ / "nights/2026-11-22/done"));
}

TEST_F(NightlyTest, OneAtATimeAndWhatIsWrongIsNamed) {
  absl::Status second;
  ASSERT_TRUE(RunNightly(
                  options_,
                  [&](const Command& command) {
                    second.Update(RunNightly(options_, [](const Command&) { return 0; }, nullptr).status());
                    return Play(command);
                  },
                  nullptr)
                  .ok());
  EXPECT_TRUE(absl::StrContains(second.message(), "another tosaic is at work there")) << second;
  Spill(state_ / "reported.json", "[]");
  EXPECT_TRUE(absl::StrContains(Run().status().message(), "reported.json: it must be an object with an array"))
      << Run().status();
  Spill(state_ / "reported.json", R"({"known": [{"sig": 1}]})");
  EXPECT_TRUE(absl::StrContains(Run().status().message(), "reported.json: known[0]")) << Run().status();
  options_.state = "/dev/null/state";
  EXPECT_TRUE(absl::StrContains(Run().status().message(), "--state=/dev/null/state: "));
}

}  // namespace
}  // namespace tosaic
