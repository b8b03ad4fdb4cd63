// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/legality.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "oracle/rescale.h"
#include "oracle/reshape.h"

namespace tosaic {
namespace {

constexpr Decision kNoObjection = {};
constexpr size_t kUsualOperands = 4;

// The input of every rule. It points to shapes instead of copying them, because this is the sweep's hot path.
class Subject {
 public:
  Subject(const Program& program, const OpApplication& op, const Policies& policies)
      : program(program), op(op), info(Info(op.op)), policies(policies) {
    constant_shapes_.reserve(op.operands.size());
    for (ValueRef operand : op.operands) AddOperand(operand);
    input_type = element_types[FirstInput(info)];
  }
  Subject(const Subject&) = delete;

  absl::Span<const Shape* const> BroadcastShapes() const {
    return absl::MakeConstSpan(shapes).first(BroadcastOperandCount(info));
  }
  // The constant that operand `i` is, or null.
  const Tensor* Constant(size_t i) const { return AsConstant(program, op.operands[i]); }

  const Program& program;
  const OpApplication& op;
  const OpInfo& info;
  const Policies& policies;
  absl::InlinedVector<const Shape*, kUsualOperands> shapes;  // per operand, as are the element types
  absl::InlinedVector<ElementType, kUsualOperands> element_types;
  ElementType input_type;
  bool inputs_differ = false;  // in their element types
  std::optional<Shape> inferred;

 private:
  void AddOperand(ValueRef ref) {
    if (const Tensor* constant = AsConstant(program, ref)) {
      constant_shapes_.push_back(Shape::OfSizes(constant->sizes()));
      shapes.push_back(&constant_shapes_.back());
      element_types.push_back(constant->element_type());
      return;
    }
    const TensorType& type =
        ref.kind == ValueRef::Kind::kArgument ? program.arguments[ref.index] : program.ops[ref.index].result;
    shapes.push_back(&type.shape);
    element_types.push_back(type.element_type);
  }

  absl::InlinedVector<Shape, 1> constant_shapes_;  // reserved at once, so pointers into it stay valid
};

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

Decision CheckAttributesPresent(Subject& s) {
  bool missing = false;
  ForEachAttribute(s.op.attributes, [&](const AttributeInfo& info, const auto& value) {
    if (value || !HasAttribute(s.info, info.attribute)) return;
    // What the dialect has no word for is not missing there.
    const bool is_there = Info(s.policies.dialect).Spelling(s.op.op, info.attribute) != AttributeSpelling::kNone;
    missing |= is_there && PresenceIn(s.info, info.attribute) == AttributePresence::kMandatory;
  });
  return missing ? Decision{Answer::kRefuse, RuleId::kLegalAttributeMissing} : kNoObjection;
}

// Whether a < b as values of the type. Signless integers are read as signed (Frame).
bool IsLess(ElementType type, uint64_t a, uint64_t b) {
  const ElementTypeInfo& info = Info(type);
  switch (info.element_class) {
    case ElementClass::kFloat:
      return ElementToDouble(type, a) < ElementToDouble(type, b);
    case ElementClass::kBool:
    case ElementClass::kUnsigned:
      return (a & BitMask(type)) < (b & BitMask(type));
    case ElementClass::kSignless:
    case ElementClass::kSigned:
      break;
  }
  const int unused = 64 - info.bits;
  return static_cast<int64_t>(a << unused) < static_cast<int64_t>(b << unused);
}

bool IsNumberOf(ElementType type, const TypedBits& number) {
  return number.type == type && !(IsFloat(type) && std::isnan(ElementToDouble(type, number.bits)));
}

Decision CheckBounds(Subject& s) {
  bool fit = true;
  ForEachBounds(s.op.attributes, [&](const AttributeInfo&, const auto& lower, const AttributeInfo&, const auto& upper) {
    if (!lower || !upper) return;  // legal.attribute.missing, or another op
    fit &= IsNumberOf(s.input_type, *lower) && IsNumberOf(s.input_type, *upper) &&
           !IsLess(s.input_type, upper->bits, lower->bits);
  });
  return fit ? kNoObjection : Decision{Answer::kRefuse, RuleId::kLegalAttributeBounds};
}

Decision CheckZeroPoints(Subject& s) {
  for (size_t i = 0; i < s.info.operands.size(); ++i) {
    const bool is_input = s.info.operands[i] == OperandRole::kZeroPoint;
    if (!is_input && s.info.operands[i] != OperandRole::kOutputZeroPoint) continue;
    const Tensor* zero_point = s.Constant(i);
    if (zero_point == nullptr || zero_point->element_count() == 0) continue;  // only tosa-validate asks for a constant
    const std::optional<bool> is_unsigned = is_input ? s.op.attributes.input_unsigned : s.op.attributes.output_unsigned;
    const bool is_zero = ElementToDouble(zero_point->element_type(), zero_point->Bits(0)) == 0;
    const ElementType type = is_input ? s.input_type : s.op.result.element_type;
    if (is_zero || MayBeZeroPoint(type, is_unsigned.value_or(false), zero_point->Bits(0))) continue;
    return {Answer::kRefuse, RuleId::kLegalZeroPoint};
  }
  return kNoObjection;
}

Decision CheckShift(Subject& s) {
  for (size_t i = 0; i < s.info.operands.size(); ++i) {
    if (s.info.operands[i] != OperandRole::kShift) continue;
    const Tensor* constant = s.Constant(i);
    if (constant == nullptr || constant->element_count() == 0) continue;  // only tosa-validate asks for a constant
    const double shift = ElementToDouble(constant->element_type(), constant->Bits(0));
    const double largest = s.input_type == ElementType::kI32 ? 63 : 0;
    if (shift < 0 || shift > largest) return {Answer::kEither, RuleId::kLegalShift};
  }
  return kNoObjection;
}

// The ERROR_IFs on attributes, which a verifier may leave to tosa-validate.
Decision CheckRescale(Subject& s) {
  if (s.op.op != OpKind::kRescale) return kNoObjection;
  const bool suits = SuitRescale(s.op.attributes, s.input_type, s.op.result.element_type);
  return suits ? kNoObjection : Decision{Answer::kEither, RuleId::kLegalRescale};
}

// ERROR_IF(input_unsigned && !is_integer<in_t>()), of the types that the specification has.
Decision CheckInputUnsigned(Subject& s) {
  if (s.op.op != OpKind::kCast || !s.op.attributes.input_unsigned.value_or(false)) return kNoObjection;
  switch (Info(s.input_type).element_class) {
    case ElementClass::kBool:
    case ElementClass::kFloat:
      return {Answer::kRefuse, RuleId::kLegalInputUnsigned};
    case ElementClass::kUnsigned:
    case ElementClass::kSigned:
      return {Answer::kEither, RuleId::kLegalInputUnsigned};
    case ElementClass::kSignless:
      break;
  }
  return s.input_type == ElementType::kI4 ? Decision{Answer::kEither, RuleId::kLegalInputUnsigned} : kNoObjection;
}

Decision CheckNewShape(Subject& s) {
  if (s.info.result_shape != ResultShape::kNewShape) return kNoObjection;
  s.inferred = InferReshape(*s.op.attributes.new_shape, *s.shapes[0]);
  const bool fits = IsReshapable(*s.op.attributes.new_shape, *s.shapes[0], s.op.result.shape);
  return {fits ? Answer::kAccept : Answer::kRefuse, RuleId::kLegalReshape};
}

// Each check is independent of the others.
constexpr Decision (*kRules[])(Subject&) = {
    CheckElementTypes,         // legal.element-type
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
  Legality legality;
  legality.answer = decided.answer;
  legality.rule = decided.rule;
  legality.dim = decided.dim;
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
