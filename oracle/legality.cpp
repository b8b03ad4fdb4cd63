// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/legality.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "model/blocks.h"
#include "oracle/legality_rules.h"
#include "oracle/reshape.h"

namespace tosaic {
namespace {

Decision CheckElementTypes(Subject& s) {
  constexpr Decision kRefusal = {Answer::kRefuse, RuleId::kLegalElementType};
  const Dialect dialect = s.policies.dialect;
  const ElementType result = s.op.result.element_type;
  for (size_t i = 0; i < s.info.operands.size(); ++i) {
    const OperandRole role = s.info.operands[i];
    if (role == OperandRole::kCondition && s.element_types[i] != ElementType::kI1) return kRefusal;
    if (role != OperandRole::kInput || s.element_types[i] == s.input_type) continue;
    s.inputs_differ = true;
    if (!TypingIn(s.info, dialect).inputs_may_differ || !DialectAccepts(s.info, s.element_types[i], result, dialect)) {
      return kRefusal;
    }
  }
  return DialectAccepts(s.info, s.input_type, result, dialect) ? kNoObjection : kRefusal;
}

// ERROR_IF(is_block_scale<T>() && (rank(shape) == 0 || shape[rank(shape) - 1] % get_innermost_block_size<T>() != 0)),
// which CAST, IDENTITY and RESHAPE say of their operands and results.
Decision CheckBlocks(Subject& s) {
  const auto has_blocks = [](const Shape& shape, ElementType type) {
    return !IsBlockScaled(type) || HasWholeBlocks(shape);
  };
  bool has_all = has_blocks(s.op.result.shape, s.op.result.element_type);
  for (size_t i = 0; i < s.shapes.size(); ++i) has_all &= has_blocks(*s.shapes[i], s.element_types[i]);
  return has_all ? kNoObjection : Decision{Answer::kRefuse, RuleId::kLegalBlockScaled};
}

Decision CheckSpecialOperandTypes(Subject& s) {
  Decision decision = kNoObjection;
  for (size_t i = BroadcastOperandCount(s.info); i < s.info.operands.size(); ++i) {
    const OperandRole role = s.info.operands[i];
    if (s.element_types[i] == TypeOfOperand(role, s.input_type, s.op.result.element_type, s.op.attributes)) continue;
    if (Info(role).type == OperandTyping::kScale && !s.op.attributes.scale32) continue;  // legal.attribute.missing
    // TosaOps.td has a table of any type, and leaves the specification's to tosa-validate.
    const bool is_open = Info(role).access == OperandAccess::kLookup;
    decision = {is_open ? Answer::kEither : Answer::kRefuse, RuleId::kLegalSpecialOperandType};
    if (!is_open) break;
  }
  return decision;
}

Decision CheckDimensions(Subject& s) {
  auto first_zero = [](const Shape& shape) {
    if (!shape.IsRanked()) return -1;
    const auto zero = std::find(shape.dims().begin(), shape.dims().end(), Dim::Static(0));
    return zero == shape.dims().end() ? -1 : static_cast<int>(zero - shape.dims().begin());
  };
  for (const Shape* shape : s.shapes) {
    if (const int dim = first_zero(*shape); dim >= 0) return {Answer::kRefuse, RuleId::kLegalDimension, dim};
  }
  if (const int dim = first_zero(s.op.result.shape); dim >= 0) return {Answer::kRefuse, RuleId::kLegalDimension, dim};
  return kNoObjection;
}

Answer AcceptIf(bool holds) { return holds ? Answer::kAccept : Answer::kRefuse; }

// Whether a parameter may have so many elements.
Answer JudgeSize(const Subject& s, OperandRole role, int64_t size) {
  const Shape& input = *s.shapes[0];
  switch (Info(role).access) {
    case OperandAccess::kSingle:
      return AcceptIf(size == 1);
    case OperandAccess::kLookup:  // REQUIRE(length(table) == TABLE_SIZE)
      return size == static_cast<int64_t>(LookupIn(s.input_type).entries) ? Answer::kAccept : Answer::kEither;
    case OperandAccess::kChannel:
      if (!s.op.attributes.per_channel) return Answer::kAccept;  // legal.attribute.missing
      if (!*s.op.attributes.per_channel) return AcceptIf(size == 1);
      if (!input.IsRanked()) return Answer::kEither;
      if (input.rank() == 0) return Answer::kRefuse;  // ERROR_IF(per_channel && rank(input) < 1)
      return input.dims().back().IsDynamic() ? Answer::kEither : AcceptIf(input.dims().back().Is(size));
    case OperandAccess::kPosition:
    case OperandAccess::kOrder:
      break;
  }
  return Answer::kAccept;
}

Decision CheckSpecialOperands(Subject& s) {
  Decision decision = kNoObjection;
  for (size_t i = BroadcastOperandCount(s.info); i < s.shapes.size(); ++i) {
    const Shape& shape = *s.shapes[i];
    // `*` and `?` may turn out to be of the right size. The documents do not say whether this is legal.
    const bool open = !shape.IsRanked() || (shape.rank() == 1 && shape[0].IsDynamic());
    const Answer answer = open                ? Answer::kEither
                          : shape.rank() != 1 ? Answer::kRefuse
                                              : JudgeSize(s, s.info.operands[i], shape[0].size());
    if (answer != Answer::kAccept) decision = {answer, RuleId::kLegalSpecialOperand};
    if (answer == Answer::kRefuse) break;
  }
  return decision;
}

Decision CheckRanks(Subject& s) {
  if (s.info.result_shape != ResultShape::kBroadcast) return kNoObjection;  // legal.reshape, legal.result-shape
  if (!Info(s.policies.dialect).equal_rank) return kNoObjection;
  absl::InlinedVector<const Shape*, kUsualOperands> shapes(s.BroadcastShapes().begin(), s.BroadcastShapes().end());
  shapes.push_back(&s.op.result.shape);
  return RanksAgree(shapes) ? kNoObjection : Decision{Answer::kRefuse, RuleId::kLegalRank};
}

Decision CheckBroadcastable(Subject& s) {
  if (s.info.result_shape != ResultShape::kBroadcast) return kNoObjection;
  ShapeInference inference = InferResultShape(s.BroadcastShapes());
  const Decision decision = VerifyResult(inference, s.op.result.shape, s.policies);
  s.inferred = std::move(inference.shape);
  return decision;
}

// For an op that has the input's shape: the specification uses the same name for the shapes of input and result.
Decision CheckResultShape(Subject& s) {
  if (s.info.result_shape != ResultShape::kInput) return kNoObjection;
  const Shape& input = *s.shapes[0];
  const Shape& result = s.op.result.shape;
  if (input.IsRanked()) s.inferred = input;
  Decision decision = {Answer::kAccept, RuleId::kLegalResultShape};
  if (!input.IsRanked() || !result.IsRanked()) return decision;
  if (input.rank() != result.rank()) return {Answer::kRefuse, RuleId::kLegalResultShape};
  for (size_t d = 0; d < input.rank(); ++d) {
    if (result[d].IsDynamic() || input[d] == result[d]) continue;
    decision = {input[d].IsDynamic() ? Answer::kEither : Answer::kRefuse, RuleId::kLegalResultShape,
                static_cast<int>(d)};
    if (decision.answer == Answer::kRefuse) break;
  }
  return decision;
}

Decision CheckNewShape(Subject& s) {
  if (!HasNewShape(s.info)) return kNoObjection;
  s.inferred = InferReshape(*s.op.attributes.new_shape, *s.shapes[0]);
  const bool fits = IsReshapable(*s.op.attributes.new_shape, *s.shapes[0], s.op.result.shape);
  return {fits ? Answer::kAccept : Answer::kRefuse, RuleId::kLegalReshape};
}

// Each check is independent of the others.
constexpr Decision (*kRules[])(Subject&) = {
    CheckElementTypes,         // legal.element-type
    CheckBlocks,               // legal.block-scaled
    CheckSpecialOperandTypes,  // legal.special-operand.type
    CheckInputUnsigned,        // legal.input-unsigned
    CheckRescale,              // legal.rescale
    CheckDimensions,           // legal.dimension
    CheckSpecialOperands,      // legal.special-operand
    CheckRanks,                // legal.rank
    CheckBroadcastable,        // bcast.*
    CheckResultShape,          // legal.result-shape
    CheckAttributesPresent,    // legal.attribute.missing
    CheckBounds,               // legal.attribute.bounds
    CheckZeroPoints,           // legal.zero-point
    CheckShift,                // legal.shift
    CheckNewShape,             // legal.reshape
};

}  // namespace

bool HasEmptyConstant(const Program& program) {
  return absl::c_any_of(program.constants,
                        [](const Tensor& constant) { return absl::c_linear_search(constant.sizes(), 0); });
}

bool RanksAgree(absl::Span<const Shape* const> shapes) {
  const Shape* first = nullptr;
  for (const Shape* shape : shapes) {
    if (!shape->IsRanked()) continue;
    if (first == nullptr) first = shape;
    if (shape->rank() != first->rank()) return false;
  }
  return true;
}

Legality JudgeLegality(const Program& program, const OpApplication& op, const Policies& policies) {
  Subject subject(program, op, policies);
  Decision decided = kNoObjection;
  bool types_accepted = false;
  for (auto* check : kRules) {
    const Decision decision = check(subject);
    if (decision.answer == Answer::kRefuse) {
      decided = decision;
      break;
    }
    types_accepted = true;  // the first rule is about element types
    // The rule of Broadcastable names an acceptance as well.
    if (decided.answer == Answer::kAccept && decision.rule != RuleId::kNone) decided = decision;
  }
  Legality legality{decided};
  legality.inferred = std::move(subject.inferred);
  const bool says_draft = policies.spec_version != SpecVersion::k1_1 && SaysDraft(op);
  legality.beyond_spec = types_accepted && (subject.inputs_differ || says_draft ||
                                            FindSpecTuple(subject.info, subject.input_type, op.result.element_type,
                                                          policies.spec_version) == nullptr);
  return legality;
}

std::vector<RuleId> BrokenRules(const Program& program, const OpApplication& op, const Policies& policies) {
  Subject subject(program, op, policies);
  std::vector<RuleId> broken;
  for (auto* check : kRules) {
    const Decision decision = check(subject);
    if (decision.answer != Answer::kAccept) broken.push_back(decision.rule);
  }
  return broken;
}

std::string ToString(const Legality& legality) {
  return absl::StrCat(Name(legality.answer), " [", Name(legality.rule), "]");
}

Legality JudgeLegality(const Program& program, const Policies& policies) {
  Legality judged;
  bool beyond_spec = false;
  for (size_t i = 0; i < program.ops.size(); ++i) {
    Legality legality = JudgeLegality(program, program.ops[i], policies);
    legality.op_index = static_cast<int>(i);
    if (legality.answer == Answer::kRefuse) return legality;
    beyond_spec |= legality.beyond_spec;
    if (judged.answer == Answer::kAccept) judged = std::move(legality);
  }
  if (HasEmptyConstant(program)) {
    judged.answer = Answer::kRefuse;
    judged.rule = RuleId::kLegalDimension;
  }
  judged.beyond_spec = beyond_spec;
  return judged;
}

}  // namespace tosaic
