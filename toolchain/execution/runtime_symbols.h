// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of the functions that generated code may call: guarded malloc and the like, libm, conversion helpers.
// Anything else does not resolve, and the case ends at `compile`.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_RUNTIME_SYMBOLS_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_RUNTIME_SYMBOLS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "toolchain/execution/executor.h"
#include "toolchain/execution/guarded_memory.h"
#include "toolchain/execution/library_calls.h"
#include "toolchain/execution/poison_maker.h"

namespace tosaic {

// Symbols of Tosaic's own, for code that it adds (toolchain/execution/instrumentation.h): (i64 number, ptr to
// descriptors) and (ptr address, i64 bytes).
inline constexpr char kLibraryCallSymbol[] = "tosaic_library_call";
inline constexpr char kCountStoreSymbol[] = "tosaic_count_store";
// Of code that shows its poison (toolchain/execution/poison.h): an i64 that poison is taken for, and (i64 number of an
// instruction, i64 whether it made poison, i64 bits of an operand, i64 bits of another).
inline constexpr char kPoisonTakenForSymbol[] = "tosaic_poison_taken_for";
inline constexpr char kMadePoisonSymbol[] = "tosaic_made_poison";

// Sets the state that the functions work on in the next run; none is owned: the memory that malloc uses; who receives
// calls of the external library, on a route that has them; the byte that stands for poison; the list that gets the
// instructions that made some, in order.
void SetRuntime(GuardedMemory* guarded, LibraryCaller* caller, uint8_t taken_for_poison,
                std::vector<MadePoison>* poisons);

// The output of generated code since the last call: run-time verification prints the reason before it aborts.
std::string TakeRuntimeMessage();

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_RUNTIME_SYMBOLS_H_
