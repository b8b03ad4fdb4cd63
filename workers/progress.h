// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The progress of a task, in memory that outlives the worker process, so that a death can be attributed. Only the task
// knows what the numbers mean. Single threaded.
#ifndef TOSAIC_WORKERS_PROGRESS_H_
#define TOSAIC_WORKERS_PROGRESS_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

struct ProgressPage {
  static constexpr uint64_t kNoTask = ~uint64_t{0};
  std::atomic<uint64_t> task{kNoTask};  // the last task begun
  std::atomic<uint64_t> started_ms{0};  // CLOCK_MONOTONIC when it started; 0: idle
  std::atomic<uint32_t> phase{0};
  std::atomic<uint32_t> step{0};
  std::atomic<bool> own_work{false};
  std::atomic<bool> out_of_memory{false};
  std::atomic<bool> cramped{false};  // this process was started with less memory or time than a task may take
  char note[96] = {};
};

// The content of a page as a value.
struct Progress {
  uint32_t phase = 0;
  uint32_t step = 0;
  bool own_work = false;
  std::string note;
};
Progress ReadProgress(const ProgressPage& page);

// The page that the functions below write to; by default one of this process. Not owned.
void SetProgressPage(ProgressPage* page);
ProgressPage& CurrentProgress();

void EnterPhase(uint32_t phase);  // at step 0, without a note; what is tested is at work
void EnterStep(uint32_t step);
void NoteProgress(absl::string_view note);
// Says whether the harness itself is at work from here on, or what it tests: a death is the fault of the one at work.
void SetOwnWork(bool is_own);

// Asks that this process be replaced once its task is done, because its state may be damaged.
void RetireProcess();
// Whether this was asked since the last call.
bool TakeRetirement();

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_PROGRESS_H_
