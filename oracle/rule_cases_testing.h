// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules that the oracle names on the cases of its tests, judged anew: every_rule_test.cpp holds that against all
// rows of model/rules.def. For tests only.
#ifndef TOSAIC_ORACLE_RULE_CASES_TESTING_H_
#define TOSAIC_ORACLE_RULE_CASES_TESTING_H_

#include <set>

#include "model/rules.h"

namespace tosaic {

std::set<RuleId> RulesOfCorpus();        // corpus_test.cpp: types, targets of tosa-validate, run-time sizes, elements
std::set<RuleId> RulesOfObservations();  // judge_test.cpp: how a case can end
std::set<RuleId> RulesOfLowerings();     // contract_test.cpp: lowered IR that is spoiled, or takes a freedom
std::set<RuleId> RulesOfGraphs();        // spirv_graph_test.cpp: graphs of SPIR-V that are spoiled, or take a freedom
std::set<RuleId> RulesOfLibraryCalls();  // run_properties_test.cpp: calls and stores that are spoiled
std::set<RuleId> RulesOfTwins();         // twins_test.cpp: a case and its variant

// Rules that no judgement of one case and one observation names: tests/campaign_rules_test.cpp has a case for each.
inline constexpr RuleId kRulesOfCampaigns[] = {
    RuleId::kLegalCount,                    // an op that is no program
    RuleId::kHarnessExpected,               // a case file is held against the oracle
    RuleId::kHarnessNotRepeatable,          // two observations of one case
    RuleId::kHarnessDeathThatDidNotRepeat,  // two decisions of one sweep
    RuleId::kHarnessJudgesDisagree,         // a result under two judges
    RuleId::kSupportUnchanged,              // a program on two pipelines
};

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_RULE_CASES_TESTING_H_
