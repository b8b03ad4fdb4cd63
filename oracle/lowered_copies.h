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

// What a linalg op with one input copies; nullopt if the value is none, or one that computes something or yields
// something else. linalg.broadcast adds dimensions to an operand that lacks them: a tensor.collapse_shape before it,
// which drops dimensions of 1, and the tensor.cast that makes them 1 in the type, are part of the copy. The map then
// has a constant 0 for each dimension that was dropped.
// REQUIRES: the IR verifies.
std::optional<LoweredCopy> CopyOf(const LoweredIr& ir, const LoweredValue& value);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_LOWERED_COPIES_H_
