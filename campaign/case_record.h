// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CaseRecord: the part of a case's result that a campaign keeps. It is a line of the journal.
#ifndef TOSAIC_CAMPAIGN_CASE_RECORD_H_
#define TOSAIC_CAMPAIGN_CASE_RECORD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "checking/check_case.h"
#include "codec/codec.h"
#include "model/program.h"
#include "model/shape_class.h"
#include "model/signature.h"
#include "model/verdict.h"

namespace tosaic {

struct CaseRecord {
  uint64_t number = 0;
  Verdict verdict = Verdict::kAgree;
  OpKind op = {};          // the last one
  TypePair types;          // its
  ShapeClass shapes = {};  // its, if it is the only one
  std::string route;
  std::string twin;      // the one that the case has, if any
  std::string category;  // the subject of a refusal by the verifier, if it is known
  DecidingRule rule;
  FindingSignature signature;  // divergences only
  bool beyond_spec = false;
  bool base_agrees = false;  // the MLIR without the patch under review has it right (of_patch.h)
  bool of_twin = false;  // true if the case's twin diverges (generators/twins.h); route, op and types are the twin's
  uint64_t runs = 0;     // runs executed
  uint64_t compared = 0;
  uint64_t masked = 0;
  uint64_t open = 0;
  std::vector<JudgedElements> judged;  // all three, by what computed them
  std::vector<std::string> notes;
  std::string opinion;                // of the campaign's second judge
  std::vector<std::string> patterns;  // patterns that changed the IR for the first time in this worker
  std::vector<std::string> reached;   // blocks, by number, and what else was new when its round began (guidance.h)
  std::vector<double> new_numbers;    // that the patch under review brings into its IR
  uint64_t first_preceding = 0;       // the first case that the same worker process had run
  std::string sum;                    // the checksum of its line; empty but in a line
};

CaseRecord RecordOf(uint64_t number, const Case& test_case, const CheckedCase& checked);

// Whether somebody killed what observed the case, so that the record says nothing about it.
bool IsKilled(const CaseRecord& record);

// A line of the journal with its checksum, without the newline.
std::string JournalLine(const CaseRecord& record);
// The record in such a line. Errors: it is none, or was changed. Lines of an earlier Tosaic have no checksum.
absl::StatusOr<CaseRecord> RecordIn(absl::string_view line);
// Whether RecordIn() would take the line; with a checksum this is cheap.
absl::Status CheckJournalLine(absl::string_view line);

void Fields(Visitor& v, CaseRecord& record);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_CASE_RECORD_H_
