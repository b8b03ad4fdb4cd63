// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/buffer_bounds.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/op_catalogue.h"
#include "model/static_program.h"

namespace tosaic {
namespace {

// The sizes of `operands` broadcast against each other; a bound of them where they do not fit.
std::vector<int64_t> WidestSizes(const std::vector<const std::vector<int64_t>*>& operands) {
  std::vector<int64_t> widest;  // from the innermost dimension
  for (const std::vector<int64_t>* sizes : operands) {
    widest.resize(std::max(widest.size(), sizes->size()), 1);
    for (size_t i = 0; i < sizes->size(); ++i) widest[i] = std::max(widest[i], (*sizes)[sizes->size() - 1 - i]);
  }
  std::reverse(widest.begin(), widest.end());
  return widest;
}

}  // namespace

size_t LargestBuffer(const Case& test_case) {
  const Program& program = test_case.program;
  size_t largest = kSlotBytes;
  for (const Run& run : test_case.runs) {
    std::vector<std::vector<int64_t>> ops;
    auto sizes_of = [&](ValueRef ref) {
      return ref.kind == ValueRef::Kind::kOp         ? &ops[ref.index]
             : ref.kind == ValueRef::Kind::kArgument ? &run[ref.index].sizes()
                                                     : &program.constants[ref.index].sizes();
    };
    auto add = [&](const std::vector<int64_t>& sizes) {
      const int64_t elements = std::min<int64_t>(ElementCount(sizes), kMostBufferBytes);
      largest = std::max(largest, static_cast<size_t>(elements) * sizeof(int64_t));
    };
    for (const Tensor& tensor : run) add(tensor.sizes());
    for (const Tensor& tensor : program.constants) add(tensor.sizes());
    for (const OpApplication& op : program.ops) {
      std::vector<const std::vector<int64_t>*> operands;
      for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) operands.push_back(sizes_of(op.operands[k]));
      std::optional<std::vector<int64_t>> reshaped;
      if (HasNewShape(Info(op.op))) reshaped = Reshaped(op, ElementCount(*operands[0]));
      ops.push_back(reshaped ? *reshaped : WidestSizes(operands));
      add(ops.back());
    }
  }
  return largest;
}

}  // namespace tosaic
