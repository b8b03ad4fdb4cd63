// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BrokenLowering: a lowering with one mistake in it, of a kind that a patch may well make, in a few ops, types or
// shapes only. `tosaic selftest` asks whether a campaign finds each.
#ifndef TOSAIC_TESTS_BROKEN_LOWERINGS_BROKEN_LOWERING_H_
#define TOSAIC_TESTS_BROKEN_LOWERINGS_BROKEN_LOWERING_H_

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broken_lowerings {

struct BrokenLowering {
  llvm::StringRef name;
  llvm::StringRef ops;     // those it breaks, separated by commas; empty: any
  llvm::StringRef route;   // the pipeline that it goes into
  llvm::StringRef after;   // the pass of that pipeline that it follows
  llvm::StringRef breaks;  // in words
  void (*apply)(mlir::func::FuncOp function);
  bool strict_values = false;  // within the letter of the specification: found where such values are wrong
};

// Where they apply.
inline constexpr llvm::StringLiteral kOnTosa("tosa-make-broadcastable");
inline constexpr llvm::StringLiteral kOnTensors("tosa-to-linalg");
inline constexpr llvm::StringLiteral kInLoops("convert-linalg-to-loops");

// The table, in parts: TOSA's folders, those of several ops, rules of algebra, coincidences, shapes and broadcasts,
// scalar payloads, those of rescale and table, of floats alone, those that few values show, loops and memory, linalg's
// category ops, those whose undefined behaviour x86 hides.
llvm::ArrayRef<BrokenLowering> BrokenFolders();
llvm::ArrayRef<BrokenLowering> BrokenChains();
llvm::ArrayRef<BrokenLowering> BrokenAlgebra();
llvm::ArrayRef<BrokenLowering> BrokenCorners();
llvm::ArrayRef<BrokenLowering> BrokenShapes();
llvm::ArrayRef<BrokenLowering> BrokenPayloads();
llvm::ArrayRef<BrokenLowering> BrokenScaling();
llvm::ArrayRef<BrokenLowering> BrokenFloats();
llvm::ArrayRef<BrokenLowering> BrokenSpecialValues();
llvm::ArrayRef<BrokenLowering> BrokenLoops();
llvm::ArrayRef<BrokenLowering> BrokenCategoryOps();
llvm::ArrayRef<BrokenLowering> BrokenInHiding();

}  // namespace broken_lowerings

#endif  // TOSAIC_TESTS_BROKEN_LOWERINGS_BROKEN_LOWERING_H_
