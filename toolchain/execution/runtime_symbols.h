// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that generated code may call: guarded malloc and kin, libm, conversion helpers. A table; whatever
// is not in it does not resolve, and the case ends at `compile`.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_RUNTIME_SYMBOLS_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_RUNTIME_SYMBOLS_H_

#include <string>

#include "absl/types/span.h"
#include "toolchain/execution/executor.h"
#include "toolchain/execution/guarded_memory.h"
#include "toolchain/execution/library_calls.h"

namespace tosaic {

// Symbols of Tosaic's own, for code that it adds (toolchain/execution/instrumentation.h): (i64 number, ptr to
// descriptors) and (ptr address, i64 bytes).
inline constexpr char kLibraryCallSymbol[] = "tosaic_library_call";
inline constexpr char kCountStoreSymbol[] = "tosaic_count_store";

// Where malloc of generated code takes its memory from. Not owned.
void SetRuntimeMemory(GuardedMemory* guarded);

// What calls of the external library arrive at, on a route that has them. Not owned.
void SetRuntimeLibrary(LibraryCaller* caller);

// What generated code has printed since the last call: run-time verification says why before it aborts.
std::string TakeRuntimeMessage();

absl::Span<const Executor::Symbol> GuardedRuntimeSymbols();

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_RUNTIME_SYMBOLS_H_
