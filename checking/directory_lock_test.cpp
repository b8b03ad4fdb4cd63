// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/directory_lock.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

TEST(DirectoryLock, KeepsOthersOutAndSaysWhoHoldsIt) {
  TemporaryDirectory directory;
  {
    const absl::StatusOr<DirectoryLock> first = DirectoryLock::Take(directory.path());
    ASSERT_TRUE(first.ok()) << first.status();
    const absl::StatusOr<DirectoryLock> second = DirectoryLock::Take(directory.path());
    ASSERT_FALSE(second.ok());
    const std::string message(second.status().message());
    EXPECT_TRUE(absl::StrContains(message, "another tosaic is at work there (process ")) << message;
    EXPECT_TRUE(absl::StrContains(message, absl::StrCat("process ", getpid(), " on "))) << message;
    EXPECT_TRUE(absl::StrContains(message, ", since 2")) << message;
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
  EXPECT_TRUE(DirectoryLock::Take(directory.path()).ok());
}

TEST(DirectoryLock, IsReleasedByDeath) {
  TemporaryDirectory directory;
  const pid_t child = fork();
  if (child == 0) {
    const absl::StatusOr<DirectoryLock> lock = DirectoryLock::Take(directory.path());
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(DirectoryLock::Take(directory.path()).ok());
}

TEST(DirectoryLock, AForkedProcessThatEndsReleasesNothing) {
  TemporaryDirectory directory;
  const absl::StatusOr<DirectoryLock> lock = DirectoryLock::Take(directory.path());
  const pid_t child = fork();
  if (child == 0) exit(0);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(DirectoryLock::Take(directory.path()).ok());
}

}  // namespace
}  // namespace tosaic
