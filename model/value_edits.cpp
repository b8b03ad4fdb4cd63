// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/value_edits.h"

#include <cstddef>
#include <utility>

#include "absl/algorithm/container.h"

namespace tosaic {

ValueRef AddArgument(Program& program, TensorType type) {
  program.arguments.push_back(std::move(type));
  return {ValueRef::Kind::kArgument, static_cast<int>(program.arguments.size()) - 1};
}

ValueRef AddConstant(Program& program, Tensor tensor) {
  program.constants.push_back(std::move(tensor));
  return {ValueRef::Kind::kConstant, static_cast<int>(program.constants.size()) - 1};
}

void Rename(Program& program, ValueRef from, ValueRef to) {
  for (OpApplication& op : program.ops) absl::c_replace(op.operands, from, to);
  absl::c_replace(program.results, from, to);
}

void Remove(Case& test_case, ValueRef unused) {
  using Kind = ValueRef::Kind;
  Program& program = test_case.program;
  if (unused.kind == Kind::kOp) program.ops.erase(program.ops.begin() + unused.index);
  if (unused.kind == Kind::kConstant) program.constants.erase(program.constants.begin() + unused.index);
  if (unused.kind == Kind::kArgument) {
    program.arguments.erase(program.arguments.begin() + unused.index);
    for (Run& run : test_case.runs) run.erase(run.begin() + unused.index);
  }
  const auto close = [&](ValueRef& ref) {
    if (ref.kind == unused.kind && ref.index > unused.index) --ref.index;
  };
  for (OpApplication& op : program.ops) absl::c_for_each(op.operands, close);
  absl::c_for_each(program.results, close);
}

void MakeArgument(Case& test_case, ValueRef constant) {
  const Tensor value = test_case.program.constants[static_cast<size_t>(constant.index)];
  const TensorType type = {Shape::OfSizes(value.sizes()), value.element_type()};
  Rename(test_case.program, constant, AddArgument(test_case.program, type));
  for (Run& run : test_case.runs) run.push_back(value);
  Remove(test_case, constant);
}

void MakeConstant(Case& test_case, ValueRef argument, Tensor value) {
  Rename(test_case.program, argument, AddConstant(test_case.program, std::move(value)));
  Remove(test_case, argument);
}

}  // namespace tosaic
