// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The filter of the ops that WithinRule evaluates on f32 (element_filter.h says what filters are).
#ifndef TOSAIC_ORACLE_RULE_FILTER_H_
#define TOSAIC_ORACLE_RULE_FILTER_H_

#include <cstddef>
#include <cstdint>

#include "oracle/element_filter.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

// How far a rule filter's errors and shares of bounds may be from the exact ones.
inline constexpr double kRuleSlack = 0x1p-22;

// Empty if the op is none of them.
ElementFilter::Kernel RuleFilter(const ScalarInput& in);

// The C library's values of the op's function at inputs first .. first + count - 1, each within kFunctionError of the
// true one. False if the op is none of them.
bool FilterReferences(OpKind op, uint32_t first, size_t count, double* values);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_RULE_FILTER_H_
