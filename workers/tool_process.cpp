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
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>

#include "absl/strings/str_cat.h"
#include "workers/command.h"
#include "workers/transfer.h"
#include "workers/wait_hook.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

// The warden: a process that kills a process group once the process that uses the group is dead, however it died.
// PR_SET_PDEATHSIG does so only for a child: the child's own children would live on.
using Group = std::atomic<pid_t>;

struct Warden {
  pid_t owner = 0;         // a process forked since needs a warden of its own
  Group* group = nullptr;  // in memory that both share
  int alive = -1;          // nobody writes to it: it is closed when the owner ends
};
Warden& TheWarden() {
  static Warden warden;
  return warden;
}

// In the warden: never returns. It holds nothing open that others wait for, and hears no signal of a terminal.
[[noreturn]] void Watch(const Group& group, int owner_is_alive) {
  setsid();
  for (int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_IGN);
  dup2(owner_is_alive, 0);
  close_range(1, ~0U, 0);
  char none = 0;
  (void)ReadUpTo(0, &none, 1);
  if (const pid_t left = group; left > 0) kill(-left, SIGKILL);
  _exit(0);
}

// Starts the warden of this process, unless it has one. If that fails, groups are not guarded.
void StartWarden() {
  Warden& warden = TheWarden();
  if (warden.owner == getpid()) return;
  if (warden.alive >= 0) close(warden.alive);  // of the process that this one was forked from
  warden = {.owner = getpid()};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  void* page = mmap(nullptr, sizeof(Group), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) warden.group = new (page) Group(0);
  const pid_t pid = page == MAP_FAILED ? -1 : fork();
  if (pid == 0) {
    close(ends[1]);
    Watch(*warden.group, ends[0]);
  }
  close(ends[0]);
  warden.alive = ends[1];
}

// From now on this group is killed when the process that started the warden ends; 0: no group is. May be called in a
// child that is about to execute a program.
void WardGroup(pid_t group) {
  if (TheWarden().group != nullptr) *TheWarden().group = group;
}

// In the child: never returns.
[[noreturn]] void Execute(const std::vector<char*>& argv, int in, int out, int err, pid_t parent,
                          const ToolLimits& limits) {
  BeginGroup();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNotExecuted);  // it died before the line above
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

// `status`: of waitpid. REQUIRES: what it printed is in `end`.
void SetHow(int status, bool ended, bool used_up, const ToolLimits& limits, ToolEnd* end) {
  if (!ended) {
    end->how = ToolEnd::How::kDeadline;
  } else if (std::max(end->out.size(), end->err.size()) >= limits.output_bytes) {
    end->how = ToolEnd::How::kTooMuchOutput;  // SIGXFSZ, which a script's shell makes an exit status of
  } else if (WIFSIGNALED(status)) {
    end->status = WTERMSIG(status);
    // At SIGXCPU an LLVM tool prints its stack, which may end in another signal where it was interrupted in malloc.
    end->how = used_up || end->status == SIGXCPU ? ToolEnd::How::kDeadline : ToolEnd::How::kSignal;
  } else {
    end->status = WEXITSTATUS(status);
    end->how = end->status == kNotExecuted ? ToolEnd::How::kNotStarted : ToolEnd::How::kExited;
  }
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
  SetHow(status, ended, used_up, limits, &end);
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
