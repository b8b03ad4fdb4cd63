// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guided campaigns over a toolchain that adds, and has some blocks: verdicts and corpus are the same however the work
// is shared out.
#include "campaign/guidance.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "campaign/campaign.h"
#include "campaign/case_source.h"
#include "campaign/merging.h"
#include "checking/files.h"
#include "gtest/gtest.h"
#include "tests/adder_campaign.h"
#include "tests/fake_toolchain.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

// Blocks that a process comes by when the toolchain says so.
class FakeBlocks : public BlockWatcher {
 public:
  uint32_t count() const override { return 64; }
  std::string name() const override { return "fake"; }
  std::vector<uint32_t> Take() override {
    std::vector<uint32_t> taken(hits_.begin(), hits_.end());
    hits_.clear();
    return taken;
  }
  void Forget(absl::Span<const uint32_t> blocks) override { forgotten_.insert(blocks.begin(), blocks.end()); }
  void ComeBy(size_t block) {
    if (!forgotten_.contains(static_cast<uint32_t>(block))) hits_.insert(static_cast<uint32_t>(block));
  }

 private:
  std::set<uint32_t> hits_, forgotten_;
};

constexpr uint32_t kOnce = 63;  // a block that each process comes by in its first case alone

// Adds, in programs of any number of ops.
class ManyAdds : public AdderToolchain {
 public:
  explicit ManyAdds(FakeBlocks& blocks) : blocks_(blocks) {}

  Observation Observe(const Case& test_case) override {
    if (!std::exchange(has_begun_, true)) blocks_.ComeBy(kOnce);
    const Program& program = test_case.program;
    blocks_.ComeBy(std::min<size_t>(program.ops.size(), 24));
    blocks_.ComeBy(25 + std::min<size_t>(program.constants.size(), 12));
    blocks_.ComeBy(40 + std::min<size_t>(program.arguments.size(), 12));
    Observation observation;
    for (const auto& run : test_case.runs) {
      std::vector<Tensor> ops;
      const auto value = [&](ValueRef ref) {
        return ref.kind == ValueRef::Kind::kOp         ? ops[ref.index]
               : ref.kind == ValueRef::Kind::kArgument ? run[ref.index]
                                                       : program.constants[ref.index];
      };
      for (const OpApplication& op : program.ops) ops.push_back(Sum(value(op.operands[0]), value(op.operands[1])));
      RunObservation& results = observation.runs.emplace_back();
      for (const ValueRef result : program.results) results.results.push_back({value(result), {}});
    }
    return observation;
  }

 private:
  FakeBlocks& blocks_;
  bool has_begun_ = false;
};

CampaignOptions Options(const TemporaryDirectory& directory, FakeBlocks& blocks, int jobs = 1) {
  CampaignOptions options = AdditionsInto(directory.path() + "/out");
  options.cases = 330;
  options.jobs = jobs;
  options.reduce = false;
  options.guided = {.blocks = &blocks, .mutant_percent = 50, .directory = directory.path() + "/corpus"};
  return options;
}

// The records and the corpus of a campaign as one text, to compare campaigns.
std::string Left(const CampaignOptions& options, const std::map<uint64_t, CaseRecord>& records) {
  std::string left;
  for (const auto& [number, record] : records) {
    absl::StrAppend(&left, number, " ", Name(record.verdict), " ", record.shapes, " ", record.compared, "\n");
  }
  std::set<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(options.guided->directory)) files.insert(file.path());
  for (const std::string& file : files) {
    absl::StrAppend(&left, std::filesystem::path(file).filename().string(), "\n", *ReadFile(file));
  }
  return left;
}

struct CampaignEnd {
  std::string left;
  CampaignSummary summary;
  GuidedOutcome guided;
};

CampaignEnd RunIt(CampaignOptions options, FakeBlocks& blocks) {
  ManyAdds toolchain(blocks);
  std::map<uint64_t, CaseRecord> records;
  CampaignEnd outcome;
  options.guided->take = [&](const GuidedOutcome& guided) { outcome.guided = guided; };
  const absl::StatusOr<CampaignSummary> summary = RunCampaign(toolchain, options, nullptr, &records);
  EXPECT_TRUE(summary.ok()) << summary.status();
  if (!summary.ok()) return {};
  outcome.left = Left(options, records);
  outcome.summary = *summary;
  return outcome;
}

const CampaignEnd& WithOneWorker() {
  static const auto& outcome = *[] {
    const TemporaryDirectory directory;
    FakeBlocks blocks;
    return new CampaignEnd(RunIt(Options(directory, blocks), blocks));
  }();
  return outcome;
}

TEST(GuidanceTest, AGuidedCampaignReachesMoreThanItsGeneratorAlone) {
  const CampaignEnd& guided = WithOneWorker();
  EXPECT_EQ(guided.guided.blocks, 64u);
  EXPECT_GT(guided.guided.corpus, 5u);
  const TemporaryDirectory directory;
  FakeBlocks blocks;
  CampaignOptions options = Options(directory, blocks);
  options.guided->mutant_percent = 0;
  const CampaignEnd unguided = RunIt(options, blocks);
  EXPECT_GT(guided.guided.blocks_reached, unguided.guided.blocks_reached + 5);
}

TEST(GuidanceTest, ThreeWorkersLeaveTheSameVerdictsAndCorpus) {
  const TemporaryDirectory directory;
  FakeBlocks blocks;
  EXPECT_EQ(RunIt(Options(directory, blocks, 3), blocks).left, WithOneWorker().left);
}

// Cut off in the middle of a round, and gone on with by another number of workers.
TEST(GuidanceTest, WhatWasInterruptedGoesOnAsIfItHadNotBeen) {
  for (const size_t kept : {10, 70, 200, 300}) {
    const TemporaryDirectory directory;
    FakeBlocks before;
    const CampaignOptions options = Options(directory, before, 3);
    RunIt(options, before);
    const std::string journal = options.out + "/journal.jsonl";
    const std::string text = *ReadFile(journal);
    std::vector<std::string> lines = absl::StrSplit(text, '\n', absl::SkipEmpty());
    lines.resize(kept);
    ASSERT_TRUE(WriteFile(journal, absl::StrJoin(lines, "\n") + "\n").ok());
    std::filesystem::remove_all(options.guided->directory);
    FakeBlocks blocks;
    CampaignOptions again = options;
    again.jobs = 2;
    again.guided->blocks = &blocks;
    EXPECT_EQ(RunIt(again, blocks).left, WithOneWorker().left) << kept;
  }
}

TEST(GuidanceTest, ACampaignOfMoreCasesBeginsAsTheShorterOneDid) {
  const TemporaryDirectory directory;
  FakeBlocks blocks, others;
  CampaignOptions options = Options(directory, blocks);
  options.cases = 100;
  RunIt(options, blocks);
  options.cases = 330;
  options.guided->blocks = &others;
  EXPECT_EQ(RunIt(options, others).left, WithOneWorker().left);
}

TEST(GuidanceTest, WhatAProcessDoesOnlyOnceIsNoCasesMerit) {
  const TemporaryDirectory directory;
  FakeBlocks blocks;
  const CampaignOptions options = Options(directory, blocks, 3);
  RunIt(options, blocks);
  const std::string text = *ReadFile(options.out + "/journal.jsonl");
  EXPECT_TRUE(absl::StrContains(text, "\"reached\":[\"1\""));
  EXPECT_FALSE(absl::StrContains(text, absl::StrCat("\"", kOnce, "\"")));
}

TEST(GuidanceTest, ACorpusIsReadAndAddsOnlyWhatItLacks) {
  const TemporaryDirectory directory;
  FakeBlocks blocks, others, alone;
  CampaignOptions options = Options(directory, blocks);
  RunIt(options, blocks);
  EXPECT_TRUE(StartOf(options.guided->directory, options.out)->empty()) << "it began with none";
  absl::StatusOr<std::vector<Case>> start = StartOf(options.guided->directory, directory.path() + "/second");
  ASSERT_TRUE(start.ok()) << start.status();
  EXPECT_GT(start->size(), 5u);
  options.out = directory.path() + "/second";
  options.seed = 2;
  options.guided->start = *start;
  options.guided->blocks = &others;
  const CampaignEnd second = RunIt(options, others);
  const TemporaryDirectory empty;
  CampaignOptions without = Options(empty, alone);
  without.seed = options.seed;
  EXPECT_LT(second.guided.corpus, RunIt(without, alone).guided.corpus);
  EXPECT_GE(second.guided.blocks_reached, WithOneWorker().guided.blocks_reached);
  // The campaign's copy of its starting corpus does not change, although the directory has more cases now.
  std::filesystem::remove_all(options.guided->directory);
  EXPECT_EQ(*StartOf(options.guided->directory, options.out), *start);
}

TEST(GuidanceTest, WithoutEyesRulesGuide) {
  const TemporaryDirectory directory;
  FakeBlocks blocks;
  CampaignOptions options = Options(directory, blocks);
  options.guided->blocks = nullptr;
  const CampaignEnd outcome = RunIt(options, blocks);
  EXPECT_EQ(outcome.guided.blocks, 0u);
  EXPECT_GE(outcome.guided.corpus, 1u);
}

TEST(GuidanceTest, AShardGoesOnWithoutTheOthers) {
  const TemporaryDirectory directory;
  FakeBlocks blocks;
  CampaignOptions options = Options(directory, blocks);
  options.shards = 30;
  options.shard = 17;
  const CampaignEnd outcome = RunIt(options, blocks);
  EXPECT_EQ(outcome.summary.cases, 11u);
}

std::set<std::string> NamesIn(const std::string& directory) {
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(directory)) names.insert(file.path().filename());
  return names;
}

TEST(GuidanceTest, MergingUnitesTheCorporaOfShards) {
  const TemporaryDirectory directory;
  std::vector<std::string> outs;
  std::set<std::string> expected;
  CampaignOptions options;
  for (uint64_t shard = 0; shard < 2; ++shard) {
    FakeBlocks blocks;
    options = Options(directory, blocks);
    options.shards = 2;
    options.shard = shard;
    options.out = absl::StrCat(directory.path(), "/shard", shard);
    options.guided->directory.clear();
    ManyAdds toolchain(blocks);
    ASSERT_TRUE(RunCampaign(toolchain, options, nullptr).ok());
    outs.push_back(options.out);
    const std::set<std::string> found = NamesIn(options.out + "/corpus");
    EXPECT_GT(found.size(), 5u);
    expected.insert(found.begin(), found.end());
  }
  FakeBlocks blocks;
  ManyAdds toolchain(blocks);
  options.out = directory.path() + "/all";
  options.guided.reset();
  const absl::StatusOr<Merged> merged = MergeCampaigns(toolchain, options, Naming::kByShards, outs, nullptr);
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ(NamesIn(options.out + "/corpus"), expected);
}

}  // namespace
}  // namespace tosaic
