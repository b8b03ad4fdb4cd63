// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Precompiled for all targets that see MLIR or LLVM (PrecompiledHeaders.cmake); included by no file.
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
