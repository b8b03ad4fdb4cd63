// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/service_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "workers/command.h"
#include "workers/frames.h"
#include "workers/transfer.h"
#include "workers/wait_hook.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

constexpr int kAskSeconds = 60;  // at most, until a program has read a frame
constexpr size_t kLongestLine = size_t{1} << 28;
constexpr size_t kLastWords = 2000;  // bytes

// In the child: never returns.
[[noreturn]] void Execute(const std::vector<char*>& argv, int in, int out, int err, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNotExecuted);  // it died before the line above
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  if (err >= 0) {
    dup2(err, STDERR_FILENO);
    BeginGroup();
    SetSoftLimit(RLIMIT_CPU, RLIM_INFINITY);  // a worker's are of one case
    SetSoftLimit(RLIMIT_AS, RLIM_INFINITY);
  }
  execv(argv.front(), argv.data());
  _exit(kNotExecuted);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServiceProcess>> ServiceProcess::Start(const std::vector<std::string>& arguments,
                                                                      bool is_foreign) {
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
  const int err = is_foreign ? memfd_create("standard error", MFD_CLOEXEC) : -1;
  const pid_t owner = getpid();
  const pid_t pid = fork();
  if (pid == 0) Execute(argv, in[0], out[1], err, owner);
  if (pid > 0 && is_foreign) setpgid(pid, pid);  // whichever process is first
  close(in[0]), close(out[1]);
  if (is_foreign) fcntl(in[1], F_SETFL, O_NONBLOCK);  // it may not read
  std::unique_ptr<ServiceProcess> service(new ServiceProcess(pid, owner, in[1], out[0], err));
  if (pid > 0) return service;
  service->pid_ = 0;
  return absl::InternalError(absl::StrCat("cannot fork: ", std::strerror(errno)));
}

ServiceProcess::~ServiceProcess() {
  if (is_own()) End();
  close(in_);
  close(out_);
  if (err_ >= 0) close(err_);
}

bool ServiceProcess::is_own() const { return owner_ == getpid(); }

int ServiceProcess::End() {
  int status = 0;
  if (pid_ == 0) return status;
  if (err_ >= 0) kill(-pid_, SIGKILL);  // the group of a foreign program
  kill(pid_, SIGKILL);                  // changes nothing for one that has already exited
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  return status;
}

bool ServiceProcess::Ask(absl::string_view question) { return Send(ToFrame(question), kAskSeconds); }

absl::StatusOr<std::string> ServiceProcess::Answer(int wall_seconds) {
  std::optional<std::string> answer = ReadFrame(out_, wall_seconds);
  if (answer) return *std::move(answer);
  return HowItEnded();
}

bool ServiceProcess::AskLine(absl::string_view question, int wall_seconds) {
  return Send(absl::StrCat(question, "\n"), wall_seconds);
}

bool ServiceProcess::Send(absl::string_view bytes, int wall_seconds) {
  const uint64_t deadline_ms = NowMs() + static_cast<uint64_t>(wall_seconds) * 1000;
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t wrote = write(in_, bytes.data() + at, bytes.size() - at);
    if (wrote > 0) at += static_cast<size_t>(wrote);
    if (wrote >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN || NowMs() >= deadline_ms) return false;
    pollfd waiting = {in_, POLLOUT, 0};
    (void)poll(&waiting, 1, 100);
  }
  return true;
}

absl::StatusOr<std::string> ServiceProcess::AnswerLine(int wall_seconds) {
  const uint64_t deadline_ms = NowMs() + static_cast<uint64_t>(wall_seconds) * 1000;
  size_t searched = 0;
  while (true) {
    if (const size_t end = read_.find('\n', searched); end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    searched = read_.size();
    if (searched >= kLongestLine) {
      End();
      return absl::InternalError(absl::StrCat("it printed a line of more than ", kLongestLine >> 20, " MB"));
    }
    char bytes[1 << 16];
    const ssize_t got = WaitToRead(out_, deadline_ms) ? read(out_, bytes, sizeof(bytes)) : 0;
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return HowItEnded();
    read_.append(bytes, static_cast<size_t>(got));
  }
}

bool ServiceProcess::HasMore() const {
  pollfd waiting = {out_, POLLIN, 0};
  return !read_.empty() || poll(&waiting, 1, 0) > 0;
}

std::string ServiceProcess::LastWords() const { return TailOf(err_, kLastWords); }

absl::Status ServiceProcess::HowItEnded() {
  const bool was_there = pid_ != 0;
  siginfo_t ended = {};
  // A process that closes its output is about to end: it is worth a moment to learn how.
  for (int i = 0; was_there && i < 100; ++i) {
    if (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0) break;
    usleep(1000);
  }
  const int status = End();
  if (!was_there) return absl::UnavailableError("it has ended before");
  if (WIFEXITED(status)) return absl::UnavailableError(absl::StrCat("exit status ", WEXITSTATUS(status)));
  if (ended.si_pid == 0) return absl::DeadlineExceededError("it did not answer in time");
  return absl::UnavailableError(absl::StrCat("signal ", WTERMSIG(status)));
}

}  // namespace tosaic
