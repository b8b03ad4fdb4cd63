// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/number.h"

namespace tosaic {
namespace {

// Calls evaluate(result, x) with a result of a double's precision.
template <typename Evaluate>
double AtDoublePrecision(double x, Evaluate evaluate) {
  mp_limb_t limbs[2];
  mpfr_t argument, result;
  mpfr_custom_init_set(argument, MPFR_ZERO_KIND, 0, 53, &limbs[0]);
  mpfr_custom_init_set(result, MPFR_ZERO_KIND, 0, 53, &limbs[1]);
  mpfr_set_d(argument, x, MPFR_RNDN);  // exact
  evaluate(result, argument);
  return mpfr_get_d(result, MPFR_RNDN);
}

}  // namespace

double Rounded(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), double x) {
  return AtDoublePrecision(x, [&](mpfr_ptr result, mpfr_srcptr x) { function(result, x, MPFR_RNDN); });
}

double Rounded(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), double x, double y) {
  return AtDoublePrecision(x, [&](mpfr_ptr result, mpfr_srcptr x) {
    AtDoublePrecision(y, [&](mpfr_ptr, mpfr_srcptr y) { function(result, x, y, MPFR_RNDN); });
  });
}

Interval Erf(const Interval& x) {
  if (x.hi() < 0) return -Erf(-x);
  // For large x MPFR takes long, and erf differs from 1 by far less than its bound of 5 units of 2^-24 for f32.
  if (x.lo() >= 3.75) return {1 - 0x1p-23, 1};  // 1 - erf(3.75) is 1.14e-7
  if (x.lo() < 3.125) return Interval::ApplyIncreasing(mpfr_erf, x);
  // 1 - erf(x) = e^(-x^2) / (x sqrt(pi)) * (1 - 1 / (2 x^2) + r), 0 < r < 3 / (4 x^4): the asymptotic series.
  const Interval one_by_root_of_pi(0.5641895835477562, 0.5641895835477564);
  const Interval square = x * x, t = 0.5 / square;
  const Interval factor = Exp(-square) * one_by_root_of_pi / x;
  const Interval least = factor * (1 - t), greatest = factor * (1 - t + 3 * t * t);
  return {(1 - greatest).lo(), (1 - least).hi()};
}

Interval Exp(const Interval& x) {
  // e^(x + width) <= e^x (1 + width + width^2) for a width up to 1; for a small one that is as good as MPFR's result.
  const double width = (Interval(x.hi()) - x.lo()).hi();
  if (x.IsPoint() || !(width <= 0x1p-14)) return Interval::ApplyIncreasing(mpfr_exp, x);
  const Interval least = Interval::Apply(mpfr_exp, x.lo()), w(width);
  return {least.lo(), (least * (1 + w + w * w)).hi(), least.IsFinite()};
}

Interval Expm1(const Interval& x) {
  // x + x^2 / 2 < expm1(x) < x + x^2 for 0 < x < 1, by the series.
  if (0 < x.lo() && x.hi() < 1) return {(x + 0.5 * x * x).lo(), (x + x * x).hi()};
  return Interval::ApplyIncreasing(mpfr_expm1, x);
}

}  // namespace tosaic
