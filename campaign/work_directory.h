// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work directory of a campaign: summary.json, journal.jsonl and one folder per finding.
#ifndef TOSAIC_CAMPAIGN_WORK_DIRECTORY_H_
#define TOSAIC_CAMPAIGN_WORK_DIRECTORY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "campaign/case_record.h"
#include "campaign/finding_group.h"
#include "campaign/identity.h"
#include "campaign/tally.h"
#include "checking/directory_lock.h"
#include "checking/file_writer.h"
#include "model/json.h"
#include "model/work_paths.h"
#include "results/campaign.h"

namespace tosaic {

class WorkDirectory {
 public:
  // Opens or creates the campaign's. Errors, which change nothing:
  // the journal is another campaign's, another process works there, or the path is too long for the files. Journal
  // lines that a crash cut short, that no campaign writes, or that say harness-fault, are dropped: their cases run
  // again.
  static absl::StatusOr<WorkDirectory> Open(const std::string& path, const Identity& identity);
  // The same for a caller who writes the journal, with this first line: the records that are there are not read, and
  // stay as they are.
  static absl::StatusOr<WorkDirectory> OpenWithoutRecords(const std::string& path, const Json& first_line);

  // Only the records' places in the journal are kept in memory, because a long campaign has millions of records: those
  // of an earlier run, and those appended since.
  bool Has(uint64_t number) const { return places_.contains(number); }
  size_t size() const { return places_.size(); }
  // One more than the greatest number; 0 if there is none.
  uint64_t end() const { return places_.empty() ? 0 : places_.rbegin()->first + 1; }
  // The numbers of those that diverge or that somebody killed, which are to be confirmed, in their order.
  std::vector<uint64_t> Divergent() const;
  // REQUIRES: Has(number).
  absl::StatusOr<CaseRecord> Read(uint64_t number) const;
  // Reads all, in the order of case numbers.
  absl::Status ForEach(absl::FunctionRef<void(CaseRecord record)> take) const;
  // Adds a record to the journal, where it survives a crash of this process. On an error it was not added, and no later
  // one can be.
  absl::Status Append(const CaseRecord& record);
  // Writes the journal again, in the order of case numbers, with what `change` makes of each record.
  absl::Status Rewrite(absl::FunctionRef<void(CaseRecord& record)> change);

  // Writes the folders of the findings (older ones go), what merging needs, and summary.json; says in the summary which
  // they are.
  absl::Status WriteResults(CampaignSummary* summary, const std::vector<FindingGroup>& groups, const Tally& tally,
                            Dialect dialect = kCanonicalDialect);

 private:
  // A record's line in the journal.
  struct Place {
    uint64_t offset = 0;
    uint32_t size = 0;  // with the end of the line, if it has one
    bool is_divergent = false;
  };
  static Place PlaceOf(const CaseRecord& record, uint64_t offset, const std::string& line);

  explicit WorkDirectory(DirectoryLock lock) : lock_(std::move(lock)) {}
  absl::Status OpenJournal(int flags);
  absl::Status CheckJournal() const;
  absl::Status ReadJournal(const Identity& identity);
  absl::Status JournalError(int why) const;
  DirectoryLock lock_;
  WorkPaths paths_;
  Json first_line_;                          // of the journal: the identity
  absl::btree_map<uint64_t, Place> places_;  // by case number
  uint64_t end_ = 0;                         // of the journal
  OpenFile journal_;
};

// A folder name for a signature: readable, unique by a hash at its end.
std::string FolderName(const std::string& signature);

// Removes what a campaign leaves in its work directory, and the directory if nothing else is in it.
void RemoveWork(const std::string& path);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_WORK_DIRECTORY_H_
