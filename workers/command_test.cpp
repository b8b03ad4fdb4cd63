// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/command.h"

#include <atomic>

#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

TEST(RunCommand, EndsAsItsProgramDoes) {
  EXPECT_EQ(RunCommand({.arguments = {"/bin/sh", "-c", "exit 5"}}, nullptr), 5);
  EXPECT_EQ(RunCommand({.arguments = {"/bin/sh", "-c", "kill -9 $$"}}, nullptr), 128 + 9);
  EXPECT_EQ(RunCommand({.arguments = {"/no/such/program"}}, nullptr), 127);
}

TEST(RunCommand, LogsAndTakesAnEnvironmentButNoInput) {
  TemporaryDirectory temporary;
  const Command command = {.arguments = {"/bin/sh", "-c", "echo \"$NIGHT\"; echo error >&2; cat"},
                           .environment = {{"NIGHT", "falls"}},
                           .log = temporary / "log"};
  EXPECT_EQ(RunCommand(command, nullptr), 0);
  EXPECT_EQ(Slurp(temporary / "log"), "falls\nerror\n");
}

TEST(RunCommand, AProgramIsToldToStop) {
  const std::atomic<bool> stop = true;
  EXPECT_EQ(RunCommand({.arguments = {"/bin/sleep", "100"}}, &stop), 128 + 15);
  EXPECT_EQ(RunCommand({.arguments = {"/bin/sleep", "100"}, .seconds = 0.01}, nullptr), 128 + 15);
}

}  // namespace
}  // namespace tosaic
