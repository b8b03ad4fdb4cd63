// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/case_source.h"

#include <set>

#include "gtest/gtest.h"
#include "model/routes.h"

namespace tosaic {
namespace {

CampaignOptions Listed(uint64_t cases) {
  CampaignOptions options;
  options.cases = cases;
  options.list = {"list", [](uint64_t number) {
                    Case test_case;
                    test_case.origin = std::to_string(number);
                    return test_case;
                  }};
  return options;
}

std::vector<std::string> Rest(CaseSource& cases, const std::set<uint64_t>& done) {
  const auto is_done = [&](uint64_t number) { return done.contains(number); };
  std::vector<std::string> origins;
  while (const std::optional<uint64_t> task = cases.NextTask(is_done))
    origins.push_back(cases.CaseOfTask(*task).origin);
  return origins;
}

TEST(CaseSourceTest, GivesWhatTheJournalLacks) {
  const CampaignOptions options = Listed(5);
  CaseSource cases(options);
  EXPECT_EQ(Rest(cases, {0, 3}), (std::vector<std::string>{"1", "2", "4"}));
}

TEST(CaseSourceTest, AShardHasEveryNthCase) {
  CampaignOptions options = Listed(8);
  options.shard = 1;
  options.shards = 3;
  CaseSource cases(options);
  EXPECT_EQ(Rest(cases, {}), (std::vector<std::string>{"1", "4", "7"}));
}

TEST(CaseSourceTest, WithADurationTheNumberIsNoLimit) {
  CampaignOptions options = Listed(1);
  options.duration = absl::Seconds(1);
  CaseSource cases(options);
  EXPECT_TRUE(cases.IsAskedFor(1000));
  options.duration.reset();
  EXPECT_FALSE(cases.IsAskedFor(1));
}

TEST(CaseSourceTest, ARecordIsAboutTheCaseOnItsOwnRoute) {
  CampaignOptions options;
  CaseSource cases(options);
  CaseRecord record;
  record.number = 3;
  record.route = "fused";
  Case expected = cases.CaseOf(3);
  expected.route = "fused";
  EXPECT_EQ(cases.JudgedCase(record), expected);
}

TEST(CaseSourceTest, OnOneRouteNoCaseHasATwinOnAnother) {
  CampaignOptions options;
  options.generator.twin_percent = 100;
  CaseSource cases(options), of_one(options, /*has_one_route=*/true);
  int routes = 0, others = 0;
  for (uint64_t number = 0; number < 200; ++number) {
    Case test_case = cases.CaseOf(number);
    const bool is_route = FindRoute(test_case.twin) != nullptr;
    ++(is_route ? routes : others);
    if (is_route) test_case.twin.clear();
    EXPECT_EQ(of_one.CaseOf(number), test_case) << number;
  }
  EXPECT_GT(routes, 0);
  EXPECT_GT(others, 0);
}

}  // namespace
}  // namespace tosaic
