// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Historian: the verdict on a case by every MLIR of this machine, and since when and until when it is wrong.
#ifndef TOSAIC_TOOLS_HISTORIAN_H_
#define TOSAIC_TOOLS_HISTORIAN_H_

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "diagnosis/blame.h"
#include "diagnosis/history_rows.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "toolchain/external/dated_build.h"
#include "toolchain/toolchain.h"
#include "tools/behind_buffers.h"
#include "workers/worker_pool.h"

namespace tosaic {

// The answers about a case, and the sentence that each list makes.
struct CaseHistory {
  std::vector<HistoryRow> released, dated;  // oldest first; of the dated builds, those that were asked
  std::string span, dated_span;             // the second is empty without dated builds
  ShortBlame blame;                         // of this process's MLIR; all empty: nobody was asked for it
  std::string name;                         // of the case, if it is one of several
  bool interrupted = false;                 // not all were asked; the spans say so, too
  size_t dated_builds = 0;                  // that this machine has

  bool DatedBuildsTell() const {
    return absl::c_any_of(dated, [](const HistoryRow& row) { return CanTell(row.answer); });
  }
  static bool IsWrongRow(const HistoryRow& row) { return tosaic::IsWrong(row.answer); }
  bool IsWrong() const { return absl::c_any_of(released, IsWrongRow) || absl::c_any_of(dated, IsWrongRow); }
  // "5 of 34 were asked, others may be wrong (--all asks each)"; empty: all were.
  std::string NotAsked() const;
  // Since when and until when it is wrong: by days, if a dated build is; empty: not known.
  std::string Interval() const {
    if (absl::c_any_of(dated, IsWrongRow)) return dated_span;
    return absl::c_any_of(released, IsWrongRow) ? span : "";
  }
};

void Fields(Visitor& v, CaseHistory& history);

// Asks all toolchains of this machine, each of which is made when it is first asked.
class Historian {
 public:
  // `judge`: for any toolchain. Once *stop is set (null: never), nobody is asked.
  Historian(const WorkerLimits& limits, const JudgeOptions& judge, const std::atomic<bool>* stop = nullptr);

  using OnRow = std::function<void(const HistoryRow&)>;
  // `name`: of the case, for the progress line. `on_row` gets each row when it is known. `found_on`: the toolchain on
  // which the case was found, which is asked in any case; empty: not known.
  CaseHistory Ask(absl::string_view name, const Case& test_case, const OnRow& on_row, absl::string_view found_on = "");
  // From now on each dated build is asked.
  void AskAllBuilds() { asks_all_ = true; }

 private:
  // The arguments of Ask.
  struct Question {
    absl::string_view name;
    const Case& test_case;
    const OnRow& on_row;
    absl::string_view found_on;
  };
  // The answer of `ask`, which asks one toolchain; nullopt, and `history` says so: it was stopped.
  std::optional<HistoryRow> RowOf(const Question& question, const std::string& toolchain,
                                  const std::function<HistoryRow()>& ask, CaseHistory* history) const;
  void AskDatedBuilds(const Question& question, const HistoryRow* wrong, const HistoryRow* control,
                      BehindBuffers* buffers, CaseHistory* history);
  absl::StatusOr<Toolchain*> Get(const std::string& name);
  HistoryRow AskReleased(const std::string& name, const Case& test_case);
  // What the verifier says of the case, for which it needs no pass.
  HistoryRow DecidedBy(Toolchain& toolchain, const Case& test_case, HistoryRow row) const;
  // `wrong`: the divergence that all are asked about, `buffers`: of it; null: none is known, and then there is no
  // `control` either.
  HistoryRow AskDated(const DatedBuild& build, const Case& test_case, const HistoryRow* wrong,
                      const HistoryRow* control, BehindBuffers* buffers);
  // The pipeline that stands for the case's route on a dated build. Error: the toolchain of `control` does not show the
  // same without the passes that the build lacks; or nobody shows it, and they may matter.
  absl::StatusOr<std::string> PipelineFor(const Halves& halves, const Case& test_case, const HistoryRow* control);
  // The dated builds, ascending, that are asked whatever others answer: those nearest to the branches of the releases
  // that can tell, and that on which the case was found; or all.
  std::vector<size_t> AskedAnyway(const std::vector<HistoryRow>& released, absl::string_view found_on) const;

  const WorkerLimits limits_;
  const JudgeOptions judge_;
  const std::atomic<bool>* const stop_;
  bool asks_all_ = false;
  std::vector<std::string> released_;  // oldest first, as --toolchain takes them
  const std::vector<DatedBuild> dated_ = ListDatedBuilds();
  std::map<std::string, absl::StatusOr<std::unique_ptr<Toolchain>>> made_;
  std::map<std::string, absl::StatusOr<PassNames>> passes_;  // by the dated build's name
  std::map<std::string, bool> shows_;                        // by pipeline: whether the control shows the case on it
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_HISTORIAN_H_
