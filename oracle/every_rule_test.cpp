// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every row of model/rules.def has a case: the oracle names the rule on a program, an observation or lowered IR that a
// test beside this one has.
#include <algorithm>
#include <set>

#include "gtest/gtest.h"
#include "oracle/rule_cases_testing.h"

namespace tosaic {
namespace {

TEST(EveryRuleTest, HasACase) {
  std::set<RuleId> named;
  for (auto rules :
       {RulesOfCorpus, RulesOfObservations, RulesOfLowerings, RulesOfGraphs, RulesOfLibraryCalls, RulesOfTwins}) {
    named.merge(rules());
  }
  for (const RuleInfo& rule : AllRules()) {
    const bool is_of_campaigns =
        std::find(std::begin(kRulesOfCampaigns), std::end(kRulesOfCampaigns), rule.id) != std::end(kRulesOfCampaigns);
    EXPECT_NE(named.contains(rule.id), is_of_campaigns) << rule.label;
  }
}

}  // namespace
}  // namespace tosaic
