// The functions that generated code may call: guarded malloc and kin, libm, conversion helpers. A table; whatever
// is not in it does not resolve, and the case ends at `compile`.
#ifndef TOSAIC_TOOLCHAIN_RUNTIME_SYMBOLS_H_
#define TOSAIC_TOOLCHAIN_RUNTIME_SYMBOLS_H_

#include <string>

#include "absl/types/span.h"
#include "toolchain/executor.h"
#include "toolchain/guarded_memory.h"

namespace tosaic {

// Where malloc of generated code takes its memory from. Not owned.
void SetRuntimeMemory(GuardedMemory* guarded);

// What generated code has printed since the last call: run-time verification says why before it aborts.
std::string TakeRuntimeMessage();

absl::Span<const Executor::Symbol> GuardedRuntimeSymbols();

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_RUNTIME_SYMBOLS_H_
