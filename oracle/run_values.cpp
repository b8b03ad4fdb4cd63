// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/run_values.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tosaic {
namespace {

std::string ComputationOf(const Program& program, const OpApplication& op, int depth) {
  std::vector<std::string> unseen;
  for (const ValueRef ref : op.operands) {
    if (ref.kind != ValueRef::Kind::kOp || absl::c_linear_search(program.results, ref)) continue;
    if (depth > 1) unseen.push_back(ComputationOf(program, program.ops[ref.index], depth - 1));
  }
  const absl::string_view name = Name(op.op);
  return unseen.empty() ? std::string(name) : absl::StrCat(name, "(", absl::StrJoin(unseen, ", "), ")");
}

}  // namespace

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

std::string ComputationOf(const Program& program, ValueRef ref) {
  constexpr int kDeepest = 3;
  switch (ref.kind) {
    case ValueRef::Kind::kArgument:
      return "argument";
    case ValueRef::Kind::kConstant:
      return "constant";
    case ValueRef::Kind::kOp:
      return ComputationOf(program, program.ops[ref.index], kDeepest);
  }
  return "";
}

RuntimeShape SizesFor(const OpApplication& op, const std::vector<const Tensor*>& operands) {
  std::vector<std::vector<int64_t>> sizes;
  for (size_t i = 0; i < BroadcastOperandCount(Info(op.op)); ++i) sizes.push_back(operands[i]->sizes());
  return ResultSizes(op, sizes);
}

}  // namespace tosaic
