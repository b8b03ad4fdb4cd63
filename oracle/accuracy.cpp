// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/accuracy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/float_format.h"
#include "oracle/number.h"

namespace tosaic {
namespace {

template <typename Number>
Number RootOfHalf();
template <>
double RootOfHalf<double>() {
  return 0x1.6a09e667f3bcdp-1;
}
template <>
Real RootOfHalf<Real>() {
  return 1.0 / Sqrt(Real(2.0));
}
template <>  // tighter than composing the functions of intervals
Interval RootOfHalf<Interval>() {
  return {0x1.6a09e667f3bccp-1, 0x1.6a09e667f3bcdp-1};
}

// The specification's out_ref * expm1(mul_err), which is e^(power + error) - e^power, given reference = e^power.
double Growth(double reference, double, double error) { return reference * Expm1(error); }
// Beyond the doubles there are two forms, because a factor of one may exceed Real where no factor of the other does.
constexpr double kGreatestError = 512;  // expm1 of it is a double
Real Growth(const Real& reference, const Real& power, const Real& error) {
  return error > kGreatestError ? Exp(power + error) - reference : reference * Expm1(error);
}
Interval Growth(const Interval& reference, const Interval& power, const Interval& error) {
  if (error.hi() <= kGreatestError) return reference * Expm1(error);
  // Between this and where expm1 leaves the doubles, the doubles' form decides.
  return error.lo() > 710 ? Exp(power + error) - reference : Interval::Everything();
}

// pow's bound of 1.0.2: the error of y log x carried through exp, and the error of exp itself.
template <typename Number>
Number PowBound(ElementType type, const Number& reference, const Number& x, const Number& y) {
  const Number product = y * Log(x);
  const Number l = Abs(0.55 * y);
  const Number log_error = AbsoluteErrorBound<Number>(type, product, 5.5, l, 1);
  const Number b = AccuracyBase(type) + 2.0 * Abs(product + log_error);
  return Growth(reference, product, log_error) + AbsoluteErrorBound<Number>(type, reference, b, 0, 1);
}

template <typename Number>
Number PowBound100(ElementType type, const Number& reference, const Number& x, const Number& y) {
  const Number b = AccuracyBase(type) + 7.5 * Abs(y * Log(x));
  return AbsoluteErrorBound<Number>(type, reference, b, 0, 1);
}

template <typename Number>
Number MagnitudeFor(Accuracy::Magnitude magnitude, const Number& reference, const Number& x) {
  switch (magnitude) {
    case Accuracy::Magnitude::kReference:
      return reference;
    case Accuracy::Magnitude::kInput:
      return x;
    case Accuracy::Magnitude::kOnePlusAbsInput:
      break;
  }
  return 1.0 + Abs(x);
}

template <typename Number>
Number AbsoluteErrorRule(const Accuracy& rule, ElementType type, const Number& reference, const Number& x) {
  Number b = rule.b_const + rule.b_base * AccuracyBase(type);
  if (rule.b_abs_x != 0) b = b + rule.b_abs_x * Abs(x);
  const Number m = MagnitudeFor(rule.m, reference, x);
  const Number bound = AbsoluteErrorBound<Number>(type, m, b, rule.l, rule.d);
  return Max(bound, rule.least_in_normal_min * Format(type).normal_min);
}

// An interval of magnitudes, as an Expected of the reference's sign.
template <typename Number>
Expected Range(ElementType type, double reference, const Number& lo, const Number& hi) {
  const FloatFormat& format = Format(type);
  double lowest = DoubleAbove(lo), highest = DoubleBelow(hi);
  if (lo > format.normal_max) lowest = kInfinity;
  if (lo < -format.normal_max) lowest = -kInfinity;
  if (hi > format.normal_max) highest = kInfinity;
  Expected expected = {.kind = Expected::Kind::kRange, .zero_sign_free = true};
  // fp8 is never flushed: its zero is a number like any other.
  expected.zero_passes = IsFp8(type) ? lowest <= 0 : lo < format.normal_min;
  expected.nan_passes = !Info(type).has_infinity && highest == kInfinity;
  expected.reference = reference;
  const bool negative = std::signbit(expected.reference);  // true for -0, too, so that the texts say -0
  expected.lo = negative ? -highest : lowest;
  expected.hi = negative ? -lowest : highest;
  return expected;
}

// The unit in the last place that `type` uses for results of type `of`.
double UnitFor(ElementType type, ElementType of, double r) {
  // The specification requires a normal double. For f64, which it lacks, subnormal doubles are results, too.
  const bool has_unit = of == ElementType::kF64 ? std::isfinite(r) && r != 0 : std::isnormal(r);
  if (!has_unit) return 0;
  const FloatFormat& format = Format(type);
  return std::ldexp(1.0, std::max(std::ilogb(r), format.min_exponent) - format.frac);
}

// The specification's reference is a double, where erf(6) is 1 and has the unit in the last place of 1.
Real UnitFor(ElementType type, ElementType of, const Real& r) { return UnitFor(type, of, r.ToDouble(MPFR_RNDN)); }

Interval UnitFor(ElementType type, ElementType of, const Interval& r) {
  const Interval magnitude = Abs(r);
  // A value that may then round to infinity has no unit, so the least unit is 0.
  const double greatest = std::min(magnitude.hi(), std::numeric_limits<double>::max());
  return {magnitude.IsFinite() ? UnitFor(type, of, magnitude.lo()) : 0, UnitFor(type, of, greatest)};
}

}  // namespace

double Ulp(ElementType type, double r) { return UnitFor(type, type, r); }
Real Ulp(ElementType type, const Real& r) { return UnitFor(type, type, r); }
Interval Ulp(ElementType type, const Interval& r) { return UnitFor(type, type, r); }

template <typename Number>
Number AbsoluteErrorBound(ElementType type, const Number& m, const Number& b, const Number& l, int d) {
  if (IsInfinite(b) && IsZero(m)) return 0.0;
  const FloatFormat& format = Format(type);
  Number v = Max(Abs(m), format.normal_min);
  if (l > 0) v = Max(l / b, v);  // for intervals: l is a point, or surely positive
  // The exponent is a quotient of doubles (policies.md, bound of sin and cos): for f32 and bf16, half of it is not an
  // integer. The order of the products is the pseudo-code's, for they are rounded.
  Number unit = Scale(v, -(format.frac / d));
  if (d == 2 && format.frac % 2 == 1) unit = unit * RootOfHalf<Number>();
  return unit * b;
}

int AccuracyBase(ElementType type) { return type == ElementType::kF32 ? 3 : 1; }

const Accuracy& AccuracyOf(const OpInfo& op, ElementType result_type, const Policies& policies) {
  switch (policies.spec_version) {
    case SpecVersion::k1_0_0:
      return op.has_accuracy_1_0_0 ? op.accuracy_1_0_0 : op.accuracy;
    case SpecVersion::k1_0_2:
      break;
    case SpecVersion::k1_1:
      return op.has_bf16_accuracy_1_1 && result_type == ElementType::kBF16 ? op.bf16_accuracy_1_1 : op.accuracy;
  }
  return op.accuracy;
}

ElementType NearestSpecified(ElementType type) {
  if (type == ElementType::kF64) return ElementType::kF32;
  return IsFp8(type) ? ElementType::kF16 : type;
}

template <typename Number>
Number ErrorBound(const Accuracy& accuracy, ElementType type, const Number& reference, const Number& x,
                  const Number& y) {
  const ElementType nearest = NearestSpecified(type);
  const bool is_half_unit = accuracy.kind == Accuracy::Kind::kUlp && accuracy.ulp == 0.5;
  if (nearest != type && !is_half_unit) {
    const Number of_nearest = accuracy.kind == Accuracy::Kind::kUlp ? accuracy.ulp * UnitFor(nearest, type, reference)
                                                                    : ErrorBound(accuracy, nearest, reference, x, y);
    return of_nearest + 0.5 * Ulp(type, reference);
  }
  switch (accuracy.kind) {
    case Accuracy::Kind::kUlp:
      return accuracy.ulp * Ulp(type, reference);
    case Accuracy::Kind::kAbsoluteError:
      return AbsoluteErrorRule(accuracy, type, reference, x);
    case Accuracy::Kind::kPow:
      return PowBound(type, reference, x, y);
    case Accuracy::Kind::kPow100:
      return PowBound100(type, reference, x, y);
    case Accuracy::Kind::kExact:
    case Accuracy::Kind::kCast:
      break;
  }
  return 0.0;
}

template double AbsoluteErrorBound(ElementType, const double&, const double&, const double&, int);
template Real AbsoluteErrorBound(ElementType, const Real&, const Real&, const Real&, int);
template double ErrorBound(const Accuracy&, ElementType, const double&, const double&, const double&);
template Real ErrorBound(const Accuracy&, ElementType, const Real&, const Real&, const Real&);
template Interval ErrorBound(const Accuracy&, ElementType, const Interval&, const Interval&, const Interval&);

namespace {

template <typename Number>
Expected WithinOf(ElementType type, const Number& reference, const Number& bound) {
  if (IsNan(reference)) return AnyNan();
  const double rounded = NearestDouble(reference);
  if (std::isinf(rounded)) return ExactValue(rounded);
  if (!IsFinite(bound)) return AnyNumber(rounded);
  const Number magnitude = Abs(reference);
  Expected expected = Range<Number>(type, rounded, magnitude - bound, magnitude + bound);
  expected.bound = NearestDouble(bound);
  return expected;
}

}  // namespace

Expected Within(ElementType type, double reference, double bound) { return WithinOf(type, reference, bound); }
Expected Within(ElementType type, const Real& reference, const Real& bound) { return WithinOf(type, reference, bound); }

Expected AnyNumber(double reference) {
  return {.kind = Expected::Kind::kRange,
          .zero_sign_free = true,
          .zero_passes = true,
          .lo = -kInfinity,
          .hi = kInfinity,
          .reference = reference,
          .bound = kInfinity};
}

Expected SurelyWithin(ElementType type, const Interval& reference, const Interval& bound) {
  if (!reference.HasOneSign() || !bound.IsFinite()) return NoMatch();
  const Interval magnitude = Abs(reference);
  const Interval lowest = std::isinf(magnitude.hi()) ? Interval(kInfinity) : magnitude - bound;  // Within: an infinity
  return Range<Interval>(type, reference.lo(), lowest, magnitude + bound);
}

Expected ExactValue(double value) {
  return {.kind = Expected::Kind::kRange, .zero_passes = value == 0, .lo = value, .hi = value, .reference = value};
}

Expected CastInterval(ElementType type, double x) {
  if (std::isnan(x)) return AnyNan();
  const double magnitude = std::abs(x);
  Expected expected = Range<Interval>(type, x, RoundToGrid(type, magnitude, Rounding::kTowardZero),
                                      RoundToGrid(type, magnitude, Rounding::kHalfAway));
  expected.zero_sign_free = false;
  return expected;
}

}  // namespace tosaic
