// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/illegality.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "generators/attributes.h"
#include "generators/element_bits.h"
#include "generators/illegal_operands.h"
#include "generators/illegal_shapes.h"
#include "generators/program_edits.h"
#include "generators/typed_op.h"

namespace tosaic {
namespace {

// --- Applicability -----------------------------------------------------------------------------------------------

bool Always(const OpInfo&, ElementType, ElementType) { return true; }
bool Broadcasts(const OpInfo& op, ElementType, ElementType) { return BroadcastOperandCount(op) >= 2; }
bool IsBroadcast(const OpInfo& op, ElementType, ElementType) { return op.result_shape == ResultShape::kBroadcast; }
bool HasInputsShape(const OpInfo& op, ElementType, ElementType) { return op.result_shape == ResultShape::kInput; }
bool HasNewShape(const OpInfo& op, ElementType, ElementType) { return HasNewShape(op); }
bool HasTwoInputs(const OpInfo& op, ElementType, ElementType) {
  return absl::c_count(op.operands, OperandRole::kInput) >= 2;
}
template <OperandRole kRole>
bool Has(const OpInfo& op, ElementType, ElementType) {
  return HasRole(op, kRole);
}
bool HasBounds(const OpInfo& op, ElementType, ElementType) {
  return absl::c_any_of(op.attributes, [](Attribute attribute) { return Info(attribute).at_most.has_value(); });
}
bool FixesResultType(const OpInfo& op, ElementType, ElementType) { return op.dialect.result != DialectResult::kAny; }
bool HasFloatBounds(const OpInfo& op, ElementType input, ElementType result) {
  return HasBounds(op, input, result) && IsFloat(input);
}
template <OperandRole kZeroPoint>
bool HasFixed(const OpInfo& op, ElementType input, ElementType result) {
  return HasRole(op, kZeroPoint) && TypeOfOperand(kZeroPoint, input, result) != ElementType::kI8;
}
bool IsMandatory(const OpInfo& op, Attribute attribute) {
  return HasAttribute(op, attribute) && PresenceIn(op, attribute) == AttributePresence::kMandatory;
}
bool HasMandatoryAttribute(const OpInfo& op, ElementType, ElementType) {
  return absl::c_any_of(op.attributes, [&](Attribute attribute) { return IsMandatory(op, attribute); });
}

// --- Element types -----------------------------------------------------------------------------------------------

void MismatchInputTypes(ChoiceSource& choices, Program& program) {
  const std::vector<size_t> inputs = OperandsOf(program, OperandRole::kInput);
  const size_t k = inputs[choices.Below(inputs.size())];
  SetOperandElementType(program, k, DrawOther(choices, OperandType(program, k).element_type));
}

void WrongResultType(ChoiceSource& choices, Program& program) {
  const ElementType input = InputElementType(program, TheOp(program));
  std::vector<ElementType> wrong;
  for (ElementType type : kCommonTypes) {
    if (!DialectAccepts(TheRow(program), input, type)) wrong.push_back(type);
  }
  const ElementType type = TheOp(program).result.element_type = wrong[choices.Below(wrong.size())];
  for (const size_t k : OperandsOf(program, OperandRole::kOutputZeroPoint)) SetOperandElementType(program, k, type);
}

bool AcceptsAsInput(const OpInfo& op, ElementType input) {
  for (const ElementTypeInfo& result : AllElementTypes()) {
    if (DialectAccepts(op, input, result.type)) return true;
  }
  return false;
}

// Gives the inputs a type, and what must have the same: zero points, bounds, of most ops the result. A shift becomes 0,
// which is right for all types.
void SetInputType(Program& program, ElementType type) {
  OpApplication& op = TheOp(program);
  for (size_t k = 0; k < op.operands.size(); ++k) {
    const OperandRole role = TheRow(program).operands[k];
    const ElementType own = TypeOfOperand(role, type, op.result.element_type, op.attributes);
    const bool is_table = Info(role).access == OperandAccess::kLookup;
    const auto entries = static_cast<int64_t>(LookupIn(type).entries);
    SetOperandType(program, k, {is_table ? Shape::OfSizes({entries}) : OperandType(program, k).shape, own});
  }
  ForEachBounds(op.attributes, [&](const AttributeInfo&, auto& lower, const AttributeInfo&, auto& upper) {
    if (lower) lower = TypedBits{type, 0};
    if (upper) upper = TypedBits{type, 1};
  });
  if (TheRow(program).dialect.result == DialectResult::kSameAsInputs) op.result.element_type = type;
}

// A type that the dialect does not accept for the op, consistently wherever the inputs' type stands.
void UseForeignType(ChoiceSource& choices, Program& program) {
  const OpInfo& row = TheRow(program);
  std::vector<ElementType> foreign;
  for (const ElementTypeInfo& info : AllElementTypes()) {
    if (!AcceptsAsInput(row, info.type)) foreign.push_back(info.type);
  }
  SetInputType(program, foreign[choices.Below(foreign.size())]);
}

void MistypeCondition(ChoiceSource& choices, Program& program) {
  SetOperandElementType(program, OperandsOf(program, OperandRole::kCondition).front(),
                        DrawOther(choices, ElementType::kI1));
}

// --- Attributes --------------------------------------------------------------------------------------------------

struct Bounds {
  TypedBits& lower;
  TypedBits& upper;
};

// The op's bounds. REQUIRES: it has some.
Bounds BoundsOf(Program& program) {
  std::optional<TypedBits>* bounds[2] = {};
  ForEachBounds(TheOp(program).attributes, [&](const AttributeInfo&, auto& lower, const AttributeInfo&, auto& upper) {
    if (!lower) return;
    bounds[0] = &lower;
    bounds[1] = &upper;
  });
  return {bounds[0]->value(), bounds[1]->value()};
}

void SwapBounds(ChoiceSource& choices, Program& program) {
  const auto& [lower, upper] = BoundsOf(program);
  const bool far_apart = choices.Chance(1, 2);
  lower.bits = far_apart ? HighestBits(lower.type) : OneBits(lower.type);
  upper.bits = far_apart ? LowestBits(lower.type) : 0;
}

void MakeBoundNan(ChoiceSource& choices, Program& program) {
  const auto& [lower, upper] = BoundsOf(program);
  TypedBits& bound = choices.Chance(1, 2) ? upper : lower;
  bound.bits = QuietNanBits(bound.type);
}

// A common type other than `type`, mostly of its kind: integers or floats.
ElementType DrawSimilar(ChoiceSource& choices, ElementType type) {
  ElementType drawn = DrawOther(choices, type);
  for (int tries = 3; tries > 0 && IsFloat(drawn) != IsFloat(type); --tries) drawn = DrawOther(choices, type);
  return drawn;
}

// Both bounds, which then agree with each other but not with the input, or one.
void MistypeBounds(ChoiceSource& choices, Program& program) {
  const auto& [lower, upper] = BoundsOf(program);
  const ElementType type = DrawSimilar(choices, lower.type);
  const uint64_t kind = choices.Below(4);
  // The order of the bounds stays: below everything, or above.
  if (kind != 0) upper = {type, HighestBits(type)};
  if (kind != 1) lower = {type, LowestBits(type)};
}

void DropAttribute(ChoiceSource& choices, Program& program) {
  std::vector<Attribute> mandatory;
  absl::c_copy_if(TheRow(program).attributes, std::back_inserter(mandatory),
                  [&](Attribute attribute) { return IsMandatory(TheRow(program), attribute); });
  const Attribute dropped = mandatory[mandatory.size() > 1 ? choices.Below(mandatory.size()) : 0];
  ForEachAttribute(TheOp(program).attributes, [&](const AttributeInfo& info, auto& value) {
    if (info.attribute == dropped) value.reset();
  });
}

// Breaks one of the ERROR_IFs of RESCALE that the types have.
void BreakRescale(ChoiceSource& choices, Program& program) {
  Attributes& attributes = TheOp(program).attributes;
  const ElementType input = OperandType(program, 0).element_type;
  if (choices.Chance(4, 5)) {
    attributes.input_unsigned = choices.Chance(1, 2);
    attributes.output_unsigned = !*attributes.input_unsigned;
    if (SidesSuit(attributes, input, TheOp(program).result.element_type)) {
      attributes.input_unsigned = attributes.output_unsigned = true;
    }
    return;
  }
  // A scale of 32 bits, or, where that suits, DOUBLE_ROUND without it.
  const bool scale32 = !ScaleSuits({.scale32 = true}, input);
  if (!scale32) attributes.rounding_mode = RoundingMode::kDoubleRound;
  if (*attributes.scale32 == scale32) return;
  attributes.scale32 = scale32;
  const size_t k = OperandsOf(program, OperandRole::kMultiplier).front();
  SetOperandElementType(program, k, scale32 ? ElementType::kI32 : ElementType::kI16);
}

// --- What the op verifier accepts and tosa-validate refuses ------------------------------------------------------

// Types that the dialect accepts: of the draft of 1.1, or of no version of the specification.
std::vector<ElementType> DialectTypes(const OpInfo& row, ElementType result, bool draft) {
  std::vector<ElementType> types;
  for (const ElementTypeInfo& info : AllElementTypes()) {
    const ElementType result_type = row.dialect.result == DialectResult::kSameAsInputs ? info.type : result;
    if (!DialectAccepts(row, info.type, result_type) || FindSpecTuple(row, info.type, result_type) != nullptr) continue;
    if (IsDraftTuple(row, info.type, result_type) == draft) types.push_back(info.type);
  }
  return types;
}

bool HasDraftType(const OpInfo& row, ElementType, ElementType result) {
  return !DialectTypes(row, result, true).empty();
}
bool HasTypeBeyondSpec(const OpInfo& row, ElementType, ElementType result) {
  return !DialectTypes(row, result, false).empty();
}

void UseDialectType(ChoiceSource& choices, Program& program, bool draft) {
  const std::vector<ElementType> types = DialectTypes(TheRow(program), TheOp(program).result.element_type, draft);
  SetInputType(program, types[choices.Below(types.size())]);
}
void UseDraftType(ChoiceSource& choices, Program& program) { UseDialectType(choices, program, true); }
void UseTypeBeyondSpec(ChoiceSource& choices, Program& program) { UseDialectType(choices, program, false); }

using R = OperandRole;
template <R kRole>
void Mistype(ChoiceSource& choices, Program& program) {
  MistypeOperand(choices, program, kRole);
}
template <R kRole>
void Misshape(ChoiceSource& choices, Program& program) {
  MisshapeOperand(choices, program, kRole);
}
template <R kRole>
void SetFixed(ChoiceSource& choices, Program& program) {
  SetZeroPoint(choices, program, kRole);
}
constexpr bool kShares = true;  // Illegality::shares_place

constexpr Illegality kValidatorIllegalities[] = {
    {"validate-unranked", RuleId::kValidateUnranked, Always, Unrank},
    {"validate-dynamic", RuleId::kValidateDynamic, Always, MakeDynamic},
    {"validate-rank", RuleId::kValidateLevelRank, Always, ExceedRank},
    {"validate-size", RuleId::kValidateLevelSize, Always, ExceedSize},
    {"validate-special-at-run-time", RuleId::kValidateConstantOperand, HasSpecialOperand, MoveSpecialToRunTime},
    {"validate-draft-type", RuleId::kValidateVersion, HasDraftType, UseDraftType},
    {"validate-rescale", RuleId::kLegalRescale, Has<R::kMultiplier>, BreakRescale},
    {"validate-dialect-type", RuleId::kValidateElementType, HasTypeBeyondSpec, UseTypeBeyondSpec},
    {"validate-table-type", RuleId::kValidateElementType, Has<R::kTable>, Mistype<R::kTable>, kShares},
};

constexpr Illegality kIllegalities[] = {
    {"bcast-conflict", RuleId::kBcastInferConflict, Broadcasts, ConflictSizes},
    {"operand-rank-mismatch", RuleId::kLegalRank, Broadcasts, MismatchOperandRank},
    {"rank-expansion", RuleId::kLegalRank, Broadcasts, NeedRankExpansion},
    {"result-rank-mismatch", RuleId::kLegalRank, IsBroadcast, MismatchResultRank},
    {"result-size-wrong", RuleId::kBcastVerifyDifferent, IsBroadcast, WrongResultSize},
    {"result-broadcast", RuleId::kBcastVerifyDifferent, IsBroadcast, BroadcastResult},
    {"result-of-other-rank", RuleId::kLegalResultShape, HasInputsShape, MismatchResultRank},
    {"result-of-other-size", RuleId::kLegalResultShape, HasInputsShape, WrongResultSize},
    {"new-shape", RuleId::kLegalReshape, HasNewShape, BreakNewShape},
    {"zero-size", RuleId::kLegalDimension, Always, ZeroSize},
    {"zero-result-size", RuleId::kLegalDimension, Always, ZeroResultSize},
    {"input-types-differ", RuleId::kLegalElementType, HasTwoInputs, MismatchInputTypes},
    {"result-type-wrong", RuleId::kLegalElementType, FixesResultType, WrongResultType},
    {"foreign-element-type", RuleId::kLegalElementType, Always, UseForeignType},
    {"condition-not-i1", RuleId::kLegalElementType, Has<R::kCondition>, MistypeCondition},
    {"clamp-max-below-min", RuleId::kLegalAttributeBounds, HasBounds, SwapBounds},
    {"clamp-nan-bound", RuleId::kLegalAttributeBounds, HasFloatBounds, MakeBoundNan},
    {"clamp-bound-type", RuleId::kLegalAttributeBounds, HasBounds, MistypeBounds},
    {"missing-attribute", RuleId::kLegalAttributeMissing, HasMandatoryAttribute, DropAttribute},
    {"shift-type", RuleId::kLegalSpecialOperandType, Has<R::kShift>, Mistype<R::kShift>},
    {"channel-shift-type", RuleId::kLegalSpecialOperandType, Has<R::kChannelShift>, Mistype<R::kChannelShift>, kShares},
    {"shift-shape", RuleId::kLegalSpecialOperand, Has<R::kShift>, Misshape<R::kShift>},
    {"shift-out-of-range", RuleId::kLegalShift, Has<R::kShift>, SetShift},
    {"multiplier-type", RuleId::kLegalSpecialOperandType, Has<R::kMultiplier>, Mistype<R::kMultiplier>},
    {"table-type", RuleId::kLegalSpecialOperandType, Has<R::kTable>, Mistype<R::kTable>, kShares},
    {"multiplier-shape", RuleId::kLegalSpecialOperand, Has<R::kMultiplier>, Misshape<R::kMultiplier>},
    {"table-shape", RuleId::kLegalSpecialOperand, Has<R::kTable>, Misshape<R::kTable>, kShares},
    {"channel-shift-shape", RuleId::kLegalSpecialOperand, Has<R::kChannelShift>, Misshape<R::kChannelShift>},
    {"channels-of-scalar", RuleId::kLegalSpecialOperand, Has<R::kMultiplier>, ScaleChannelsOfScalar},
    {"rescale-attributes", RuleId::kLegalRescale, Has<R::kMultiplier>, BreakRescale},
    {"zero-point-nonzero", RuleId::kLegalZeroPoint, HasFixed<R::kZeroPoint>, SetFixed<R::kZeroPoint>},
    {"output-zero-point-nonzero", RuleId::kLegalZeroPoint, HasFixed<R::kOutputZeroPoint>, SetFixed<R::kOutputZeroPoint>,
     kShares},
    {"zero-point-type", RuleId::kLegalSpecialOperandType, Has<R::kZeroPoint>, Mistype<R::kZeroPoint>},
    {"output-zero-point-type", RuleId::kLegalSpecialOperandType, Has<R::kOutputZeroPoint>, Mistype<R::kOutputZeroPoint>,
     kShares},
    {"zero-point-shape", RuleId::kLegalSpecialOperand, Has<R::kZeroPoint>, Misshape<R::kZeroPoint>},
    {"output-zero-point-shape", RuleId::kLegalSpecialOperand, Has<R::kOutputZeroPoint>, Misshape<R::kOutputZeroPoint>,
     kShares},
};

constexpr bool IsRow(void (*apply)(ChoiceSource&, Program&)) {
  return std::ranges::any_of(kIllegalities, [&](const Illegality& row) { return row.apply == apply; });
}
template <size_t... kRoles>
constexpr bool HasRowsOfAll(std::index_sequence<kRoles...>) {
  return (... && (!IsSpecial(R{kRoles}) || (IsRow(Mistype<R{kRoles}>) && IsRow(Misshape<R{kRoles}>))));
}
static_assert(HasRowsOfAll(std::make_index_sequence<std::size(kOperandInfos)>()),
              "each special operand has a row for its type and one for its shape");

}  // namespace

absl::Span<const Illegality> AllIllegalities() { return kIllegalities; }

absl::Span<const Illegality> AllValidatorIllegalities() { return kValidatorIllegalities; }

}  // namespace tosaic
