// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar functions on integers and floats alike: arithmetic, order, choice.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "model/tensor.h"
#include "oracle/scalar_ops.h"

namespace tosaic {
namespace {

// A sum, difference or product. On f64 it is the IEEE 754 operation of the hardware's doubles, because a Real cannot
// hold every sum of doubles.
template <typename Formula>
Expected Arithmetic(const ScalarInput& in, Formula formula) {
  if (in.result_type != ElementType::kF64) return WithinAccuracy(in, formula);
  const double result = formula(in.Value(0), in.Value(1));
  if (std::isnan(result)) return AnyNan();
  Expected expected = ExactBits(std::bit_cast<uint64_t>(result));
  expected.zero_sign_free = true;
  return expected;
}

// Whether a <= b as values of the type; false with a NaN.
bool IsAtMost(ElementType type, uint64_t a, uint64_t b) {
  return IsFloat(type) ? ElementToDouble(type, a) <= ElementToDouble(type, b)
                       : IntegerOf(type, a) <= IntegerOf(type, b);
}

// Whether operands 0 and 1 compare so, as values of their type.
template <typename Holds>
bool Compares(const ScalarInput& in, Holds holds) {
  return IsFloat(in.input_type) ? holds(in.Value(0), in.Value(1)) : holds(in.Integer(0), in.Integer(1));
}

Expected TruthValue(bool value) { return ExactBits(value ? 1 : 0); }

// The bits of an operand (or of a bound) as the result; a NaN may have any payload.
Expected Choice(ElementType type, uint64_t bits) {
  return IsFloat(type) && std::isnan(ElementToDouble(type, bits)) ? AnyNan() : ExactBits(bits);
}

Expected ChoiceWithFreeZero(ElementType type, uint64_t bits) {
  Expected expected = Choice(type, bits);
  expected.zero_sign_free = IsFloat(type);
  return expected;
}

Expected Extremum(const ScalarInput& in, bool first_wins) {
  const bool nan0 = std::isnan(in.Value(0)), nan1 = std::isnan(in.Value(1));  // never true for integers
  if (nan0 || nan1) {
    if (!IgnoresNan(in.attributes) || (nan0 && nan1)) return AnyNan();
    return ChoiceWithFreeZero(in.result_type, in.bits[nan0 ? 1 : 0]);
  }
  return ChoiceWithFreeZero(in.result_type, in.bits[first_wins ? 0 : 1]);
}

}  // namespace

Expected EvalAdd(const ScalarInput& in) {
  if (IsInteger(in.result_type)) return IntegerThatFits(in, in.Integer(0) + in.Integer(1));
  return Arithmetic(in, [](const auto& x, const auto& y) { return x + y; });
}

Expected EvalSub(const ScalarInput& in) {
  if (IsInteger(in.result_type)) return IntegerThatFits(in, in.Integer(0) - in.Integer(1));
  return Arithmetic(in, [](const auto& x, const auto& y) { return x - y; });
}

Expected EvalMul(const ScalarInput& in) {
  const auto shift = static_cast<int>(in.Integer(2));
  const bool may_shift = in.input_type == ElementType::kI32;
  if (shift < 0 || shift > 63 || (shift != 0 && !may_shift)) return Undefined(ValueCase::kShift);
  if (IsFloat(in.result_type)) return Arithmetic(in, [](const auto& x, const auto& y) { return x * y; });
  const Wide product = in.Integer(0) * in.Integer(1);
  if (shift == 0) return ExactInteger(in, product);
  const Wide rounded = product + (Wide{1} << (shift - 1));
  // Only 2^62 + 2^62 exceeds the 64 bits that the specification computes with.
  if (rounded > GreatestInteger(ElementType::kI64)) return Undefined(ValueCase::kOverflow);
  const Wide shifted = rounded >> shift;
  return Fits(ElementType::kI32, shifted) ? IntegerThatFits(in, shifted) : Undefined(ValueCase::kOverflow);
}

Expected EvalAbs(const ScalarInput& in) {
  if (IsInteger(in.result_type)) return IntegerThatFits(in, std::max(in.Integer(0), -in.Integer(0)));
  return Choice(in.result_type, in.bits[0] & ~SignMask(in.result_type));
}

bool NegateSaturates(ElementType type) { return LeastInteger(type) < 0 && BitWidth(type) < 32; }

Expected EvalNegate(const ScalarInput& in) {
  const bool has_zero_points = in.Value(1) != 0 || in.Value(2) != 0;
  if (has_zero_points && in.input_type != ElementType::kI8) return Undefined(ValueCase::kZeroPoint);
  if (IsFloat(in.result_type)) return Choice(in.result_type, in.bits[0] ^ SignMask(in.result_type));
  const Wide value = 0 - (in.Integer(0) - in.Integer(1)) + in.Integer(2);
  if (!NegateSaturates(in.result_type)) return IntegerThatFits(in, value);
  return ExactInteger(in, std::clamp(value, LeastInteger(in.result_type), GreatestInteger(in.result_type)));
}

Expected EvalMaximum(const ScalarInput& in) { return Extremum(in, Compares(in, std::greater_equal())); }
Expected EvalMinimum(const ScalarInput& in) { return Extremum(in, Compares(in, std::less_equal())); }

Expected EvalClamp(const ScalarInput& in) {
  const auto& min = in.attributes.min_val;
  const auto& max = in.attributes.max_val;
  if (!min || !max || min->type != in.input_type || max->type != in.input_type) return Undefined(ValueCase::kBounds);
  const uint64_t low = min->bits, high = max->bits;
  // This is an error that legality reports.
  if (!IsAtMost(in.input_type, low, high)) return Undefined(ValueCase::kBounds);
  if (std::isnan(in.Value(0))) return IgnoresNan(in.attributes) ? ChoiceWithFreeZero(in.result_type, low) : AnyNan();
  const uint64_t bits = !IsAtMost(in.input_type, low, in.bits[0])    ? low
                        : !IsAtMost(in.input_type, in.bits[0], high) ? high
                                                                     : in.bits[0];
  return ChoiceWithFreeZero(in.result_type, bits);
}

// "No data conversion happens during a reshape operation", and "results must be exact": not a subnormal is flushed, nor
// does a NaN change its payload.
Expected EvalReshape(const ScalarInput& in) { return CopiedBits(in.bits[0]); }

Expected EvalSelect(const ScalarInput& in) { return Choice(in.result_type, in.bits[0] != 0 ? in.bits[1] : in.bits[2]); }

Expected EvalIdentity(const ScalarInput& in) { return Choice(in.result_type, in.bits[0]); }

// As in C++: false with a NaN, and -0 == +0.
Expected EvalEqual(const ScalarInput& in) { return TruthValue(Compares(in, std::equal_to())); }
Expected EvalGreater(const ScalarInput& in) { return TruthValue(Compares(in, std::greater())); }
Expected EvalGreaterEqual(const ScalarInput& in) { return TruthValue(Compares(in, std::greater_equal())); }

}  // namespace tosaic
