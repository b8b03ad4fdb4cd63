// Where a case stands, in memory that outlives the process at work: a death is attributed from it. Single threaded.
#ifndef TOSAIC_WORKERS_PROGRESS_H_
#define TOSAIC_WORKERS_PROGRESS_H_

#include <atomic>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "model/observation.h"

namespace tosaic {

struct ProgressPage {
  static constexpr uint64_t kNoTask = ~uint64_t{0};
  std::atomic<uint64_t> task{kNoTask};  // the last task begun
  std::atomic<uint64_t> started_ms{0};  // CLOCK_MONOTONIC when it started; 0: idle
  std::atomic<Stage> stage{Stage::kBuild};
  std::atomic<uint32_t> run{0};  // kExecute: the run at work
  std::atomic<bool> out_of_memory{false};
  char pass[96] = {};  // kLower: the pass at work
};

// Where EnterStage and EnterPass write; by default a page of this process. Not owned.
void SetProgressPage(ProgressPage* page);
ProgressPage& CurrentProgress();

void EnterStage(Stage stage);
void EnterPass(absl::string_view name);
void EnterRun(uint32_t run);

// An observation that ended where the page says, of a signal: the caller knows its number, or better.
Observation DeathAt(const ProgressPage& page);

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_PROGRESS_H_
