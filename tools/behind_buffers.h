// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BehindBuffers: whether a mistake may lie in the passes from bufferization on. A dated build runs the passes before,
// and the LLVM that Tosaic is linked with runs these for all of them (dated_build.h), so they tell nothing of the
// build.
#ifndef TOSAIC_TOOLS_BEHIND_BUFFERS_H_
#define TOSAIC_TOOLS_BEHIND_BUFFERS_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "diagnosis/history_rows.h"
#include "diagnosis/pass_bisection.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

class BehindBuffers {
 public:
  // By the name that --toolchain takes.
  using GetToolchain = std::function<absl::StatusOr<Toolchain*>(const std::string&)>;
  // `control`: the row with the mistake. `released`: the rows of all releases. All arguments must outlive it.
  BehindBuffers(const Case& test_case, const HistoryRow& control, const std::vector<HistoryRow>& released,
                GetToolchain get, const WorkerLimits& limits, const JudgeOptions& judge);

  // The row of a dated build as evidence about the mistake: "unknown" if the build looks right, but may be wrong with
  // passes behind buffers of its own.
  HistoryRow AnswerOf(HistoryRow row);
  // The end of the sentence on dated builds, where these passes have to do with it; else empty.
  std::string EndOfSentence(const std::vector<HistoryRow>& dated);
  // Whether LLVM's code generation may be at fault on the toolchain of `control`.
  bool MayBeOfCodeGeneration();

 private:
  // Why a build that looks right may be wrong; empty: these passes have nothing to do with it.
  std::string WhyHidden();
  absl::StatusOr<bool> ShowsWithPassesOfThisProcess();
  const absl::StatusOr<PassBisection>& Bisected();
  // Whether every pass that bisection suspects is behind buffers.
  bool AreSuspectsBehind();
  // Whether what is wrong on every build may come of these passes.
  absl::StatusOr<bool> MayBeAtFault();

  const Case& case_;
  const HistoryRow& control_;
  const std::vector<HistoryRow>& released_;
  const GetToolchain get_;
  const WorkerLimits& limits_;
  const JudgeOptions& judge_;
  std::optional<absl::StatusOr<PassBisection>> bisection_;
  std::optional<std::string> why_hidden_;
  bool is_shown_by_a_build_ = false;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_BEHIND_BUFFERS_H_
