// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/tool_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "workers/command.h"
#include "workers/group_warden.h"
#include "workers/transfer.h"
#include "workers/wait_hook.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

// A file in memory, closed in programs that are executed.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : fd_(memfd_create(name, MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (fd_ >= 0) close(fd_);
  }
  MemoryFile(const MemoryFile&) = delete;
  int fd() const { return fd_; }

  std::string Content() const {
    std::string content(static_cast<size_t>(std::max<off_t>(0, lseek(fd_, 0, SEEK_END))), '\0');
    content.resize(Transfer(content.size(), [&](size_t at) {
      return pread(fd_, content.data() + at, content.size() - at, static_cast<off_t>(at));
    }));
    return content;
  }

 private:
  int fd_;
};

// In the child: never returns. A group of its own, so that what it starts can be ended with it.
[[noreturn]] void Execute(const std::vector<char*>& argv, int in, int out, int err, pid_t parent,
                          const ToolLimits& limits) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNotExecuted);  // it died before the line above
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) signal(signal_number, SIG_DFL);
  SetSoftLimit(RLIMIT_CPU, static_cast<uint64_t>(limits.cpu_seconds));
  SetSoftLimit(RLIMIT_AS, limits.memory_bytes);
  SetSoftLimit(RLIMIT_FSIZE, limits.output_bytes);
  SetSoftLimit(RLIMIT_CORE, 0);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  execv(argv.front(), argv.data());
  const std::string why = std::strerror(errno);
  (void)!write(STDERR_FILENO, why.data(), why.size());
  _exit(kNotExecuted);
}

// Whether the process ended by itself in time; it is a zombie then.
bool Ends(pid_t pid, int wall_seconds) {
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (fd < 0) return true;  // waitpid waits, whatever it takes; the CPU limit holds
  const bool ended = WaitToRead(fd, NowMs() + static_cast<uint64_t>(wall_seconds) * 1000);
  close(fd);
  return ended;
}

// Whether the process, which may be a zombie, has had its CPU time. The clock is the one that RLIMIT_CPU is compared
// with, which counts ticks: what wait4 says is measured, and may be a fifth less on a busy machine.
bool HasUsed(pid_t pid, int cpu_seconds) {
  const auto clock = static_cast<clockid_t>(~static_cast<unsigned>(pid) << 3);  // CPUCLOCK_PROF in the kernel
  timespec used = {};
  return clock_gettime(clock, &used) == 0 && used.tv_sec >= cpu_seconds;
}

ToolEnd RunOnce(const std::vector<std::string>& arguments, absl::string_view input, const ToolLimits& limits) {
  ToolEnd end;
  const MemoryFile in("tosaic-tool-input"), out("tosaic-tool-output"), err("tosaic-tool-errors");
  if (in.fd() < 0 || out.fd() < 0 || err.fd() < 0 || !WriteAll(in.fd(), input.data(), input.size())) {
    end.err = absl::StrCat("cannot create files in memory: ", std::strerror(errno));
    return end;
  }
  lseek(in.fd(), 0, SEEK_SET);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  StartWarden();
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    end.err = absl::StrCat("cannot fork: ", std::strerror(errno));
    return end;
  }
  if (pid == 0) {
    WardGroup(getpid());
    Execute(argv, in.fd(), out.fd(), err.fd(), parent, limits);
  }
  const bool ended = Ends(pid, limits.wall_seconds);
  const bool used_up = HasUsed(pid, limits.cpu_seconds);
  kill(-pid, SIGKILL);  // the group: also what outlives the tool
  kill(pid, SIGKILL);   // the tool, should it not have come to form one
  WardGroup(0);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  end.out = out.Content();
  end.err = err.Content();
  end.cramped = IsCramped(limits.memory_bytes);
  if (!ended) {
    end.how = ToolEnd::How::kDeadline;
  } else if (std::max(end.out.size(), end.err.size()) >= limits.output_bytes) {
    end.how = ToolEnd::How::kTooMuchOutput;  // SIGXFSZ, which a script's shell makes an exit status of
  } else if (WIFSIGNALED(status)) {
    end.status = WTERMSIG(status);
    // At SIGXCPU an LLVM tool prints its stack, which may end in another signal where it was interrupted in malloc.
    end.how = used_up || end.status == SIGXCPU ? ToolEnd::How::kDeadline : ToolEnd::How::kSignal;
  } else {
    end.status = WEXITSTATUS(status);
    end.how = end.status == kNotExecuted ? ToolEnd::How::kNotStarted : ToolEnd::How::kExited;
  }
  return end;
}

}  // namespace

ToolEnd RunTool(const std::vector<std::string>& arguments, absl::string_view input, const ToolLimits& limits) {
  ToolEnd end = RunOnce(arguments, input, limits);
  // Nothing kills itself this way: somebody else did, or the system was out of memory. If it dies so once more, that is
  // its end.
  if (end.how == ToolEnd::How::kSignal && end.status == SIGKILL) end = RunOnce(arguments, input, limits);
  return end;
}

}  // namespace tosaic
