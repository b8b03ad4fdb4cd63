// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <vector>

#include "oracle/accuracy.h"
#include "oracle/filter_values.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

using Kernel = ElementFilter::Kernel;

constexpr uint32_t kSign = 0x80000000, kInfinityBits = 0x7f800000, kNormalMinBits = 0x00800000;

bool IsNan(uint32_t bits) { return (bits & ~kSign) > kInfinityBits; }

// An f32 that must have these bits; a NaN may be any, but for a copy.
uint8_t FlagsOfBits(uint32_t expected, uint32_t actual, bool is_copy) {
  if (IsNan(expected)) return (is_copy ? actual == expected : IsNan(actual)) ? kIsDecided : 0;
  if (actual != expected) return 0;
  const uint32_t magnitude = expected & ~kSign;
  const bool is_kept = !is_copy && 0 < magnitude && magnitude < kNormalMinBits;
  return kIsDecided | kIsMeasured | (is_kept ? kIsKept : 0);
}

template <typename ExpectedBits>
Kernel BitsKernel(ExpectedBits expected, bool is_copy = false) {
  return KernelOf<uint32_t>(
      [=](uint32_t x, uint32_t y) { return Filtered{.flags = FlagsOfBits(expected(x), y, is_copy)}; });
}

Kernel ClampKernel(const ScalarInput& in) {
  const auto& min = in.attributes.min_val;
  const auto& max = in.attributes.max_val;
  if (!min || !max || min->type != in.input_type || max->type != in.input_type) return {};
  const auto low_bits = static_cast<uint32_t>(min->bits), high_bits = static_cast<uint32_t>(max->bits);
  const auto low = std::bit_cast<float>(low_bits), high = std::bit_cast<float>(high_bits);
  if (!(low <= high)) return {};
  const bool ignores_nan = IgnoresNan(in.attributes);
  return BitsKernel([=](uint32_t bits) {
    const auto x = std::bit_cast<float>(bits);
    if (x != x) return ignores_nan ? low_bits : bits;
    return x < low ? low_bits : x > high ? high_bits : bits;
  });
}

// A cast to a signed integer that fills its memory.
template <typename Integer>
Kernel IntegerKernel() {
  constexpr double kLeast = std::numeric_limits<Integer>::min(), kGreatest = std::numeric_limits<Integer>::max();
  return KernelOf<Integer>([=](uint32_t bits, Integer y) -> Filtered {
    const double x = std::bit_cast<float>(bits);
    if (x != x) return {.flags = kIsDecided | kIsUnpredictable};
    // Half to even (EvalCast): what nearbyint does in the rounding mode that nothing changes.
    const double expected = std::clamp(std::nearbyint(std::clamp(x, -0x1p32, 0x1p32)), kLeast, kGreatest);
    return {.flags = static_cast<uint8_t>(expected == static_cast<double>(y) ? kIsDecided : 0)};
  });
}

// A cast to a narrower float with infinities (CastInterval). The nearest number is right, either one of a tie, and
// infinity where that is the nearest if the format continued.
class NarrowCast {
 public:
  explicit NarrowCast(ElementType type) : units_(type), values_(ValuesOf(type)) {}

  Filtered Decide(uint32_t bits, uint64_t actual) const {
    const double x = std::bit_cast<float>(bits), y = values_[actual];
    if (std::isnan(x)) return {.flags = static_cast<uint8_t>(std::isnan(y) ? kIsDecided : 0)};
    if (x == 0 || std::isinf(x) || std::isnan(y) || std::signbit(x) != std::signbit(y)) return {};
    // Doubles hold all that follows.
    const double end = units_.past_the_end();
    const double from = std::min(std::fabs(x), end), to = std::min(std::fabs(y), end);
    const double error = std::fabs(to - from) / units_.At(from);
    // Toward zero any number is right that has none between it and x; away from zero, half a unit.
    if (to < from ? from - to >= units_.At(to) : error > 0.5) return {};
    const bool is_kept =
        0 < to && to < units_.format().normal_min && to <= from && error < 0.5;  // no other number is allowed
    const double bound_used = to < from ? error : error / 0.5;
    return {.flags = static_cast<uint8_t>(kIsDecided | kIsMeasured | (is_kept ? kIsKept : 0)),
            .error = error,
            .bound_used = bound_used};
  }

 private:
  Units units_;
  std::vector<double> values_;  // by bits
};

// A sum, difference or product of two floats of 16 bits whose result is the nearest number. Doubles hold a product; a
// sum of theirs is the nearest double of the true one, which is what the exact way calls the reference.
class RoundedPair {
 public:
  RoundedPair(OpKind op, ElementType type, double ulp) : op_(op), pair_(type), units_(type), ulp_(ulp) {}

  Filtered Decide(uint32_t bits, uint16_t actual) const {
    const double a = pair_.First(bits), b = pair_.Second(bits), y = pair_.Value(actual);
    if (!std::isfinite(a) || !std::isfinite(b) || std::isnan(y)) return {};
    const double x = op_ == OpKind::kMul ? a * b : op_ == OpKind::kSub ? a - b : a + b;
    if (x == 0 || std::signbit(x) != std::signbit(y)) return {};
    const FloatFormat& format = units_.format();
    const double from = std::fabs(x), to = std::fabs(y);
    if (std::isinf(y)) return {.flags = static_cast<uint8_t>(from >= units_.past_the_end() ? kDecidedNumber : 0)};
    if (from > format.normal_max) return {};
    const double distance = std::fabs(to - from), error = distance / units_.At(from);
    const double half = units_.At(std::min(to, from)) / 2;  // below a power of two, numbers are nearer to each other
    // Half way, the rounding of a sum counts.
    if (distance > half || (distance == half && (to == 0 || !IsExact(a, b, x)))) return {};
    return {.flags = kDecidedNumber, .error = error, .bound_used = error / ulp_};
  }

 private:
  static constexpr uint8_t kDecidedNumber = kIsDecided | kIsMeasured;

  bool IsExact(double a, double b, double x) const {
    if (op_ == OpKind::kMul) return true;
    const double second = op_ == OpKind::kSub ? -b : b;
    const double of_second = x - a;
    return (a - (x - of_second)) + (second - of_second) == 0;  // Knuth's error of a sum, which is exact
  }

  OpKind op_;
  Pair pair_;
  Units units_;
  double ulp_;
};

// Maximum and minimum: the bits of an operand. Two zeros, whose result may be either, are left to the exact way.
Kernel ExtremumKernel(const ScalarInput& in) {
  const ElementType type = in.input_type;
  const uint32_t sign = static_cast<uint32_t>(SignMask(type)), normal_min = 1u << Info(type).mantissa_bits;
  const bool ignores_nan = IgnoresNan(in.attributes);
  const bool is_maximum = in.op.kind == OpKind::kMaximum;
  return KernelOf<uint16_t>([=, pair = Pair(type)](uint32_t bits, uint16_t actual) -> Filtered {
    const double a = pair.First(bits), b = pair.Second(bits);
    const bool has_nan = std::isnan(a) || std::isnan(b);
    if (has_nan && (!ignores_nan || (std::isnan(a) && std::isnan(b)))) {
      return {.flags = static_cast<uint8_t>(std::isnan(pair.Value(actual)) ? kIsDecided : 0)};
    }
    const bool first_wins = has_nan ? std::isnan(b) : is_maximum ? a >= b : a <= b;
    const uint32_t expected = first_wins ? bits & 0xffff : bits >> 16, magnitude = expected & ~sign;
    if (actual != expected || magnitude == 0) return {};
    return {.flags = static_cast<uint8_t>(kIsDecided | kIsMeasured | (magnitude < normal_min ? kIsKept : 0))};
  });
}

template <typename Holds>
Kernel ComparisonKernel(ElementType type, Holds holds) {
  return KernelOf<uint8_t>([=, pair = Pair(type)](uint32_t bits, uint8_t actual) -> Filtered {
    const uint8_t expected = holds(pair.First(bits), pair.Second(bits)) ? 1 : 0;
    return {.flags = static_cast<uint8_t>(actual == expected ? kIsDecided : 0)};
  });
}

Kernel CastKernel(ElementType result) {
  if (result == ElementType::kI8) return IntegerKernel<int8_t>();
  if (result == ElementType::kI16) return IntegerKernel<int16_t>();
  if (result == ElementType::kI32) return IntegerKernel<int32_t>();
  if (result != ElementType::kF16 && result != ElementType::kBF16) return {};
  const NarrowCast cast(result);
  return KernelOf<uint16_t>([cast](uint32_t x, uint16_t y) { return cast.Decide(x, y); });
}

bool HasZeroPoints(const ScalarInput& in) { return in.Value(1) != 0 || in.Value(2) != 0; }

Kernel PairKernel(const ScalarInput& in) {
  const ElementType type = in.input_type;
  const auto rounded = [&] {
    const RoundedPair pair(in.op.kind, type, AccuracyOf(in.op, in.result_type, in.policies).ulp);
    return KernelOf<uint16_t>([pair](uint32_t bits, uint16_t y) { return pair.Decide(bits, y); });
  };
  if (in.op.kind == OpKind::kAdd || in.op.kind == OpKind::kSub) return rounded();
  if (in.op.kind == OpKind::kMul && in.Value(2) == 0) return rounded();
  if (in.op.kind == OpKind::kMaximum || in.op.kind == OpKind::kMinimum) return ExtremumKernel(in);
  if (in.op.kind == OpKind::kEqual) return ComparisonKernel(type, std::equal_to());
  if (in.op.kind == OpKind::kGreater) return ComparisonKernel(type, std::greater());
  if (in.op.kind == OpKind::kGreaterEqual) return ComparisonKernel(type, std::greater_equal());
  return {};
}

}  // namespace

Kernel ExactFilter(const ScalarInput& in) {
  if (BroadcastOperandCount(in.op) == 2) return PairKernel(in);
  if (in.op.kind == OpKind::kCast) return CastKernel(in.result_type);
  if (in.result_type != ElementType::kF32) return {};
  const auto same = [](uint32_t x) { return x; };
  if (in.op.kind == OpKind::kAbs) return BitsKernel([](uint32_t x) { return x & ~kSign; });
  if (in.op.kind == OpKind::kClamp) return ClampKernel(in);
  if (in.op.kind == OpKind::kIdentity) return BitsKernel(same);
  if (in.op.kind == OpKind::kReshape) return BitsKernel(same, true);
  if (in.op.kind == OpKind::kNegate && !HasZeroPoints(in)) return BitsKernel([](uint32_t x) { return x ^ kSign; });
  return {};
}

}  // namespace tosaic
