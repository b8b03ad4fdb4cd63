// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routes that a campaign on mixed routes leaves out, because the toolchain does not have them.
#ifndef TOSAIC_CAMPAIGN_UNTESTED_ROUTES_H_
#define TOSAIC_CAMPAIGN_UNTESTED_ROUTES_H_

#include <string>
#include <utility>
#include <vector>

#include "results/campaign.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// `taken`: the campaign's routes with their weights. If they are not a mix of all that the toolchain has, they were
// asked for, and no other route is missed. By name, so that the shards of a campaign and the whole say the same.
std::vector<UntestedRoute> UntestedRoutes(const std::vector<std::pair<std::string, int>>& taken,
                                          const ToolchainDescription& toolchain);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_UNTESTED_ROUTES_H_
