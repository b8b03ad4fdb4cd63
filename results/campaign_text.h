// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A campaign's results as text: at the end of a run, and in a finding's folder. Nothing is decided here.
#ifndef TOSAIC_RESULTS_CAMPAIGN_TEXT_H_
#define TOSAIC_RESULTS_CAMPAIGN_TEXT_H_

#include <cstdint>
#include <string>

#include "results/campaign.h"
#include "results/judgement_text.h"

namespace tosaic {

// How much of a campaign is printed.
enum class SummaryLength : uint8_t {
  kFound,    // the causes of what was found
  kShort,    // the numbers in short, the causes, and how to see more
  kDetails,  // before these also notes, tables of ops and chains, and coverage
};

// What a campaign prints when it ends. What was found and how to see more of what lies in its work directory stands
// last: that is what a terminal still shows.
std::string SummaryToText(const CampaignSummary& summary, const std::string& directory, SummaryLength length);

// What was expected and what happened, for people.
std::string FindingToText(const Finding& finding, Dialect dialect = kCanonicalDialect);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_CAMPAIGN_TEXT_H_
