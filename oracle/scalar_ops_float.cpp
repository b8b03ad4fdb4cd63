// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar functions that see only floats. Special values that the specification names are exact (the sign of a zero
// included, unless said otherwise); everything else is within the row's accuracy rule.
#include <cmath>

#include "oracle/float_format.h"
#include "oracle/number.h"
#include "oracle/scalar_ops.h"

namespace tosaic {
namespace {

Expected ExactZeroOfAnySign() {
  Expected expected = ExactValue(0);
  expected.zero_sign_free = true;
  return expected;
}

}  // namespace

// ceil, floor, sin and tanh keep zeros as they are.

Expected EvalCeil(const ScalarInput& in) {
  const double x = in.Value(0);
  return x == 0 ? ExactValue(x) : WithinAccuracy(in, [](const auto& x, const auto&) { return Ceil(x); });
}

Expected EvalFloor(const ScalarInput& in) {
  const double x = in.Value(0);
  return x == 0 ? ExactValue(x) : WithinAccuracy(in, [](const auto& x, const auto&) { return Floor(x); });
}

Expected EvalSin(const ScalarInput& in) {
  const double x = in.Value(0);
  return x == 0 ? ExactValue(x) : WithinAccuracy(in, [](const auto& x, const auto&) { return Sin(x); });
}

Expected EvalTanh(const ScalarInput& in) {
  const double x = in.Value(0);
  if (std::isinf(x)) return ExactValue(std::copysign(1.0, x));
  return x == 0 ? ExactValue(x) : WithinAccuracy(in, [](const auto& x, const auto&) { return Tanh(x); });
}

Expected EvalCos(const ScalarInput& in) {
  if (in.Value(0) == 0) return ExactValue(1);
  return WithinAccuracy(in, [](const auto& x, const auto&) { return Cos(x); });
}

Expected EvalErf(const ScalarInput& in) {
  return WithinAccuracy(in, [](const auto& x, const auto&) { return Erf(x); });
}

Expected EvalExp(const ScalarInput& in) {
  const double x = in.Value(0);
  if (x == 0) return ExactValue(1);
  if (std::isinf(x)) return ExactValue(x < 0 ? 0 : kInfinity);
  return WithinAccuracy(in, [](const auto& x, const auto&) { return Exp(x); });
}

Expected EvalLog(const ScalarInput& in) {
  const double x = in.Value(0);
  if (x < 0) return AnyNan();
  if (x == 0) return ExactValue(-kInfinity);
  if (x == kInfinity) return ExactValue(kInfinity);
  return WithinAccuracy(in, [](const auto& x, const auto&) { return Log(x); });
}

Expected EvalReciprocal(const ScalarInput& in) {
  const double x = in.Value(0);
  if (x == 0) return ExactValue(std::copysign(kInfinity, x));
  if (std::isinf(x)) return ExactValue(std::copysign(0.0, x));
  return WithinAccuracy(in, [](const auto& x, const auto&) { return 1.0 / x; });
}

Expected EvalRsqrt(const ScalarInput& in) {
  const double x = in.Value(0);
  if (x < 0) return AnyNan();
  if (x == 0) return ExactValue(std::copysign(kInfinity, x));
  if (x == kInfinity) return ExactValue(0);
  return WithinAccuracy(in, [](const auto& x, const auto&) { return 1.0 / Sqrt(x); });
}

Expected EvalSigmoid(const ScalarInput& in) {
  const double x = in.Value(0);
  if (x == -kInfinity) return ExactZeroOfAnySign();
  if (x == kInfinity) return ExactValue(1);
  if (x == 0) return ExactValue(0.5);
  return WithinAccuracy(in, [](const auto& x, const auto&) { return 1.0 / (1.0 + Exp(-x)); });
}

Expected EvalPow(const ScalarInput& in) {
  const double x = in.Value(0), y = in.Value(1);
  const bool defined = std::isfinite(x) && std::isfinite(y) && x >= 0 && !(x == 0 && y <= 0);
  if (!defined) return Undefined(ValueCase::kDomain);
  if (x == 0) return ExactZeroOfAnySign();
  if (y == 0) return ExactValue(1);
  return WithinAccuracy(in, [](const auto& x, const auto& y) { return Pow(x, y); });
}

}  // namespace tosaic
