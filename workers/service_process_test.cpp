// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/service_process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

absl::Status EndOf(const std::vector<std::string>& arguments) {
  absl::StatusOr<std::unique_ptr<ServiceProcess>> service = ServiceProcess::Start(arguments);
  EXPECT_TRUE(service.ok()) << service.status();
  return (*service)->Answer(1).status();
}

TEST(ServiceProcess, AnswersFrameByFrame) {
  absl::StatusOr<std::unique_ptr<ServiceProcess>> echo = ServiceProcess::Start({"/bin/cat"});
  ASSERT_TRUE(echo.ok()) << echo.status();
  for (const std::string& message : {std::string("a\0b\n", 4), std::string(), std::string(30000, 'x')}) {
    ASSERT_TRUE((*echo)->Ask(message));
    const absl::StatusOr<std::string> answer = (*echo)->Answer(10);
    ASSERT_TRUE(answer.ok()) << answer.status();
    EXPECT_EQ(*answer, message);
  }
}

TEST(ServiceProcess, SaysHowItEnded) {
  EXPECT_EQ(EndOf({"/bin/false"}).message(), "exit status 1");
  EXPECT_EQ(EndOf({"/no/such/program"}).message(), "exit status 127");
  EXPECT_EQ(EndOf({"/bin/sh", "-c", "kill -SEGV $$"}).message(), "signal 11");
  EXPECT_EQ(EndOf({"/bin/sh", "-c", "echo no frame at all"}).message(), "exit status 0");
  EXPECT_TRUE(absl::IsDeadlineExceeded(EndOf({"/bin/sleep", "60"})));
}

TEST(ServiceProcess, WhatSomebodyKilledWasNotTooLate) {
  absl::StatusOr<std::unique_ptr<ServiceProcess>> service = ServiceProcess::Start({"/bin/sh", "-c", "kill -KILL $$"});
  ASSERT_TRUE(service.ok()) << service.status();
  EXPECT_EQ((*service)->Answer(60).status(), absl::UnavailableError("signal 9"));
}

TEST(ServiceProcess, HasEndedOnceItWasTooLate) {
  absl::StatusOr<std::unique_ptr<ServiceProcess>> service = ServiceProcess::Start({"/bin/sleep", "60"});
  ASSERT_TRUE(service.ok()) << service.status();
  EXPECT_FALSE((*service)->Answer(1).ok());
  EXPECT_EQ((*service)->Answer(1).status().message(), "it has ended before");
}

bool IsAlive(const std::string& pid) {
  std::ifstream stat(absl::StrCat("/proc/", pid, "/stat"));
  std::string number, name, state;
  stat >> number >> name >> state;
  return !state.empty() && state != "Z";
}

// A wrapper script's own children, too.
TEST(ServiceProcess, OfAForeignProgramNothingIsLeft) {
  absl::StatusOr<std::unique_ptr<ServiceProcess>> service =
      ServiceProcess::Start({"/bin/sh", "-c", "sleep 600 & echo $!; wait"}, /*is_foreign=*/true);
  ASSERT_TRUE(service.ok()) << service.status();
  const absl::StatusOr<std::string> pid = (*service)->AnswerLine(10);
  ASSERT_TRUE(pid.ok()) << pid.status();
  EXPECT_TRUE(IsAlive(*pid));
  service->reset();
  for (int i = 0; i < 1000 && IsAlive(*pid); ++i) usleep(10'000);
  EXPECT_FALSE(IsAlive(*pid));
}

TEST(ServiceProcess, AForeignProgramHearsSignals) {
  signal(SIGTERM, SIG_IGN);  // as a worker does
  absl::StatusOr<std::unique_ptr<ServiceProcess>> service =
      ServiceProcess::Start({"/bin/sh", "-c", "kill -TERM $$; echo deaf"}, /*is_foreign=*/true);
  signal(SIGTERM, SIG_DFL);
  ASSERT_TRUE(service.ok()) << service.status();
  EXPECT_EQ((*service)->AnswerLine(10).status().message(), "signal 15");
}

TEST(ServiceProcess, ALineWithoutEndIsAFaultOfTheProgram) {
  absl::StatusOr<std::unique_ptr<ServiceProcess>> service =
      ServiceProcess::Start({"/bin/sh", "-c", "yes | tr -d '\\n'"}, /*is_foreign=*/true);
  ASSERT_TRUE(service.ok()) << service.status();
  EXPECT_EQ((*service)->AnswerLine(60).status(), absl::InternalError("it printed a line of more than 256 MB"));
}

// A copy of the object in a forked process neither ends the program nor may talk to it.
TEST(ServiceProcess, BelongsToTheProcessThatStartedIt) {
  absl::StatusOr<std::unique_ptr<ServiceProcess>> echo = ServiceProcess::Start({"/bin/cat"});
  ASSERT_TRUE(echo.ok()) << echo.status();
  const pid_t child = fork();
  if (child == 0) {
    const bool is_own = (*echo)->is_own();
    echo->reset();
    _exit(is_own ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  ASSERT_TRUE((*echo)->Ask("still there"));
  EXPECT_EQ((*echo)->Answer(10).value_or("gone"), "still there");
}

}  // namespace
}  // namespace tosaic
