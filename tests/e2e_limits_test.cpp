// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The real tosaic at its limits: large cases, little memory, little time, workers that somebody kills. Whatever Tosaic
// itself fails in is its own fault, and a campaign is the same however it is run.
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/run_tosaic.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

// A chain of additions of 4096 x 2048 elements, as large as a tensor may be, in a file of some kilobytes.
std::string LargeCase(int ops) {
  const auto tensor = [](int rows, int columns) {
    const std::vector<std::string> data(static_cast<size_t>(rows) * static_cast<size_t>(columns), "01");
    return absl::StrCat("{\"type\": \"i8\", \"shape\": [", rows, ", ", columns, "], \"data\": \"",
                        absl::StrJoin(data, " "), "\"}");
  };
  std::vector<std::string> applied;
  for (int i = 0; i < ops; ++i) {
    const std::string first = i == 0 ? "%arg0" : absl::StrCat("%", i - 1);
    applied.push_back(absl::StrCat("{\"op\": \"bitwise_xor\", \"operands\": [\"", first,
                                   "\", \"%arg1\"], \"attributes\": {}, \"result\": \"tensor<4096x2048xi8>\"}"));
  }
  return absl::StrCat(
      "{\"tosaic_case\": 1, \"route\": \"loops\", \"program\": {\"arguments\": [\"tensor<4096x1xi8>\", "
      "\"tensor<1x2048xi8>\"], \"constants\": [], \"ops\": [",
      absl::StrJoin(applied, ", "), "], \"results\": [\"%", ops - 1, "\"]}, \"runs\": [[", tensor(4096, 1), ", ",
      tensor(1, 2048), "]]}");
}

std::string Under(const std::string& limit, const std::string& command) {
  return absl::StrCat("ulimit ", limit, "; exec ", TOSAIC_BINARY, " ", command);
}

Ran Bash(const std::string& line) {
  TemporaryDirectory directory;
  const std::string out = directory / "out", err = directory / "err";
  Spill(directory / "script", line);
  const int status = std::system(absl::StrCat("bash ", directory / "script", " >", out, " 2>", err).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), Slurp(out), Slurp(err)};
}

TEST(E2eLimits, TheLargestTensorsAreNobodysFault) {
  TemporaryDirectory temporary;
  const std::string file = temporary / "large.json";
  Spill(file, LargeCase(1));
  const Ran all = RunTosaic({"check", "--cpu-limit=100", "--wall-limit=1000", file});
  EXPECT_EQ(all.status, 0) << all.out << all.err;
  EXPECT_TRUE(absl::StrContains(all.out, "compared:  8388608 of 8388608 elements")) << all.out;
  if (!kLimitsAddressSpace) return;  // the sanitizer has no room of its own then
  // Without room for its memory Tosaic fails, and says so.
  const Ran little = Bash(Under("-v 2000000", absl::StrCat("check ", file)));
  EXPECT_EQ(little.status, 3) << little.out << little.err;
  EXPECT_TRUE(absl::StrContains(little.out, "harness-fault [harness.toolchain]")) << little.out;
  EXPECT_TRUE(absl::StrContains(little.out, "for guarded memory: Cannot allocate memory")) << little.out;
}

TEST(E2eLimits, EveryCommandEndsInItsTime) {
  TemporaryDirectory temporary;
  const std::string file = temporary / "large.json";
  Spill(file, LargeCase(40));
  const std::map<std::string, int> kStatus = {
      {"check", 3}, {"reduce", 3}, {"bisect-passes", 3}, {"reproduce", 3}, {"eval", 2}};
  for (const auto& [command, status] : kStatus) {
    std::vector<std::string> arguments = {command, "--cpu-limit=1", file};
    if (command == "reproduce") arguments.push_back(absl::StrCat("--out=", temporary / "reproducer"));
    const Ran ran = RunTosaic(arguments);
    EXPECT_EQ(ran.status, status) << command << ": " << ran.out << ran.err;
    const std::string& output = command == "check" ? ran.out : ran.err;
    EXPECT_TRUE(absl::StrContains(output, "--cpu-limit") || absl::StrContains(output, "1 s of CPU time")) << output;
  }
}

// The results of a campaign, without its times.
std::string Timeless(const std::string& out) {
  Json summary = SummaryIn(out);
  for (const char* key : {"elapsed_seconds", "cases_per_second"}) summary.erase(key);
  summary["provenance"].erase("command_line");
  return absl::StrCat(Dump(summary, 1), Slurp(out + "/journal.jsonl"));
}

TEST(E2eLimits, ACampaignIsTheSameHoweverItIsRun) {
  TemporaryDirectory temporary;
  const auto fuzz = [&](const std::string& name, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"fuzz", "--seed=77", "--cases=60", "--no-reduce", "--quiet",
                                 absl::StrCat("--out=", temporary / name)});
    return flags;
  };
  RunTosaic(fuzz("whole", {"--jobs=1"}));
  EXPECT_EQ(SummaryIn(temporary / "whole")["harness_faults"], Json::array());
  const std::string whole = Timeless(temporary / "whole");
  for (const char* jobs : {"--jobs=2", "--jobs=4"}) {
    RunTosaic(fuzz(jobs, {jobs}));
    EXPECT_EQ(Timeless(temporary / jobs), whole) << jobs;
  }
  Running killed(temporary, fuzz("killed", {"--jobs=2"}));
  for (size_t lines = 2; lines < 60; lines += 2) {
    WaitForLines(killed, temporary / "killed/journal.jsonl", lines);
    (void)std::system(absl::StrCat("pkill -KILL -P ", killed.pid()).c_str());
  }
  killed.Wait();
  EXPECT_EQ(Timeless(temporary / "killed"), whole);
  std::vector<std::string> merge = {"merge", absl::StrCat("--out=", temporary / "merged")};
  for (int i = 1; i <= 3; ++i) {
    RunTosaic(fuzz(absl::StrCat("shard", i), {absl::StrCat("--shard=", i, "/3")}));
    merge.push_back(temporary / absl::StrCat("shard", i));
  }
  RunTosaic(merge);
  EXPECT_EQ(Timeless(temporary / "merged"), whole);
}

}  // namespace
}  // namespace tosaic
