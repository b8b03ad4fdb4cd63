// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far float results may be from a reference that is somewhere in an interval: the outer counterparts of Within and
// ErrorBound (accuracy.h). The set has every result that passes for some reference in the interval.
#ifndef TOSAIC_ORACLE_SET_RANGE_H_
#define TOSAIC_ORACLE_SET_RANGE_H_

#include "oracle/accuracy.h"
#include "oracle/allowed_set.h"
#include "oracle/interval.h"

namespace tosaic {

// The elements from lo to hi. Beyond the greatest number it has the infinities (f8E4M3FN: NaN), and both zeros if some
// elements are below the normal numbers (flushing; not for fp8).
AllowedSet NumbersWithin(ElementType type, double lo, double hi);

// References in the interval, and results within `ulps` units in the last place of theirs.
AllowedSet WithinUlps(ElementType type, const Interval& reference, double ulps);

// The same by any rule but kExact and kCast, for operands x and y in their intervals (y is 0 if there is only one
// operand).
AllowedSet WithinRuleOf(const Accuracy& accuracy, ElementType type, const Interval& reference, const Interval& x,
                        const Interval& y);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SET_RANGE_H_
