// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdint>

#include "absl/algorithm/container.h"
#include "oracle/legality_rules.h"
#include "oracle/scaling.h"

namespace tosaic {
namespace {

// Whether a < b as values of the type. Signless integers are read as signed (Frame).
bool IsLess(ElementType type, uint64_t a, uint64_t b) {
  if (IsFloat(type) || IsBlockScaled(type)) return ElementToDouble(type, a) < ElementToDouble(type, b);
  return IntegerOf(type, a) < IntegerOf(type, b);
}

bool IsNumberOf(ElementType type, const TypedBits& number) {
  return number.type == type && !(IsFloat(type) && std::isnan(ElementToDouble(type, number.bits)));
}

}  // namespace

Decision CheckAttributesPresent(Subject& s) {
  bool missing = false;
  ForEachAttribute(s.op.attributes, [&](const AttributeInfo& info, const auto& value) {
    if (value || !HasAttribute(s.info, info.attribute)) return;
    // An attribute that the dialect cannot spell cannot be missing there.
    const DialectInfo& dialect = Info(s.policies.dialect);
    const bool is_asked_for = dialect.Spelling(s.op.op, info.attribute) != AttributeSpelling::kNone &&
                              !absl::c_linear_search(dialect.Op(s.op.op).may_lack, info.attribute);
    missing |= is_asked_for && PresenceIn(s.info, info.attribute) == AttributePresence::kMandatory;
  });
  return missing ? Decision{Answer::kRefuse, RuleId::kLegalAttributeMissing} : kNoObjection;
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
    case ElementClass::kBlockScaled:
      return {Answer::kRefuse, RuleId::kLegalInputUnsigned};
    case ElementClass::kUnsigned:
    case ElementClass::kSigned:
      return {Answer::kEither, RuleId::kLegalInputUnsigned};
    case ElementClass::kSignless:
      break;
  }
  return s.input_type == ElementType::kI4 ? Decision{Answer::kEither, RuleId::kLegalInputUnsigned} : kNoObjection;
}

}  // namespace tosaic
