// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/interval.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tosaic {
namespace {

// The next double below (above) the rounded result of an operation. A product or quotient that underflowed to zero has
// kept its sign, so it moves only to its own side.
double Below(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  if (x > 0) return std::bit_cast<double>(bits - 1);
  if (x == 0 && !std::signbit(x)) return x;
  return x < -std::numeric_limits<double>::max() ? x : std::bit_cast<double>(bits + 1);
}
double Above(double x) { return -Below(-x); }

// Whether a + b is the double `sum` (Knuth's TwoSum: the error of a sum is a double); so that ties are decided.
bool IsExactSum(double a, double b, double sum) {
  const double b_in_sum = sum - a;
  return (a - (sum - b_in_sum)) + (b - b_in_sum) == 0;
}

// Whether a * b is: the same for a product, where the error does not underflow.
bool IsExactProduct(double a, double b, double product) {
  if (product == 0) return a == 0 || b == 0;
  return std::fabs(product) > 0x1p-900 && std::fma(a, b, -product) == 0;
}

Interval Sum(double a_lo, double a_hi, double b_lo, double b_hi, bool finite) {
  const double lo = a_lo + b_lo, hi = a_hi + b_hi;
  if (std::isnan(lo) || std::isnan(hi)) return Interval::Everything();
  return {IsExactSum(a_lo, b_lo, lo) ? lo : Below(lo), IsExactSum(a_hi, b_hi, hi) ? hi : Above(hi), finite};
}

// The products or quotients of the ends.
Interval Hull(std::array<double, 4> ends, bool finite) {
  for (double& end : ends) {
    if (!std::isnan(end)) continue;
    if (!finite) return Interval::Everything();
    end = 0;  // zero times a finite number, or a quotient of two numbers beyond the doubles
  }
  // Puts -0 before 0, which std::min does not do: Below and Above depend on the sign.
  const auto [lo, hi] = std::minmax_element(ends.begin(), ends.end(), [](double a, double b) {
    return a < b || (a == b && std::signbit(a) && !std::signbit(b));
  });
  return {Below(*lo), Above(*hi), finite};
}

Interval Evaluate(Interval::Function function, double x) {
  mp_limb_t argument_limb, result_limb;
  mpfr_t argument, result;
  mpfr_custom_init_set(argument, MPFR_ZERO_KIND, 0, 53, &argument_limb);
  mpfr_custom_init_set(result, MPFR_ZERO_KIND, 0, Interval::kFunctionBits, &result_limb);
  mpfr_set_d(argument, x, MPFR_RNDN);  // exact
  const bool exact = function(result, argument, MPFR_RNDD) == 0;
  if (mpfr_nan_p(result) != 0) return Interval::Everything();
  const double lo = mpfr_get_d(result, MPFR_RNDD);
  if (!exact) mpfr_nextabove(result);
  const double hi = mpfr_get_d(result, MPFR_RNDU);
  const bool large = mpfr_regular_p(result) != 0 && mpfr_get_exp(result) > Interval::kGreatestExponent;
  return {lo, hi, mpfr_inf_p(result) == 0 && !large};
}

// Direct-mapped, by function and argument: elements repeat (special values, broadcast operands, half precision), and
// pow and its bound take the same logarithm.
class Memo {
 public:
  Interval Apply(Interval::Function function, double x) {
    const auto bits = std::bit_cast<uint64_t>(x);
    const uint64_t key = (bits ^ reinterpret_cast<uintptr_t>(function)) * 0x9e3779b97f4a7c15u;
    Entry& entry = entries_[key >> (64 - kLogSize)];
    if (entry.function != function || entry.argument_bits != bits) {
      entry = {function, bits, Evaluate(function, x)};
    }
    return entry.value;
  }

 private:
  static constexpr int kLogSize = 10;
  struct Entry {
    Interval::Function function = nullptr;
    uint64_t argument_bits = 0;
    Interval value = 0;
  };
  std::array<Entry, size_t{1} << kLogSize> entries_;
};

}  // namespace

Interval Interval::Apply(Function function, const Interval& x) {
  if (!x.IsPoint()) return Everything();
  static thread_local Memo memo;
  return memo.Apply(function, x.lo_);
}

Interval Interval::ApplyIncreasing(Function function, const Interval& x) {
  if (x.IsPoint()) return Apply(function, x);
  const Interval least = Apply(function, x.lo_), greatest = Apply(function, x.hi_);
  return {least.lo_, greatest.hi_, least.finite_ && greatest.finite_};
}

Interval operator+(const Interval& a, const Interval& b) {
  return Sum(a.lo_, a.hi_, b.lo_, b.hi_, a.finite_ && b.finite_);
}

Interval operator-(const Interval& a, const Interval& b) { return a + -b; }

Interval operator*(const Interval& a, const Interval& b) {
  const double product = a.lo_ * b.lo_;
  if (a.IsPoint() && b.IsPoint() && IsExactProduct(a.lo_, b.lo_, product)) return product;
  return Hull({a.lo_ * b.lo_, a.lo_ * b.hi_, a.hi_ * b.lo_, a.hi_ * b.hi_}, a.finite_ && b.finite_);
}

Interval operator/(const Interval& a, const Interval& b) {
  const bool may_be_zero = b.lo_ <= 0 && b.hi_ >= 0;
  if (may_be_zero) return Interval::Everything();
  return Hull({a.lo_ / b.lo_, a.lo_ / b.hi_, a.hi_ / b.lo_, a.hi_ / b.hi_}, a.finite_ && b.finite_);
}

}  // namespace tosaic
