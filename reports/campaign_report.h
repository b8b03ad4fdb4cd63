// Writers of a campaign's results: summary.json (keys are a contract, see DESIGN.md "The command line"), the text at
// the end of a run, and what lies in a finding's folder. Writers only: nothing is decided here.
#ifndef TOSAIC_REPORTS_CAMPAIGN_REPORT_H_
#define TOSAIC_REPORTS_CAMPAIGN_REPORT_H_

#include <string>

#include "model/json.h"
#include "model/verdict.h"
#include "results/campaign.h"
#include "results/judgement_text.h"

namespace tosaic {

Json SummaryToJson(const CampaignSummary& summary);
std::string SummaryToText(const CampaignSummary& summary);

Json FindingToJson(const Finding& finding);
// What was expected and what happened, for people.
std::string FindingToText(const Finding& finding, Dialect dialect = kCanonicalDialect);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_CAMPAIGN_REPORT_H_
