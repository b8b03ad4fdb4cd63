// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/worker_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codec/status.h"
#include "workers/progress.h"
#include "workers/transfer.h"
#include "workers/wait_hook.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

constexpr size_t kTasksAhead = 4;       // tasks a worker has in its pipe, so that it never waits for the parent
constexpr int kPollMilliseconds = 100;  // how often deadlines are looked at
constexpr int kMostFruitlessDeaths = 3;
constexpr int kMostRetries = 3;        // of a task whose worker was killed from outside, each time in another worker
constexpr size_t kOutputTail = 16000;  // a stack trace of MLIR takes some 6,000
constexpr off_t kMostOutput = 16 * 1024 * 1024;
constexpr uint64_t kLargestPayload = uint64_t{1} << 30;

struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  ~Pipe() {
    for (int end : ends) {
      if (end >= 0) close(end);
    }
  }
  bool ok() const { return ends[0] >= 0; }
  int read_end() const { return ends[0]; }
  int write_end() const { return ends[1]; }
  int Take(int index) { return std::exchange(ends[index], -1); }
  int ends[2];
};

struct Worker {
  pid_t pid = 0;
  int tasks_fd = -1;  // closed before the others when nothing is left to do
  int results_fd = -1;
  int output_fd = -1;
  uint64_t resident_at_start = 0;
  uint64_t limits_checked_ms = 0;
  ProgressPage* page = nullptr;
  std::deque<uint64_t> sent;  // unanswered tasks, in order
  std::string buffer;         // bytes of an unfinished frame
  std::optional<Death::How> killed_for;

  // The task it died of, if it did.
  bool BeganFirst() const { return !sent.empty() && page->task == sent.front(); }
};

void Close(Worker& worker) {
  for (int* fd : {&worker.tasks_fd, &worker.results_fd, &worker.output_fd}) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
  worker.pid = 0;
}

// Ends a worker for good and returns its wait status.
int Reap(pid_t pid) {
  kill(pid, SIGKILL);  // changes nothing for one that has already exited
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

Death DescribeDeath(const Worker& worker, int status) {
  Death death = {.at = ReadProgress(*worker.page),
                 .output = TailOf(worker.output_fd, kOutputTail),
                 .cramped = worker.page->cramped};
  if (worker.killed_for) {
    death.how = *worker.killed_for;
  } else if (worker.page->out_of_memory) {
    death.how = Death::How::kOutOfMemory;
  } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    death.how = Death::How::kDeadline;
  } else {
    death.how = WIFSIGNALED(status) ? Death::How::kSignal : Death::How::kExit;
    death.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }
  return death;
}

// How often a task is begun again that the worker ended in. Killed by somebody else, by a system that is out of memory,
// or ended because it was stopped or waited: no task says so of itself with certainty.
int RetriesAfter(const Worker& worker, int status) {
  if (worker.killed_for) return *worker.killed_for == Death::How::kDeadline ? 1 : 0;
  return WIFSIGNALED(status) && IsSignalFromOutside(WTERMSIG(status)) ? kMostRetries : 0;
}

class Pool {
 public:
  Pool(const PoolOptions& options, absl::FunctionRef<std::optional<uint64_t>()> next,
       absl::FunctionRef<std::string(uint64_t)> work, absl::FunctionRef<void(TaskResult)> done)
      : options_(options),
        next_(next),
        work_(work),
        done_(done),
        workers_(static_cast<size_t>(std::max(options.jobs, 1))) {}
  ~Pool() {
    for (Worker& worker : workers_) {
      if (worker.pid > 0) Reap(worker.pid);
      Close(worker);
      if (worker.page != nullptr) munmap(worker.page, sizeof(ProgressPage));
    }
  }

  absl::Status Run(const std::atomic<bool>* stop);

 private:
  std::optional<uint64_t> NextTask();
  absl::Status Start(Worker& worker);
  absl::Status Feed(Worker& worker);
  absl::Status Poll();
  void Receive(Worker& worker);
  void DeliverFrames(Worker& worker);
  void Deliver(Worker& worker, TaskResult result);
  absl::Status Bury(Worker& worker);
  void EnforceLimits(Worker& worker);

  const PoolOptions& options_;
  absl::FunctionRef<std::optional<uint64_t>()> next_;
  absl::FunctionRef<std::string(uint64_t)> work_;
  absl::FunctionRef<void(TaskResult)> done_;
  std::vector<Worker> workers_;
  std::deque<uint64_t> returned_;    // tasks of a worker that ended before it came to them
  std::map<uint64_t, int> retries_;  // by tasks whose worker was ended from outside
  int fruitless_deaths_ = 0;         // in a row, before any task was begun
};

std::optional<uint64_t> Pool::NextTask() {
  if (returned_.empty()) return next_();
  const uint64_t task = returned_.front();
  returned_.pop_front();
  return task;
}

absl::Status Pool::Start(Worker& worker) {
  Pipe tasks, results;
  worker.output_fd = memfd_create("tosaic-worker-output", MFD_CLOEXEC);
  if (!tasks.ok() || !results.ok() || worker.output_fd < 0) {
    return absl::InternalError(absl::StrCat("cannot create pipes for a worker: ", std::strerror(errno)));
  }
  if (worker.page == nullptr) {
    void* page = mmap(nullptr, sizeof(ProgressPage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return absl::InternalError("cannot map a worker's progress page");
    worker.page = static_cast<ProgressPage*>(page);
  }
  new (worker.page) ProgressPage();
  worker.killed_for.reset();
  worker.buffer.clear();
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return absl::InternalError(absl::StrCat("cannot fork a worker: ", std::strerror(errno)));
  if (pid == 0) {
    close(tasks.write_end());
    close(results.read_end());
    for (Worker& other : workers_) {
      if (&other != &worker) Close(other);
    }
    WorkerMain(options_, {parent, tasks.read_end(), results.write_end(), worker.output_fd, worker.page}, work_);
  }
  worker.pid = pid;
  worker.tasks_fd = tasks.Take(1);
  worker.results_fd = results.Take(0);
  worker.resident_at_start = ResidentBytes(pid);
  fcntl(worker.results_fd, F_SETFL, O_NONBLOCK);
  return absl::OkStatus();
}

// Keeps the worker's pipe filled; starts a worker if there is a task and none is there.
absl::Status Pool::Feed(Worker& worker) {
  const bool leaving = worker.pid != 0 && worker.tasks_fd < 0;
  while (!leaving && worker.sent.size() < kTasksAhead) {
    const std::optional<uint64_t> task = NextTask();
    if (!task) break;
    if (worker.pid == 0) {
      TOSAIC_RETURN_IF_ERROR(Start(worker));
    }
    worker.sent.push_back(*task);
    // A worker that has just gone leaves a broken pipe; Bury returns its tasks.
    (void)WriteAll(worker.tasks_fd, &*task, sizeof(*task));
  }
  if (worker.sent.empty() && worker.tasks_fd >= 0) {
    // Nothing left for this worker: the closed pipe tells it to go.
    close(worker.tasks_fd);
    worker.tasks_fd = -1;
  }
  return absl::OkStatus();
}

void Pool::Receive(Worker& worker) {
  char chunk[65536];
  size_t got = sizeof(chunk);
  while (got == sizeof(chunk)) {
    got = ReadUpTo(worker.results_fd, chunk, sizeof(chunk));
    worker.buffer.append(chunk, got);
  }
  DeliverFrames(worker);
}

void Pool::DeliverFrames(Worker& worker) {
  size_t at = 0;
  FrameHeader header;
  while (worker.buffer.size() - at >= sizeof(header)) {
    std::memcpy(&header, worker.buffer.data() + at, sizeof(header));
    if (worker.sent.empty() || header.task != worker.sent.front() || header.size > kLargestPayload) {
      // No worker writes this: the tested code wrote to the pipe.
      worker.killed_for = Death::How::kNonsense;
      kill(worker.pid, SIGKILL);
      at = worker.buffer.size();
      break;
    }
    if (worker.buffer.size() - at - sizeof(header) < header.size) break;
    TaskResult result;
    result.task = header.task;
    result.payload = worker.buffer.substr(at + sizeof(header), header.size);
    at += sizeof(header) + header.size;
    Deliver(worker, std::move(result));
  }
  worker.buffer.erase(0, at);
}

void Pool::Deliver(Worker& worker, TaskResult result) {
  worker.sent.pop_front();
  fruitless_deaths_ = 0;
  done_(std::move(result));
}

// A worker has ended: reads what it still said, attributes its death, returns the tasks it did not come to.
absl::Status Pool::Bury(Worker& worker) {
  const int status = Reap(worker.pid);
  Receive(worker);
  absl::Status result;
  if (worker.BeganFirst() && retries_[worker.sent.front()]++ < RetriesAfter(worker, status)) {
    // Perhaps not the task's fault: once more, in another worker.
  } else if (worker.BeganFirst()) {
    const uint64_t task = worker.sent.front();
    Deliver(worker, {.task = task, .payload = "", .death = DescribeDeath(worker, status)});
  } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    if (++fruitless_deaths_ > kMostFruitlessDeaths) {
      result = absl::InternalError(
          absl::StrCat("workers end before they begin a task: ", TailOf(worker.output_fd, kOutputTail)));
    }
  }
  returned_.insert(returned_.begin(), worker.sent.begin(), worker.sent.end());
  worker.sent.clear();
  Close(worker);
  return result;
}

void Pool::EnforceLimits(Worker& worker) {
  const uint64_t now = NowMs();
  if (worker.killed_for || now < worker.limits_checked_ms + kPollMilliseconds) return;
  worker.limits_checked_ms = now;
  const uint64_t started = worker.page->started_ms;
  if (started != 0 && now > started + static_cast<uint64_t>(options_.limits.wall_seconds) * 1000) {
    worker.killed_for = Death::How::kDeadline;
  } else if (ResidentBytes(worker.pid) > worker.resident_at_start + options_.limits.memory_bytes) {
    worker.killed_for = Death::How::kOutOfMemory;
  }
  if (worker.killed_for) kill(worker.pid, SIGKILL);
  struct stat output;
  if (fstat(worker.output_fd, &output) == 0 && output.st_size > kMostOutput) {
    // The position is shared with the worker, which goes on from the beginning.
    lseek(worker.output_fd, 0, SEEK_SET);
    (void)!ftruncate(worker.output_fd, 0);
  }
}

// Waits for the workers to say something, or for the next look at their limits.
absl::Status Pool::Poll() {
  std::vector<pollfd> fds;
  std::vector<Worker*> polled;
  for (Worker& worker : workers_) {
    if (worker.pid == 0) continue;
    fds.push_back({worker.results_fd, POLLIN, 0});
    polled.push_back(&worker);
  }
  poll(fds.data(), fds.size(), kPollMilliseconds);
  for (size_t i = 0; i < fds.size(); ++i) {
    if ((fds[i].revents & POLLHUP) != 0) {
      TOSAIC_RETURN_IF_ERROR(Bury(*polled[i]));
      continue;
    }
    if ((fds[i].revents & POLLIN) != 0) Receive(*polled[i]);
    EnforceLimits(*polled[i]);
  }
  return absl::OkStatus();
}

absl::Status Pool::Run(const std::atomic<bool>* stop) {
  while ((stop == nullptr || !*stop) && !IsToStopWaiting()) {
    bool any = false;
    for (Worker& worker : workers_) {
      TOSAIC_RETURN_IF_ERROR(Feed(worker));
      any |= worker.pid != 0;
    }
    if (!any) return absl::OkStatus();
    TOSAIC_RETURN_IF_ERROR(Poll());
    CallWaitHook();
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunTasks(const PoolOptions& options, const std::atomic<bool>* stop,
                      absl::FunctionRef<std::optional<uint64_t>()> next,
                      absl::FunctionRef<std::string(uint64_t task)> work, absl::FunctionRef<void(TaskResult)> done) {
  // A worker may die while it is being written to.
  signal(SIGPIPE, SIG_IGN);
  return Pool(options, next, work, done).Run(stop);
}

}  // namespace tosaic
