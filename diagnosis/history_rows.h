// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of `tosaic history`: the verdict of one MLIR on a case, whether it shows the same mistake as another MLIR, and
// the sentence that sums up the rows of the releases.
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
  // kUnknown: the reason; kWrong: what was seen; kRight: what was not judged ("types alone, nothing ran").
  std::string why;
  // Where the case ended; not in files.
  Stage stage = Stage::kBuild;
  std::string pass;
};

void Fields(Visitor& v, HistoryRow& row);

// Copies verdict, rule and stage, and answers by them; `unsupported` and `harness-fault` are kUnknown.
HistoryRow WithJudgement(HistoryRow row, const Judgement& judgement);
// Checks the case with the toolchain, and copies its judgement and the pass in which it ended.
HistoryRow JudgedBy(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits, const JudgeOptions& judge,
                    HistoryRow row = {});
HistoryRow Unknown(HistoryRow row, absl::string_view why);
// Whether this MLIR has no words for the case.
bool LacksWords(const HistoryRow& row);
// Whether both have the same verdict by the same rule.
bool ShowsTheSame(const HistoryRow& a, const HistoryRow& b);

// `row` as evidence about the mistake that `control` shows: a different divergence is kUnknown. If the control crashes,
// a clean refusal by this MLIR is kRight; a program that Tosaic could not give to it stays kUnknown.
HistoryRow AsAnswerAbout(const HistoryRow& control, HistoryRow row);

// "wrong since LLVM 19.1.7 (LLVM 16.0.6 is not), and still on LLVM 24.0.0", of the rows that know, oldest first.
std::string Span(absl::Span<const HistoryRow> rows);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_HISTORY_ROWS_H_
