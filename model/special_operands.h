// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors for the operands that are parameters of an op and no data (IsSpecial).
#ifndef TOSAIC_MODEL_SPECIAL_OPERANDS_H_
#define TOSAIC_MODEL_SPECIAL_OPERANDS_H_

#include <cstdint>

#include "model/operand_roles.h"
#include "model/tensor.h"

namespace tosaic {

// The plainest one: a scale of 1 that multiplier and shift make together, else zeros, as many as a table has entries.
// REQUIRES: IsSpecial(role).
inline Tensor PlainParameter(OperandRole role, ElementType input, ElementType result, const Attributes& attributes) {
  const bool is_table = Info(role).access == OperandAccess::kLookup;
  Tensor plain(TypeOfOperand(role, input, result, attributes),
               {is_table ? static_cast<int64_t>(LookupIn(input).entries) : 1});
  const int unit = HasScale32(attributes) ? 30 : 14;
  if (role == OperandRole::kMultiplier) plain.SetBits(0, uint64_t{1} << unit);
  if (role == OperandRole::kChannelShift) plain.SetBits(0, static_cast<uint64_t>(unit));
  return plain;
}

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SPECIAL_OPERANDS_H_
