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
#include "results/tile.h"

namespace tosaic {

// The first line of a journal. Error: there is none.
absl::StatusOr<Json> IdentityIn(const std::string& journal);

struct ShardJournal {
  std::string path;
  uint64_t shard = 0, shards = 1;  // the cases that it may have
};

// The number of lines that came from a journal, up to a problem if there is one. A campaign that is at work or was
// killed leaves lines that are not in the order of their cases, and a last one that is cut short.
struct MergedLines {
  uint64_t lines = 0;
  VerdictCounts verdicts;  // that they have
  std::string problem;
};

// Writes the journal of all, after this identity. One line of each is in memory at a time. Of patterns, each stays with
// the first case that shows it. Errors, which name file and line: a line is broken, or is of a case of another shard.
absl::StatusOr<std::vector<MergedLines>> MergeJournals(const std::vector<ShardJournal>& journals, const Json& identity,
                                                       const std::string& out);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_JOURNALS_H_
