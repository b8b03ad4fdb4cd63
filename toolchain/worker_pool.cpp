#include "toolchain/worker_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/Support/ErrorHandling.h"
#include "model/json.h"
#include "toolchain/progress.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TOSAIC_ASAN 1
#endif
#endif

namespace tosaic {
namespace {

constexpr size_t kTasksAhead = 4;       // tasks a worker has in its pipe, so that it never waits for the parent
constexpr int kPollMilliseconds = 100;  // how often deadlines are looked at
constexpr int kOutOfMemoryExit = 77;
constexpr size_t kStandardErrorTail = 2000;

uint64_t NowMs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1000000;
}

bool WriteAll(int fd, const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = write(fd, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

bool ReadAll(int fd, void* data, size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = read(fd, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

// Resident bytes of a process, 0 if it is gone.
uint64_t ResidentBytes(pid_t pid) {
  std::FILE* file = std::fopen(absl::StrCat("/proc/", pid, "/statm").c_str(), "r");
  if (file == nullptr) return 0;
  unsigned long total = 0, resident = 0;
  const int fields = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return fields == 2 ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

uint64_t MappedBytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long total = 0;
  const int fields = std::fscanf(file, "%lu", &total);
  std::fclose(file);
  return fields == 1 ? total * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

// ---- In the worker ----

[[noreturn]] void OnOutOfMemory() {
  CurrentProgress().out_of_memory = true;
  _exit(kOutOfMemoryExit);
}

void LimitMemory(const WorkerLimits& limits) {
  std::set_new_handler([] { OnOutOfMemory(); });
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { OnOutOfMemory(); });
#ifndef TOSAIC_ASAN
  const rlimit address_space = {MappedBytes() + limits.memory_bytes, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &address_space);
#else
  (void)limits;  // the sanitizer reserves terabytes; there the parent watches the resident size alone
#endif
}

// The soft limit counts the whole process: move it along so that this task has its full share.
void RestartCpuDeadline(const WorkerLimits& limits) {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const rlim_t used = static_cast<rlim_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1;
  const rlimit cpu = {used + static_cast<rlim_t>(limits.cpu_seconds), RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &cpu);
}

struct FrameHeader {
  uint64_t task;
  uint64_t size;
};

[[noreturn]] void WorkerMain(const PoolOptions& options, int tasks_fd, int results_fd, ProgressPage* page,
                             absl::FunctionRef<std::string(uint64_t, bool*)> work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN);  // the parent decides when to end
  signal(SIGTERM, SIG_DFL);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  SetProgressPage(page);
  const uint64_t resident_at_start = ResidentBytes(getpid());
  LimitMemory(options.limits);
  uint64_t task = 0;
  for (uint64_t done = 0; ReadAll(tasks_fd, &task, sizeof(task)); ++done) {
    RestartCpuDeadline(options.limits);
    EnterStage(Stage::kBuild);
    page->task = task;
    page->started_ms = NowMs();
    bool retire = done + 1 >= options.tasks_per_worker;
    const std::string payload = work(task, &retire);
    page->started_ms = 0;
    const FrameHeader header = {task, payload.size()};
    if (!WriteAll(results_fd, &header, sizeof(header)) || !WriteAll(results_fd, payload.data(), payload.size())) {
      _exit(1);
    }
    if (done % 32 == 31 && ResidentBytes(getpid()) > resident_at_start + options.growth_bytes) retire = true;
    if (retire) break;
  }
  _exit(0);
}

// ---- In the parent ----

struct Worker {
  pid_t pid = 0;
  int tasks_fd = -1;
  int results_fd = -1;
  int stderr_fd = -1;
  uint64_t resident_at_start = 0;
  ProgressPage* page = nullptr;
  std::deque<uint64_t> sent;  // unanswered tasks, the first one at work
  std::string buffer;         // bytes of an unfinished frame
  std::optional<Outcome> killed_for;
};

class Pool {
 public:
  Pool(const PoolOptions& options, absl::FunctionRef<std::optional<uint64_t>()> next,
       absl::FunctionRef<std::string(uint64_t, bool*)> work, absl::FunctionRef<void(TaskResult)> done)
      : options_(options), next_(next), work_(work), done_(done), workers_(static_cast<size_t>(options.jobs)) {}
  ~Pool() {
    for (Worker& worker : workers_) Kill(worker);
  }

  absl::Status Run(const std::atomic<bool>* stop);

 private:
  std::optional<uint64_t> NextTask();
  absl::Status Start(Worker& worker);
  absl::Status Feed(Worker& worker);
  void Receive(Worker& worker);
  void DeliverFrames(Worker& worker);
  absl::Status Bury(Worker& worker);
  void EnforceLimits(Worker& worker);
  void Kill(Worker& worker);
  void Close(Worker& worker);

  const PoolOptions& options_;
  absl::FunctionRef<std::optional<uint64_t>()> next_;
  absl::FunctionRef<std::string(uint64_t, bool*)> work_;
  absl::FunctionRef<void(TaskResult)> done_;
  std::vector<Worker> workers_;
  std::deque<uint64_t> returned_;  // tasks of a worker that ended before it came to them
  int fruitless_deaths_ = 0;       // in a row, before any task was begun
};

std::optional<uint64_t> Pool::NextTask() {
  if (returned_.empty()) return next_();
  const uint64_t task = returned_.front();
  returned_.pop_front();
  return task;
}

absl::Status Pool::Start(Worker& worker) {
  int tasks[2], results[2];
  if (pipe2(tasks, O_CLOEXEC) != 0 || pipe2(results, O_CLOEXEC) != 0) {
    return absl::InternalError(absl::StrCat("cannot create pipes for a worker: ", std::strerror(errno)));
  }
  if (worker.page == nullptr) {
    void* page = mmap(nullptr, sizeof(ProgressPage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return absl::InternalError("cannot map a worker's progress page");
    worker.page = new (page) ProgressPage();
  }
  worker.page->started_ms = 0;
  worker.page->out_of_memory = false;
  worker.stderr_fd = memfd_create("tosaic-worker-stderr", MFD_CLOEXEC);
  std::fflush(nullptr);
  worker.pid = fork();
  if (worker.pid < 0) return absl::InternalError(absl::StrCat("cannot fork a worker: ", std::strerror(errno)));
  if (worker.pid == 0) {
    close(tasks[1]);
    close(results[0]);
    for (Worker& other : workers_) {
      if (&other != &worker) Close(other);
    }
    dup2(worker.stderr_fd, STDERR_FILENO);
    WorkerMain(options_, tasks[0], results[1], worker.page, work_);
  }
  close(tasks[0]);
  close(results[1]);
  worker.tasks_fd = tasks[1];
  worker.results_fd = results[0];
  worker.resident_at_start = ResidentBytes(worker.pid);
  worker.killed_for.reset();
  worker.buffer.clear();
  fcntl(worker.results_fd, F_SETFL, O_NONBLOCK);
  return absl::OkStatus();
}

// Keeps the worker's pipe filled; starts a worker if there is a task and none is there.
absl::Status Pool::Feed(Worker& worker) {
  while (worker.sent.size() < kTasksAhead) {
    const std::optional<uint64_t> task = NextTask();
    if (!task) break;
    if (worker.pid == 0) {
      if (absl::Status status = Start(worker); !status.ok()) return status;
    }
    worker.sent.push_back(*task);
    // A worker that has just gone leaves a broken pipe; Bury returns its tasks.
    (void)WriteAll(worker.tasks_fd, &*task, sizeof(*task));
  }
  return absl::OkStatus();
}

void Pool::Receive(Worker& worker) {
  char chunk[65536];
  ssize_t got = 0;
  while ((got = read(worker.results_fd, chunk, sizeof(chunk))) > 0) {
    worker.buffer.append(chunk, static_cast<size_t>(got));
  }
  DeliverFrames(worker);
}

void Pool::DeliverFrames(Worker& worker) {
  size_t at = 0;
  FrameHeader header;
  while (worker.buffer.size() - at >= sizeof(header)) {
    std::memcpy(&header, worker.buffer.data() + at, sizeof(header));
    if (worker.buffer.size() - at - sizeof(header) < header.size) break;
    TaskResult result;
    result.task = header.task;
    result.payload = worker.buffer.substr(at + sizeof(header), header.size);
    at += sizeof(header) + header.size;
    worker.sent.pop_front();
    fruitless_deaths_ = 0;
    done_(std::move(result));
  }
  worker.buffer.erase(0, at);
}

std::string TailOf(int fd) {
  const off_t size = lseek(fd, 0, SEEK_END);
  const off_t start = std::max<off_t>(0, size - static_cast<off_t>(kStandardErrorTail));
  std::string tail(static_cast<size_t>(size - start), '\0');
  const ssize_t got = pread(fd, tail.data(), tail.size(), start);
  tail.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return tail;
}

// A worker has ended: reads what it still said, attributes its death, returns the tasks it did not come to.
absl::Status Pool::Bury(Worker& worker) {
  int status = 0;
  waitpid(worker.pid, &status, 0);
  Receive(worker);
  const bool retired = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !worker.killed_for;
  const bool at_work = worker.page->started_ms != 0;
  if (!retired && at_work && !worker.sent.empty() && worker.sent.front() == worker.page->task) {
    TaskResult result;
    result.task = worker.sent.front();
    worker.sent.pop_front();
    Observation death;
    death.stage = worker.page->stage;
    if (death.stage == Stage::kLower) death.pass = worker.page->pass;
    death.outcome = Outcome::kSignal;
    if (WIFSIGNALED(status)) death.signal = WTERMSIG(status);
    if (death.signal == SIGXCPU) death.outcome = Outcome::kDeadline;
    if (worker.page->out_of_memory) death.outcome = Outcome::kOutOfMemory;
    if (worker.killed_for) death.outcome = *worker.killed_for;
    if (death.outcome != Outcome::kSignal) death.signal = 0;
    if (std::string tail = TailOf(worker.stderr_fd); !tail.empty()) death.diagnostics.push_back(std::move(tail));
    result.death = std::move(death);
    fruitless_deaths_ = 0;
    done_(std::move(result));
  } else if (!retired && ++fruitless_deaths_ > 3) {
    return absl::InternalError(absl::StrCat("workers end before they begin a task: ", TailOf(worker.stderr_fd)));
  }
  returned_.insert(returned_.begin(), worker.sent.begin(), worker.sent.end());
  worker.sent.clear();
  Close(worker);
  return absl::OkStatus();
}

void Pool::EnforceLimits(Worker& worker) {
  if (worker.killed_for) return;
  const uint64_t started = worker.page->started_ms;
  if (started != 0 && NowMs() > started + static_cast<uint64_t>(options_.limits.wall_seconds) * 1000) {
    worker.killed_for = Outcome::kDeadline;
  } else if (ResidentBytes(worker.pid) > worker.resident_at_start + options_.limits.memory_bytes) {
    worker.killed_for = Outcome::kOutOfMemory;
  }
  if (worker.killed_for) kill(worker.pid, SIGKILL);
}

void Pool::Kill(Worker& worker) {
  if (worker.pid > 0) {
    kill(worker.pid, SIGKILL);
    waitpid(worker.pid, nullptr, 0);
  }
  Close(worker);
  if (worker.page != nullptr) munmap(worker.page, sizeof(ProgressPage));
}

void Pool::Close(Worker& worker) {
  for (int* fd : {&worker.tasks_fd, &worker.results_fd, &worker.stderr_fd}) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
  worker.pid = 0;
}

absl::Status Pool::Run(const std::atomic<bool>* stop) {
  while (stop == nullptr || !*stop) {
    std::vector<pollfd> fds;
    std::vector<Worker*> polled;
    for (Worker& worker : workers_) {
      if (absl::Status status = Feed(worker); !status.ok()) return status;
      if (worker.pid == 0) continue;
      if (worker.sent.empty()) {
        // Nothing left for this worker: the closed pipe tells it to go.
        if (worker.tasks_fd >= 0) close(worker.tasks_fd);
        worker.tasks_fd = -1;
      }
      fds.push_back({worker.results_fd, POLLIN, 0});
      polled.push_back(&worker);
    }
    if (fds.empty()) return absl::OkStatus();
    poll(fds.data(), fds.size(), kPollMilliseconds);
    for (size_t i = 0; i < fds.size(); ++i) {
      Receive(*polled[i]);
      if ((fds[i].revents & POLLHUP) != 0) {
        if (absl::Status status = Bury(*polled[i]); !status.ok()) return status;
      } else {
        EnforceLimits(*polled[i]);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunTasks(const PoolOptions& options, const std::atomic<bool>* stop,
                      absl::FunctionRef<std::optional<uint64_t>()> next,
                      absl::FunctionRef<std::string(uint64_t task, bool* retire)> work,
                      absl::FunctionRef<void(TaskResult)> done) {
  // A worker may die while it is being written to.
  signal(SIGPIPE, SIG_IGN);
  return Pool(options, next, work, done).Run(stop);
}

Observation ObserveIsolated(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits) {
  Observation observation;
  auto fail = [&](absl::string_view why) {
    observation = Observation();
    observation.outcome = Outcome::kToolFailure;
    observation.diagnostics.push_back(std::string(why));
  };
  bool given = false;
  PoolOptions options;
  options.limits = limits;
  const absl::Status status = RunTasks(
      options, nullptr,
      [&]() -> std::optional<uint64_t> { return std::exchange(given, true) ? std::nullopt : std::optional<uint64_t>(0); },
      [&](uint64_t, bool*) { return Dump(ToJson(toolchain.Observe(test_case)), -1); },
      [&](TaskResult result) {
        if (result.death) {
          observation = *std::move(result.death);
          return;
        }
        absl::StatusOr<Observation> parsed =
            ObservationFromJson(Json::parse(result.payload, nullptr, /*allow_exceptions=*/false));
        if (parsed.ok()) {
          observation = *std::move(parsed);
        } else {
          fail(parsed.status().message());
        }
      });
  if (!status.ok()) fail(status.message());
  return observation;
}

}  // namespace tosaic
