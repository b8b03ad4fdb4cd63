// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/set_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/float_format.h"

namespace tosaic {
namespace {

constexpr double kGreatestDouble = std::numeric_limits<double>::max();

// The least element that is not below `value`; -0 is not below 0.
int64_t FirstFrom(ElementType type, double value) {
  const double greatest = Format(type).normal_max;
  if (value > greatest) return GreatestOrdinal(type);
  if (!(value >= -greatest)) return LeastOrdinal(type);
  const int64_t ordinal = OrdinalOf(type, NearestBits(type, value));
  return ValueOfOrdinal(type, ordinal) < value ? ordinal + 1 : ordinal;
}

// The greatest element that is not above it.
int64_t LastTo(ElementType type, double value) { return -1 - FirstFrom(type, -value); }

// The unit in the last place at a magnitude, or of the subnormals below the normal numbers. A reference that is not a
// normal double has no unit, but other references in the interval have one.
double UnitAt(ElementType type, double magnitude) {
  return Ulp(type, std::clamp(magnitude, Format(type).normal_min, kGreatestDouble));
}

// The value of ErrorBound for a rule in units of the last place.
double ErrorAt(ElementType type, double magnitude, double ulps) {
  const ElementType nearest = NearestSpecified(type);
  if (nearest == type || ulps == 0.5) return ulps * UnitAt(type, magnitude);
  return ulps * UnitAt(nearest, magnitude) + 0.5 * UnitAt(type, magnitude);
}

// References are magnitudes from `least` to `greatest`.
AllowedSet WithinUlpsOfMagnitudes(ElementType type, double least, double greatest, double ulps, bool negative) {
  // For f64, half a unit below a double rounds to it or to the previous one, and rounding a reference is no worse. If
  // more is allowed, the sum itself must not be rounded inward.
  const bool is_wide = type == ElementType::kF64 && ulps != 0.5;
  const auto down = [&](double x) { return is_wide ? std::nextafter(x, -kInfinity) : x; };
  double lo = down(least - ErrorAt(type, least, ulps));
  // Above the next power of two the unit is twice as large, so results there reach farther down than those just below
  // it.
  const double least_normal = std::min(Format(type).normal_min, Format(NearestSpecified(type)).normal_min);
  const double power = std::ldexp(1.0, std::ilogb(std::max(least, least_normal)) + 1);
  if (power <= greatest) lo = std::min(lo, down(power - ErrorAt(type, power, ulps)));
  const double hi = -down(-(greatest + ErrorAt(type, greatest, ulps)));
  return negative ? NumbersWithin(type, -hi, -lo) : NumbersWithin(type, lo, hi);
}

// A rule whose bound is a share of the reference, of that of the least normal number below it: what is left of the
// least reference. Closer than the bound of the greatest, which it bounds too.
double LeastByShare(const Accuracy& accuracy, ElementType type, double least, const Interval& x) {
  const bool is_share = accuracy.kind == Accuracy::Kind::kAbsoluteError &&
                        accuracy.m == Accuracy::Magnitude::kReference && accuracy.l == 0;
  if (!is_share || NearestSpecified(type) != type || !(least >= 0)) return -kInfinity;
  // For other references than 1, the bound is a product that is rounded.
  const double share = (ErrorBound<Interval>(accuracy, type, 1.0, x, 0.0) * (1 + 0x1p-50)).hi();
  if (!(share < 1)) return -kInfinity;
  const double normal_min = Format(type).normal_min;
  if (least < normal_min) return (Interval(least) - Interval(normal_min) * share).lo();
  return (Interval(least) * (Interval(1.0) - share)).lo();
}

}  // namespace

AllowedSet NumbersWithin(ElementType type, double lo, double hi) {
  AllowedSet set(type);
  const OrdinalSpan span = {FirstFrom(type, lo), LastTo(type, hi)};
  if (span.first <= span.last) set.Add(span);
  const double normal_min = Format(type).normal_min, normal_max = Format(type).normal_max;
  const bool may_be_zero = IsFp8(type) ? lo <= 0 && hi >= 0 : !(lo >= normal_min) && !(hi <= -normal_min);
  if (may_be_zero) set.AddBothZeros();
  if (!Info(type).has_infinity && (hi > normal_max || lo < -normal_max)) set.AddNan();
  return set;
}

AllowedSet WithinUlps(ElementType type, const Interval& reference, double ulps) {
  AllowedSet set(type);
  if (reference.hi() >= 0) {
    set.Unite(WithinUlpsOfMagnitudes(type, std::max(reference.lo(), 0.0), reference.hi(), ulps, false));
  }
  if (reference.lo() < 0) {
    set.Unite(WithinUlpsOfMagnitudes(type, std::max(-reference.hi(), 0.0), -reference.lo(), ulps, true));
  }
  return set;
}

AllowedSet WithinRuleOf(const Accuracy& accuracy, ElementType type, const Interval& reference, const Interval& x,
                        const Interval& y) {
  if (accuracy.kind == Accuracy::Kind::kUlp) return WithinUlps(type, reference, accuracy.ulp);
  // A value that MPFR rounds down to the greatest double is beyond the doubles, so it is an infinity whatever the bound
  // is. (The greatest double has more bits than an interval's function.)
  if (reference.lo() >= kGreatestDouble) return NumbersWithin(type, kInfinity, kInfinity);
  const Interval bounded(reference.lo(), std::min(reference.hi(), kGreatestDouble));
  const Interval bound = ErrorBound<Interval>(accuracy, type, bounded, x, y);
  const double greatest_bound = std::isnan(bound.hi()) ? kInfinity : bound.hi();
  const double lo = (Interval(reference.lo()) - greatest_bound).lo();
  const double hi = (Interval(reference.hi()) + greatest_bound).hi();
  return NumbersWithin(type, std::max(lo, LeastByShare(accuracy, type, reference.lo(), x)), hi);
}

}  // namespace tosaic
