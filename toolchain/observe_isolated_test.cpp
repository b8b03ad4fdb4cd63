// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/observe_isolated.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "toolchain/program_testing.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

// A signal that no handler of a sanitizer turns into something else.
[[noreturn]] void Die(int number) {
  signal(number, SIG_DFL);
  raise(number);
  _exit(99);
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
