// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Tosaic adds to the LLVM IR of some routes, before it is compiled: calls of functions of the executor
// (toolchain/execution/runtime_symbols.h).
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_INSTRUMENTATION_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_INSTRUMENTATION_H_

#include <string>

#include "llvm/IR/Module.h"

namespace tosaic {

// Before every store, memcpy, memmove and memset of any function: a call that tells address and size. Other writes
// (atomics, masked vectors) are an error that names the first: a count that misses some would accuse the innocent.
// Returns an empty string, or the error.
std::string CountStores(llvm::Module& module);

// The name of library function `number` in MLIR, and so in the IR of the route that calls one.
std::string LibraryFunctionName(int number);

// Gives each external function of the library, in its C interface, a body that passes its number and descriptors on.
void DefineLibraryFunctions(llvm::Module& module);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_INSTRUMENTATION_H_
