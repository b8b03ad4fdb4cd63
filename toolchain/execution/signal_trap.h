// Signal trap: runs code that may raise a fatal signal, and comes back to say which. One at a time, one thread.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_SIGNAL_TRAP_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_SIGNAL_TRAP_H_

#include <optional>

#include "absl/functional/function_ref.h"

namespace tosaic {

struct TrappedSignal {
  int signal = 0;
  const void* address = nullptr;  // of the access, for SIGSEGV and SIGBUS
  bool is_write = false;
};

// Runs `body`. A SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT meanwhile leaves it on the spot and is returned: what
// `body` owns is lost without destructors, so that what it assigns to outside must be sound at every moment.
// Outside of a body these signals go to whoever handled them before.
std::optional<TrappedSignal> RunTrapped(absl::FunctionRef<void()> body);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_SIGNAL_TRAP_H_
