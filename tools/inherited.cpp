// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/inherited.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <initializer_list>
#include <new>

#include "tools/subcommands.h"

namespace tosaic {

void KeepStandardStreams() {
  // In ascending order: what is opened gets the least number that is free.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) _exit(127);
  }
}

bool IsInputClosed() {
  const int flags = fcntl(STDIN_FILENO, F_GETFL);
  return flags == -1 || (flags & O_ACCMODE) == O_WRONLY;
}

void TakeSignals() {
  signal(SIGCHLD, SIG_DFL);
  sigset_t needed;
  sigemptyset(&needed);
  for (const int number :
       {SIGCHLD, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGXCPU, SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    sigaddset(&needed, number);
  }
  sigprocmask(SIG_UNBLOCK, &needed, nullptr);
}

void EndWithoutMemory() {
  std::set_new_handler([] {
    constexpr char kSaid[] = "tosaic: out of memory: a limit of this process (ulimit), or the machine has no more\n";
    (void)!write(STDERR_FILENO, kSaid, sizeof(kSaid) - 1);
    _exit(kExitHarness);
  });
}

}  // namespace tosaic
