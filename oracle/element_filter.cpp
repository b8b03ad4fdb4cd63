// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/element_filter.h"

#include <utility>

#include "oracle/exact_filter.h"
#include "oracle/rule_filter.h"

namespace tosaic {

std::optional<ElementFilter> ElementFilter::For(const ScalarInput& in) {
  const bool is_specified = FindSpecTuple(in.op, in.input_type, in.result_type, in.policies.spec_version) != nullptr;
  if (in.input_type != ElementType::kF32 || BroadcastOperandCount(in.op) != 1 || !is_specified) return std::nullopt;
  if (Kernel kernel = ExactFilter(in)) return ElementFilter(std::move(kernel), 0);
  if (Kernel kernel = RuleFilter(in)) return ElementFilter(std::move(kernel), kRuleSlack);
  return std::nullopt;
}

}  // namespace tosaic
