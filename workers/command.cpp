// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/command.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "absl/strings/str_split.h"

namespace tosaic {
namespace {

constexpr useconds_t kPollMicroseconds = 20'000;

// In the child.
[[noreturn]] void Execute(const Command& command, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNotExecuted);
  const int input = open("/dev/null", O_RDONLY);
  dup2(input, STDIN_FILENO);
  if (!command.log.empty()) {
    const int log = open(command.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (log < 0) _exit(kNotExecuted);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
  }
  for (const auto& [name, value] : command.environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : command.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execv(arguments.front(), arguments.data());
  _exit(kNotExecuted);
}

}  // namespace

int RunCommand(const Command& command, const std::atomic<bool>* stop) {
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) Execute(command, parent);
  if (child < 0) return kNotExecuted;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(command.seconds);
  bool told = false;
  while (true) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (ended < 0 && errno != EINTR) return kNotExecuted;
    const bool is_over = command.seconds > 0 && std::chrono::steady_clock::now() >= end;
    if (!told && (is_over || (stop != nullptr && *stop))) {
      kill(child, SIGTERM);
      told = true;
    }
    usleep(kPollMicroseconds);
  }
}

void BeginGroup() {
  setpgid(0, 0);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) signal(number, SIG_DFL);
}

std::vector<std::string> SearchedDirectories() {
  const char* path = std::getenv("PATH");
  return absl::StrSplit(path == nullptr ? "" : path, ':', absl::SkipEmpty());
}

std::filesystem::path OwnProgram() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

}  // namespace tosaic
