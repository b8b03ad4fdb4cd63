// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a formula that is evaluated on double (the specification's fp64_t), on Interval (an enclosure of
// both others), and on Real, where the doubles end (WithinAccuracy in scalar_ops.h). On double, each is rounded to
// nearest, ties to even, as introduction.adoc asks of fp64_t arithmetic.
#ifndef TOSAIC_ORACLE_NUMBER_H_
#define TOSAIC_ORACLE_NUMBER_H_

#include <cmath>

#include "oracle/interval.h"
#include "oracle/real.h"

namespace tosaic {

// A function of MPFR, rounded to nearest double. (A subnormal double is rounded twice; no element depends on its bits.)
double Rounded(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), double x);
double Rounded(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), double x, double y);

// Functions of MPFR.
#define TOSAIC_FUNCTION(Name, mpfr_function, apply_to_interval)             \
  inline double Name(double x) { return Rounded(mpfr_function, x); }        \
  inline Real Name(const Real& x) { return Real::Apply(mpfr_function, x); } \
  inline Interval Name(const Interval& x) { return Interval::apply_to_interval(mpfr_function, x); }
TOSAIC_FUNCTION(Cos, mpfr_cos, Apply)
TOSAIC_FUNCTION(Log, mpfr_log, ApplyIncreasing)
TOSAIC_FUNCTION(Sin, mpfr_sin, Apply)
TOSAIC_FUNCTION(Sqrt, mpfr_sqrt, ApplyIncreasing)
TOSAIC_FUNCTION(Tanh, mpfr_tanh, ApplyIncreasing)
#undef TOSAIC_FUNCTION

inline double Erf(double x) { return Rounded(mpfr_erf, x); }
inline Real Erf(const Real& x) { return Real::Apply(mpfr_erf, x); }
Interval Erf(const Interval& x);
inline double Exp(double x) { return Rounded(mpfr_exp, x); }
inline Real Exp(const Real& x) { return Real::Apply(mpfr_exp, x); }
Interval Exp(const Interval& x);
inline double Expm1(double x) { return Rounded(mpfr_expm1, x); }
inline Real Expm1(const Real& x) { return Real::Apply(mpfr_expm1, x); }
Interval Expm1(const Interval& x);
inline double Pow(double x, double y) { return Rounded(mpfr_pow, x, y); }
inline Real Pow(const Real& x, const Real& y) { return Real::Apply(mpfr_pow, x, y); }
// REQUIRES: x > 0.
inline Interval Pow(const Interval& x, const Interval& y) { return Exp(y * Log(x)); }

// Exact: an element has fewer bits than Real::kFunctionBits.
inline double Ceil(double x) { return std::ceil(x); }
inline Real Ceil(const Real& x) { return Real::Apply(mpfr_rint_ceil, x); }
inline Interval Ceil(const Interval& x) { return {std::ceil(x.lo()), std::ceil(x.hi())}; }
inline double Floor(double x) { return std::floor(x); }
inline Real Floor(const Real& x) { return Real::Apply(mpfr_rint_floor, x); }
inline Interval Floor(const Interval& x) { return {std::floor(x.lo()), std::floor(x.hi())}; }

inline double Abs(double x) { return std::fabs(x); }
inline Real Abs(const Real& x) { return x.SignBit() ? -x : x; }
inline Interval Abs(const Interval& x) {
  if (x.HasOneSign()) return std::signbit(x.lo()) ? -x : x;
  return {0, std::fmax(-x.lo(), x.hi()), x.IsFinite()};
}
inline double Max(double a, double b) { return a < b ? b : a; }
inline Real Max(const Real& a, const Real& b) { return a < b ? b : a; }
inline Interval Max(const Interval& a, const Interval& b) {
  return {std::fmax(a.lo(), b.lo()), std::fmax(a.hi(), b.hi()), a.IsFinite() && b.IsFinite()};
}

// For an interval: whether the value surely is infinite.
inline bool IsInfinite(double x) { return std::isinf(x); }
inline bool IsInfinite(const Real& x) { return x.IsInfinite(); }
inline bool IsInfinite(const Interval& x) { return x.IsPoint() && std::isinf(x.lo()); }
inline bool IsZero(double x) { return x == 0; }
inline bool IsZero(const Real& x) { return x.IsZero(); }
inline bool IsZero(const Interval& x) { return x.lo() == 0 && x.hi() == 0; }

// x * 2^exponent. REQUIRES: a double holds the power.
inline double Scale(double x, int exponent) { return x * std::ldexp(1.0, exponent); }
inline Real Scale(const Real& x, int exponent) { return x * Real::PowerOfTwo(exponent); }
inline Interval Scale(const Interval& x, int exponent) { return x * std::ldexp(1.0, exponent); }

inline bool IsNan(double x) { return std::isnan(x); }
inline bool IsNan(const Real& x) { return x.IsNan(); }
inline bool IsFinite(double x) { return std::isfinite(x); }
inline bool IsFinite(const Real& x) { return x.IsFinite(); }
inline double NearestDouble(double x) { return x; }
inline double NearestDouble(const Real& x) { return x.ToDouble(MPFR_RNDN); }

// A double that surely is not less than x, and one that surely is not greater.
inline double DoubleAbove(double x) { return x; }
inline double DoubleAbove(const Real& x) { return x.ToDouble(MPFR_RNDU); }
inline double DoubleAbove(const Interval& x) { return x.hi(); }
inline double DoubleBelow(double x) { return x; }
inline double DoubleBelow(const Real& x) { return x.ToDouble(MPFR_RNDD); }
inline double DoubleBelow(const Interval& x) { return x.lo(); }

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_NUMBER_H_
