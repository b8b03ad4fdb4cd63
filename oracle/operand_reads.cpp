// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/operand_reads.h"

#include "absl/algorithm/container.h"

namespace tosaic {

OperandElements::OperandElements(OperandAccess access, const std::vector<int64_t>& operand_sizes,
                                 const std::vector<int64_t>& result_sizes)
    : operand_sizes_(&operand_sizes), result_sizes_(&result_sizes), kind_(Kind::kBroadcast) {
  if (absl::c_all_of(operand_sizes, [](int64_t size) { return size == 1; })) kind_ = Kind::kOne;
  switch (access) {
    case OperandAccess::kPosition:  // as many elements as the result has are at the same positions
      if (ElementCount(operand_sizes) == ElementCount(result_sizes)) kind_ = Kind::kSame;
      break;
    case OperandAccess::kOrder:
      kind_ = Kind::kSame;
      break;
    case OperandAccess::kSingle:
    case OperandAccess::kLookup:
      kind_ = Kind::kOne;
      break;
    case OperandAccess::kChannel:
      if (kind_ != Kind::kOne) kind_ = Kind::kLast;
      break;
  }
}

OperandReader::OperandReader(const OpInfo& op, absl::Span<const Tensor* const> operands,
                             const std::vector<int64_t>& result_sizes) {
  for (size_t k = 0; k < operands.size(); ++k) {
    const OperandAccess access = Info(op.operands[k]).access;
    const size_t entries = access == OperandAccess::kLookup ? LookupIn(operands[0]->element_type()).reads : 0;
    operands_.push_back({operands[k], {access, operands[k]->sizes(), result_sizes}, entries});
  }
}

size_t OperandReader::FirstEntry(size_t index) const {
  const auto& [tensor, elements, entries] = operands_[0];
  return LookupIn(tensor->element_type()).FirstFor(tensor->element_type(), tensor->Bits(elements.At(index)));
}

}  // namespace tosaic
