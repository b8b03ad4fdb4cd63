// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/service_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "workers/frames.h"

namespace tosaic {
namespace {

constexpr int kNotExecuted = 127;

// In the child: never returns.
[[noreturn]] void Execute(const std::vector<char*>& argv, int in, int out, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNotExecuted);  // it died before the line above
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  execv(argv.front(), argv.data());
  _exit(kNotExecuted);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServiceProcess>> ServiceProcess::Start(const std::vector<std::string>& arguments) {
  signal(SIGPIPE, SIG_IGN);  // it may end while it is being written to
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0)
    return absl::InternalError(absl::StrCat("cannot create a pipe: ", std::strerror(errno)));
  if (pipe2(out, O_CLOEXEC) != 0) {
    close(in[0]), close(in[1]);
    return absl::InternalError(absl::StrCat("cannot create a pipe: ", std::strerror(errno)));
  }
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t owner = getpid();
  const pid_t pid = fork();
  if (pid == 0) Execute(argv, in[0], out[1], owner);
  close(in[0]), close(out[1]);
  std::unique_ptr<ServiceProcess> service(new ServiceProcess(pid, owner, in[1], out[0]));
  if (pid > 0) return service;
  service->pid_ = 0;
  return absl::InternalError(absl::StrCat("cannot fork: ", std::strerror(errno)));
}

ServiceProcess::~ServiceProcess() {
  if (is_own()) End();
  close(in_);
  close(out_);
}

bool ServiceProcess::is_own() const { return owner_ == getpid(); }

int ServiceProcess::End() {
  int status = 0;
  if (pid_ == 0) return status;
  kill(pid_, SIGKILL);  // changes nothing for one that has already exited
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  return status;
}

bool ServiceProcess::Ask(absl::string_view question) { return WriteFrame(in_, question); }

absl::StatusOr<std::string> ServiceProcess::Answer(int wall_seconds) {
  std::optional<std::string> answer = ReadFrame(out_, wall_seconds);
  if (answer) return *std::move(answer);
  const bool was_there = pid_ != 0;
  // What closes its output is about to end: how is worth a moment.
  for (int i = 0; was_there && i < 100; ++i) {
    siginfo_t ended = {};
    if (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0) break;
    usleep(1000);
  }
  const int status = End();
  if (!was_there) return absl::UnavailableError("it has ended before");
  if (WIFEXITED(status)) return absl::UnavailableError(absl::StrCat("exit status ", WEXITSTATUS(status)));
  if (WTERMSIG(status) == SIGKILL) return absl::DeadlineExceededError("it did not answer in time");
  return absl::UnavailableError(absl::StrCat("signal ", WTERMSIG(status)));
}

}  // namespace tosaic
