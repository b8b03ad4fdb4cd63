// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts a campaign's records, and finds the known divergences that none of them showed.
#ifndef TOSAIC_CAMPAIGN_COUNTING_H_
#define TOSAIC_CAMPAIGN_COUNTING_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "campaign/campaign_run.h"
#include "campaign/case_record.h"
#include "checking/known_divergences.h"
#include "results/campaign.h"
#include "results/finding.h"

namespace tosaic {

// Adds up cases, runs, verdicts and notes, and lists Tosaic's own failures. `chains` gets all elements that depend on
// values which the program does not return.
void Count(const std::vector<const CaseRecord*>& records, CampaignSummary* summary,
           std::vector<JudgedElements>* chains);
// A summary has only the chains with most elements.
std::vector<JudgedElements> LargestChains(std::vector<JudgedElements> chains);

// How many cases there are of an op, element types and route, for UnseenKnown().
std::map<std::string, uint64_t> KindsOf(const std::vector<const CaseRecord*>& records);

// Rows of the support table about a dialect that no case needed: `rules` are those that decided one.
std::vector<std::string> UnusedSupport(Dialect dialect, const std::map<std::string, uint64_t>& rules);

// The entries whose cause at least this many cases could have shown, and none did. A cause is one bug to fix, so its
// entries are unseen together. `seen`: the causes that cases showed; for other causes, `still_shows` tells whether a
// case that is kept for the cause shows it.
std::vector<std::string> UnseenKnown(const std::map<std::string, uint64_t>& kinds, const KnownDivergences& known,
                                     uint64_t cases_without, std::set<std::string> seen,
                                     absl::FunctionRef<bool(const std::string& cause)> still_shows);
// The same of a campaign: causes that neither its findings nor the cases kept for them show. `kinds`: of KindsOf().
std::vector<std::string> UnseenKnownOf(const CampaignRun& run, const std::map<std::string, uint64_t>& kinds,
                                       const std::vector<Finding>& findings);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_COUNTING_H_
