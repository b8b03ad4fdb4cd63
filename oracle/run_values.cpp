// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/run_values.h"

namespace tosaic {

const Tensor* ValueIn(const Case& test_case, size_t run, const std::vector<const Tensor*>& op_results, ValueRef ref) {
  switch (ref.kind) {
    case ValueRef::Kind::kArgument:
      return &test_case.runs[run][ref.index];
    case ValueRef::Kind::kConstant:
      return &test_case.program.constants[ref.index];
    case ValueRef::Kind::kOp:
      return op_results[ref.index];
  }
  return nullptr;
}

std::vector<const Tensor*> KnownOpResults(const Program& program, const RunObservation& run) {
  std::vector<const Tensor*> known(program.ops.size(), nullptr);
  for (size_t i = 0; i < program.results.size(); ++i) {
    if (program.results[i].kind == ValueRef::Kind::kOp) known[program.results[i].index] = &run.results[i].tensor;
  }
  return known;
}

std::vector<const Tensor*> OperandsIn(const Case& test_case, size_t run, const std::vector<const Tensor*>& op_results,
                                      const OpApplication& op) {
  std::vector<const Tensor*> operands;
  for (ValueRef ref : op.operands) {
    operands.push_back(ValueIn(test_case, run, op_results, ref));
    if (operands.back() == nullptr) return {};
  }
  return operands;
}

size_t OperandIndex(const Tensor& operand, size_t index, const std::vector<int64_t>& result_sizes) {
  return operand.element_count() == 1 ? 0 : BroadcastIndex(index, result_sizes, operand.sizes());
}

RuntimeShape SizesFor(const OpApplication& op, const std::vector<const Tensor*>& operands) {
  std::vector<std::vector<int64_t>> sizes;
  for (size_t i = 0; i < BroadcastOperandCount(Info(op.op)); ++i) sizes.push_back(operands[i]->sizes());
  return ResultSizes(sizes, op.result.shape);
}

}  // namespace tosaic
