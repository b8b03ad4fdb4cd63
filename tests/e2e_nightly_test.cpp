// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nights of seconds with the real tosaic.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// Without a list of known divergences all that MLIR does wrong with this op is new.
std::vector<std::string> Night(const std::string& state, const std::string& minutes = "0.05",
                               const std::string& known = "none") {
  return {"nightly",  "--minutes=" + minutes, "--suite-minutes=60", "--state=" + state, "--ops=abs",
          "--jobs=2", "--known=" + known,     "--other=none"};
}

// The names of the nights that are there.
std::vector<std::string> Nights(const std::string& state) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(state + "/nights")) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

size_t Reported(const std::string& state) { return Json::parse(Slurp(state + "/reported.json"))["known"].size(); }

TEST(E2eNightly, ASecondNightFindsNothingNew) {
  TemporaryDirectory temporary;
  const std::string state = temporary / "state";
  const Ran first = RunTosaic(Night(state));
  EXPECT_EQ(first.status, 1) << first.out << first.err;
  EXPECT_TRUE(absl::StartsWith(first.out, "nightly: seed 2")) << first.out;
  EXPECT_TRUE(absl::StrContains(first.out, ", 0.05 minutes, results in " + state + "/nights/2")) << first.out;
  EXPECT_TRUE(absl::StrContains(first.out,
                                "nightly: first the conformance suite on mlir-22 (at most 3600 s), then a "
                                "campaign on mlir-22, what is found being reduced\n"))
      << first.out;
  EXPECT_TRUE(absl::StrContains(first.out, "nightly: fuzz_numeric is left out: no --fuzzers")) << first.out;
  ASSERT_EQ(Nights(state).size(), 1u);
  const std::string night = absl::StrCat(state, "/nights/", Nights(state)[0]);
  EXPECT_FALSE(fs::is_empty(night + "/new"));
  EXPECT_GT(Reported(state), 0u);
  EXPECT_TRUE(absl::StrContains(first.out.substr(first.out.find("\nnightly: ", first.out.find("all nights: "))),
                                absl::StrCat(", on mlir-22\n      ", night, "/new/")))
      << "the last lines name what is new: " << first.out;
  EXPECT_TRUE(absl::StrContains(Slurp(state + "/index.html"), "<figcaption>New causes <b>")) << "the trend";
  // The command of the summary runs the same campaign.
  const std::string summary = Slurp(night + "/summary.md");
  const size_t at = summary.find("    tosaic fuzz ") + 15;
  std::vector<std::string> replay = absl::StrSplit(summary.substr(at, summary.find(" --out=", at) - at), ' ');
  std::erase(replay, "");
  for (std::string& word : replay) word = absl::StrReplaceAll(word, {{"'", ""}});
  replay.insert(replay.begin(), "fuzz");
  replay.push_back(absl::StrCat("--out=", temporary / "replay"));
  EXPECT_EQ(RunTosaic(replay).status, 1);
  const Json campaign = Json::parse(Slurp(night + "/campaign/summary.json"));
  const Json replayed = Json::parse(Slurp(temporary / "replay/summary.json"));
  EXPECT_EQ(replayed["verdicts"], campaign["verdicts"]);
  EXPECT_EQ(replayed["findings"].size(), campaign["findings"].size());
  for (const char* file : {"seed", "done", "campaign.html", "campaign.xml", "campaign.sarif", "campaign.md",
                           "conform.html", "conform.json", "summary.md", "reported.json"}) {
    EXPECT_TRUE(fs::exists(absl::StrCat(night, "/", file))) << file;
  }

  // The same seed for a shorter time: all of it has been reported, unless the machine has become so much faster that
  // there are cases behind those of before.
  std::string seed = Slurp(night + "/seed");
  seed.pop_back();
  const auto cases_in = [](const std::string& folder) {
    return Json::parse(Slurp(folder + "/campaign/summary.json"))["cases"].get<uint64_t>();
  };
  uint64_t reported = 0, tried = cases_in(night);
  Ran second;
  std::string folder;
  for (int i = 1; tried > reported; ++i) {
    reported = tried;
    std::vector<std::string> again = Night(state, "0.01");
    again.push_back("--seed=" + seed);
    second = RunTosaic(again);
    folder = absl::StrCat(night, "-seed-", seed, i == 1 ? "" : absl::StrCat("-", i));
    tried = cases_in(folder);
  }
  EXPECT_EQ(second.status, 0) << second.out << second.err;
  EXPECT_TRUE(absl::StrContains(second.out, "\nnightly: nothing new in the night of ")) << second.out;
  EXPECT_TRUE(fs::exists(folder + "/comparison.md"));
}

// Tools of the same version differ in nothing.
TEST(E2eNightly, AnotherToolchainIsRunAndCompared) {
  TemporaryDirectory temporary;
  const std::string state = temporary / "state";
  // Tools need the least time for the cases of this op, and reduce nothing that is known.
  std::vector<std::string> arguments = Night(state, "0.05", "default");
  *std::find(arguments.begin(), arguments.end(), "--ops=abs") = "--ops=logical_not";
  arguments.back() = "--other=mlir-22-tools";
  const Ran ran = RunTosaic(arguments);
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const std::string night = absl::StrCat(state, "/nights/", Nights(state)[0]);
  for (const char* file : {"other-campaign.html", "other-conform.json", "other-conform.md", "versions.md"}) {
    EXPECT_TRUE(fs::exists(absl::StrCat(night, "/", file))) << file;
  }
  const std::string summary = Slurp(night + "/summary.md");
  EXPECT_LT(summary.find("## Campaign\n"), summary.find("## What the two versions do differently\n")) << summary;
}

// Kills the night itself, and no more. Nothing is new, so nothing is dated.
TEST(E2eNightly, WhatOutlivesANightHoldsNothing) {
  TemporaryDirectory temporary, outputs;
  const std::string state = temporary / "state";
  Running running(outputs, Night(state, "10", "default"));
  std::string journal;
  while (!running.Ended() && std::count(journal.begin(), journal.end(), '\n') < 50) {
    usleep(50'000);
    if (!fs::exists(state + "/nights") || Nights(state).empty()) continue;
    journal = Slurp(absl::StrCat(state, "/nights/", Nights(state)[0], "/campaign/journal.jsonl"));
  }
  kill(running.pid(), SIGKILL);
  EXPECT_EQ(running.Wait().status, 128 + SIGKILL);
  const Ran next = RunTosaic(Night(state, "0.01", "default"));
  EXPECT_NE(next.status, 2) << next.err;
  ASSERT_EQ(Nights(state).size(), 1u);
  EXPECT_TRUE(fs::exists(absl::StrCat(state, "/nights/", Nights(state)[0], "/done")));
}

TEST(E2eNightly, TheNextNightFinishesAnInterruptedOne) {
  TemporaryDirectory temporary, outputs;
  const std::string state = temporary / "state";
  Running running(outputs, Night(state, "10"));
  while (!running.Ended()) {
    usleep(50'000);
    const bool began = fs::exists(state + "/nights") && !Nights(state).empty();
    if (!began) continue;
    const std::string journal = Slurp(absl::StrCat(state, "/nights/", Nights(state)[0], "/campaign/journal.jsonl"));
    if (std::count(journal.begin(), journal.end(), '\n') > 300) break;
  }
  const Ran refused = RunTosaic(Night(state));
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(absl::StrContains(refused.err, "another tosaic is at work there")) << refused.err;
  kill(running.pid(), SIGTERM);
  const Ran interrupted = running.Wait();
  EXPECT_EQ(interrupted.status, 4) << interrupted.out << interrupted.err;
  EXPECT_TRUE(absl::StrContains(interrupted.err, "interrupted; the same command goes on with it today, and "))
      << interrupted.err;
  ASSERT_EQ(Nights(state).size(), 1u);
  EXPECT_FALSE(fs::exists(absl::StrCat(state, "/nights/", Nights(state)[0], "/done")));

  // As if it had been yesterday's. Tonight has the seed of that night, so that it finds nothing else.
  const std::string yesterday = state + "/nights/2026-01-01";
  std::string seed = Slurp(absl::StrCat(state, "/nights/", Nights(state)[0], "/seed"));
  seed.pop_back();
  fs::rename(absl::StrCat(state, "/nights/", Nights(state)[0]), yesterday);
  std::vector<std::string> next = Night(state, "0.01");
  next.push_back("--seed=" + seed);
  const Ran finished = RunTosaic(next);
  EXPECT_TRUE(absl::StartsWith(finished.out, "nightly: finishing the interrupted night 2026-01-01\n")) << finished.out;
  EXPECT_TRUE(fs::exists(yesterday + "/done"));
  EXPECT_FALSE(fs::is_empty(yesterday + "/new"));
  EXPECT_TRUE(fs::exists(yesterday + "/campaign.html"));
  EXPECT_EQ(Nights(state).size(), 2u);
  EXPECT_GT(Reported(state), 0u);
  const Ran last = RunTosaic(next);
  EXPECT_EQ(last.status, 0) << last.out << last.err;
  EXPECT_FALSE(absl::StrContains(last.out, "finishing")) << last.out;
}

// A pass that makes abs wrong, put behind the lowering, is found by the campaign and by the suite.
TEST(E2eNightly, TakesAPluginAndItsPasses) {
  TemporaryDirectory temporary;
  const std::string state = temporary / "state";
  std::vector<std::string> arguments = Night(state, "0.05", "default");
  arguments.push_back(kPluginFlag);
  arguments.push_back("--insert-after=tosa-to-linalg:tosaic-break{what=abs-by-inverting}");
  const Ran ran = RunTosaic(arguments);
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  const std::string night = absl::StrCat(state, "/nights/", Nights(state)[0]);
  for (const char* result : {"/campaign/summary.json", "/conform.json"}) {
    const Json json = Json::parse(Slurp(night + result));
    EXPECT_EQ(json["provenance"]["plugins"].size(), 1u) << result;
    const auto is_new = [](const Json& finding) { return finding["status"] == "new"; };
    EXPECT_TRUE(std::any_of(json["findings"].begin(), json["findings"].end(), is_new)) << result;
  }
}

}  // namespace
}  // namespace tosaic
