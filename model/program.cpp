#include "model/program.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tosaic {

absl::string_view Name(NanMode mode) { return mode == NanMode::kPropagate ? "PROPAGATE" : "IGNORE"; }

std::string ToString(ValueRef ref) {
  constexpr absl::string_view kPrefixes[] = {"%arg", "%cst", "%"};
  return absl::StrCat(kPrefixes[static_cast<size_t>(ref.kind)], ref.index);
}

TensorType TypeOf(const Program& program, ValueRef ref) {
  switch (ref.kind) {
    case ValueRef::Kind::kArgument:
      return program.arguments[ref.index];
    case ValueRef::Kind::kConstant: {
      const Tensor& constant = program.constants[ref.index];
      return {Shape::OfSizes(constant.sizes()), constant.element_type()};
    }
    case ValueRef::Kind::kOp:
      return program.ops[ref.index].result;
  }
  return {};
}

std::vector<TensorType> OperandTypes(const Program& program, const OpApplication& op) {
  std::vector<TensorType> types;
  for (ValueRef operand : op.operands) types.push_back(TypeOf(program, operand));
  return types;
}

const Tensor* AsConstant(const Program& program, ValueRef ref) {
  return ref.kind == ValueRef::Kind::kConstant ? &program.constants[ref.index] : nullptr;
}

ElementType InputElementType(const Program& program, const OpApplication& op) {
  const OpInfo& info = Info(op.op);
  for (size_t i = 0; i < info.operands.size(); ++i) {
    if (info.operands[i] == OperandRole::kInput) return TypeOf(program, op.operands[i]).element_type;
  }
  return op.result.element_type;
}

bool HasSpecTypes(const Program& program, const OpApplication& op) {
  const OpInfo& info = Info(op.op);
  const ElementType input = InputElementType(program, op);
  for (size_t i = 0; i < info.operands.size(); ++i) {
    const bool is_input = info.operands[i] == OperandRole::kInput;
    if (is_input && TypeOf(program, op.operands[i]).element_type != input) return false;
  }
  return FindSpecTuple(info, input, op.result.element_type) != nullptr;
}

bool HasSpecialOperandAtRunTime(const Program& program, const OpApplication& op) {
  const OpInfo& info = Info(op.op);
  for (size_t i = BroadcastOperandCount(info); i < op.operands.size(); ++i) {
    if (AsConstant(program, op.operands[i]) == nullptr) return true;
  }
  return false;
}

namespace {

absl::Status CheckRef(const Program& program, ValueRef ref, size_t ops_before, absl::string_view where) {
  size_t limit = 0;
  switch (ref.kind) {
    case ValueRef::Kind::kArgument:
      limit = program.arguments.size();
      break;
    case ValueRef::Kind::kConstant:
      limit = program.constants.size();
      break;
    case ValueRef::Kind::kOp:
      limit = ops_before;
      break;
  }
  if (ref.index < 0 || static_cast<size_t>(ref.index) >= limit) {
    return absl::InvalidArgumentError(absl::StrCat(where, ": ", ToString(ref), " is not defined before its use"));
  }
  return absl::OkStatus();
}

absl::Status CheckRun(const Program& program, const Run& run, absl::string_view where) {
  if (run.size() != program.arguments.size()) {
    return absl::InvalidArgumentError(absl::StrCat(where, ": ", run.size(), " tensors, but the program has ",
                                                   program.arguments.size(), " arguments"));
  }
  for (size_t i = 0; i < run.size(); ++i) {
    const TensorType& type = program.arguments[i];
    if (run[i].element_type() != type.element_type || !Admits(type.shape, run[i].sizes())) {
      return absl::InvalidArgumentError(absl::StrCat(where, "[", i, "]: ", SizesToString(run[i].sizes()), " of ",
                                                     Name(run[i].element_type()), " does not fit the argument's type ",
                                                     ToString(type)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckWellFormed(const Case& test_case) {
  const Program& program = test_case.program;
  if (program.ops.empty()) return absl::InvalidArgumentError("program.ops: at least one op is needed");
  if (program.results.empty()) return absl::InvalidArgumentError("program.results: at least one result is needed");
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const OpApplication& op = program.ops[i];
    const std::string where = absl::StrCat("program.ops[", i, "].operands");
    if (op.operands.size() != Info(op.op).operands.size()) {
      return absl::InvalidArgumentError(absl::StrCat(where, ": ", op.operands.size(), " operands, but ", Name(op.op),
                                                     " has ", Info(op.op).operands.size()));
    }
    for (ValueRef operand : op.operands) {
      if (absl::Status status = CheckRef(program, operand, i, where); !status.ok()) return status;
    }
  }
  for (ValueRef result : program.results) {
    absl::Status status = CheckRef(program, result, program.ops.size(), "program.results");
    if (!status.ok()) return status;
  }
  for (size_t i = 0; i < test_case.runs.size(); ++i) {
    absl::Status status = CheckRun(program, test_case.runs[i], absl::StrCat("runs[", i, "]"));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

std::string Signature(const Program& program, const OpApplication& op) {
  const std::vector<TensorType> types = OperandTypes(program, op);
  return absl::StrCat(
      Name(op.op), "(",
      absl::StrJoin(types, ", ", [](std::string* out, const TensorType& type) { out->append(ToString(type)); }),
      ") -> ", ToString(op.result));
}

}  // namespace tosaic
