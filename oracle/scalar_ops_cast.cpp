// The cast (tosa-semantics.md, "cast, the values"): one function per pair of classes, chosen from a table.
#include <algorithm>
#include <cmath>

#include "oracle/scalar_ops.h"

namespace tosaic {
namespace {

enum CastClass : uint8_t { kBool, kInteger, kFloat };

CastClass ClassOf(ElementType type) { return IsFloat(type) ? kFloat : type == ElementType::kI1 ? kBool : kInteger; }

Expected ToBool(const ScalarInput& in) { return InCase(ValueCase::kToBool, ExactBits(in.bits[0] != 0 ? 1 : 0)); }

Expected FromBool(const ScalarInput& in) { return InCase(ValueCase::kFromBool, ExactBits(in.bits[0])); }

Expected IntegerToInteger(const ScalarInput& in) {
  return InCase(ValueCase::kIntegerToInteger, ExactInteger(in, in.Signed(0)));
}

Expected IntegerToFloat(const ScalarInput& in) {
  static constexpr Accuracy kHalfUlp = {.kind = Accuracy::Kind::kUlp, .ulp = 0.5};
  const Expected expected = WithinRule(in, kHalfUlp, [](const auto& x, const auto&) { return x; });
  return InCase(ValueCase::kIntegerToFloat, expected);
}

Expected FloatToInteger(const ScalarInput& in) {
  const double value = in.Value(0);
  if (std::isnan(value)) return Undefined(ValueCase::kNanToInteger);
  const double greatest = std::ldexp(1.0, BitWidth(in.result_type) - 1) - 1;
  // nearbyint: half to even, the rounding that Tosaic never changes; then saturation.
  const double integer = std::clamp(std::nearbyint(value), -greatest - 1, greatest);
  return InCase(ValueCase::kFloatToInteger, ExactInteger(in, static_cast<int64_t>(integer)));
}

Expected FloatToFloat(const ScalarInput& in) {
  Expected expected = CastInterval(in.result_type, in.Value(0));
  expected.accuracy = &AccuracyOf(in.op, in.policies);
  return InCase(ValueCase::kFloatToFloat, expected);
}

// Indexed by the classes of input and result.
constexpr ScalarFunction kCasts[3][3] = {
    // The specification has no cast between i1 and itself or a float: FindScalarFunction never gets here.
    {FromBool, FromBool, nullptr},
    {ToBool, IntegerToInteger, IntegerToFloat},
    {nullptr, FloatToInteger, FloatToFloat},
};

}  // namespace

Expected EvalCast(const ScalarInput& in) {
  const ScalarFunction cast = kCasts[ClassOf(in.input_type)][ClassOf(in.result_type)];
  return cast == nullptr ? Undefined(ValueCase::kBeyondSpec) : cast(in);
}

}  // namespace tosaic
