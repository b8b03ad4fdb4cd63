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
#include "model/special_operands.h"

namespace tosaic {
namespace {

absl::Status SignatureError(const OpSignature& signature, absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat("'", ToString(signature), "': ", message));
}

// Values for the mandatory attributes: 0 and 1 for bounds, else the kind's first value.
Attributes LegalAttributes(const OpInfo& op, ElementType input, const Shape& result) {
  Attributes attributes;
  ForEachAttribute(attributes, [&](const AttributeInfo& info, auto& value) {
    if (HasAttribute(op, info.attribute) && PresenceIn(op, info.attribute) != AttributePresence::kOptional)
      value.emplace();
  });
  ForEachValue(attributes, ByKind{[&](const AttributeInfo& info, TypedBits& number) {
                                    number = {input, info.at_most ? 0 : OneBits(input)};
                                  },
                                  [&](const AttributeInfo&, std::vector<int64_t>& sizes) {
                                    for (const Dim dim : result.dims())
                                      sizes.push_back(dim.IsDynamic() ? -1 : dim.size());
                                  },
                                  [](const AttributeInfo&, auto&) {}});
  return attributes;
}

// Adds the missing operands, which are parameters, as the plainest constants.
void AddParameters(const OpInfo& info, Program* program, OpApplication* op) {
  const ElementType input = InputElementType(*program, *op);
  for (size_t i = op->operands.size(); i < info.operands.size(); ++i) {
    op->operands.push_back({ValueRef::Kind::kConstant, static_cast<int>(program->constants.size())});
    program->constants.push_back(PlainParameter(info.operands[i], input, op->result.element_type, op->attributes));
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
  if (HasAttribute(info, Attribute::kNewShape) && !op.result.shape.IsRanked()) {
    return SignatureError(signature, "the new shape is that of a ranked result");
  }
  op.attributes = LegalAttributes(info, InputElementType(program, op), op.result.shape);
  AddParameters(info, &program, &op);
  program.ops.push_back(std::move(op));
  program.results.push_back({ValueRef::Kind::kOp, 0});
  return program;
}

absl::StatusOr<Program> ParseSignature(absl::string_view text) {
  TOSAIC_ASSIGN_OR_RETURN(const OpSignature signature, ParseOpSignature(text));
  return ProgramOf(signature);
}

}  // namespace tosaic
