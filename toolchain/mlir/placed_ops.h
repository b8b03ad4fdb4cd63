// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the elementwise ops of a module stand, so that those that no case has can be named.
#ifndef TOSAIC_TOOLCHAIN_MLIR_PLACED_OPS_H_
#define TOSAIC_TOOLCHAIN_MLIR_PLACED_OPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

namespace tosaic {

struct PlacedOp {
  std::string name;     // "tosa.mul"
  std::string within;   // the op whose region has it, "tosa.cond_if"; empty: a func.func's, or a module
  int64_t line;         // of the text
  mlir::Operation* op;  // itself; if it was left out with the region of a foreign op (foreign_ops.h), that op
};

// The elementwise ops in an op's regions, however deep, in order.
std::vector<PlacedOp> ElementwiseOpsIn(mlir::Operation* root);

// "tosa.mul in tosa.cond_if (line 6)", with the lines that the file has before the text.
std::string InWords(const PlacedOp& op, int64_t lines_before);

// 0 if it is unknown.
int64_t LineOf(mlir::Location location);

// Why an op makes its module invalid, whatever it computes, which the parser does not look at: it takes what is defined
// behind it or elsewhere, returns other types than its function declares, or is the last and does not return. Empty: it
// does not.
std::string WhyInvalid(mlir::Operation& op);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_PLACED_OPS_H_
