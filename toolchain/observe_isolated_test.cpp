// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/observe_isolated.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "toolchain/program_testing.h"
#include "toolchain/progress.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

// A signal that no handler of a sanitizer turns into something else.
[[noreturn]] void Die(int number) {
  signal(number, SIG_DFL);
  raise(number);
  _exit(99);
}

std::string throw_away;
volatile uint64_t spent = 0;

void OperateForever() {
  for (;;) spent = spent + 1;
}

bool children_die = false;

void LetChildrenDie() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    if (children_die) _exit(9);
  });
  ASSERT_EQ(registered, 0);
  children_die = true;
}

class FakeToolchain : public Toolchain {
 public:
  explicit FakeToolchain(std::function<Observation(const Case&)> observe)
      : Toolchain({.name = "fake", .version = "0"}), observe_(std::move(observe)) {}
  Observation Observe(const Case& test_case) override { return observe_(test_case); }

 private:
  std::function<Observation(const Case&)> observe_;
};

Case SomeCase() { return OnOnes(OneOp(Info(OpKind::kAdd), ElementType::kF32, ElementType::kF32, Dynamic(1)), {3}); }

TEST(ObserveIsolated, HandsTheObservationOver) {
  Observation expected;
  expected.runs = {
      {.results = {{.tensor = Filled(ElementType::kF32, {2}, 0x7fc00001), .unwritten = {1}}}, .leaked_buffers = 2}};
  expected.inferred = {TensorType{Shape::Unranked(), ElementType::kI8}, std::nullopt};
  FakeToolchain toolchain([&](const Case&) { return expected; });
  EXPECT_EQ(ObserveIsolated(toolchain, SomeCase(), {}), expected);
}

TEST(ObserveIsolated, DescribesACrash) {
  FakeToolchain toolchain([](const Case&) -> Observation {
    EnterStage(Stage::kLower);
    EnterPass("tosa-to-linalg");
    std::fprintf(stderr, "last words\n");
    Die(SIGSEGV);
  });
  const Observation observation = ObserveIsolated(toolchain, SomeCase(), {});
  EXPECT_EQ(observation.outcome, Outcome::kSignal);
  EXPECT_EQ(observation.signal, SIGSEGV);
  EXPECT_EQ(observation.stage, Stage::kLower);
  EXPECT_EQ(observation.pass, "tosa-to-linalg");
  EXPECT_EQ(observation.diagnostics, std::vector<std::string>{"last words\n"});
}

TEST(ObserveIsolated, DescribesATimeout) {
  FakeToolchain toolchain([](const Case&) -> Observation {
    EnterStage(Stage::kExecute);
    for (;;) pause();
  });
  const Observation observation = ObserveIsolated(toolchain, SomeCase(), {.wall_seconds = 1});
  EXPECT_EQ(observation.outcome, Outcome::kDeadline);
  EXPECT_EQ(observation.stage, Stage::kExecute);
}

TEST(Observed, AProcessWhoseMlirMadeInvalidIrIsReplaced) {
  for (const Outcome outcome : {Outcome::kCompleted, Outcome::kRefused, Outcome::kIllegalIr}) {
    Observation observation;
    observation.outcome = outcome;
    EXPECT_EQ(Observed([&] { return observation; }), observation);
    EXPECT_EQ(TakeRetirement(), outcome == Outcome::kIllegalIr) << Name(outcome);
  }
}

// Whoever dies in what Tosaic does itself, it is not the toolchain.
TEST(ObserveIsolated, BlamesItselfForItsOwnWork) {
  const auto observed = [](std::function<void()> end) {
    FakeToolchain toolchain([&](const Case&) {
      EnterStage(Stage::kExecute);
      SetOwnWork(true);
      end();
      return Observation();
    });
    return ObserveIsolated(toolchain, SomeCase(), {.cpu_seconds = 1, .memory_bytes = uint64_t{1} << 28});
  };
  const std::pair<std::function<void()>, std::string> kEnds[] = {
      {[] { Die(SIGSEGV); }, "Tosaic's own part of the case ended with signal 11: "},
      {[] { _exit(3); }, "Tosaic's own part of the case ended with exit status 3: "},
      {[] { OperateForever(); },
       "Tosaic's own part of the case takes more than the time limit of a case (--cpu-limit, --wall-limit)"},
      {[] { throw_away = std::string(size_t{1} << 30, 'x'); },
       "Tosaic's own part of the case takes more than the memory of a case"},
  };
  for (const auto& [end, message] : kEnds) {
    const Observation observation = observed(end);
    EXPECT_EQ(observation.outcome, Outcome::kToolFailure) << Summarize(observation);
    EXPECT_EQ(observation.diagnostics, std::vector<std::string>{message});
  }
}

TEST(ObserveIsolated, NobodyIsToBlameForASignalOfSomebodyElse) {
  for (const int signal : {SIGKILL, SIGABRT}) {
    FakeToolchain toolchain([&](const Case&) -> Observation { Die(signal); });
    const Observation observation = ObserveIsolated(toolchain, SomeCase(), {});
    EXPECT_EQ(observation.outcome, signal == SIGKILL ? Outcome::kToolFailure : Outcome::kSignal);
    EXPECT_EQ(IsOfKillFromOutside(observation), signal == SIGKILL) << Summarize(observation);
  }
}

// So is memory that a limit of this process leaves out ('ulimit -v').
TEST(ObserveIsolated, BlamesNobodyForMemoryThatItDoesNotHave) {
  if (!kLimitsAddressSpace) GTEST_SKIP() << "the sanitizer takes more by itself";
  const auto observe = [] {
    FakeToolchain toolchain([&](const Case&) {
      throw_away = std::string(size_t{2} << 30, 'x');
      return Observation();
    });
    return ObserveIsolated(toolchain, SomeCase(), {}).outcome;
  };
  const pid_t child = fork();
  if (child == 0) {
    const rlimit little = {size_t{1} << 30, size_t{1} << 30};
    setrlimit(RLIMIT_AS, &little);
    _exit(static_cast<int>(observe()));
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(static_cast<Outcome>(WEXITSTATUS(status)), Outcome::kToolFailure) << status;
}

TEST(ObserveIsolated, ReportsAHarnessThatCannotFork) {
  FakeToolchain toolchain([](const Case&) { return Observation(); });
  LetChildrenDie();
  const Observation observation = ObserveIsolated(toolchain, SomeCase(), {});
  children_die = false;
  EXPECT_EQ(observation.outcome, Outcome::kToolFailure);
  EXPECT_EQ(observation.diagnostics.size(), 1u);
}

TEST(ObserveIsolated, SaysWhatAToolchainHasNot) {
  FakeToolchain toolchain([](const Case&) { return Observation(); });
  const Observation observation = ObserveIsolated(toolchain, OpSignature{kProbeOp, {}, {}}, {});
  EXPECT_EQ(observation.outcome, Outcome::kRefused);
  EXPECT_EQ(observation.stage, Stage::kBuild);
  EXPECT_EQ(observation.diagnostics, std::vector<std::string>{"fake has no op with the Broadcastable trait alone"});
}

}  // namespace
}  // namespace tosaic
