// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a function of an MLIR module into a program in the canonical dialect, whatever its version of the TOSA dialect.
#ifndef TOSAIC_TOOLCHAIN_MLIR_FUNCTION_IMPORT_H_
#define TOSAIC_TOOLCHAIN_MLIR_FUNCTION_IMPORT_H_

#include <cstdint>
#include <set>
#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "model/dialect.h"
#include "toolchain/mlir/mlir_import.h"
#include "toolchain/mlir/placed_ops.h"

namespace tosaic {

struct ImportedProgram {
  ImportedFunction function;  // without name, ops in words and annotation
  bool is_behind = false;     // it is the second program of its function, or what would be that
  // Of the function's first program: its elementwise ops that no program of it has, as those in another op's region.
  std::vector<PlacedOp> untested = {};
  std::set<int64_t> lines_left_out = {};  // of the text: where the function's ops stand that this program lacks
};

// The elementwise ops of a function, including those of functions that it calls. The program returns the values that
// the function returns, prints, checks or passes on. If ops that no program can have are between them, the ops after
// those form a second program. It starts again after each such op: all values that it takes are arguments.
std::vector<ImportedProgram> ImportFunction(mlir::func::FuncOp function, const DialectInfo& dialect);

// A function that a pass may have left, with nothing left out: all that it returns is an argument, a constant or of
// elementwise ops, of which it may have none. A tensor.cast that forgets sizes is its operand. Skipped: any other.
ImportedFunction ImportWholeFunction(mlir::func::FuncOp function, const DialectInfo& dialect);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_FUNCTION_IMPORT_H_
