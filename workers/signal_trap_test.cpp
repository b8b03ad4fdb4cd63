// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/signal_trap.h"

#include <signal.h>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

int SignalOf(absl::FunctionRef<void()> body) {
  const std::optional<TrappedSignal> trapped = RunTrapped(body);
  return trapped ? trapped->signal : 0;
}

TEST(RunTrapped, NamesWhatEndedTheBodyAndGoesOn) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGSEGV}) {
    EXPECT_EQ(SignalOf([signal] { raise(signal); }), signal);
  }
  int done = 0;
  EXPECT_EQ(SignalOf([&] { ++done; }), 0);
  EXPECT_EQ(done, 1);
}

TEST(RunTrapped, LeavesOtherSignalsToWhoeverHandledThem) {
  EXPECT_EQ(SignalOf([] {}), 0);
  EXPECT_DEATH(raise(SIGSEGV), "");  // of the signal, or of what a sanitizer does about it
  const DeadlySignals deadly;
  EXPECT_EXIT(raise(SIGABRT), testing::KilledBySignal(SIGABRT), "");
}

TEST(RunTrapped, ABodyThatDoesNotEndIsLeftInTime) {
  volatile bool goes_on = true;
  EXPECT_EQ(SignalOf([&] {
              LeaveBodyAfter(0.01);
              while (goes_on) {
              }
            }),
            SIGVTALRM);
  EXPECT_EQ(SignalOf([] {
              LeaveBodyAfter(0.01);
              LeaveBodyAfter(0);
            }),
            0);
}

// Generated code within an MLIR that may die itself: each signal leaves the body that it is of.
TEST(RunTrapped, ASignalLeavesTheInnermostBody) {
  int inner = 0;
  bool goes_on = false;
  EXPECT_EQ(SignalOf([&] {
              inner = SignalOf([] { raise(SIGFPE); });
              goes_on = SignalOf([] {}) == 0;
              raise(SIGABRT);
              goes_on = false;
            }),
            SIGABRT);
  EXPECT_EQ(inner, SIGFPE);
  EXPECT_TRUE(goes_on);
  EXPECT_EQ(SignalOf([] { raise(SIGSEGV); }), SIGSEGV);
}

// The handler of a body that is over must not be jumped into.
TEST(RunTrapped, OutsideOfABodyASignalIsNotTrappedEither) {
  EXPECT_EQ(SignalOf([] { EXPECT_EQ(SignalOf([] { raise(SIGILL); }), SIGILL); }), 0);
  const DeadlySignals deadly;
  EXPECT_EXIT(raise(SIGILL), testing::KilledBySignal(SIGILL), "");
}

}  // namespace
}  // namespace tosaic
