// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ElementAccuracy: what one element of a result says about an op's accuracy. Decided exactly; oracle/element_filter.h
// says the same of most elements at a fraction of the cost.
#ifndef TOSAIC_ORACLE_ELEMENT_ACCURACY_H_
#define TOSAIC_ORACLE_ELEMENT_ACCURACY_H_

#include <cstdint>

#include "oracle/compare.h"
#include "oracle/expected.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

struct ElementAccuracy {
  bool is_unpredictable = false;  // the documents leave it undefined; nothing else is said then
  bool is_open = false;           // more than half of all values are allowed
  bool is_wrong = false;
  bool is_implausible = false;  // it is allowed, and nobody would call it right
  bool is_flushed = false;      // it is allowed only because subnormals may be flushed; it is not measured
  bool is_measured = false;     // a number against a number: `error` and `bound_used` are meaningful
  SubnormalFate fate = SubnormalFate::kNone;
  double error = 0;       // in units of the result's last place (UlpDistance)
  double bound_used = 0;  // share of the allowed error (BoundUsed); 0 where there is no error

  friend bool operator==(const ElementAccuracy& a, const ElementAccuracy& b) = default;
};

// REQUIRES: `expected` is function(in), of Mode::kDecide.
ElementAccuracy MeasureElement(const ScalarInput& in, ScalarFunction function, const Expected& expected,
                               uint64_t actual_raw_bits);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_ELEMENT_ACCURACY_H_
