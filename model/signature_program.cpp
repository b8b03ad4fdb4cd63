// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/signature_program.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "codec/status.h"

namespace tosaic {
namespace {

absl::Status SignatureError(const OpSignature& signature, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("'", ToString(signature), "': ", what));
}

// The bit pattern of 1 as a value of the type.
uint64_t One(ElementType type) {
  const ElementTypeInfo& info = Info(type);
  if (!IsFloat(type)) return 1;
  const uint64_t bias = (uint64_t{1} << (info.exponent_bits - 1)) - 1;
  return bias << info.mantissa_bits;
}

Attributes LegalAttributes(const OpInfo& info, ElementType input) {
  Attributes attributes;
  if (HasAttribute(info, Attribute::kMinVal)) attributes.min_val = TypedBits{input, 0};
  if (HasAttribute(info, Attribute::kMaxVal)) attributes.max_val = TypedBits{input, One(input)};
  if (HasAttribute(info, Attribute::kRound)) attributes.round = false;
  return attributes;
}

// Adds the missing operands (shift or zero points) as constants of 0.
void AddZeros(const OpInfo& info, Program* program, OpApplication* op) {
  const ElementType input = InputElementType(*program, *op);
  for (size_t i = op->operands.size(); i < info.operands.size(); ++i) {
    const ElementType type = info.operands[i] == OperandRole::kShift ? ElementType::kI8 : input;
    op->operands.push_back({ValueRef::Kind::kConstant, static_cast<int>(program->constants.size())});
    program->constants.push_back(Tensor(type, {1}));
  }
}

}  // namespace

absl::StatusOr<Program> ProgramOf(const OpSignature& signature) {
  const std::optional<OpKind> kind = FindOp(signature.op);
  if (!kind) {
    return SignatureError(signature,
                          absl::StrCat("unknown op '", signature.op, "'; 'tosaic list-ops' prints them all"));
  }
  const OpInfo& info = Info(*kind);
  const size_t given = signature.operands.size();
  const size_t least = BroadcastOperandCount(info);
  const size_t most = info.operands.size();
  if (given != least && given != most) {
    return SignatureError(
        signature,
        absl::StrCat(info.name, " has ", most, " operands",
                     most > least ? absl::StrCat(" (or ", least, ", the rest being 0)") : "", ", not ", given));
  }
  Program program;
  OpApplication op;
  op.op = *kind;
  for (size_t i = 0; i < given; ++i) {
    op.operands.push_back({ValueRef::Kind::kArgument, static_cast<int>(i)});
    program.arguments.push_back(signature.operands[i].type);
  }
  op.result = signature.result.type;
  const bool tensors_only =
      signature.result.container == Container::kTensor &&
      absl::c_all_of(signature.operands, [](const ValueType& type) { return type.container == Container::kTensor; });
  if (!tensors_only) return SignatureError(signature, "TOSA's operands and results are tensors");
  AddZeros(info, &program, &op);
  op.attributes = LegalAttributes(info, InputElementType(program, op));
  if (HasAttribute(info, Attribute::kNewShape)) {
    std::vector<int64_t>& sizes = op.attributes.new_shape.emplace();
    if (!op.result.shape.IsRanked()) return SignatureError(signature, "the new shape is that of a ranked result");
    for (const Dim dim : op.result.shape.dims()) sizes.push_back(dim.IsDynamic() ? -1 : dim.size());
  }
  program.ops.push_back(std::move(op));
  program.results.push_back({ValueRef::Kind::kOp, 0});
  return program;
}

absl::StatusOr<Program> ParseSignature(absl::string_view text) {
  TOSAIC_ASSIGN_OR_RETURN(const OpSignature signature, ParseOpSignature(text));
  return ProgramOf(signature);
}

}  // namespace tosaic
