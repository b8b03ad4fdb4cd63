// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds calls of the executor's functions (toolchain/execution/runtime_symbols.h) to the LLVM IR of some routes before
// it is compiled.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_INSTRUMENTATION_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_INSTRUMENTATION_H_

#include <string>

#include "llvm/IR/Module.h"

namespace tosaic {

// Adds a call with address and size before every store, memcpy, memmove and memset of any function. Other writes
// (atomics, masked vectors) are an error that names the first, because an incomplete count would lead to false reports.
// Returns an empty string, or the error.
std::string CountStores(llvm::Module& module);

// The name of library function `number` in MLIR, and so in the IR of the route that calls one.
std::string LibraryFunctionName(int number);

// Gives each external function of the library, in its C interface, a body that passes its number and descriptors on.
void DefineLibraryFunctions(llvm::Module& module);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_INSTRUMENTATION_H_
