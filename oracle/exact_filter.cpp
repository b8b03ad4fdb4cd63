// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/exact_filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "model/tensor.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

using Kernel = ElementFilter::Kernel;

constexpr uint32_t kSign = 0x80000000, kInfinityBits = 0x7f800000, kNormalMinBits = 0x00800000;

struct Filtered {
  uint8_t flags = 0;
  double error = 0;
  double bound_used = 0;
};

// Calls decide(x, y) for each element, given as bits.
template <typename Stored, typename Decide>
void ForEachElement(uint32_t first, size_t count, const uint8_t* results, FilteredElements* elements, Decide decide) {
  for (size_t i = 0; i < count; ++i) {
    Stored y;
    std::memcpy(&y, results + i * sizeof(y), sizeof(y));
    const Filtered verdict = decide(first + static_cast<uint32_t>(i), y);
    elements->flags[i] = verdict.flags;
    elements->error[i] = verdict.error;
    elements->bound_used[i] = verdict.bound_used;
  }
}

template <typename Stored, typename Decide>
Kernel KernelOf(Decide decide) {
  return [decide](uint32_t first, size_t count, const uint8_t* results, FilteredElements* elements) {
    ForEachElement<Stored>(first, count, results, elements, decide);
  };
}

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
  const bool ignores_nan = in.attributes.nan_mode.value_or(NanMode::kPropagate) == NanMode::kIgnore;
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
  explicit NarrowCast(ElementType type) : format_(Format(type)), least_exponent_(std::ldexp(1, format_.min_exponent)) {
    for (uint64_t bits = 0; bits <= BitMask(type); ++bits) values_.push_back(ElementToDouble(type, bits));
    past_the_end_ = format_.normal_max + UnitAt(format_.normal_max);
  }

  Filtered Decide(uint32_t bits, uint64_t actual) const {
    const double x = std::bit_cast<float>(bits), y = values_[actual];
    if (std::isnan(x)) return {.flags = static_cast<uint8_t>(std::isnan(y) ? kIsDecided : 0)};
    if (x == 0 || std::isinf(x) || std::isnan(y) || std::signbit(x) != std::signbit(y)) return {};
    // Doubles hold all that follows.
    const double from = std::min(std::fabs(x), past_the_end_), to = std::min(std::fabs(y), past_the_end_);
    const double error = std::fabs(to - from) / UnitAt(from);
    // Toward zero any number is right that has none between it and x; away from zero, half a unit.
    if (to < from ? from - to >= UnitAt(to) : error > 0.5) return {};
    const bool is_kept = 0 < to && to < format_.normal_min && to <= from && error < 0.5;  // no other number is allowed
    const double bound_used = to < from ? error : error / 0.5;
    return {.flags = static_cast<uint8_t>(kIsDecided | kIsMeasured | (is_kept ? kIsKept : 0)),
            .error = error,
            .bound_used = bound_used};
  }

 private:
  double UnitAt(double magnitude) const {
    return std::bit_cast<double>(std::bit_cast<uint64_t>(std::max(magnitude, least_exponent_)) & 0x7ff0000000000000) *
           std::ldexp(1, -format_.frac);
  }

  FloatFormat format_;
  double least_exponent_;  // normal_min
  double past_the_end_ = 0;
  std::vector<double> values_;  // by bits
};

Kernel CastKernel(ElementType result) {
  if (result == ElementType::kI8) return IntegerKernel<int8_t>();
  if (result == ElementType::kI16) return IntegerKernel<int16_t>();
  if (result == ElementType::kI32) return IntegerKernel<int32_t>();
  if (result != ElementType::kF16 && result != ElementType::kBF16) return {};
  const NarrowCast cast(result);
  return KernelOf<uint16_t>([cast](uint32_t x, uint16_t y) { return cast.Decide(x, y); });
}

bool HasZeroPoints(const ScalarInput& in) { return in.Value(1) != 0 || in.Value(2) != 0; }

}  // namespace

Kernel ExactFilter(const ScalarInput& in) {
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
