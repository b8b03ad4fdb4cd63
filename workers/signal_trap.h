// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signal trap: runs code that may raise a fatal signal, and comes back to say which, as LLVM's CrashRecoveryContext
// does. For generated code, and for an MLIR that dies in a fuzzing run. One thread.
#ifndef TOSAIC_WORKERS_SIGNAL_TRAP_H_
#define TOSAIC_WORKERS_SIGNAL_TRAP_H_

#include <optional>

#include "absl/functional/function_ref.h"

namespace tosaic {

struct TrappedSignal {
  int signal = 0;
  const void* address = nullptr;  // of the access, for SIGSEGV and SIGBUS
  bool is_write = false;
};

// Runs `body`. A SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT meanwhile leaves it on the spot and is returned: what
// `body` owns is lost without destructors, so that what it assigns to outside must be sound at every moment. A body may
// run another trapped; a signal leaves the innermost. Outside of a body these signals go to whoever handled them
// before.
std::optional<TrappedSignal> RunTrapped(absl::FunctionRef<void()> body);

// While it lives, a signal outside of a body ends the process at once, as in any other program: for children that are
// forked meanwhile.
class DeadlySignals {
 public:
  DeadlySignals();
  ~DeadlySignals();
  DeadlySignals(const DeadlySignals&) = delete;
  DeadlySignals& operator=(const DeadlySignals&) = delete;
};

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_SIGNAL_TRAP_H_
