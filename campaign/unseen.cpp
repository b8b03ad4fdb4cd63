// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/unseen.h"

#include <set>

#include "absl/algorithm/container.h"
#include "campaign/counting.h"
#include "checking/check_case.h"

namespace tosaic {

std::vector<std::string> UnseenKnownOf(const CampaignRun& run, const std::map<std::string, uint64_t>& kinds,
                                       const std::vector<Finding>& findings) {
  const CampaignOptions& options = run.options;
  std::set<std::string> seen;  // causes
  for (const Finding& finding : findings) seen.insert(finding.cause);
  const auto still_shows = [&](const std::string& cause) {
    const auto cases = options.known_cases.find(cause);
    if (cases == options.known_cases.end()) return false;
    return absl::c_any_of(cases->second, [&](const Case& test_case) {
      const CheckedCase checked = CheckCase(run.toolchain, test_case, options.limits, options.judge);
      const Case& shown = checked.twin ? *checked.twin : test_case;
      const KnownDivergences::Entry* entry = options.known.Find(checked.signature, &shown, run.toolchain);
      return entry != nullptr && entry->cause == cause;
    });
  };
  return UnseenKnown(kinds, options.known, options.cases_without_known, seen, still_shows);
}

}  // namespace tosaic
