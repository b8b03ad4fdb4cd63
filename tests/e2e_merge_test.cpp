// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic merge: what shards leave becomes, byte for byte but for times, what one machine would have left.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// Rich in divergences that several cases show, and that do not depend on memory.
std::vector<std::string> FuzzRichly(const std::string& out, std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"fuzz", "--seed=1", "--cases=120", "--jobs=2", "--ops=mul,cast,abs",
                               "--illegal-percent=30", "--beyond-spec-percent=30", absl::StrCat("--out=", out)});
  return flags;
}

// Every file of a work directory, without times and the command line.
std::map<std::string, std::string> TimelessFiles(const std::string& out) {
  std::map<std::string, std::string> files = FilesBelow(out);
  Json summary = SummaryIn(out);
  for (const char* key : {"elapsed_seconds", "cases_per_second"}) summary.erase(key);
  summary["provenance"].erase("command_line");
  files["summary.json"] = Dump(summary, 1);
  // MLIR reads memory that nobody wrote (F2), and prints addresses from there in its diagnostics.
  for (auto& [file, content] : files) content = std::regex_replace(content, std::regex("[0-9]{12,}"), "N");
  return files;
}

// Ends a shard by that signal in the middle, then runs it to its end.
void InterruptAndFinish(const std::vector<std::string>& arguments, const std::string& out, int signal) {
  StoppedInTheMidst(arguments, out, out + "/journal.jsonl", 5, signal);
  EXPECT_LE(RunTosaic(arguments).status, 1);
}

class E2eMerge : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    whole_ = new TemporaryDirectory();
    RunTosaic(FuzzRichly(*whole_ / "whole", {}));
  }
  static void TearDownTestSuite() {
    delete whole_;
    whole_ = nullptr;
  }
  static std::string Whole() { return *whole_ / "whole"; }
  static TemporaryDirectory* whole_;
};
TemporaryDirectory* E2eMerge::whole_ = nullptr;

TEST_F(E2eMerge, MergedEqualsUnsharded) {
  ASSERT_GT(SummaryIn(Whole())["findings"].size(), 3u);
  for (const int shards : {1, 3, 8}) {
    SCOPED_TRACE(shards);
    TemporaryDirectory temporary;
    std::vector<std::string> merge = {"merge", absl::StrCat("--out=", temporary / "merged")};
    for (int shard = shards; shard >= 1; --shard) {
      const std::string out = temporary / absl::StrCat(shard);
      const std::vector<std::string> arguments = FuzzRichly(out, {absl::StrCat("--shard=", shard, "/", shards)});
      merge.push_back(out);
      if (shard == 1) {
        InterruptAndFinish(arguments, out, SIGKILL);
      } else if (shard == 2) {
        InterruptAndFinish(arguments, out, SIGINT);
      } else {
        EXPECT_LE(RunTosaic(arguments).status, 1);
      }
    }
    const Ran ran = RunTosaic(merge);
    EXPECT_LE(ran.status, 1) << ran.err;
    const auto whole = TimelessFiles(Whole()), merged = TimelessFiles(temporary / "merged");
    for (const auto& [file, content] : whole) {
      ASSERT_TRUE(merged.contains(file)) << file;
      EXPECT_EQ(merged.at(file), content) << file;
    }
    EXPECT_EQ(merged.size(), whole.size());
    EXPECT_EQ(RunTosaic(merge).status, ran.status) << "merging again changes nothing";
    EXPECT_EQ(TimelessFiles(temporary / "merged"), merged);
  }
}

TEST_F(E2eMerge, WhatIsMissingIsNamed) {
  TemporaryDirectory temporary;
  const std::string first = temporary / "1", second = temporary / "2", merged = temporary / "merged";
  RunTosaic(FuzzRichly(first, {"--shard=1/3", "--no-reduce"}));
  StoppedInTheMidst(FuzzRichly(second, {"--shard=2/3", "--no-reduce"}), second, second + "/journal.jsonl", 5, SIGKILL);
  std::vector<std::string> merge = {"merge", first, second, "--out=" + merged};
  const Ran ran = RunTosaic(merge);
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(absl::StrContains(ran.err, "incomplete: shard 3 of 3: it is not there")) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.err, "2: it has no results: it is at work, or was killed")) << ran.err;
  const Ran second_alone = RunTosaic({"merge", second, "--partial", "--out=" + (temporary / "second")});
  EXPECT_TRUE(absl::StrContains(second_alone.err, "shard 1 of 3: it is not there")) << second_alone.err;
  const Ran first_alone = RunTosaic({"merge", first, "--out=" + (temporary / "first")});
  EXPECT_TRUE(absl::StrContains(first_alone.err, "shards 2 to 3 of 3: they are not there")) << first_alone.err;
  EXPECT_EQ(SummaryIn(temporary / "first")["missing"], Json::array({"shards 2 to 3 of 3: they are not there"}));
  EXPECT_EQ(SummaryIn(merged)["interrupted"], true);
  EXPECT_EQ(SummaryIn(merged)["cases"], 40);
  EXPECT_EQ(SummaryIn(merged)["seed"], SummaryIn(first)["seed"]);
  EXPECT_EQ(SummaryIn(merged)["cases_per_second"], SummaryIn(first)["cases_per_second"]);
  merge.push_back("--partial");
  EXPECT_LE(RunTosaic(merge).status, 1);
  const Ran twice = RunTosaic({"merge", first, first, "--out=" + (temporary / "twice")});
  EXPECT_EQ(twice.status, 2);
  EXPECT_TRUE(absl::StrContains(twice.err, "shard 1 of 3 is there twice")) << twice.err;
  const Ran none = RunTosaic({"merge", temporary.path(), "--out=" + (temporary / "none")});
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(absl::StrContains(none.err, "journal.jsonl: there is no such file")) << none.err;
  const Ran nowhere = RunTosaic({"merge", temporary / "nowhere", "--out=" + (temporary / "none")});
  EXPECT_TRUE(absl::StrContains(nowhere.err, "nowhere: there is no such folder")) << nowhere.err;
  ASSERT_EQ(mkfifo((temporary / "journal.jsonl").c_str(), 0600), 0);
  const Ran of_pipe = RunTosaic({"merge", temporary.path(), "--out=" + (temporary / "none")});
  EXPECT_TRUE(absl::StrContains(of_pipe.err, "this is no journal of a campaign")) << of_pipe.err;
}

// The first two ended in an uncaught exception, the third took all memory for the names of the shards.
TEST_F(E2eMerge, AForgedFirstLineIsRefused) {
  TemporaryDirectory temporary;
  const std::string shard = temporary / "1", out = "--out=" + (temporary / "merged");
  std::filesystem::create_directories(shard);
  const auto merged = [&](absl::string_view keys) {
    std::ofstream(shard + "/journal.jsonl") << "{\"tosaic_campaign\":1,\"versions\":{}," << keys << "}\n";
    return RunTosaic({"merge", shard, out});
  };
  for (const absl::string_view keys :
       {"\"shard\":\"x\"", "\"generator\":5", "\"asked_for\":[1]", "\"shard\":0,\"shards\":0",
        "\"shard\":5,\"shards\":2", "\"shards\":-1", "\"shards\":4000000000", "\"shards\":9223372036854775807",
        "\"routes\":7", "\"routes\":[[1,2]]"}) {
    const Ran ran = merged(keys);
    EXPECT_EQ(ran.status, 2) << keys;
    EXPECT_TRUE(absl::StrContains(ran.err, "its first line is not what a campaign writes")) << keys << ran.err;
  }
  for (const absl::string_view keys : {"\"shards\":1000000", "\"routes\":[[\"x\",2]]"}) {
    const Ran ran = merged(keys);
    EXPECT_EQ(ran.status, 2) << keys;
    EXPECT_TRUE(absl::StrContains(ran.err, "of another Tosaic or toolchain (")) << keys << ran.err;
    EXPECT_TRUE(absl::StrContains(ran.err, "toolchain unset, not mlir-22; ")) << keys << ran.err;
  }
  // Of one campaign among others this was an uncaught exception.
  std::ofstream(shard + "/journal.jsonl") << "{\"tosaic_campaign\":1,\"versions\":\"x\"}\n";
  const Ran among_others = RunTosaic({"merge", shard, Whole(), out});
  EXPECT_EQ(among_others.status, 2);
  EXPECT_TRUE(absl::StrContains(among_others.err, "its first line is not what a campaign writes")) << among_others.err;
}

// A shard may come from somebody else.
TEST_F(E2eMerge, ABrokenFileIsNamedAndNothingIsWritten) {
  TemporaryDirectory temporary;
  const std::string shard = temporary / "1", merged = temporary / "merged";
  std::filesystem::copy(Whole(), shard, std::filesystem::copy_options::recursive);
  for (const char* file : {"tally.json", "summary.json", "groups.jsonl"}) {
    const std::string path = absl::StrCat(shard, "/", file), whole = Slurp(path);
    Spill(path, whole.substr(0, whole.size() / 2));
    const Ran ran = RunTosaic({"merge", shard, "--out=" + merged});
    EXPECT_EQ(ran.status, 2) << file;
    EXPECT_TRUE(absl::StrContains(ran.err, absl::StrCat("1/", file, ":"))) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(merged)) << file;
    Spill(path, whole);
  }
}

// A tally names no shard, and may count as many divergences as the journal has.
TEST_F(E2eMerge, AnotherCampaignsResultsAreNotTaken) {
  TemporaryDirectory temporary;
  const std::string shards[] = {temporary / "1", temporary / "2"};
  for (int i = 0; i < 2; ++i) RunTosaic(FuzzRichly(shards[i], {absl::StrCat("--shard=", i + 1, "/2"), "--no-reduce"}));
  const auto merged = [&] {
    fs::remove_all(temporary / "merged");
    return RunTosaic({"merge", shards[0], shards[1], "--out=" + (temporary / "merged")});
  };
  const std::string tally = shards[0] + "/tally.json", own = Slurp(tally);
  Spill(tally, std::regex_replace(own, std::regex("\"agree\""), "\"undefined\""));
  const Ran other_verdicts = merged();
  EXPECT_EQ(other_verdicts.status, 3);
  EXPECT_TRUE(absl::StrContains(other_verdicts.err, "its journal has other verdicts than its tally.json counts"))
      << other_verdicts.err;
  for (const char* file : {"/tally.json", "/groups.jsonl"}) Spill(shards[0] + file, Slurp(shards[1] + file));
  const Ran other_shard = merged();
  EXPECT_EQ(other_shard.status, 2);
  EXPECT_TRUE(absl::StrContains(other_shard.err, " is another shard's")) << other_shard.err;
}

TEST_F(E2eMerge, AFileNameThatLeadsOutOfTheFolderIsRefused) {
  TemporaryDirectory temporary;
  const std::string shard = temporary / "shard", groups = shard + "/groups.jsonl";
  std::filesystem::copy(Whole(), shard, std::filesystem::copy_options::recursive);
  Spill(temporary / "mine", "kept");
  for (const std::string& name : {std::string("../../../mine"), temporary / "mine"}) {
    const std::string text = Slurp(Whole() + "/groups.jsonl");
    Spill(groups, std::regex_replace(text, std::regex("\"issue.md\""), "\"" + name + "\""));
    const Ran ran = RunTosaic({"merge", shard, "--out=" + (temporary / "merged")});
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(absl::StrContains(ran.err, groups + ":1: reproducer: '" + name + "' is not the plain name of a file"))
        << ran.err;
    EXPECT_EQ(ran.err.find('\n'), ran.err.size() - 1) << ran.err;
    EXPECT_EQ(Slurp(temporary / "mine"), "kept");
  }
}

// A script that looks at the exit status alone does not miss what nobody has reduced.
TEST_F(E2eMerge, EndsAsTheCampaignItself) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  const auto of_fuzz = [&](std::vector<std::string> flags) {
    fs::remove_all(out);
    flags.insert(flags.begin(), {"fuzz", "--seed=3", "--cases=120", "--quiet", "--out=" + out});
    return RunTosaic(flags).status;
  };
  const auto of_merge = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"merge", out, "--out=" + (temporary / "merged")});
    fs::remove_all(temporary / "merged");
    return RunTosaic(flags).status;
  };
  EXPECT_EQ(of_fuzz({"--no-reduce"}), 1);
  EXPECT_EQ(of_merge({}), 1);
  EXPECT_EQ(of_fuzz({}), 0);
  EXPECT_EQ(of_merge({}), 0);
  // Another list, which knows nothing, or which the campaign did not have.
  EXPECT_EQ(of_merge({"--known=none"}), 1);
  EXPECT_GT(SummaryIn(temporary / "merged")["new_findings"], 0);
  EXPECT_EQ(of_fuzz({"--known=none"}), 1);
  EXPECT_EQ(of_merge({}), 1) << "without the flag each shard's own list counts";
  EXPECT_EQ(of_merge({"--known=default"}), 0);
}

TEST_F(E2eMerge, GroupsThatAreLostAreMissed) {
  TemporaryDirectory temporary;
  const std::string shard = temporary / "1", merged = temporary / "merged";
  fs::copy(Whole(), shard, fs::copy_options::recursive);
  Spill(shard + "/groups.jsonl", "");
  const Ran ran = RunTosaic({"merge", shard, "--out=" + merged});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(absl::StrContains(ran.err, "1/groups.jsonl: its groups have 0 cases, but ")) << ran.err;
  EXPECT_FALSE(fs::exists(merged));
}

TEST_F(E2eMerge, AShardOfAnotherCampaignIsNoShardOfThisOne) {
  TemporaryDirectory temporary;
  const std::string first = temporary / "1", other = temporary / "2", merged = temporary / "merged";
  RunTosaic(FuzzRichly(first, {"--shard=1/2", "--no-reduce"}));
  RunTosaic({"fuzz", "--seed=2", "--cases=20", "--shard=2/2", "--no-reduce", "--out=" + other});
  const Ran ran = RunTosaic({"merge", first, other, "--out=" + merged});
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.err, absl::StrCat("shard 2 of 2 of the campaign of ", first, ": it is not there")))
      << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.err, absl::StrCat("shard 1 of 2 of the campaign of ", other, ": it is not there")))
      << ran.err;
  EXPECT_EQ(SummaryIn(merged)["interrupted"], true);
  EXPECT_TRUE(absl::StrContains(ran.out, "seeds 1, 2")) << ran.out;
  EXPECT_TRUE(absl::StrContains(RunTosaic({"report", merged, "--format=markdown"}).out, "Campaigns, seeds 1, 2"));
  const Ran overlapping = RunTosaic({"merge", Whole(), first, "--out=" + (temporary / "overlapping")});
  EXPECT_EQ(overlapping.status, 2);
  EXPECT_TRUE(absl::StrContains(overlapping.err, "its cases are those of ")) << overlapping.err;
}

TEST_F(E2eMerge, DifferentCampaignsBecomeOneList) {
  TemporaryDirectory temporary;
  const std::string other = temporary / "other", merged = temporary / "merged";
  RunTosaic({"fuzz", "--seed=2", "--cases=100", "--ops=mul,cast,abs", "--illegal-percent=30", "--out=" + other});
  const Ran ran = RunTosaic({"merge", Whole(), other, "--out=" + merged});
  EXPECT_LE(ran.status, 1) << ran.err;
  EXPECT_EQ(SummaryIn(merged)["cases"], 220);
  std::map<std::string, uint64_t> counts, sums;
  const Json summary = SummaryIn(merged);
  for (const Json& finding : summary["findings"]) {
    counts[finding["signature"]] += finding["count"].get<uint64_t>();
  }
  for (const std::string& directory : {Whole(), other}) {
    const Json of_one = SummaryIn(directory);
    for (const Json& finding : of_one["findings"]) sums[finding["signature"]] += finding["count"].get<uint64_t>();
  }
  EXPECT_EQ(counts, sums);
  EXPECT_EQ(RunTosaic({"report", merged, "--format=html"}).status, 0);
  const Ran again = RunTosaic({"merge", merged, other, "--out=" + (temporary / "again")});
  EXPECT_EQ(again.status, 2);
  EXPECT_TRUE(absl::StrContains(again.err, "different campaigns are merged there")) << again.err;
  for (const char* flag : {"--toolchain=mlir-19", "--target=1.0,pro_int,8k"}) {
    const Ran of_none = RunTosaic({"merge", Whole(), other, "--out=" + (temporary / "none"), flag});
    EXPECT_EQ(of_none.status, 2);
    EXPECT_TRUE(absl::StrContains(of_none.err, "none of these campaigns is of this toolchain")) << of_none.err;
  }
  const std::string strict = temporary / "strict";
  RunTosaic({"fuzz", "--seed=2", "--cases=10", "--ops=abs", "--strict-values", "--out=" + strict});
  const Ran unlike = RunTosaic({"merge", Whole(), strict, "--out=" + (temporary / "none")});
  EXPECT_EQ(unlike.status, 2);
  for (const char* part :
       {"replayed with --toolchain=mlir-22", "--toolchain=mlir-22 --strict-values", "merge them apart"}) {
    EXPECT_TRUE(absl::StrContains(unlike.err, part)) << unlike.err;
  }
  const Ran on_route = RunTosaic({"merge", Whole(), other, "--out=" + (temporary / "none"), "--route=loops"});
  EXPECT_EQ(on_route.status, 2);
  EXPECT_FALSE(std::filesystem::exists(temporary / "none"));
  const Ran twice = RunTosaic({"merge", other, Whole(), other, "--out=" + (temporary / "twice")});
  EXPECT_EQ(twice.status, 2);
  EXPECT_TRUE(absl::StrContains(twice.err, "shard 1 of 1 is there twice")) << twice.err;
}

}  // namespace
}  // namespace tosaic
