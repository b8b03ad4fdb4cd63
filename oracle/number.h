// One set of names for a formula that is evaluated both on Real (the reference) and on double (a cheap estimate of it,
// see WithinAccuracy in scalar_ops.h). Every double function is within a few units in the last place, 2^-50.
#ifndef TOSAIC_ORACLE_NUMBER_H_
#define TOSAIC_ORACLE_NUMBER_H_

#include <cmath>
#include <cstdint>

#include "oracle/real.h"

namespace tosaic {

// Functions of MPFR with the C library's of the same meaning.
#define TOSAIC_FUNCTION(Name, mpfr_function, expression)                    \
  inline Real Name(const Real& x) { return Real::Apply(mpfr_function, x); } \
  inline double Name(double x) { return expression; }
TOSAIC_FUNCTION(Cos, mpfr_cos, std::cos(x))
TOSAIC_FUNCTION(Erf, mpfr_erf, std::erf(x))
TOSAIC_FUNCTION(Exp, mpfr_exp, std::exp(x))
TOSAIC_FUNCTION(Expm1, mpfr_expm1, std::expm1(x))
TOSAIC_FUNCTION(Log, mpfr_log, std::log(x))
TOSAIC_FUNCTION(Rsqrt, mpfr_rec_sqrt, 1 / std::sqrt(x))
TOSAIC_FUNCTION(Sin, mpfr_sin, std::sin(x))
TOSAIC_FUNCTION(Tanh, mpfr_tanh, std::tanh(x))
// Exact: an element has fewer bits than Real::kFunctionBits.
TOSAIC_FUNCTION(Ceil, mpfr_rint_ceil, std::ceil(x))
TOSAIC_FUNCTION(Floor, mpfr_rint_floor, std::floor(x))
#undef TOSAIC_FUNCTION
inline Real Pow(const Real& x, const Real& y) { return Real::Apply(mpfr_pow, x, y); }
inline double Pow(double x, double y) { return std::pow(x, y); }

inline Real Abs(const Real& x) { return x.SignBit() ? -x : x; }
inline double Abs(double x) { return std::fabs(x); }
inline Real Max(const Real& a, const Real& b) { return a < b ? b : a; }
inline double Max(double a, double b) { return a < b ? b : a; }

inline bool IsInfinite(const Real& x) { return x.IsInfinite(); }
inline bool IsInfinite(double x) { return std::isinf(x); }
inline bool IsZero(const Real& x) { return x.IsZero(); }
inline bool IsZero(double x) { return x == 0; }

// x * 2^exponent, exact.
inline Real Scale(const Real& x, int64_t exponent) { return x * Real::PowerOfTwo(exponent); }
inline double Scale(double x, int64_t exponent) { return std::ldexp(x, static_cast<int>(exponent)); }

// The double next to x, in the direction named.
inline double DoubleAbove(const Real& x) { return x.ToDouble(MPFR_RNDU); }
inline double DoubleAbove(double x) { return x; }
inline double DoubleBelow(const Real& x) { return x.ToDouble(MPFR_RNDD); }
inline double DoubleBelow(double x) { return x; }
inline double DoubleNearest(const Real& x) { return x.ToDouble(MPFR_RNDN); }
inline double DoubleNearest(double x) { return x; }

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_NUMBER_H_
