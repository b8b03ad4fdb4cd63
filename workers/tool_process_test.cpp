// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/tool_process.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

#include "gtest/gtest.h"
#include "workers/worker_pool.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

ToolEnd Shell(const std::string& script, const ToolLimits& limits = {}, absl::string_view input = "") {
  return RunTool({"/bin/sh", "-c", script}, input, limits);
}

TEST(ToolProcess, PassesInputAndArgumentsAndReturnsWhatIsPrinted) {
  const ToolEnd end =
      RunTool({"/bin/sh", "-c", "cat; printf '%s' \"$1\"; echo bad >&2; exit 3", "sh", "a b;c"}, "in\n", {});
  EXPECT_EQ(end.how, ToolEnd::How::kExited);
  EXPECT_EQ(end.status, 3);
  EXPECT_EQ(end.out, "in\na b;c");
  EXPECT_EQ(end.err, "bad\n");
}

TEST(ToolProcess, NamesTheWayItEnds) {
  const ToolEnd killed = Shell("kill -SEGV $$");
  EXPECT_EQ(killed.how, ToolEnd::How::kSignal);
  EXPECT_EQ(killed.status, SIGSEGV);
  const ToolEnd missing = RunTool({"/no/such/tool"}, "", {});
  EXPECT_EQ(missing.how, ToolEnd::How::kNotStarted);
  EXPECT_EQ(missing.err, "No such file or directory");
  EXPECT_EQ(Shell("while :; do :; done", {.cpu_seconds = 1}).how, ToolEnd::How::kDeadline);
  const ToolEnd handled = Shell("trap 'kill -SEGV $$' XCPU; while :; do :; done", {.cpu_seconds = 1});
  EXPECT_EQ(handled.how, ToolEnd::How::kDeadline) << handled.status;
  EXPECT_EQ(Shell("yes", {.output_bytes = 1 << 16}).how, ToolEnd::How::kTooMuchOutput);
}

TEST(ToolProcess, IsNotWaitedForOnceTheProcessIsToStopWaiting) {
  static const std::atomic<bool> stop = true;
  StopWaitingOnceSet(&stop);
  const ToolEnd end = Shell("sleep 1000");
  StopWaitingOnceSet(nullptr);
  EXPECT_NE(end.how, ToolEnd::How::kExited);
}

TEST(ToolProcess, EndsWhatSleepsAndWhatItStarted) {
  const ToolEnd end = Shell("sleep 1000 & echo $!; wait", {.wall_seconds = 1});
  EXPECT_EQ(end.how, ToolEnd::How::kDeadline);
  const pid_t child = std::stoi(end.out);
  // Killed with its group: it dies when it is next scheduled, and init, or whoever stands in for it, may not have
  // reaped it yet.
  const auto is_gone = [&] { return kill(child, 0) != 0 || ResidentBytes(child) == 0; };
  for (int i = 0; i < 1000 && !is_gone(); ++i) usleep(10000);
  EXPECT_TRUE(is_gone());
}

}  // namespace
}  // namespace tosaic
