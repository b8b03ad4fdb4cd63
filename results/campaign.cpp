#include "results/campaign.h"

#include <algorithm>
#include <set>

namespace tosaic {

uint64_t CountNew(const CampaignSummary& summary) {
  return static_cast<uint64_t>(std::count_if(summary.findings.begin(), summary.findings.end(), IsNew));
}

uint64_t CountCauses(const CampaignSummary& summary) {
  std::set<std::string> causes;
  for (const Finding& finding : summary.findings) {
    if (!finding.judgement.beyond_spec) causes.insert(finding.cause);
  }
  return causes.size();
}

}  // namespace tosaic
