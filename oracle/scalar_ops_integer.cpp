// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar functions that see only integers and truth values: bitwise, logical, shifts, division, leading zeros, tables.
#include <bit>

#include "oracle/scalar_ops.h"
#include "oracle/scaling.h"

namespace tosaic {
namespace {

// Whether the shift amount (operand 1) is one that the specification defines.
bool ShiftAmountInRange(const ScalarInput& in) {
  const Wide amount = in.Integer(1);
  return 0 <= amount && amount < BitWidth(in.input_type);
}

}  // namespace

Expected EvalBitwiseAnd(const ScalarInput& in) { return ExactBits(in.bits[0] & in.bits[1]); }
Expected EvalBitwiseOr(const ScalarInput& in) { return ExactBits(in.bits[0] | in.bits[1]); }
Expected EvalBitwiseXor(const ScalarInput& in) { return ExactBits(in.bits[0] ^ in.bits[1]); }
Expected EvalBitwiseNot(const ScalarInput& in) { return ExactInteger(in, ~in.Integer(0)); }

Expected EvalLogicalAnd(const ScalarInput& in) { return ExactBits(in.bits[0] & in.bits[1]); }
Expected EvalLogicalOr(const ScalarInput& in) { return ExactBits(in.bits[0] | in.bits[1]); }
Expected EvalLogicalXor(const ScalarInput& in) { return ExactBits(in.bits[0] ^ in.bits[1]); }
Expected EvalLogicalNot(const ScalarInput& in) { return ExactBits(in.bits[0] ^ 1); }

Expected EvalArithmeticRightShift(const ScalarInput& in) {
  if (!ShiftAmountInRange(in)) return Undefined(ValueCase::kShiftAmount);
  const auto amount = static_cast<int>(in.Integer(1));
  const Wide shifted = in.Integer(0) >> amount;
  const bool round = in.attributes.round.value_or(false) && amount > 0;
  return ExactInteger(in, round ? shifted + ((in.Integer(0) >> (amount - 1)) & 1) : shifted);
}

Expected EvalLogicalLeftShift(const ScalarInput& in) {
  if (!ShiftAmountInRange(in)) return Undefined(ValueCase::kShiftAmount);
  return ExactBits(in.bits[0] << in.bits[1] & BitMask(in.result_type));
}

Expected EvalLogicalRightShift(const ScalarInput& in) {
  if (!ShiftAmountInRange(in)) return Undefined(ValueCase::kShiftAmount);
  return ExactBits(in.bits[0] >> in.bits[1]);
}

Expected EvalIntdiv(const ScalarInput& in) {
  if (in.Integer(1) == 0) return Undefined(ValueCase::kDivisionByZero);
  return IntegerThatFits(in, in.Integer(0) / in.Integer(1));
}

// bits: what is looked up, and one or two entries of the table.
Expected EvalTable(const ScalarInput& in) {
  if (in.input_type == ElementType::kI8) return ExactBits(in.bits[1]);
  const std::optional<Wide> between = Interpolated(in.Integer(0), in.Integer(1), in.Integer(2));
  return between ? ExactInteger(in, *between) : Undefined(ValueCase::kTableStep);
}

Expected EvalClz(const ScalarInput& in) {
  return ExactInteger(in, std::countl_zero(in.bits[0]) - (64 - BitWidth(in.input_type)));
}

}  // namespace tosaic
