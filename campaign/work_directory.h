// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work directory of a campaign: summary.json, journal.jsonl and one folder per finding.
#ifndef TOSAIC_CAMPAIGN_WORK_DIRECTORY_H_
#define TOSAIC_CAMPAIGN_WORK_DIRECTORY_H_

#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "campaign/case_record.h"
#include "campaign/checking/directory_lock.h"
#include "campaign/finding_group.h"
#include "campaign/tally.h"
#include "model/json.h"
#include "model/work_paths.h"
#include "results/campaign.h"

namespace tosaic {

class WorkDirectory {
 public:
  // Opens or creates it. `identity` names the campaign (seed, shard, generator options): a journal of another
  // campaign is an error, and nothing is changed; so is another process at work there, and a path too long for what it
  // is to hold. Journal lines that a crash cut short, or that no campaign writes, are dropped: their cases run again.
  static absl::StatusOr<WorkDirectory> Open(const std::string& path, const Json& identity);
  // The same for who writes the journal himself: the records that are there are not read, and stay as they are.
  static absl::StatusOr<WorkDirectory> OpenWithoutRecords(const std::string& path, const Json& identity);
  WorkDirectory(WorkDirectory&& other) noexcept;
  WorkDirectory& operator=(WorkDirectory&&) = delete;
  ~WorkDirectory();

  // What an earlier run left, by case number; grows with Append.
  const std::map<uint64_t, CaseRecord>& records() const { return records_; }
  // Adds a record to the journal; it survives a crash of this process. Error: it is not there, and neither is any later
  // one to be.
  absl::Status Append(const CaseRecord& record);
  // Hands the records out, to be replaced: a long campaign has them in memory once. Until then nothing may be appended.
  std::map<uint64_t, CaseRecord> TakeRecords() { return std::exchange(records_, {}); }
  // Replaces records and writes the journal again, in the order of case numbers.
  absl::Status Replace(std::map<uint64_t, CaseRecord> records);

  // Writes the folders of the findings (older ones go), what merging needs, and summary.json; says in the summary which
  // they are.
  absl::Status WriteResults(CampaignSummary* summary, const std::vector<FindingGroup>& groups, const Tally& tally,
                            Dialect dialect = kCanonicalDialect);

 private:
  explicit WorkDirectory(DirectoryLock lock) : lock_(std::move(lock)) {}
  absl::Status OpenJournal();
  absl::Status CheckJournal() const;
  absl::Status ReadJournal();
  absl::Status JournalError(int why) const;
  DirectoryLock lock_;
  WorkPaths paths_;
  Json identity_;
  std::map<uint64_t, CaseRecord> records_;
  std::FILE* journal_ = nullptr;
};

// A folder name for a signature: readable, unique by a hash at its end.
std::string FolderName(const std::string& signature);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_WORK_DIRECTORY_H_
