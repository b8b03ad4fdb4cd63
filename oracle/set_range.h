// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far float results may be from a reference that is somewhere in an interval: the outer counterparts of Within
// and ErrorBound (accuracy.h). Whatever passes for one reference within is in the set.
#ifndef TOSAIC_ORACLE_SET_RANGE_H_
#define TOSAIC_ORACLE_SET_RANGE_H_

#include "oracle/accuracy.h"
#include "oracle/allowed_set.h"
#include "oracle/interval.h"

namespace tosaic {

// The elements from lo to hi, beyond the greatest number the infinities (f8E4M3FN: NaN); both zeros if some of it is
// below the normal numbers (flushing, not of fp8).
AllowedSet NumbersWithin(ElementType type, double lo, double hi);

// References in the interval, and results within `ulps` units in the last place of theirs.
AllowedSet WithinUlps(ElementType type, const Interval& reference, double ulps);

// The same by any rule but kExact and kCast, for operands x and y in their intervals (y: 0 if there is one only).
AllowedSet WithinRuleOf(const Accuracy& accuracy, ElementType type, const Interval& reference, const Interval& x,
                        const Interval& y);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SET_RANGE_H_
