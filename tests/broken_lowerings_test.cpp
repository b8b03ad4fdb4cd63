// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each broken lowering of the plugin is found, by a campaign on the ops that it breaks.
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "mutants/selftest.h"

namespace tosaic {

void PrintTo(const BrokenLowering& broken, std::ostream* out) { *out << broken.name; }

namespace {

std::vector<BrokenLowering> List() {
  absl::StatusOr<std::vector<BrokenLowering>> list = BrokenLoweringsOf(TOSAIC_PLUGIN);
  return list.ok() ? *std::move(list) : std::vector<BrokenLowering>();
}

class BrokenLowerings : public testing::TestWithParam<BrokenLowering> {};

TEST_P(BrokenLowerings, IsFound) {
  SelftestOptions options;
  options.plugin = TOSAIC_PLUGIN;
  options.seeds = 1;
  options.cases = 10000;
  options.broken_ops_only = true;
  options.changed_only = true;
  const absl::StatusOr<SelftestResult> result = RunSelftest(GetParam(), options, nullptr);
  ASSERT_TRUE(result.ok()) << result.status();
  const SelftestCampaign& campaign = result->campaigns.front();
  EXPECT_TRUE(campaign.found);
  // By what its code does, not because the break itself dies or leaves no legal IR; but for those that are to.
  const std::map<std::string, Verdict> to_fail = {
      {"fold-division", Verdict::kCrash},
      {"exchange-bounds", Verdict::kCrash},  // divides by what it may not read
      {"not-of-not", Verdict::kLoweringFailed}};
  if (const auto meant = to_fail.find(GetParam().name); meant != to_fail.end()) {
    EXPECT_EQ(campaign.verdict, meant->second) << campaign.rule;
    return;
  }
  EXPECT_NE(campaign.verdict, Verdict::kCrash) << campaign.rule;
  EXPECT_NE(campaign.verdict, Verdict::kLoweringFailed) << campaign.rule;
}

// One campaign of 200 cases of the broken ops.
SelftestCampaign ShortCampaign(const BrokenLowering& broken) {
  SelftestOptions options;
  options.plugin = TOSAIC_PLUGIN;
  options.seeds = 1;
  options.cases = 200;
  options.broken_ops_only = true;
  const absl::StatusOr<SelftestResult> result = RunSelftest(broken, options, nullptr);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? result->campaigns.front() : SelftestCampaign{.found = true};
}

// A result within the letter of the specification is no divergence unless --strict-values asks for it.
TEST(BrokenLoweringsList, WhatIsWithinTheLetterIsFoundUnderThePolicyAlone) {
  int strict = 0;
  for (BrokenLowering broken : List()) {
    if (!broken.strict_values) continue;
    ++strict;
    broken.strict_values = false;
    const SelftestCampaign campaign = ShortCampaign(broken);
    EXPECT_FALSE(campaign.found) << broken.name << ": " << campaign.rule;
  }
  EXPECT_EQ(strict, 3);
}

// Mistakes that only the contract finds: the values of the same lowering are right in every run.
TEST(BrokenLoweringsList, NoRunShowsWhatTheContractAloneFinds) {
  int of_contract = 0;
  for (BrokenLowering broken : List()) {
    if (broken.route != "contract") continue;
    ++of_contract;
    broken.route = "loops";
    const SelftestCampaign campaign = ShortCampaign(broken);
    EXPECT_FALSE(campaign.found) << broken.name << ": " << Name(campaign.verdict) << " [" << campaign.rule << "]";
  }
  EXPECT_EQ(of_contract, 8);
}

INSTANTIATE_TEST_SUITE_P(All, BrokenLowerings, testing::ValuesIn(List()),
                         [](const testing::TestParamInfo<BrokenLowering>& info) {
                           return absl::StrReplaceAll(info.param.name, {{"-", "_"}});
                         });

TEST(BrokenLoweringsList, IsLongEnoughToTellSomething) { EXPECT_GE(List().size(), 110u); }

}  // namespace
}  // namespace tosaic
