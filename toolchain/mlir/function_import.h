// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of an MLIR module -> a program in the canonical dialect, whatever version of the TOSA dialect it is
// spelled in.
#ifndef TOSAIC_TOOLCHAIN_MLIR_FUNCTION_IMPORT_H_
#define TOSAIC_TOOLCHAIN_MLIR_FUNCTION_IMPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "model/dialect.h"
#include "model/program.h"

namespace tosaic {

struct ImportedProgram {
  std::optional<Program> program;  // well formed; none: skipped, and why, in plain words
  std::string skipped = "";
  // Per argument: the data that it has, where the function says so (a constant that the compiler does not see).
  std::vector<std::optional<Tensor>> data = {};
  // Not empty: the program is a part of the function. "up to tosa.reduce_sum": what goes into that op is returned, and
  // what comes out of it is left out. "behind tosa.reduce_sum": what comes out of it is an argument.
  std::string part = "";
};

// The elementwise ops of a function, those of functions that it calls among them. What the function returns, prints,
// checks or hands to something else is what the program returns. Where ops that no program can have stand between
// them, the ops behind those are a second program. That begins anew at each: all that it takes is an argument.
std::vector<ImportedProgram> ImportFunction(mlir::func::FuncOp function, const DialectInfo& dialect);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_FUNCTION_IMPORT_H_
