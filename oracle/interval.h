// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interval: two doubles that surely enclose a value, which decide most elements without Real's precision. Values of
// transcendental functions come from MPFR, rounded down and up; the rest is IEEE 754 arithmetic on the ends, moved
// outward by one double. It does not use the C library's functions, because the code under test calls them.
//
// A formula evaluated on Interval encloses the same formula evaluated on Real: each step of Real rounds a value that
// the step of Interval encloses, and rounding cannot cross the ends, which are Reals themselves.
#ifndef TOSAIC_ORACLE_INTERVAL_H_
#define TOSAIC_ORACLE_INTERVAL_H_

#include <mpfr.h>

#include <cmath>
#include <cstdint>

namespace tosaic {

class Interval {
 public:
  // The precision of MPFR's results: a quarter of f32's unit in the last place, where functions may err by two units or
  // more. Fewer bits are faster: with 53, erf takes twice as long.
  static constexpr int kFunctionBits = 26;
  // If a function's value is beyond 2^kGreatestExponent, a formula with it may exceed the range of Real, which is
  // MPFR's default, 2^(2^30).
  static constexpr int64_t kGreatestExponent = int64_t{1} << 27;

  // Exactly this value. It is implicit, so that formulas are readable. NOLINTNEXTLINE(google-explicit-constructor)
  Interval(double value) : Interval(value, value) {}
  Interval(double lo, double hi) : Interval(lo, hi, std::isfinite(lo) && std::isfinite(hi)) {}
  // If `finite`, an infinite end stands for finite values beyond the doubles.
  Interval(double lo, double hi, bool finite) : lo_(lo), hi_(hi), finite_(finite) {}
  static Interval Everything() { return {-HUGE_VAL, HUGE_VAL}; }  // also stands for NaN

  // A function of MPFR at a point, or an increasing one on an interval: Interval::Apply(mpfr_sin, x). It caches recent
  // results.
  using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  static Interval Apply(Function function, const Interval& x);
  static Interval ApplyIncreasing(Function function, const Interval& x);

  double lo() const { return lo_; }
  double hi() const { return hi_; }
  bool IsPoint() const { return lo_ == hi_; }
  // Whether the Real surely is finite: it was computed without a function's value beyond 2^kGreatestExponent.
  bool IsFinite() const { return finite_; }
  // Whether all values in it have the same sign. Zeros have a sign.
  bool HasOneSign() const { return std::signbit(lo_) == std::signbit(hi_); }

  friend Interval operator+(const Interval& a, const Interval& b);
  friend Interval operator-(const Interval& a, const Interval& b);
  friend Interval operator*(const Interval& a, const Interval& b);
  friend Interval operator/(const Interval& a, const Interval& b);
  friend Interval operator-(const Interval& a) { return {-a.hi_, -a.lo_, a.finite_}; }
  // Surely.
  friend bool operator<(const Interval& a, const Interval& b) { return a.hi_ < b.lo_; }
  friend bool operator>(const Interval& a, const Interval& b) { return b < a; }

 private:
  double lo_;
  double hi_;
  bool finite_;
};

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_INTERVAL_H_
