// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowered IR that repeats or permutes a tensor and computes nothing: linalg.broadcast, linalg.transpose, and a
// linalg.generic that yields what it reads.
#ifndef TOSAIC_ORACLE_LOWERED_COPIES_H_
#define TOSAIC_ORACLE_LOWERED_COPIES_H_

#include <optional>

#include "model/lowered_ir.h"

namespace tosaic {

struct LoweredCopy {
  int of = 0;       // the tensor that is read, an entry of LoweredIr::values
  IndexingMap map;  // one result per dimension of that tensor: the loop over the copy's elements, or a constant
};

// The copy that a linalg op with one input makes; nullopt if the value is no such op, computes something, or yields
// another value than its input. linalg.broadcast adds dimensions that the operand lacks: a tensor.collapse_shape before
// it, which drops dimensions of 1, and the tensor.cast that makes them 1 in the type, are part of the copy. The map
// then has a constant 0 for each dropped dimension.
// REQUIRES: the IR verifies.
std::optional<LoweredCopy> CopyOf(const LoweredIr& ir, const LoweredValue& value);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_LOWERED_COPIES_H_
