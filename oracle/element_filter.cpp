// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/element_filter.h"

#include <utility>

#include "model/tensor.h"
#include "oracle/filter_values.h"

namespace tosaic {

std::vector<double> ValuesOf(ElementType type) {
  std::vector<double> values;
  for (uint64_t bits = 0; bits <= BitMask(type); ++bits) values.push_back(ElementToDouble(type, bits));
  return values;
}

std::optional<ElementFilter> ElementFilter::For(const ScalarInput& in) {
  const size_t operands = BroadcastOperandCount(in.op);
  const bool is_half = in.input_type == ElementType::kF16 || in.input_type == ElementType::kBF16;
  const bool has_32_bits = in.input_type == ElementType::kF32 ? operands == 1 : is_half && operands == 2;
  const bool is_specified = FindSpecTuple(in.op, in.input_type, in.result_type, in.policies.spec_version) != nullptr;
  if (!has_32_bits || !is_specified) return std::nullopt;
  if (Kernel kernel = ExactFilter(in)) return ElementFilter(std::move(kernel), 0);
  if (Kernel kernel = operands == 2 ? PowFilter(in) : RuleFilter(in))
    return ElementFilter(std::move(kernel), kRuleSlack);
  return std::nullopt;
}

}  // namespace tosaic
