// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cast (tosa-semantics.md, "cast, the values"): a table has one function for each pair of classes.
#include <algorithm>
#include <cmath>

#include "oracle/block_scaled.h"
#include "oracle/float_format.h"
#include "oracle/scalar_ops.h"

namespace tosaic {
namespace {

enum CastClass : uint8_t { kBool, kInteger, kFloat };

CastClass ClassOf(ElementType type) { return IsFloat(type) ? kFloat : type == ElementType::kI1 ? kBool : kInteger; }

// A NaN is not 0.
Expected ToBool(const ScalarInput& in) {
  const bool is_zero = IsFloat(in.input_type) ? in.Value(0) == 0 : in.bits[0] == 0;
  return InCase(ValueCase::kToBool, ExactBits(is_zero ? 0 : 1));
}

Expected FromBool(const ScalarInput& in) {
  const uint64_t number = IsFloat(in.result_type) ? NearestBits(in.result_type, in.Value(0)) : in.bits[0];
  return InCase(ValueCase::kFromBool, ExactBits(number));
}

Expected IntegerToInteger(const ScalarInput& in) {
  return InCase(ValueCase::kIntegerToInteger, ExactInteger(in, in.Integer(0)));
}

constexpr Accuracy kHalfUlp = {.kind = Accuracy::Kind::kUlp, .ulp = 0.5};

Expected IntegerToFloat(const ScalarInput& in) {
  if (in.input_type == ElementType::kI64) {  // a double does not hold it
    const Real x = Real::FromInteger(static_cast<int64_t>(in.Integer(0)));
    return InCase(ValueCase::kIntegerToFloat, RangeByRule(in, kHalfUlp, x, x, 0.0));
  }
  const Expected expected = WithinRule(in, kHalfUlp, [](const auto& x, const auto&) { return x; });
  return InCase(ValueCase::kIntegerToFloat, expected);
}

// The same bits as an unsigned number: zero_extend<uint64_t>(in).
Expected UnsignedToNumber(const ScalarInput& in) {
  const uint64_t number = in.bits[0] & BitMask(in.input_type);
  if (!IsFloat(in.result_type)) return InCase(ValueCase::kIntegerToInteger, ExactInteger(in, number));
  const Real x = Real::FromInteger(static_cast<int64_t>(number >> 1)) * Real::FromInteger(2) +
                 Real::FromInteger(static_cast<int64_t>(number & 1));
  return InCase(ValueCase::kIntegerToFloat, RangeByRule(in, kHalfUlp, x, x, 0.0));
}

Expected FloatToInteger(const ScalarInput& in) {
  const double value = in.Value(0);
  if (std::isnan(value)) return Undefined(ValueCase::kNanToInteger);
  const Wide least = LeastInteger(in.result_type), greatest = GreatestInteger(in.result_type);
  // nearbyint rounds half to even, because Tosaic never changes the rounding mode; then the value is saturated. No type
  // reaches 2^64.
  const double integer = std::clamp(std::nearbyint(value), -0x1p64, 0x1p64);
  const Wide saturated = std::clamp(static_cast<Wide>(integer), least, greatest);
  return InCase(ValueCase::kFloatToInteger, ExactInteger(in, saturated));
}

Expected FloatToFloat(const ScalarInput& in) {
  Expected expected = CastInterval(in.result_type, in.Value(0));
  expected.accuracy = &AccuracyOf(in.op, in.result_type, in.policies);
  return InCase(ValueCase::kFloatToFloat, expected);
}

// Indexed by the classes of input and result.
constexpr ScalarFunction kCasts[3][3] = {
    {FromBool, FromBool, FromBool},
    {ToBool, IntegerToInteger, IntegerToFloat},
    {ToBool, FloatToInteger, FloatToFloat},
};

}  // namespace

Expected EvalCast(const ScalarInput& in) {
  if (IsBlockScaled(in.input_type)) return FromBlock(in.input_type, in.bits[0], in.result_type);
  const CastClass from = ClassOf(in.input_type), to = ClassOf(in.result_type);
  if (!in.attributes.input_unsigned.value_or(false) || from != kInteger || to == kBool) return kCasts[from][to](in);
  const Expected expected = UnsignedToNumber(in);
  return in.policies.spec_version == SpecVersion::k1_1 ? expected : InCase(ValueCase::kExtensionCast, expected);
}

}  // namespace tosaic
