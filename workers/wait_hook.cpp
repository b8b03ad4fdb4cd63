// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/wait_hook.h"

#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <utility>

#include "workers/worker_pool.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

struct WaitHook {
  std::function<void()> look;
  pid_t owner = 0;
};
WaitHook& TheWaitHook() {
  static WaitHook hook;
  return hook;
}

// A worker is not to end its programs: its process is killed with them, and must not report an end that was asked for.
const std::atomic<bool>* stop_waiting = nullptr;
pid_t stop_owner = 0;

}  // namespace

void SetWaitHook(std::function<void()> look) { TheWaitHook() = {std::move(look), getpid()}; }

void CallWaitHook() {
  const WaitHook& hook = TheWaitHook();
  if (hook.look && hook.owner == getpid()) hook.look();
}

void StopWaitingOnceSet(const std::atomic<bool>* stop) {
  stop_waiting = stop;
  stop_owner = getpid();
}

bool IsToStopWaiting() { return stop_waiting != nullptr && *stop_waiting && stop_owner == getpid(); }

bool WaitToRead(int fd, uint64_t deadline_ms) {
  // A signal ends poll, unless it comes just before.
  constexpr uint64_t kLongestPollMs = 200;
  for (uint64_t now = NowMs(); now < deadline_ms && !IsToStopWaiting(); now = NowMs()) {
    pollfd waiting = {fd, POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(std::min(deadline_ms - now, kLongestPollMs))) > 0) return true;
  }
  return false;
}

}  // namespace tosaic
