// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tensor-level IR of a function as a plain value (model/lowered_ir.h).
#ifndef TOSAIC_TOOLCHAIN_MLIR_LOWERED_IR_EXTRACTION_H_
#define TOSAIC_TOOLCHAIN_MLIR_LOWERED_IR_EXTRACTION_H_

#include "mlir/IR/BuiltinOps.h"
#include "model/lowered_ir.h"

namespace tosaic {

IndexingMap ToIndexingMap(mlir::AffineMap map);

// The name of the location of ops that tosaic-transpose-operands puts before a program's (own_passes.h). A
// linalg.transpose that is left of one is no value of the lowering: who reads it is recorded as reading what it reads,
// by the map and the dimensions that this makes.
inline constexpr char kNeighbour[] = "tosaic-neighbour";

// An op that makes a tensor of a type that no case can have is one of kind kOther, without a type. REQUIRES: the module
// verifies and its first function has one block.
LoweredIr ExtractLoweredIr(mlir::ModuleOp module);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_LOWERED_IR_EXTRACTION_H_
