// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/answer_files.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

TEST(AnswerFiles, HaveTheBytesOfAnAnswerToTheirQuestionAlone) {
  const TemporaryDirectory folder;
  const std::string bytes("a\0b\n", 4);
  EXPECT_EQ(FindAnswer(folder.path(), "q"), std::nullopt);
  PutAnswer(folder.path(), "q", bytes);
  EXPECT_EQ(FindAnswer(folder.path(), "q"), bytes);
  EXPECT_EQ(FindAnswer(folder.path(), "q"), bytes) << "it stays";
  std::filesystem::rename(AnswerFile(folder.path(), "q"), AnswerFile(folder.path(), "other"));
  EXPECT_EQ(FindAnswer(folder.path(), "other"), std::nullopt) << "of another question with this digest";
}

TEST(AnswerFiles, AFullDiskLeavesNoPartOfAnAnswer) {
  const TemporaryDirectory folder;
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit little = {100, 100};
    setrlimit(RLIMIT_FSIZE, &little);
    PutAnswer(folder.path(), "q", std::string(100'000, 'a'));
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(FindAnswer(folder.path(), "q"), std::nullopt);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace tosaic
