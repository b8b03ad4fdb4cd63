// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A campaign's results as text: at the end of a run, and in a finding's folder. Nothing is decided here.
#ifndef TOSAIC_RESULTS_CAMPAIGN_TEXT_H_
#define TOSAIC_RESULTS_CAMPAIGN_TEXT_H_

#include <string>

#include "results/campaign.h"
#include "results/judgement_text.h"

namespace tosaic {

// What a campaign prints when it ends: the causes, how to see more of what lies in its work directory, then the
// numbers.
std::string SummaryToText(const CampaignSummary& summary, const std::string& directory);

// What was expected and what happened, for people.
std::string FindingToText(const Finding& finding, Dialect dialect = kCanonicalDialect);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_CAMPAIGN_TEXT_H_
