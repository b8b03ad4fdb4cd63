// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/shared_text.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(SharedText, IsWhatAnotherProcessWroteLast) {
  SharedText text;
  EXPECT_EQ(text.Read(), "");
  const pid_t child = fork();
  if (child == 0) {
    text.Write("first");
    text.Write("a longer second");
    text.Write("third");
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(text.Read(), "third");
}

TEST(SharedText, LeavesOutWhatIsTooLong) {
  SharedText text;
  text.Write("short");
  text.Write(std::string(size_t{5} << 20, 'x'));
  EXPECT_EQ(text.Read(), "short");
}

}  // namespace
}  // namespace tosaic
