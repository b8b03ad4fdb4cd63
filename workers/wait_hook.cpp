// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/wait_hook.h"

#include <sys/types.h>
#include <unistd.h>

#include <functional>
#include <utility>

#include "workers/worker_pool.h"

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

}  // namespace

void SetWaitHook(std::function<void()> look) { TheWaitHook() = {std::move(look), getpid()}; }

void CallWaitHook() {
  const WaitHook& hook = TheWaitHook();
  if (hook.look && hook.owner == getpid()) hook.look();
}

}  // namespace tosaic
