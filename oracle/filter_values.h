// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The filters of groups of ops (element_filter.h says what filters are), and what they share: units in the last place,
// pairs of floats of 16 bits, and the loop over elements.
#ifndef TOSAIC_ORACLE_FILTER_VALUES_H_
#define TOSAIC_ORACLE_FILTER_VALUES_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "model/element_type.h"
#include "oracle/element_filter.h"
#include "oracle/float_format.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

// How far a rule filter's errors and shares of bounds may be from the exact ones.
inline constexpr double kRuleSlack = 0x1p-22;

// Of ops on f32 whose right result is a bit pattern or an integer, of casts to narrower floats, whose nearest number is
// right, and of sums, products, choices and comparisons of two f16 or bf16. It computes without any error. Empty if the
// op is none of them, as those below are.
ElementFilter::Kernel ExactFilter(const ScalarInput& in);

// Of the ops that WithinRule evaluates on f32.
ElementFilter::Kernel RuleFilter(const ScalarInput& in);
// The C library's values of such an op's function at inputs first .. first + count - 1, each within kFunctionError of
// the true one. False if the op is none of them.
bool FilterReferences(OpKind op, uint32_t first, size_t count, double* values);

// Of pow on two f16 or bf16, with the bound of 1.0.2.
ElementFilter::Kernel PowFilter(const ScalarInput& in);

// ---- What they share ----

inline constexpr double kTiny = 0x1p-900;  // of true values that underflow in double
// Twice of it, or half, is within kRuleSlack, so that it does not matter which of two units is the right one.
inline constexpr double kNearlyNoError = 0x1p-23;

// A filter's verdict on an element (FilteredElements).
struct Filtered {
  uint8_t flags = 0;
  double error = 0;
  double bound_used = 0;
};

inline void Set(size_t i, const Filtered& verdict, FilteredElements* elements) {
  elements->flags[i] = verdict.flags;
  elements->error[i] = verdict.error;
  elements->bound_used[i] = verdict.bound_used;
}

// Calls decide(x, y) for each element, given as bits.
template <typename Stored, typename Decide>
void ForEachElement(uint32_t first, size_t count, const uint8_t* results, FilteredElements* elements,
                    const Decide& decide) {
  for (size_t i = 0; i < count; ++i) {
    Stored y;
    std::memcpy(&y, results + i * sizeof(y), sizeof(y));
    Set(i, decide(first + static_cast<uint32_t>(i), y), elements);
  }
}

template <typename Stored, typename Decide>
ElementFilter::Kernel KernelOf(Decide decide) {
  return [decide](uint32_t first, size_t count, const uint8_t* results, FilteredElements* elements) {
    ForEachElement<Stored>(first, count, results, elements, decide);
  };
}

// The units in the last place of a type, and one past its greatest number, as which UlpDistance counts what lies
// beyond.
class Units {
 public:
  explicit Units(ElementType type)
      : format_(Format(type)),
        least_exponent_(std::ldexp(1, format_.min_exponent)),
        scale_(std::ldexp(1, -format_.frac)),
        past_the_end_(format_.normal_max + At(format_.normal_max)) {}

  double At(double magnitude) const {
    return std::bit_cast<double>(std::bit_cast<uint64_t>(std::max(magnitude, least_exponent_)) & 0x7ff0000000000000) *
           scale_;
  }
  double past_the_end() const { return past_the_end_; }
  const FloatFormat& format() const { return format_; }

 private:
  FloatFormat format_;
  double least_exponent_;  // normal_min
  double scale_;
  double past_the_end_;
};

// Whether the mantissa is so near to a power of two that the true value may be on its other side.
inline bool IsNearPowerOfTwo(double m) {
  constexpr uint64_t kReach = 40, kMantissa = (uint64_t{1} << 52) - 1;  // the function's error is 16 to 32
  return ((std::bit_cast<uint64_t>(m) + kReach) & kMantissa) < 2 * kReach;
}

// The values of a type of up to 16 bits, by bits.
std::vector<double> ValuesOf(ElementType type);

// Two operands of 16 bits: the first is the lower half of an input's bits.
class Pair {
 public:
  explicit Pair(ElementType type) : values_(ValuesOf(type)) {}
  double First(uint32_t bits) const { return values_[bits & 0xffff]; }
  double Second(uint32_t bits) const { return values_[bits >> 16]; }
  double Value(uint16_t bits) const { return values_[bits]; }

 private:
  std::vector<double> values_;  // by bits
};

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_FILTER_VALUES_H_
