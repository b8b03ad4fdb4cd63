// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worker processes: tasks run in forked children with a deadline and a memory limit. A death is attributed to its task
// and stage, and the other tasks go on. The parent must be single threaded and must not have run a case itself: every
// worker starts as a fresh copy of it.
#ifndef TOSAIC_WORKERS_WORKER_POOL_H_
#define TOSAIC_WORKERS_WORKER_POOL_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "workers/progress.h"

namespace tosaic {

struct WorkerLimits {
  int cpu_seconds = 10;                       // CPU time per task
  int wall_seconds = 60;                      // wall time per task, generous
  uint64_t memory_bytes = uint64_t{3} << 30;  // on top of a fresh worker's
};

struct PoolOptions {
  int jobs = 1;  // workers at a time
  WorkerLimits limits = {};
  uint64_t tasks_per_worker = 4000;             // then a fresh worker replaces it
  uint64_t growth_bytes = uint64_t{256} << 20;  // growth of resident memory after which a fresh worker replaces it
};

// How a worker died of its task.
struct Death {
  enum class How : uint8_t {
    kSignal,
    kExit,  // it exited during the task
    kDeadline,
    kOutOfMemory,
    kNonsense,  // killed, because its answer does not follow the protocol
  };
  How how = How::kSignal;
  int status = 0;      // kSignal: its number; kExit: the exit status
  Progress at;         // the task's progress
  std::string output;  // the tail of its output
  // kOutOfMemory, kDeadline: the process had less than a task may take, by a limit that it was started with (ulimit).
  bool cramped = false;
};

// The result of a task: the worker's answer, or how the worker died.
struct TaskResult {
  uint64_t task = 0;
  std::string payload;
  std::optional<Death> death;
};

// From now on `look`, if it is set, is called now and then while this process waits for workers.
void SetWaitHook(std::function<void()> look);

// Once *stop is set, this process waits no longer for workers or programs (workers/tool_process.h), and kills them:
// RunTasks ends as with its own `stop`. `stop` must live as long as the process.
void StopWaitingOnceSet(const std::atomic<bool>* stop);

// Whether no code raises this signal by what it computes or by failing: somebody else sends it.
bool IsSignalFromOutside(int number);

// Runs tasks until `next` has none left or *stop is set (then workers are killed and unfinished tasks dropped).
//   next  in the parent: the next task number, if any
//   work  in a worker: does the task and returns the payload
//   done  in the parent, in order of completion
// Fails only if workers cannot be created or die before they begin a task.
absl::Status RunTasks(const PoolOptions& options, const std::atomic<bool>* stop,
                      absl::FunctionRef<std::optional<uint64_t>()> next,
                      absl::FunctionRef<std::string(uint64_t task)> work, absl::FunctionRef<void(TaskResult)> done);

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_WORKER_POOL_H_
