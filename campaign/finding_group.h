// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FindingGroup: the divergences that a campaign reduces together: they have the same signature before reduction, the
// same known cause, and, where any of several ops may be to blame, the same ops. Their first case becomes a finding;
// findings that have the same signature and cause afterwards are merged. The findings of shards are merged group by
// group: the first case of all decides, as on one machine.
#ifndef TOSAIC_CAMPAIGN_FINDING_GROUP_H_
#define TOSAIC_CAMPAIGN_FINDING_GROUP_H_

#include <string>
#include <vector>

#include "results/finding.h"

namespace tosaic {

struct FindingGroup {
  std::string key;  // signature, cause and suspects before reduction
  Finding finding;  // of its first case, as it was named, with the number of the group's cases
};
// A line of groups.jsonl.
void Fields(Visitor& v, FindingGroup& group);

// REQUIRES: the findings are those of FindingsOf().
std::vector<FindingGroup> GroupsOf(std::vector<Finding> findings);

// The groups of two shards, sorted by key.
std::vector<FindingGroup> United(std::vector<FindingGroup> groups, std::vector<FindingGroup> others);

// The findings that named groups come to, sorted by signature and cause.
std::vector<Finding> FindingsOf(const std::vector<FindingGroup>& groups);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_FINDING_GROUP_H_
