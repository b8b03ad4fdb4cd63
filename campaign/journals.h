// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges the journals of shards, which are files, into one, in the order of their cases.
#ifndef TOSAIC_CAMPAIGN_JOURNALS_H_
#define TOSAIC_CAMPAIGN_JOURNALS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/json.h"

namespace tosaic {

// The first line of a journal. Error: there is none.
absl::StatusOr<Json> IdentityIn(const std::string& journal);

// Writes the journal of all, after this identity. REQUIRES: each is in the order of its cases, as a campaign leaves it
// at its end. One line of each is in memory at a time. Of patterns, each stays with the first case that shows it.
// Returns how many lines came from each.
absl::StatusOr<std::vector<uint64_t>> MergeJournals(const std::vector<std::string>& journals, const Json& identity,
                                                    const std::string& out);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_JOURNALS_H_
