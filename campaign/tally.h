// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tally: the sums of a campaign's records. The tallies of its shards add up to the tally of the whole campaign, so
// their journals need not be read again.
#ifndef TOSAIC_CAMPAIGN_TALLY_H_
#define TOSAIC_CAMPAIGN_TALLY_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "campaign/case_record.h"
#include "campaign/coverage.h"
#include "campaign/finding_group.h"
#include "campaign/tiles.h"
#include "results/campaign.h"
#include "toolchain/toolchain.h"

namespace tosaic {

struct Tally {
  CampaignSummary counted;             // the sums of Count(), except for the chains
  std::vector<JudgedElements> chains;  // all of them
  Reached reached;
  std::vector<CountedTile> tiles;
  std::map<std::string, uint64_t> kinds;  // of cases (counting.h)
};
// tally.json.
void Fields(Visitor& v, Tally& tally);

// `keys`: those of the records' groups, by the cases' numbers.
Tally TallyOf(const std::vector<const CaseRecord*>& records, const std::map<uint64_t, std::string>& keys);
void Add(const Tally& other, Tally* to);

// The parts of a summary that tally and findings decide. `groups`: with the names that the findings have. `toolchain`:
// it says which rewrite patterns there are, and what support it has.
void Summarize(const Tally& tally, const std::vector<FindingGroup>& groups, const GeneratorOptions& options,
               Toolchain& toolchain, CampaignSummary* summary);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_TALLY_H_
