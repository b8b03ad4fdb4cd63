// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bounds of the float formats, and rounding to them. It computes exactly, on doubles, which hold every element
// value.
#ifndef TOSAIC_ORACLE_FLOAT_FORMAT_H_
#define TOSAIC_ORACLE_FLOAT_FORMAT_H_

#include <cstdint>
#include <limits>

#include "model/element_type.h"

namespace tosaic {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// tosa-semantics.md, "Check functions": frac, normal_min, normal_max.
struct FloatFormat {
  int frac;
  int min_exponent;  // normal_min is 2^min_exponent
  double normal_min;
  double normal_max;
};
// REQUIRES: IsFloat(type).
const FloatFormat& Format(ElementType type);

// Rounds to the type's grid of values, subnormals included, as if exponents had no upper end.
enum class Rounding : uint8_t { kTowardZero, kHalfEven, kHalfAway };
double RoundToGrid(ElementType type, double value, Rounding rounding);

// The bit pattern of the float nearest to `value` (half to even); infinity beyond the range, or NaN for f8E4M3FN,
// which has no infinity. NaN gives the canonical quiet NaN.
uint64_t NearestBits(ElementType type, double value);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_FLOAT_FORMAT_H_
