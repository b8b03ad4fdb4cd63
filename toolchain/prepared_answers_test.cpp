// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/prepared_answers.h"

#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(PreparedAnswers, AreTakenOnceByTheirQuestion) {
  const PreparedAnswers answers;
  const std::string bytes("a\0b\n", 4);
  EXPECT_FALSE(answers.Take("one").has_value());
  answers.Put("one", bytes);
  answers.Put("two", "");
  EXPECT_EQ(answers.Take("one"), bytes);
  EXPECT_FALSE(answers.Take("one").has_value());
  EXPECT_EQ(answers.Take("two"), "");
}

TEST(PreparedAnswers, AreForForkedProcessesToo) {
  const PreparedAnswers answers;
  const pid_t child = fork();
  if (child == 0) {
    answers.Put("question", "answer");
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(answers.Take("question"), "answer");
}

}  // namespace
}  // namespace tosaic
