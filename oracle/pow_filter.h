// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The filter of pow on two f16 or bf16 (element_filter.h says what filters are).
#ifndef TOSAIC_ORACLE_POW_FILTER_H_
#define TOSAIC_ORACLE_POW_FILTER_H_

#include "oracle/element_filter.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

// Empty for other ops, and for other bounds than that of 1.0.2.
ElementFilter::Kernel PowFilter(const ScalarInput& in);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_POW_FILTER_H_
