// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Repair: changes operand data so that no element of the result is unpredictable (the REQUIREs of tosa-semantics.md,
// per OpInfo::unpredictable), and keeps it extreme. It has its own reading of the rules, separate from the oracle's; a
// test compares both. Every change moves an element only to values that are at least as harmless for every element that
// it is combined with, so one pass over the result's elements repairs all of them.
#ifndef TOSAIC_GENERATORS_REPAIR_H_
#define TOSAIC_GENERATORS_REPAIR_H_

#include "absl/types/span.h"
#include "model/program.h"
#include "model/tensor.h"

namespace tosaic {

struct RepairOperand {
  Tensor* tensor;
  // Shared with other runs: changed only where its own value is undefined with any partner (a divisor 0). If all
  // operands are fixed, none is.
  bool fixed = false;
};

// Repairs the data of one run. `operands`: all of the op, in the catalogue's order. Of rescale and table it repairs
// what is scaled and what is looked up in, and takes the other parameters to be in their ranges. REQUIRES: run-time
// sizes of the broadcast operands are compatible.
void RepairData(const OpApplication& op, absl::Span<const RepairOperand> operands);

// Whether the second operand, a divisor or a shift amount, can make the op trap or undefined.
inline bool MayTrap(const OpInfo& op) {
  return op.unpredictable == Unpredictable::kDivision || op.unpredictable == Unpredictable::kShiftAmount;
}

// Whether data can make a result of these types unpredictable at all.
bool CanBeUndefined(const OpInfo& op, ElementType input, ElementType result);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_REPAIR_H_
