// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signal trap: runs code that may raise a fatal signal, and returns the signal, as LLVM's CrashRecoveryContext does. It
// is for generated code, and for an MLIR that dies in a fuzzing run. Single threaded.
#ifndef TOSAIC_WORKERS_SIGNAL_TRAP_H_
#define TOSAIC_WORKERS_SIGNAL_TRAP_H_

#include <optional>

#include "absl/functional/function_ref.h"

namespace tosaic {

struct TrappedSignal {
  int signal = 0;
  const void* address = nullptr;  // of the access, for SIGSEGV and SIGBUS
  bool is_write = false;
  bool overflows_stack = false;  // the access is to the body's own stack, which has no memory left there
};

// Runs `body`. A SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT or SIGVTALRM meanwhile leaves it at once and is returned. The
// destructors of what `body` owns do not run, so values outside that it assigns to must be valid at every moment. A
// body may run another trapped body; a signal leaves the innermost. Outside of a body these signals go to the previous
// handler.
std::optional<TrappedSignal> RunTrapped(absl::FunctionRef<void()> body);

// From within a body: once this process has used so much more CPU time, SIGVTALRM leaves the body, unless this is
// called again meanwhile, from wherever. 0: never. It must not leave code that holds a lock.
void LeaveBodyAfter(double cpu_seconds);

// While it exists, a signal outside of a body ends the process at once, as in any other program. This is for children
// that are forked meanwhile.
class DeadlySignals {
 public:
  DeadlySignals();
  ~DeadlySignals();
  DeadlySignals(const DeadlySignals&) = delete;
  DeadlySignals& operator=(const DeadlySignals&) = delete;
};

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_SIGNAL_TRAP_H_
