// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls what SetWaitHook (workers/worker_pool.h) set.
#ifndef TOSAIC_WORKERS_WAIT_HOOK_H_
#define TOSAIC_WORKERS_WAIT_HOOK_H_

namespace tosaic {

// Does nothing in a process that was forked since: workers wait as well, and nobody looks at what they show.
void CallWaitHook();

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_WAIT_HOOK_H_
