// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/worker_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <iterator>
#include <new>

#include "absl/strings/str_cat.h"
#include "workers/transfer.h"

namespace tosaic {
namespace {

constexpr int kOutOfMemoryExit = 77;
constexpr uint64_t kTasksPerGrowthCheck = 32;

struct MemorySize {
  uint64_t mapped = 0;
  uint64_t resident = 0;
};

MemorySize MemorySizeOf(pid_t pid) {
  std::FILE* file = std::fopen(absl::StrCat("/proc/", pid, "/statm").c_str(), "r");
  if (file == nullptr) return {};
  unsigned long mapped = 0, resident = 0;
  const int fields = std::fscanf(file, "%lu %lu", &mapped, &resident);
  std::fclose(file);
  const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return fields == 2 ? MemorySize{mapped * page, resident * page} : MemorySize{};
}

[[noreturn]] void OnOutOfMemory() {
  CurrentProgress().out_of_memory = true;
  _exit(kOutOfMemoryExit);
}

void LimitMemory(const WorkerLimits& limits) {
  std::set_new_handler([] { OnOutOfMemory(); });
  if (!kLimitsAddressSpace) return;
  const uint64_t bytes = MemorySizeOf(getpid()).mapped + limits.memory_bytes;
  CurrentProgress().cramped = IsCramped(bytes);
  SetSoftLimit(RLIMIT_AS, bytes);
}

// The limits of the task at work; null in a process that is no worker.
const WorkerLimits* current_limits = nullptr;

}  // namespace

void RestartDeadline() {
  if (current_limits == nullptr) return;
  // The soft limit counts the whole process: it moves along.
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const time_t used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1;
  // LLVM's own handler prints a stack trace, which may die or hang in a task that is interrupted anywhere.
  signal(SIGXCPU, SIG_DFL);
  const auto until = static_cast<uint64_t>(used + current_limits->cpu_seconds);
  if (HardLimitOf(RLIMIT_CPU) < until) CurrentProgress().cramped = true;
  SetSoftLimit(RLIMIT_CPU, until);
  CurrentProgress().started_ms = NowMs();
}

namespace {

// The output of an earlier task says nothing about the next.
void EmptyOutput(int fd) {
  if (lseek(fd, 0, SEEK_CUR) == 0) return;
  lseek(fd, 0, SEEK_SET);
  (void)!ftruncate(fd, 0);
}

void Settle(const PoolOptions& options, const WorkerChannel& channel) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != channel.parent) _exit(1);  // it died before the line above
  // The parent decides when to end: a terminal or a scheduler tells them all.
  for (int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_IGN);
  SetSoftLimit(RLIMIT_CORE, 0);
  dup2(channel.output_fd, STDOUT_FILENO);  // the parent's holds results
  dup2(channel.output_fd, STDERR_FILENO);
  SetProgressPage(channel.page);
  LimitMemory(options.limits);
  current_limits = &options.limits;
}

}  // namespace

bool IsSignalFromOutside(int number) {
  constexpr int kOfFaults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP, SIGXCPU};
  return std::find(std::begin(kOfFaults), std::end(kOfFaults), number) == std::end(kOfFaults);
}

bool IsCramped(uint64_t bytes) { return HardLimitOf(RLIMIT_AS) < bytes; }

void RaiseAddressSpaceLimit(uint64_t bytes) {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  SetSoftLimit(RLIMIT_AS, limit.rlim_cur + bytes);
}

uint64_t ResidentBytes(pid_t pid) { return MemorySizeOf(pid).resident; }

double CpuSeconds(const rusage& usage) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

uint64_t NowMs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1000000;
}

void WorkerMain(const PoolOptions& options, const WorkerChannel& channel,
                absl::FunctionRef<std::string(uint64_t)> work) {
  Settle(options, channel);
  TakeRetirement();  // what its parent was asked
  ProgressPage* page = channel.page;
  const uint64_t resident_at_start = ResidentBytes(getpid());
  uint64_t task = 0;
  const auto take = [&] {
    return ReadUpTo(channel.tasks_fd, reinterpret_cast<char*>(&task), sizeof(task)) == sizeof(task);
  };
  for (uint64_t done = 0; take(); ++done) {
    EmptyOutput(channel.output_fd);
    EnterPhase(0);
    RestartDeadline();
    page->task = task;
    const std::string payload = work(task);
    bool retire = TakeRetirement() || done + 1 >= options.tasks_per_worker;
    page->started_ms = 0;  // a parent that is slow to read is not the task's fault
    const FrameHeader header = {task, payload.size()};
    if (!WriteAll(channel.results_fd, &header, sizeof(header)) ||
        !WriteAll(channel.results_fd, payload.data(), payload.size())) {
      _exit(1);
    }
    const bool check_growth = done % kTasksPerGrowthCheck == kTasksPerGrowthCheck - 1;
    if (check_growth && ResidentBytes(getpid()) > resident_at_start + options.growth_bytes) retire = true;
    if (retire) break;
  }
  _exit(0);
}

}  // namespace tosaic
