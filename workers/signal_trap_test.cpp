// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/signal_trap.h"

#include <signal.h>

#include <cstdint>

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

// Recursion that does not end, and no compiler can tell.
int Deep(volatile int* depth) {
  if (*depth < 0) return 0;
  volatile char frame[256];
  frame[0] = 1;
  *depth = *depth + frame[0];
  return Deep(depth) + frame[0];
}

TEST(RunTrapped, TellsAStackOverflowFromOtherAccesses) {
  volatile int depth = 0;
  const std::optional<TrappedSignal> overflow = RunTrapped([&] { depth = Deep(&depth); });
  ASSERT_TRUE(overflow.has_value());
  EXPECT_EQ(overflow->signal, SIGSEGV);
  EXPECT_TRUE(overflow->overflows_stack);
  int here = 0;
  const auto far = reinterpret_cast<uintptr_t>(&here);
  // Null, an address that is not canonical, and one far below the stack.
  for (const uintptr_t address : {uintptr_t{0}, uintptr_t{1} << 60, far - (uintptr_t{1} << 40)}) {
    const std::optional<TrappedSignal> trapped = RunTrapped([&] { *reinterpret_cast<volatile int*>(address) = 1; });
    ASSERT_TRUE(trapped.has_value());
    EXPECT_FALSE(trapped->overflows_stack);
  }
}

// The handler of a body that is over must not be jumped into.
TEST(RunTrapped, OutsideOfABodyASignalIsNotTrappedEither) {
  EXPECT_EQ(SignalOf([] { EXPECT_EQ(SignalOf([] { raise(SIGILL); }), SIGILL); }), 0);
  const DeadlySignals deadly;
  EXPECT_EXIT(raise(SIGILL), testing::KilledBySignal(SIGILL), "");
}

}  // namespace
}  // namespace tosaic
