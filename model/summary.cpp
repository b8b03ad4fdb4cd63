#include "model/summary.h"

#include <algorithm>

namespace tosaic {

uint64_t CountNew(const CampaignSummary& summary) {
  return static_cast<uint64_t>(std::count_if(summary.findings.begin(), summary.findings.end(), IsNew));
}

}  // namespace tosaic
