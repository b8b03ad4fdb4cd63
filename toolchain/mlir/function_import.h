// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of an MLIR module -> a program in the canonical dialect, whatever version of the TOSA dialect it is
// spelled in.
#ifndef TOSAIC_TOOLCHAIN_MLIR_FUNCTION_IMPORT_H_
#define TOSAIC_TOOLCHAIN_MLIR_FUNCTION_IMPORT_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "model/dialect.h"
#include "model/program.h"

namespace tosaic {

// The program, well formed; or none, and why it is skipped, in plain words.
std::optional<Program> ImportFunction(mlir::func::FuncOp function, const DialectInfo& dialect, std::string* skipped);

// Why the dialect has no op of that name: "uses tosa.int_div, as MLIR 19 spells it; MLIR 22 has tosa.intdiv".
std::string WhyUnknown(const DialectInfo& dialect, absl::string_view name);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_FUNCTION_IMPORT_H_
