// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker's side of the pool: takes task numbers from one pipe, answers in frames on another, under limits of
// its own. The parent's side is worker_pool.cpp.
#ifndef TOSAIC_WORKERS_WORKER_PROCESS_H_
#define TOSAIC_WORKERS_WORKER_PROCESS_H_

#include <sys/resource.h>
#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "workers/progress.h"
#include "workers/worker_pool.h"

namespace tosaic {

// Precedes each answer.
struct FrameHeader {
  uint64_t task;
  uint64_t size;  // bytes of the payload that follows
};

struct WorkerChannel {
  pid_t parent;
  int tasks_fd;
  int results_fd;
  int output_fd;  // a memory file that stands in for standard output and error; emptied before each task
  ProgressPage* page;
};

// Works until the pipe of tasks is closed or the worker is to be replaced, then exits with status 0.
[[noreturn]] void WorkerMain(const PoolOptions& options, const WorkerChannel& channel,
                             absl::FunctionRef<std::string(uint64_t task)> work);

// Limits this process. A hard limit that it was started with stays.
template <typename Resource>
void SetSoftLimit(Resource resource, uint64_t value) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(value, limit.rlim_max);
  setrlimit(resource, &limit);
}

// The address sanitizer reserves terabytes; with it, the parent watches the resident size alone.
#if defined(__has_feature)
inline constexpr bool kLimitsAddressSpace = !__has_feature(address_sanitizer);
#else
inline constexpr bool kLimitsAddressSpace = true;
#endif

// Gives the task at work all of its time anew. Does nothing in a process that is no worker.
void RestartDeadline();

// Whether a limit that this process was started with leaves it less address space than this.
bool IsCramped(uint64_t bytes);

// Moves this process's limit of address space along, for what the harness reserves for itself: that is no memory of a
// task.
void RaiseAddressSpaceLimit(uint64_t bytes);

// The limit that this process was started with.
template <typename Resource>
rlim_t HardLimitOf(Resource resource) {
  rlimit limit;
  return getrlimit(resource, &limit) == 0 ? limit.rlim_max : RLIM_INFINITY;
}

// Resident bytes of a process, 0 if it is gone.
uint64_t ResidentBytes(pid_t pid);

// CPU time, of the program and the system together.
double CpuSeconds(const rusage& usage);

// CLOCK_MONOTONIC.
uint64_t NowMs();

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_WORKER_PROCESS_H_
