// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of an op's operands an element of its result is computed from, by the access rules of its row
// (model/operand_roles.def).
#ifndef TOSAIC_ORACLE_OPERAND_READS_H_
#define TOSAIC_ORACLE_OPERAND_READS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "model/op_catalogue.h"
#include "model/tensor.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

// Maps an element of the result to the operand's element that it is computed from, both row major. An operand of one
// element is used for all, whatever its rank. The sizes must outlive it. REQUIRES: the access is not kLookup.
class OperandElements {
 public:
  OperandElements(OperandAccess access, const std::vector<int64_t>& operand_sizes,
                  const std::vector<int64_t>& result_sizes);
  size_t At(size_t index) const {
    switch (kind_) {
      case Kind::kSame:
        return index;
      case Kind::kOne:
        return 0;
      case Kind::kLast:
        return index % static_cast<size_t>(operand_sizes_->front());
      case Kind::kBroadcast:
        break;
    }
    return BroadcastIndex(index, *result_sizes_, *operand_sizes_);
  }

 private:
  enum class Kind : uint8_t { kSame, kOne, kLast, kBroadcast };
  const std::vector<int64_t>* operand_sizes_;
  const std::vector<int64_t>* result_sizes_;
  Kind kind_;
};

// The elements of operands whose values are known. They must outlive it, as must the sizes.
class OperandReader {
 public:
  OperandReader(const OpInfo& op, absl::Span<const Tensor* const> operands, const std::vector<int64_t>& result_sizes);

  // Calls visit(operand, element) for each operand element that element `index` of the result is computed from, in the
  // order of ScalarInput::bits.
  template <typename Visit>
  void ForEach(size_t index, Visit visit) const {
    for (size_t k = 0; k < operands_.size(); ++k) {
      if (operands_[k].entries == 0) {
        visit(k, operands_[k].elements.At(index));
      } else {
        const size_t first = FirstEntry(index);
        for (size_t i = 0; i < operands_[k].entries; ++i) visit(k, first + i);
      }
    }
  }
  void Read(size_t index, ElementBits* bits) const {
    size_t read = 0;
    ForEach(index, [&](size_t k, size_t element) { (*bits)[read++] = operands_[k].tensor->Bits(element); });
  }

 private:
  struct Operand {
    const Tensor* tensor;
    OperandElements elements;
    size_t entries;  // that a lookup reads; 0: the access is another
  };
  size_t FirstEntry(size_t index) const;

  absl::InlinedVector<Operand, 3> operands_;
};

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_OPERAND_READS_H_
