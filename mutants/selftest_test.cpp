// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mutants/selftest.h"

#include "gtest/gtest.h"
#include "tests/fake_toolchain.h"

namespace tosaic {
namespace {

SelftestOptions Options(int jobs) {
  SelftestOptions options;
  options.jobs = jobs;
  options.cases = 60;
  options.generator.ops = {OpKind::kAdd};
  options.generator.types = {ElementType::kI32};
  options.generator.illegal_percent = options.generator.beyond_spec_percent = 0;
  options.generator.chain_percent = options.generator.graph_percent = options.generator.identity_percent = 0;
  return options;
}

BrokenLowering Broken(OpKind op) {
  BrokenLowering broken;
  broken.ops = {op};
  broken.route = "loops";
  return broken;
}

// Lies about cases with a first element that `lies` picks, on some routes.
SelftestCampaign Campaign(int jobs, std::function<bool(const Case&)> lies, OpKind broken = OpKind::kAdd) {
  MisbehavingToolchain toolchain([&](const Case& test_case, Observation* observation) {
    if (!lies(test_case) || observation->runs.empty()) return;
    Tensor& result = observation->runs[0].results[0].tensor;
    result.SetBits(0, result.Bits(0) ^ 1);
  });
  absl::StatusOr<SelftestCampaign> campaign = RunSelftestCampaign(toolchain, Broken(broken), 1, Options(jobs), nullptr);
  EXPECT_TRUE(campaign.ok()) << campaign.status();
  return campaign.ok() ? *campaign : SelftestCampaign();
}

bool OfRank3(const Case& test_case) { return test_case.program.ops[0].result.shape.rank() == 3; }

TEST(Selftest, StopsAtTheFirstCaseWhateverTheNumberOfJobs) {
  const auto lies = [](const Case& test_case) { return test_case.route == kCustomRoute && OfRank3(test_case); };
  const SelftestCampaign one = Campaign(1, lies);
  EXPECT_TRUE(one.found);
  EXPECT_GT(one.cases, 1u);
  EXPECT_LT(one.cases, 60u);
  EXPECT_EQ(one.verdict, Verdict::kWrongValue);
  EXPECT_EQ(one.rule, "value.add");
  SelftestCampaign four = Campaign(4, lies);
  four.cpu_seconds = one.cpu_seconds;
  EXPECT_EQ(four, one);
}

TEST(Selftest, WhatTheUnbrokenRouteShowsAsWellIsNotFound) {
  const SelftestCampaign both = Campaign(2, OfRank3);
  EXPECT_FALSE(both.found);
  EXPECT_EQ(both.cases, 60u);
  EXPECT_EQ(both.verdict, Verdict::kAgree);
}

TEST(Selftest, AnotherWrongValueThanWithoutItIsFound) {
  const auto campaign_of = [](uint64_t mistake) {
    MisbehavingToolchain toolchain([&](const Case& test_case, Observation* observation) {
      if (observation->runs.empty()) return;
      Tensor& result = observation->runs[0].results[0].tensor;
      result.SetBits(0, result.Bits(0) ^ (test_case.route == kCustomRoute ? mistake : 1));
    });
    return *RunSelftestCampaign(toolchain, Broken(OpKind::kAdd), 1, Options(2), nullptr);
  };
  EXPECT_FALSE(campaign_of(1).found);
  EXPECT_TRUE(campaign_of(2).found);
}

TEST(Selftest, HowManyCasesRanIsCounted) {
  const SelftestCampaign all = Campaign(2, [](const Case&) { return false; });
  EXPECT_EQ(all.ran, 60u);
  EXPECT_EQ(Campaign(1, OfRank3, OpKind::kMul).ran, 0u) << "none has a broken op";
}

TEST(Selftest, CasesWithoutAnOpThatItBreaksAreNotRun) {
  const auto dies = [](const Case&) -> bool { std::abort(); };
  const SelftestCampaign campaign = Campaign(1, dies, OpKind::kMul);
  EXPECT_FALSE(campaign.found);
  EXPECT_EQ(campaign.cases, 60u);
}

TEST(Selftest, ADeathIsFound) {
  const SelftestCampaign campaign = Campaign(2, [](const Case& test_case) {
    if (test_case.route == kCustomRoute && OfRank3(test_case)) std::abort();
    return false;
  });
  EXPECT_TRUE(campaign.found);
  EXPECT_EQ(campaign.verdict, Verdict::kCrash);
}

SelftestCampaign Of(uint64_t seed, bool found, uint64_t cases, double cpu_seconds) {
  SelftestCampaign campaign;
  campaign.seed = seed;
  campaign.found = found;
  campaign.cases = cases;
  campaign.cpu_seconds = cpu_seconds;
  return campaign;
}

TEST(Selftest, TheMedianPutsWhatWasNotFoundLast) {
  SelftestResult result;
  result.campaigns = {Of(1, false, 50, 9), Of(2, true, 100, 2), Of(3, true, 10, 1)};
  EXPECT_EQ(result.Median().seed, 2u);
  EXPECT_EQ(result.MedianCpuSeconds(), 2);
  EXPECT_EQ(result.FoundBy(), 2u);
  EXPECT_TRUE(result.FoundWithin(2));
  EXPECT_FALSE(result.FoundWithin(1.9));
  result.campaigns[2].found = false;
  EXPECT_FALSE(result.FoundWithin(60));
}

}  // namespace
}  // namespace tosaic
