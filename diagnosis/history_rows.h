// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one toolchain says of a case in its history, what that means where another one shows the mistake, and the
// sentence that the rows of the releases make.
#ifndef TOSAIC_DIAGNOSIS_HISTORY_ROWS_H_
#define TOSAIC_DIAGNOSIS_HISTORY_ROWS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "diagnosis/dated_answers.h"
#include "model/observation.h"
#include "model/program.h"
#include "model/verdict.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

class Visitor;

// The verdict of one toolchain on the case.
struct HistoryRow {
  std::string toolchain;
  std::string version;
  std::string date;  // of a dated build
  HistoryAnswer answer = HistoryAnswer::kUnknown;
  std::string verdict;
  std::string rule;
  std::string why;  // the reason for "unknown", what was seen of what is wrong, or the reason for a judgement in part
  // The case ended at this place; no file has it.
  Stage stage = Stage::kBuild;
  std::string pass;
};

void Fields(Visitor& v, HistoryRow& row);

// Takes the judgement over, and what it alone means: a program that is not supported is "unknown".
HistoryRow WithJudgement(HistoryRow row, const Judgement& judgement);
// The same of the judgement by the toolchain.
HistoryRow JudgedBy(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits, const JudgeOptions& judge,
                    HistoryRow row = {});
HistoryRow Unknown(HistoryRow row, absl::string_view why);
// Whether this MLIR has no words for the case.
bool LacksWords(const HistoryRow& row);
// Whether both have the same verdict by the same rule.
bool ShowsTheSame(const HistoryRow& a, const HistoryRow& b);

// What the row says of the mistake that `control` shows. Another divergence says nothing of it. A program that this
// MLIR itself refuses cleanly does not crash; one that Tosaic did not give to it says nothing.
HistoryRow AsAnswerAbout(const HistoryRow& control, HistoryRow row);

// "wrong since LLVM 19.1.7 (LLVM 16.0.6 is not), and still on LLVM 24.0.0", of the rows that know, oldest first.
std::string Span(absl::Span<const HistoryRow> rows);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_HISTORY_ROWS_H_
