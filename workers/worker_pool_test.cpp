// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that end in every way a worker can.
#include "workers/worker_pool.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "workers/progress.h"

namespace tosaic {
namespace {

using Work = std::function<std::string(uint64_t)>;

struct Outcomes {
  absl::Status status;
  std::map<uint64_t, TaskResult> results;
  size_t count = 0;  // more than results.size() if a task got two
};

// Runs tasks 0 .. count-1.
Outcomes RunAll(uint64_t count, const Work& work, const PoolOptions& options = {},
                const std::atomic<bool>* stop = nullptr) {
  Outcomes outcomes;
  uint64_t next = 0;
  outcomes.status = RunTasks(
      options, stop, [&] { return next < count ? std::optional<uint64_t>(next++) : std::nullopt; },
      [&](uint64_t task) { return work(task); },
      [&](TaskResult result) {
        ++outcomes.count;
        outcomes.results[result.task] = std::move(result);
      });
  return outcomes;
}

std::string Answer(uint64_t task) { return absl::StrCat("answer ", task); }

// Every task but `victim` has its answer, and every one has exactly one result.
void ExpectOthersAnswered(const Outcomes& outcomes, uint64_t count, std::set<uint64_t> victims) {
  EXPECT_TRUE(outcomes.status.ok()) << outcomes.status;
  EXPECT_EQ(outcomes.count, count);
  EXPECT_EQ(outcomes.results.size(), count);
  for (const auto& [task, result] : outcomes.results) {
    EXPECT_EQ(result.task, task);
    EXPECT_EQ(result.death.has_value(), victims.contains(task)) << task;
    if (!result.death) {
      EXPECT_EQ(result.payload, Answer(task));
    }
  }
}

// Tasks 0 .. 9, of which 4 does the harm; returns how it died.
Death DeathOf(const std::function<void()>& harm, const PoolOptions& options = {}) {
  const Outcomes outcomes = RunAll(
      10,
      [&](uint64_t task) {
        EnterPhase(3);
        NoteProgress(absl::StrCat("pass-of-", task));
        if (task == 4) harm();
        return Answer(task);
      },
      options);
  ExpectOthersAnswered(outcomes, 10, {4});
  const auto victim = outcomes.results.find(4);
  if (victim == outcomes.results.end() || !victim->second.death) return {};
  EXPECT_EQ(victim->second.death->at.phase, 3u);
  EXPECT_EQ(victim->second.death->at.note, "pass-of-4");
  return *victim->second.death;
}

size_t OpenFiles() {
  DIR* directory = opendir("/proc/self/fd");
  size_t count = 0;
  while (readdir(directory) != nullptr) ++count;
  closedir(directory);
  return count;
}

// A segmentation fault that no handler of a sanitizer or of the executor turns into something else.
[[noreturn]] void Die(int number) {
  signal(number, SIG_DFL);
  raise(number);
  _exit(99);
}

volatile uint64_t sink = 0;

TEST(WorkerPool, AnswersEveryTaskOnce) {
  for (int jobs : {1, 2, 5}) {
    ExpectOthersAnswered(RunAll(100, [](uint64_t task) { return Answer(task); }, {.jobs = jobs}), 100, {});
  }
  ExpectOthersAnswered(RunAll(0, [](uint64_t task) { return Answer(task); }), 0, {});
  ExpectOthersAnswered(RunAll(3, [](uint64_t task) { return Answer(task); }, {.jobs = 0}), 3, {});
}

TEST(WorkerPool, AttributesSignals) {
  for (int number : {SIGABRT, SIGSEGV, SIGILL, SIGKILL}) {
    const Death death = DeathOf([&] { Die(number); });
    EXPECT_EQ(death.how, Death::How::kSignal);
    EXPECT_EQ(death.status, number);
  }
}

TEST(WorkerPool, KnowsWhichSignalsCodeRaisesByFailing) {
  for (int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGXCPU}) {
    EXPECT_FALSE(IsSignalFromOutside(number)) << number;
  }
  for (int number : {SIGKILL, SIGTERM, SIGXFSZ, SIGHUP, SIGUSR1}) EXPECT_TRUE(IsSignalFromOutside(number)) << number;
}

// Three times: a task that is not to blame would have to be hit a fourth time.
TEST(WorkerPool, BeginsATaskAgainWhoseWorkerIsKilledFromOutside) {
  for (const int number : {SIGKILL, SIGXFSZ}) {
    std::atomic<int>& begun = *static_cast<std::atomic<int>*>(
        mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    const Outcomes outcomes = RunAll(5, [&](uint64_t task) {
      if (task == 2 && ++begun < 4) Die(number);
      return Answer(task);
    });
    ExpectOthersAnswered(outcomes, 5, {});
    EXPECT_EQ(begun, 4);
  }
}

TEST(WorkerPool, EndsATaskThatUsesUpItsCpuTime) {
  const Death death = DeathOf(
      [] {
        for (;;) sink = sink + 1;
      },
      {.limits = {.cpu_seconds = 1}});
  EXPECT_EQ(death.how, Death::How::kDeadline);
  EXPECT_EQ(death.status, 0);
}

// As LLVM's, which prints a stack trace.
TEST(WorkerPool, AHandlerOfTheProcessHasNoSayInThat) {
  signal(SIGXCPU, [](int) { abort(); });
  const Death death = DeathOf(
      [] {
        for (;;) sink = sink + 1;
      },
      {.limits = {.cpu_seconds = 1}});
  signal(SIGXCPU, SIG_DFL);
  EXPECT_EQ(death.how, Death::How::kDeadline);
}

TEST(WorkerPool, GivesEachTaskItsOwnCpuTime) {
  // Together they use more than the limit of one.
  const Outcomes outcomes = RunAll(3,
                                   [](uint64_t task) {
                                     const clock_t end = clock() + CLOCKS_PER_SEC / 2;
                                     while (clock() < end) sink = sink + 1;
                                     return Answer(task);
                                   },
                                   {.limits = {.cpu_seconds = 1}});
  ExpectOthersAnswered(outcomes, 3, {});
}

TEST(WorkerPool, EndsATaskThatSleepsForever) {
  const Death death = DeathOf(
      [] {
        for (;;) pause();
      },
      {.limits = {.wall_seconds = 1}});
  EXPECT_EQ(death.how, Death::How::kDeadline);
  EXPECT_EQ(death.status, 0);
}

TEST(WorkerPool, EndsATaskThatIgnoresEverySignalItCan) {
  const Death death = DeathOf(
      [] {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, nullptr);
        for (;;) sink = sink + 1;
      },
      {.limits = {.cpu_seconds = 1, .wall_seconds = 2}});
  EXPECT_EQ(death.how, Death::How::kDeadline);
}

TEST(WorkerPool, EndsATaskThatAllocatesWithoutEnd) {
  const Death death = DeathOf(
      [] {
        for (;;) {
          char* block = new char[1 << 20];
          for (int i = 0; i < 1 << 20; i += 4096) static_cast<volatile char*>(block)[i] = 1;
        }
      },
      {.limits = {.memory_bytes = uint64_t{256} << 20}});
  EXPECT_EQ(death.how, Death::How::kOutOfMemory);
  EXPECT_EQ(death.status, 0);
}

TEST(WorkerPool, AttributesAnExitInTheMiddleWhateverItsStatus) {
  for (int status : {0, 3}) {
    const Death death = DeathOf([&] { std::exit(status); });
    EXPECT_EQ(death.how, Death::How::kExit);
    EXPECT_EQ(death.status, status);
  }
}

TEST(WorkerPool, KeepsTheTailOfWhatTheTaskPrinted) {
  const Outcomes outcomes = RunAll(3, [](uint64_t task) {
    std::fprintf(stderr, "task %d speaks\n", static_cast<int>(task));
    if (task == 1) {
      for (int i = 0; i < 100000; ++i) std::fprintf(stderr, "line %d\n", i);
      Die(SIGABRT);
    }
    return Answer(task);
  });
  ExpectOthersAnswered(outcomes, 3, {1});
  const std::string& tail = outcomes.results.at(1).death->output;
  EXPECT_TRUE(absl::EndsWith(tail, "line 99999\n")) << tail;
  EXPECT_LE(tail.size(), 16000u);
}

TEST(WorkerPool, KeepsNothingOfWhatEarlierTasksPrinted) {
  const Outcomes outcomes = RunAll(3, [](uint64_t task) {
    std::fprintf(stderr, "task %d speaks\n", static_cast<int>(task));
    if (task == 2) Die(SIGABRT);
    return Answer(task);
  });
  ExpectOthersAnswered(outcomes, 3, {2});
  EXPECT_EQ(outcomes.results.at(2).death->output, "task 2 speaks\n");
}

TEST(WorkerPool, BoundsWhatATaskPrints) {
  // 40 MB in pieces of 8 MB; how much of it is kept is looked at while the task pauses.
  const Outcomes outcomes = RunAll(1, [](uint64_t task) {
    const std::string much(8 << 20, 'x');
    off_t largest = 0;
    for (int i = 0; i < 5; ++i) {
      if (write(STDERR_FILENO, much.data(), much.size()) < 0) _exit(1);
      usleep(250 * 1000);
      largest = std::max(largest, lseek(STDERR_FILENO, 0, SEEK_END));
    }
    return largest < 40 << 20 ? Answer(task) : absl::StrCat("kept ", largest);
  });
  ExpectOthersAnswered(outcomes, 1, {});
}

TEST(WorkerPool, KeepsWorkersOffStandardOutput) {
  testing::internal::CaptureStdout();
  const Outcomes outcomes = RunAll(2, [](uint64_t task) {
    std::printf("not a result\n");
    std::fflush(stdout);
    return Answer(task);
  });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  ExpectOthersAnswered(outcomes, 2, {});
}

TEST(WorkerPool, CarriesLargeAndEmptyAnswers) {
  const Outcomes outcomes =
      RunAll(8,
             [](uint64_t task) {
               return task % 2 == 0 ? std::string((5 << 20) + task, static_cast<char>('a' + task)) : std::string();
             },
             {.jobs = 2});
  ASSERT_EQ(outcomes.results.size(), 8u);
  for (const auto& [task, result] : outcomes.results) {
    EXPECT_FALSE(result.death.has_value());
    const std::string expected =
        task % 2 == 0 ? std::string((5 << 20) + task, static_cast<char>('a' + task)) : std::string();
    EXPECT_TRUE(result.payload == expected) << task << ": " << result.payload.size() << " bytes";
  }
}

TEST(WorkerPool, ReplacesWorkersThatRetire) {
  const auto pids = [](const Work& work, const PoolOptions& options) {
    const Outcomes outcomes = RunAll(12, work, options);
    EXPECT_TRUE(outcomes.status.ok());
    EXPECT_EQ(outcomes.count, 12u);
    std::set<std::string> distinct;
    for (const auto& [task, result] : outcomes.results) distinct.insert(result.payload);
    return distinct.size();
  };
  const Work pid = [](uint64_t) { return absl::StrCat(getpid()); };
  EXPECT_EQ(pids(pid, {}), 1u);
  EXPECT_EQ(pids(pid, {.tasks_per_worker = 1}), 12u);
  EXPECT_EQ(pids(pid, {.tasks_per_worker = 5}), 3u);
  const Work retire = [](uint64_t task) {
    if (task % 3 == 2) RetireProcess();
    return absl::StrCat(getpid());
  };
  EXPECT_EQ(pids(retire, {}), 4u);
  RetireProcess();
  EXPECT_EQ(pids(pid, {}), 1u) << "that this process is to be replaced says nothing of a worker";
  EXPECT_TRUE(TakeRetirement());
}

TEST(WorkerPool, ReplacesWorkersThatGrow) {
  const Outcomes outcomes = RunAll(96,
                                   [](uint64_t) {
                                     volatile char* block = new char[1 << 20];
                                     for (int i = 0; i < 1 << 20; i += 4096) block[i] = 1;
                                     return absl::StrCat(getpid());
                                   },
                                   {.growth_bytes = 20 << 20});
  std::set<std::string> distinct;
  for (const auto& [task, result] : outcomes.results) distinct.insert(result.payload);
  EXPECT_EQ(outcomes.count, 96u);
  EXPECT_EQ(distinct.size(), 3u);
}

TEST(WorkerPool, GivesTheSameResultsWhateverTheNumberOfWorkers) {
  const auto summary = [](int jobs) {
    const Outcomes outcomes = RunAll(60,
                                     [](uint64_t task) {
                                       EnterPhase(static_cast<uint32_t>(task % 7));
                                       if (task % 7 == 3) Die(SIGSEGV);
                                       if (task % 11 == 5) _exit(0);
                                       if (task % 13 == 8) RetireProcess();
                                       return Answer(task);
                                     },
                                     {.jobs = jobs});
    EXPECT_TRUE(outcomes.status.ok()) << outcomes.status;
    EXPECT_EQ(outcomes.count, 60u);
    std::string text;
    for (const auto& [task, result] : outcomes.results) {
      absl::StrAppend(&text, task, ": ", result.payload,
                      result.death ? absl::StrCat(static_cast<int>(result.death->how), " ", result.death->status, " ",
                                                  result.death->at.phase)
                                   : "",
                      "\n");
    }
    return text;
  };
  const std::string one = summary(1);
  EXPECT_EQ(summary(2), one);
  EXPECT_EQ(summary(5), one);
}

TEST(WorkerPool, GoesOnWhenEveryTaskIsDeadly) {
  const Outcomes outcomes = RunAll(20,
                                   [](uint64_t) -> std::string {
                                     EnterPhase(6);
                                     Die(SIGSEGV);
                                   },
                                   {.jobs = 2});
  EXPECT_TRUE(outcomes.status.ok()) << outcomes.status;
  EXPECT_EQ(outcomes.count, 20u);
  for (const auto& [task, result] : outcomes.results) {
    ASSERT_TRUE(result.death.has_value());
    EXPECT_EQ(result.death->at.phase, 6u);
  }
}

TEST(WorkerPool, AttributesADeathAmongWorkersThatAreBusy) {
  // Two workers, one of which dies while the other has tasks waiting.
  const Outcomes outcomes = RunAll(30,
                                   [](uint64_t task) {
                                     EnterPhase(task == 7 ? 5 : 1);
                                     usleep(2000);
                                     if (task == 7) Die(SIGFPE);
                                     return Answer(task);
                                   },
                                   {.jobs = 2});
  ExpectOthersAnswered(outcomes, 30, {7});
  EXPECT_EQ(outcomes.results.at(7).death->at.phase, 5u);
}

void ExpectStopsAtOnce(bool as_process) {
  static std::atomic<bool> stop;
  stop = false;
  if (as_process) StopWaitingOnceSet(&stop);
  size_t answers = 0;
  uint64_t next = 0;
  const absl::Status status = RunTasks(
      {.jobs = 2}, as_process ? nullptr : &stop, [&] { return std::optional<uint64_t>(next++); },
      [&](uint64_t task) {
        if (task >= 10) {
          for (;;) pause();
        }
        return Answer(task);
      },
      [&](TaskResult) {
        if (++answers >= 5) stop = true;
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_GE(answers, 5u);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a worker was left behind";
  EXPECT_EQ(errno, ECHILD);
  StopWaitingOnceSet(nullptr);
}

TEST(WorkerPool, StopsAtOnceWhenAsked) { ExpectStopsAtOnce(false); }

TEST(WorkerPool, StopsAtOnceWhenTheProcessIsToStopWaiting) { ExpectStopsAtOnce(true); }

TEST(WorkerPool, LeavesNeitherFilesNorProcessesBehind) {
  RunAll(1, [](uint64_t task) { return Answer(task); });
  const size_t before = OpenFiles();
  RunAll(40,
         [](uint64_t task) {
           if (task % 4 == 1) Die(SIGSEGV);
           return Answer(task);
         },
         {.jobs = 3, .tasks_per_worker = 2});
  EXPECT_EQ(OpenFiles(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(WorkerPool, IsNotDisturbedByInterruptions) {
  // A timer interrupts the parent's every wait.
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  struct sigaction before;
  sigaction(SIGALRM, &action, &before);
  const itimerval often = {{0, 500}, {0, 500}};
  setitimer(ITIMER_REAL, &often, nullptr);
  const Outcomes outcomes = RunAll(60,
                                   [](uint64_t task) {
                                     if (task % 6 == 1) Die(SIGSEGV);
                                     return Answer(task);
                                   },
                                   {.jobs = 2, .tasks_per_worker = 3});
  const itimerval never = {};
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  ExpectOthersAnswered(outcomes, 60, {1, 7, 13, 19, 25, 31, 37, 43, 49, 55});
}

bool children_die = false;

void LetChildrenDie() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    if (children_die) _exit(9);
  });
  ASSERT_EQ(registered, 0);
  children_die = true;
}

TEST(WorkerPool, GivesUpWhenWorkersEndBeforeTheyBegin) {
  LetChildrenDie();
  const Outcomes outcomes = RunAll(10, [](uint64_t task) { return Answer(task); });
  children_die = false;
  EXPECT_EQ(outcomes.status.code(), absl::StatusCode::kInternal) << outcomes.status;
  EXPECT_TRUE(absl::StrContains(outcomes.status.message(), "before they begin a task")) << outcomes.status;
  EXPECT_EQ(outcomes.count, 0u);
  ExpectOthersAnswered(RunAll(10, [](uint64_t task) { return Answer(task); }), 10, {});
}

TEST(WorkerPool, EndsAWorkerThatDoesNotSpeakItsProtocol) {
  // Noise on every descriptor above standard error, the pipe of results among them.
  const Death death = DeathOf([] {
    const std::string noise(64, 'n');
    for (int fd = STDERR_FILENO + 1; fd < 100; ++fd) (void)!write(fd, noise.data(), noise.size());
    for (;;) pause();
  });
  EXPECT_EQ(death.how, Death::How::kNonsense);
}

TEST(WorkerPool, EndsAWorkerThatClosesItsPipeAndGoesOn) {
  const Death death = DeathOf([] {
    for (int fd = STDERR_FILENO + 1; fd < 100; ++fd) close(fd);
    for (;;) pause();
  });
  EXPECT_EQ(death.how, Death::How::kSignal);
}

}  // namespace
}  // namespace tosaic
