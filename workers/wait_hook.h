// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls what SetWaitHook (workers/worker_pool.h) set, and looks at what StopWaitingOnceSet did.
#ifndef TOSAIC_WORKERS_WAIT_HOOK_H_
#define TOSAIC_WORKERS_WAIT_HOOK_H_

#include <cstdint>

namespace tosaic {

// Does nothing in a process that was forked since: workers wait as well, and nobody looks at what they show.
void CallWaitHook();

// Whether the `stop` of StopWaitingOnceSet is set.
bool IsToStopWaiting();

// Waits until `fd` can be read, or is at its end. False: that was not so at `deadline_ms` (of NowMs), or
// IsToStopWaiting.
bool WaitToRead(int fd, uint64_t deadline_ms);

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_WAIT_HOOK_H_
