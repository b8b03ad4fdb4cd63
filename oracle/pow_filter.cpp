// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With p = y log x the true value is e^p, and the bound has e^(p + error of p), which leaves the doubles. So what is
// said here of a bound holds for each that is within a relative margin, and for a margin that is too wide nothing is
// said.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "oracle/accuracy.h"
#include "oracle/filter_values.h"

namespace tosaic {
namespace {

constexpr double kGreatestPower = 709.8;  // e^p is more than a double from here on, and surely none less from
constexpr double kSurelyFinite = 709.7;   // here on down
constexpr double kLeastPower = -700;      // below it, e^p counts as nothing beside kTiny
constexpr double kGreatestError = 512;    // whose expm1 is a double
constexpr double kGreatestMargin = 0x1p-26;

// The specification's bound of e^p, or infinity, and how far it may be from the true one, relative to it.
struct BoundAround {
  double bound = 0;
  double margin = 0;
};

class PairOfPow {
 public:
  explicit PairOfPow(ElementType type)
      : pair_(type),
        units_(type),
        base_(AccuracyBase(type)),
        epsilon_(std::ldexp(1, -units_.format().frac)),
        infinity_(OrdinalOf(kInfinity)) {}

  Filtered Decide(uint32_t bits, uint16_t actual) const {
    const double x = pair_.First(bits), y = pair_.Second(bits), result = pair_.Value(actual);
    const bool is_defined = std::isfinite(x) && std::isfinite(y) && x >= 0 && !(x == 0 && y <= 0);
    if (!is_defined) return {.flags = kIsDecided | kIsUnpredictable};
    // The specification names the powers of 0 and by 0; a subnormal x may be flushed to 0.
    if (x < units_.format().normal_min || y == 0 || std::isnan(result) || std::signbit(result)) return {};
    const double power = y * std::log(x);
    if (power > kGreatestPower) {  // the reference is infinity, of which no bound is asked
      return {.flags = static_cast<uint8_t>(std::isinf(result) ? kIsDecided | kIsMeasured : 0)};
    }
    if (power > kSurelyFinite) return {};
    const double m = power > kLeastPower ? std::pow(x, y) : 0;
    return DecideIn(BoundOf(power, y, m), m, result);
  }

 private:
  // AbsoluteErrorBound of pow's two steps (accuracy.cpp), where the true value is m, or 0 for one below every double.
  BoundAround BoundOf(double power, double y, double m) const {
    const double normal_min = units_.format().normal_min;
    const double log_error = std::max({std::fabs(power), normal_min, std::fabs(0.55 * y) / 5.5}) * epsilon_ * 5.5;
    const double greatest = power + log_error, unsure = (std::fabs(power) + log_error) * 2 * kFunctionError;
    if (greatest - unsure > kGreatestPower) return {.bound = kInfinity};
    const double margin = greatest > kLeastPower ? unsure : unsure / std::fabs(greatest);
    const double growth =
        m > 0 && log_error < kGreatestError ? m * std::expm1(log_error) : std::max(std::exp(greatest) - m, 0.0);
    const double b = base_ + 2 * std::fabs(greatest);
    return {.bound = growth + std::max(m, normal_min) * epsilon_ * b, .margin = 4 * kFunctionError + 8 * margin};
  }

  // The type's numbers in order, 0 for zero, as far as `value` is past them.
  int64_t OrdinalOf(double value) const {
    const FloatFormat& format = units_.format();
    const double magnitude = std::min(std::fabs(value), units_.past_the_end());
    const auto exponent_and_mantissa = [&](double normal) {
      return std::bit_cast<int64_t>(normal) >> (52 - format.frac);
    };
    const int64_t ordinal =
        magnitude < format.normal_min
            ? static_cast<int64_t>(magnitude / units_.At(0))
            : exponent_and_mantissa(magnitude) - exponent_and_mantissa(format.normal_min) + (int64_t{1} << format.frac);
    return value < 0 ? -1 - ordinal : ordinal;
  }

  // Whether `result` is surely plausible (plausible.cpp) where the true value is m.
  bool IsSurelyPlausible(double m, double result) const {
    if (std::isinf(result)) return m > units_.past_the_end();
    return std::fabs(result - m) < 0.249 * m || (result < epsilon_ / 2 && m < 0.249);
  }

  Filtered DecideIn(const BoundAround& bound, double m, double result) const {
    const double lo = m - bound.bound, hi = m + bound.bound, s = bound.margin * hi + kTiny;
    const bool is_everything = std::isinf(hi);
    if (bound.margin > kGreatestMargin || !IsSurelyPlausible(m, result)) return {};
    // IsMostOf: the values from lo to hi are more than those from zero to infinity, of which each has a sign.
    constexpr int64_t kRoundings = 8;  // and the zeros
    const auto count = [&](double from, double to) { return OrdinalOf(to) - OrdinalOf(from); };
    const bool is_open = is_everything || count(lo + s, hi - s) > infinity_ + kRoundings;
    if (!is_open && count(lo - s, hi + s) >= infinity_ - kRoundings) return {};
    const FloatFormat& format = units_.format();
    const auto flags = static_cast<uint8_t>(kIsDecided | (is_open ? kIsOpen : 0));
    if (!is_everything) {
      if (result == 0 && lo - s > 0) {
        return {.flags = static_cast<uint8_t>(lo + s < format.normal_min ? flags | kIsFlushed : 0)};
      }
      const bool is_right = std::isinf(result) ? hi - s > format.normal_max : lo + s <= result && result <= hi - s;
      if (!is_right) return {};
    }
    const double from = std::min(m, units_.past_the_end());
    const double distance = std::fabs(std::min(result, units_.past_the_end()) - from);
    const double error = distance / units_.At(from);
    if (error > kNearlyNoError && m > format.normal_min / 2 && IsNearPowerOfTwo(m)) return {};
    const double used = distance == 0 ? 0 : std::min(distance / bound.bound, 1.0);
    return {.flags = static_cast<uint8_t>(flags | kIsMeasured), .error = error, .bound_used = used};
  }

  Pair pair_;
  Units units_;
  double base_;
  double epsilon_;
  int64_t infinity_;
};

}  // namespace

ElementFilter::Kernel PowFilter(const ScalarInput& in) {
  const bool is_known = AccuracyOf(in.op, in.result_type, in.policies).kind == Accuracy::Kind::kPow;
  if (in.op.kind != OpKind::kPow || !is_known) return {};
  return KernelOf<uint16_t>(
      [pow = PairOfPow(in.input_type)](uint32_t bits, uint16_t y) { return pow.Decide(bits, y); });
}

}  // namespace tosaic
