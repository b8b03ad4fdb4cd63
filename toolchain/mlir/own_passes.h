// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tosaic's own passes for routes. MLIR has them only as functions, or as mlir-opt's test passes.
#ifndef TOSAIC_TOOLCHAIN_MLIR_OWN_PASSES_H_
#define TOSAIC_TOOLCHAIN_MLIR_OWN_PASSES_H_

#include <vector>

#include "mlir/IR/BuiltinOps.h"
#include "toolchain/execution/library_calls.h"

namespace tosaic {

// Registers, for func.func:
//   tosaic-vectorize-linalg   linalg ops of static shape as one vector each (linalg::vectorize); larger ones stay
//   tosaic-transpose-operands two tosa.transposes before each first operand that is an argument of rank 2 or more, of
//                             ops that compute: dimension 0 to the end, and back
//   tosaic-polynomial-math    polynomial approximations of math ops (populateMathPolynomialApproximationPatterns)
// and for builtin.module:
//   tosaic-call-library       each linalg.generic gets a library_call of its own; which is which stays with the module
// Once per process.
void RegisterOwnPasses();

// The signatures that tosaic-call-library found, by number of the library's function; empty if it did not run.
std::vector<LibrarySignature> ReadLibrarySignatures(mlir::ModuleOp module);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_OWN_PASSES_H_
