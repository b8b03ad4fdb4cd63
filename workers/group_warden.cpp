// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/group_warden.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "workers/transfer.h"

namespace tosaic {
namespace {

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

}  // namespace

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

void WardGroup(pid_t group) {
  if (TheWarden().group != nullptr) *TheWarden().group = group;
}

}  // namespace tosaic
