// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/real.h"

namespace tosaic {

Real::Real(Uninitialized precision) { mpfr_custom_init_set(value_, MPFR_ZERO_KIND, 0, precision.bits, limbs_); }

Real::Real(double value) : Real(Uninitialized{kBits}) { mpfr_set_d(value_, value, MPFR_RNDN); }

Real::Real(const Real& other) : Real(Uninitialized{static_cast<int>(mpfr_get_prec(other.value_))}) {
  mpfr_set(value_, other.value_, MPFR_RNDN);
}

Real& Real::operator=(const Real& other) {
  if (this != &other) {
    mpfr_custom_init_set(value_, MPFR_ZERO_KIND, 0, mpfr_get_prec(other.value_), limbs_);
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  return *this;
}

Real Real::FromInteger(int64_t value) {
  Real result(Uninitialized{kBits});
  mpfr_set_si(result.value_, value, MPFR_RNDN);
  return result;
}

Real Real::PowerOfTwo(int64_t exponent) {
  Real result(Uninitialized{kBits});
  mpfr_set_ui_2exp(result.value_, 1, exponent, MPFR_RNDN);
  return result;
}

Real Real::Apply(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), const Real& x) {
  Real result(Uninitialized{kFunctionBits});
  function(result.value_, x.value_, MPFR_RNDN);
  return result;
}

Real Real::Apply(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), const Real& x, const Real& y) {
  Real result(Uninitialized{kFunctionBits});
  function(result.value_, x.value_, y.value_, MPFR_RNDN);
  return result;
}

Real operator+(const Real& a, const Real& b) {
  Real result(Real::Uninitialized{Real::kBits});
  mpfr_add(result.value_, a.value_, b.value_, MPFR_RNDN);
  return result;
}

Real operator-(const Real& a, const Real& b) {
  Real result(Real::Uninitialized{Real::kBits});
  mpfr_sub(result.value_, a.value_, b.value_, MPFR_RNDN);
  return result;
}

Real operator*(const Real& a, const Real& b) {
  Real result(Real::Uninitialized{Real::kBits});
  mpfr_mul(result.value_, a.value_, b.value_, MPFR_RNDN);
  return result;
}

Real operator/(const Real& a, const Real& b) {
  Real result(Real::Uninitialized{Real::kBits});
  mpfr_div(result.value_, a.value_, b.value_, MPFR_RNDN);
  return result;
}

Real operator-(const Real& a) {
  Real result(a);
  mpfr_neg(result.value_, result.value_, MPFR_RNDN);
  return result;
}

}  // namespace tosaic
