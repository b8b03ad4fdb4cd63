// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Real: a floating-point value precise enough that the oracle's decisions on f16, bf16, f32 and fp8 elements are exact.
// It is a value type over mpfr_t whose limbs are inside the object, so the campaign's hot path does not allocate.
#ifndef TOSAIC_ORACLE_REAL_H_
#define TOSAIC_ORACLE_REAL_H_

#include <mpfr.h>

#include <cstdint>

namespace tosaic {

class Real {
 public:
  // Sums (at most 278 bits for f32: 2^-149 to 2^128) and products of elements, and such a value plus or minus half
  // a unit in its last place, fit without rounding.
  static constexpr int kBits = 320;
  // This is enough for functions whose exact value has no finite expansion: the error is 2^-96, the bounds are 2^-26.
  static constexpr int kFunctionBits = 96;

  Real() : Real(0.0) {}
  // Exact; implicit, so that formulas read as in the specification. NOLINTNEXTLINE(google-explicit-constructor)
  Real(double value);
  Real(const Real& other);
  Real& operator=(const Real& other);

  static Real FromInteger(int64_t value);
  static Real PowerOfTwo(int64_t exponent);

  // A function of MPFR, correctly rounded to kFunctionBits: Real::Apply(mpfr_exp, x).
  static Real Apply(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), const Real& x);
  static Real Apply(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), const Real& x, const Real& y);

  bool IsNan() const { return mpfr_nan_p(value_) != 0; }
  bool IsInfinite() const { return mpfr_inf_p(value_) != 0; }
  bool IsFinite() const { return mpfr_number_p(value_) != 0; }
  bool IsZero() const { return mpfr_zero_p(value_) != 0; }
  bool SignBit() const { return mpfr_signbit(value_) != 0; }

  double ToDouble(mpfr_rnd_t direction) const { return mpfr_get_d(value_, direction); }

  friend Real operator+(const Real& a, const Real& b);
  friend Real operator-(const Real& a, const Real& b);
  friend Real operator*(const Real& a, const Real& b);
  friend Real operator/(const Real& a, const Real& b);
  friend Real operator-(const Real& a);
  // False if either is NaN, as in C++.
  friend bool operator<(const Real& a, const Real& b) { return mpfr_less_p(a.value_, b.value_) != 0; }
  friend bool operator>(const Real& a, const Real& b) { return b < a; }
  friend bool operator==(const Real& a, const Real& b) { return mpfr_equal_p(a.value_, b.value_) != 0; }

 private:
  struct Uninitialized {
    int bits;
  };
  explicit Real(Uninitialized precision);

  mp_limb_t limbs_[kBits / 64];
  mpfr_t value_;
};

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_REAL_H_
