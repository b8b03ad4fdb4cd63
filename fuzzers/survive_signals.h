// SurviveSignals: goes on after MLIR has died of a signal in this process, as LLVM's CrashRecoveryContext does, so
// that a fuzzing run does not end at the first known crash. Whatever the body was working on must be abandoned, not
// destroyed. The executor's own trap for generated code stands in front of this one.
#ifndef TOSAIC_FUZZERS_SURVIVE_SIGNALS_H_
#define TOSAIC_FUZZERS_SURVIVE_SIGNALS_H_

#include "absl/functional/function_ref.h"

namespace tosaic {

// Runs `body`; returns 0, or the number of the signal that cut it short. Not reentrant. Outside of a body signals go
// to whoever handled them before (libFuzzer).
int SurviveSignals(absl::FunctionRef<void()> body);

// While it lives, a signal that nobody survives ends the process at once, as in any other program: for children that
// are forked meanwhile.
class DeadlySignals {
 public:
  DeadlySignals();
  ~DeadlySignals();
  DeadlySignals(const DeadlySignals&) = delete;
  DeadlySignals& operator=(const DeadlySignals&) = delete;
};

}  // namespace tosaic

#endif  // TOSAIC_FUZZERS_SURVIVE_SIGNALS_H_
