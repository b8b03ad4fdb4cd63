// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SweepJournal: the work directory of a value sweep: what its programs said, so that it can go on after an end.
#ifndef TOSAIC_SWEEPS_SWEEP_JOURNAL_H_
#define TOSAIC_SWEEPS_SWEEP_JOURNAL_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checking/directory_lock.h"
#include "checking/file_writer.h"
#include "codec/visitor.h"
#include "model/json.h"
#include "model/provenance.h"
#include "sweeps/value_chunk.h"
#include "sweeps/value_sweep.h"

namespace tosaic {

// A line of the journal.
struct SweepRecord {
  uint64_t program = 0;       // by its number in the whole sweep's plan
  bool is_confirmed = false;  // a divergence that has been replayed alone
  ValueChunk chunk;
  std::string sum;  // the checksum of its line; empty but in a line
};
void Fields(Visitor& v, SweepRecord& record);

using SweepRecords = std::map<uint64_t, SweepRecord>;  // by program

// Names the whole sweep, whatever the shard, by every option that decides what its programs say: the first line of its
// journal. `versions`: of the toolchain (checking/provenance.h).
Json SweepIdentity(const ValueSweepRunOptions& options, const Provenance& versions);

// The records in a work directory of the sweep of that identity. Lines that are cut short, or changed, count as
// missing. Errors: there is no journal, or it is another sweep's.
absl::StatusOr<SweepRecords> ReadSweepRecords(const std::string& directory, const Json& identity);

class SweepJournal {
 public:
  // Opens or creates the directory, and writes the journal again without lines that cannot be read. Errors, which
  // change nothing: it is another sweep's, or another process works there.
  static absl::StatusOr<SweepJournal> Open(const std::string& directory, const Json& identity);

  // Those that were there when it was opened.
  const SweepRecords& records() const { return records_; }
  // Adds a record, where it survives a crash of this process. A later record of a program replaces an earlier one.
  absl::Status Append(const SweepRecord& record);

 private:
  explicit SweepJournal(DirectoryLock lock) : lock_(std::move(lock)) {}
  absl::Status Rewrite(const Json& identity);

  DirectoryLock lock_;
  std::string path_;
  SweepRecords records_;
  OpenFile file_;
};

}  // namespace tosaic

#endif  // TOSAIC_SWEEPS_SWEEP_JOURNAL_H_
