// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/program.h"

#include <cstddef>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "codec/names.h"
#include "codec/status.h"
#include "codec/visitor.h"
#include "model/blocks.h"
#include "model/counted.h"

namespace tosaic {

std::string ToString(ValueRef ref) {
  constexpr absl::string_view kPrefixes[] = {"%arg", "%cst", "%"};
  return absl::StrCat(EntryFor(ref.kind, kPrefixes), ref.index);
}

absl::Status ReadText(absl::string_view text, ValueRef& ref) {
  absl::string_view rest = text;
  bool prefixed = true;
  if (absl::ConsumePrefix(&rest, "%arg")) {
    ref.kind = ValueRef::Kind::kArgument;
  } else if (absl::ConsumePrefix(&rest, "%cst")) {
    ref.kind = ValueRef::Kind::kConstant;
  } else {
    prefixed = absl::ConsumePrefix(&rest, "%");
    ref.kind = ValueRef::Kind::kOp;
  }
  // SimpleAtoi alone would take blanks and a plus sign.
  if (prefixed && absl::SimpleAtoi(rest, &ref.index) && ToString(ref) == text) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("'", text, "' names no value (%arg0, %cst0 and %0 do)"));
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

ElementType ElementTypeOf(const Program& program, ValueRef ref) {
  switch (ref.kind) {
    case ValueRef::Kind::kArgument:
      return program.arguments[ref.index].element_type;
    case ValueRef::Kind::kConstant:
      return program.constants[ref.index].element_type();
    case ValueRef::Kind::kOp:
      return program.ops[ref.index].result.element_type;
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
  return ElementTypeOf(program, op.operands[FirstInput(Info(op.op))]);
}

TypePair TypesOf(const Program& program, const OpApplication& op) {
  return {InputElementType(program, op), op.result.element_type};
}

bool HasOneInputType(const Program& program, const OpApplication& op) {
  const OpInfo& info = Info(op.op);
  const ElementType input = InputElementType(program, op);
  for (size_t i = 0; i < info.operands.size(); ++i) {
    const bool is_input = info.operands[i] == OperandRole::kInput;
    if (is_input && ElementTypeOf(program, op.operands[i]) != input) return false;
  }
  return true;
}

bool SaysDraft(const OpApplication& op) {
  return absl::c_any_of(Info(op.op).draft_attributes,
                        [&](Attribute attribute) { return SaysMore(op.attributes, attribute); });
}

bool HasSpecTypes(const Program& program, const OpApplication& op, SpecVersion version) {
  return HasOneInputType(program, op) && (version == SpecVersion::k1_1 || !SaysDraft(op)) &&
         FindSpecTuple(Info(op.op), InputElementType(program, op), op.result.element_type, version) != nullptr;
}

bool HasType(const Program& program, absl::FunctionRef<bool(ElementType)> is_such) {
  return absl::c_any_of(program.arguments, [&](const TensorType& type) { return is_such(type.element_type); }) ||
         absl::c_any_of(program.constants, [&](const Tensor& tensor) { return is_such(tensor.element_type()); }) ||
         absl::c_any_of(program.ops, [&](const OpApplication& op) { return is_such(op.result.element_type); });
}

bool HasBlocks(const Program& program) { return HasType(program, IsBlockScaled); }

bool IsElementwise(const Program& program) {
  return absl::c_all_of(program.ops, [](const OpApplication& op) { return IsElementwise(Info(op.op)); });
}

bool HasSpecialOperandAtRunTime(const Program& program, const OpApplication& op) {
  const OpInfo& info = Info(op.op);
  for (size_t i = BroadcastOperandCount(info); i < op.operands.size(); ++i) {
    if (AsConstant(program, op.operands[i]) == nullptr) return true;
  }
  return false;
}

bool TakesUnrankedForRanked(const Program& program, const OpApplication& op) {
  return !IsElementwise(Info(op.op)) && !TypeOf(program, op.operands[0]).shape.IsRanked();
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

absl::Status CheckAttributes(const OpApplication& op, absl::string_view where) {
  absl::Status status;
  ForEachAttribute(op.attributes, [&](const AttributeInfo& info, const auto& value) {
    const bool belongs = HasAttribute(Info(op.op), info.attribute);
    const bool is_needed = belongs && info.presence == AttributePresence::kInherent;
    if (value.has_value() ? belongs : !is_needed) return;
    status =
        absl::InvalidArgumentError(absl::StrCat(where, ": ", Name(op.op), " has ", belongs ? "a " : "no ", info.name));
  });
  return status;
}

// Of a block-scaled tensor: its blocks are whole and have one scale each, and no value has bits beyond its format.
absl::Status CheckBlocks(const Tensor& tensor, absl::string_view where) {
  const ElementType type = tensor.element_type();
  if (!IsBlockScaled(type)) return absl::OkStatus();
  if (!HasWholeBlocks(Shape::OfSizes(tensor.sizes()))) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": the last dimension of a block-scaled tensor is a multiple of ", kBlockSize));
  }
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    const uint64_t bits = tensor.Bits(i), first = tensor.Bits(i - i % kBlockSize);
    const bool has_value = ValueInBlock(bits) >> BlockValueBits(type) == 0;
    if (has_value && ScaleInBlock(bits) == ScaleInBlock(first)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        where, ": element ", i, ": ", has_value ? "another scale than its block's" : "more bits than a value"));
  }
  return absl::OkStatus();
}

absl::Status CheckRun(const Program& program, const Run& run, absl::string_view where) {
  if (run.size() != program.arguments.size()) {
    return absl::InvalidArgumentError(absl::StrCat(where, ": ", run.size(), " tensors, but the program has ",
                                                   Counted(program.arguments.size(), "argument")));
  }
  for (size_t i = 0; i < run.size(); ++i) {
    const TensorType& type = program.arguments[i];
    if (run[i].element_type() != type.element_type || !Admits(type.shape, run[i].sizes())) {
      return absl::InvalidArgumentError(absl::StrCat(where, "[", i, "]: ", SizesToString(run[i].sizes()), " of ",
                                                     Name(run[i].element_type()), " does not fit the argument's type ",
                                                     ToString(type)));
    }
    TOSAIC_RETURN_IF_ERROR(CheckBlocks(run[i], absl::StrCat(where, "[", i, "]")));
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<size_t> OpsWithoutEffect(const Program& program) {
  std::vector<bool> has_effect(program.ops.size());
  const auto mark = [&](ValueRef ref) {
    if (ref.kind == ValueRef::Kind::kOp) has_effect[static_cast<size_t>(ref.index)] = true;
  };
  for (const ValueRef result : program.results) mark(result);
  std::vector<size_t> without;
  for (size_t i = program.ops.size(); i-- > 0;) {
    if (!has_effect[i]) {
      without.insert(without.begin(), i);
      continue;
    }
    for (const ValueRef operand : program.ops[i].operands) mark(operand);
  }
  return without;
}

absl::Status CheckWellFormed(const Case& test_case) {
  const Program& program = test_case.program;
  if (program.ops.empty()) return absl::InvalidArgumentError("program.ops: at least one op is needed");
  if (program.results.empty()) return absl::InvalidArgumentError("program.results: at least one result is needed");
  for (size_t i = 0; i < program.constants.size(); ++i) {
    TOSAIC_RETURN_IF_ERROR(CheckBlocks(program.constants[i], absl::StrCat("program.constants[", i, "]")));
  }
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const OpApplication& op = program.ops[i];
    const std::string where = absl::StrCat("program.ops[", i, "].operands");
    if (op.operands.size() != Info(op.op).operands.size()) {
      return absl::InvalidArgumentError(absl::StrCat(where, ": ", op.operands.size(), " operands, but ", Name(op.op),
                                                     " has ", Info(op.op).operands.size()));
    }
    TOSAIC_RETURN_IF_ERROR(CheckAttributes(op, absl::StrCat("program.ops[", i, "].attributes")));
    for (ValueRef operand : op.operands) {
      TOSAIC_RETURN_IF_ERROR(CheckRef(program, operand, i, where));
    }
  }
  for (ValueRef result : program.results) {
    TOSAIC_RETURN_IF_ERROR(CheckRef(program, result, program.ops.size(), "program.results"));
  }
  for (size_t i = 0; i < test_case.runs.size(); ++i) {
    TOSAIC_RETURN_IF_ERROR(CheckRun(program, test_case.runs[i], absl::StrCat("runs[", i, "]")));
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

void Fields(Visitor& v, OpApplication& op) {
  v.Type("op");
  v.Strict();
  v("op", op.op, "a name of `tosaic list-ops`");
  v("operands", op.operands, "`%arg0`, `%cst0`, `%0` for the first op's result: only what stands before");
  v("attributes", op.attributes, "what is absent is absent in MLIR as well");
  v("result", op.result, "a tensor type");
}

void Fields(Visitor& v, Program& program) {
  v.Type("program");
  v.Strict();
  v("arguments", program.arguments,
    "tensor types in MLIR's spelling: `tensor<2x?xf32>`, `tensor<*xi8>`, `tensor<f16>`");
  v("constants", program.constants, "tensors, emitted as `tosa.const`");
  v("ops", program.ops);
  v("results", program.results, "what the function returns, by the names of operands");
}

void Fields(Visitor& v, Case& test_case) {
  v.Type("case");
  v.Strict();
  v.Constant("tosaic_case", kCaseFormatVersion, "format version; a newer one is refused");
  v.MayLack("origin", test_case.origin, "where it comes from, for people; no effect");
  v("route", test_case.route,
    "name of the pass pipeline; `custom` is the one that `--pipeline` gives, `sequence(STAGE:PASS,...)` lists passes");
  v.Optional("twin", test_case.twin,
             "name of a variant of the case that must compute the same: `all-returned`, `constants-as-arguments`, "
             "`arguments-as-constants` and `last-argument-as-constant` (of the first run), or a route's: "
             "`canonicalized`, `after-cse`, ... It is observed as well, and compared");
  v("program", test_case.program);
  v("runs", test_case.runs,
    "per run a list with a tensor for each argument, of a shape that the argument's type admits. No runs: only the "
    "verifier's decision and shape inference are asked for");
  v.Ignored("expected", "what the document that a case cites decides");
  if (v.IsReading()) v.Check(CheckWellFormed(test_case));
}

}  // namespace tosaic
