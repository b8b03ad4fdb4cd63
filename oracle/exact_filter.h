// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The filters of ops on f32 whose right result is a bit pattern or an integer, of casts to narrower floats, whose
// nearest number is right, and of sums, products, choices and comparisons of two f16 or bf16 (element_filter.h says
// what filters are). They compute without any error.
#ifndef TOSAIC_ORACLE_EXACT_FILTER_H_
#define TOSAIC_ORACLE_EXACT_FILTER_H_

#include "oracle/element_filter.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

// Empty if the op is none of them.
ElementFilter::Kernel ExactFilter(const ScalarInput& in);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_EXACT_FILTER_H_
