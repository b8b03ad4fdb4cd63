// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part of a merge: the work directory of a campaign, or of one of its shards, as it was left.
#ifndef TOSAIC_CAMPAIGN_CAMPAIGN_PART_H_
#define TOSAIC_CAMPAIGN_CAMPAIGN_PART_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "campaign/finding_group.h"
#include "campaign/identity.h"
#include "campaign/tally.h"
#include "model/provenance.h"
#include "model/work_paths.h"

namespace tosaic {

// The keys of a summary that its merged one needs.
struct PartSummary {
  Provenance provenance;
  bool interrupted = false;
  double elapsed_seconds = 0, cases_per_second = 0;
  std::vector<UntestedRoute> untested_routes;
};

void Fields(Visitor& v, PartSummary& summary);

// One work directory with its records.
struct CampaignPart {
  WorkPaths paths;
  Identity identity;
  std::string problem;  // not empty: it is not finished, and why
  PartSummary summary;
  uint64_t cases = 0;
  VerdictCounts verdicts;  // of them, as its results count them
  bool has_results = false;
};

struct PartResults {
  Tally tally;
  std::vector<FindingGroup> groups;
};

// The part in a directory, without results. Errors: NotFound if there is no such folder; it is no campaign's.
absl::StatusOr<CampaignPart> ReadPart(const std::string& directory);

// Leaves `results` empty if the campaign has not come to its end once. Errors: a file is damaged, or two contradict
// each other.
absl::Status ReadResults(CampaignPart* part, PartResults* results);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_CAMPAIGN_PART_H_
