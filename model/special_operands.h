// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors for the operands that are parameters of an op and no data (IsSpecial).
#ifndef TOSAIC_MODEL_SPECIAL_OPERANDS_H_
#define TOSAIC_MODEL_SPECIAL_OPERANDS_H_

#include <cstdint>

#include "model/operand_roles.h"
#include "model/tensor.h"

namespace tosaic {

// The plainest one: zeros, one or as many as a table has entries. REQUIRES: IsSpecial(role).
inline Tensor Zeros(OperandRole role, ElementType input, ElementType result) {
  const bool is_table = Info(role).access == OperandAccess::kLookup;
  return Tensor(TypeOfOperand(role, input, result), {is_table ? static_cast<int64_t>(LookupIn(input).entries) : 1});
}

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SPECIAL_OPERANDS_H_
