// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/illegality.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "generators/element_bits.h"
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
bool HasCondition(const OpInfo& op, ElementType, ElementType) { return HasRole(op, OperandRole::kCondition); }
bool HasShift(const OpInfo& op, ElementType, ElementType) { return HasRole(op, OperandRole::kShift); }
bool HasMultiplier(const OpInfo& op, ElementType, ElementType) { return HasRole(op, OperandRole::kMultiplier); }
bool HasZeroPoint(const OpInfo& op, ElementType, ElementType) { return HasRole(op, OperandRole::kZeroPoint); }
bool HasBounds(const OpInfo& op, ElementType, ElementType) {
  return absl::c_any_of(op.attributes, [](Attribute attribute) { return Info(attribute).at_most.has_value(); });
}
bool FixesResultType(const OpInfo& op, ElementType, ElementType) { return op.dialect.result != DialectResult::kAny; }
bool HasFloatBounds(const OpInfo& op, ElementType input, ElementType result) {
  return HasBounds(op, input, result) && IsFloat(input);
}
bool HasFixedZeroPoint(const OpInfo& op, ElementType input, ElementType result) {
  return HasZeroPoint(op, input, result) && input != ElementType::kI8;
}
bool IsMandatory(const OpInfo& op, Attribute attribute) {
  return HasAttribute(op, attribute) && PresenceIn(op, attribute) == AttributePresence::kMandatory;
}
bool HasMandatoryAttribute(const OpInfo& op, ElementType, ElementType) {
  return absl::c_any_of(op.attributes, [&](Attribute attribute) { return IsMandatory(op, attribute); });
}

// --- Element types -----------------------------------------------------------------------------------------------

constexpr ElementType kCommonTypes[] = {ElementType::kI1,  ElementType::kI8,   ElementType::kI16, ElementType::kI32,
                                        ElementType::kF16, ElementType::kBF16, ElementType::kF32};

// Draws a common type other than `type`.
ElementType DrawOther(ChoiceSource& choices, ElementType type) {
  const ElementType drawn = choices.Pick(absl::Span<const ElementType>(kCommonTypes));
  if (drawn != type) return drawn;
  return type == ElementType::kF32 ? ElementType::kI32 : ElementType::kF32;
}

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

// --- Shift and zero points ---------------------------------------------------------------------------------------

size_t DrawOperand(ChoiceSource& choices, const Program& program, OperandRole role) {
  const std::vector<size_t> positions = OperandsOf(program, role);
  return positions[choices.Below(positions.size())];
}

// tensor<2x>, tensor<1x1x> or rank 0 instead of tensor<1x>.
void MisshapeSpecial(ChoiceSource& choices, Program& program, OperandRole role) {
  const std::vector<int64_t> wrong[] = {{2}, {1, 1}, {}};
  SetOperandShape(program, DrawOperand(choices, program, role), Shape::OfSizes(wrong[choices.Below(3)]));
}

void MistypeSpecial(ChoiceSource& choices, Program& program, OperandRole role) {
  const size_t k = DrawOperand(choices, program, role);
  SetOperandElementType(program, k, DrawOther(choices, OperandType(program, k).element_type));
}

void MisshapeShift(ChoiceSource& c, Program& program) { MisshapeSpecial(c, program, OperandRole::kShift); }
void MistypeShift(ChoiceSource& c, Program& program) { MistypeSpecial(c, program, OperandRole::kShift); }
void MisshapeZeroPoint(ChoiceSource& c, Program& program) { MisshapeSpecial(c, program, OperandRole::kZeroPoint); }
void MistypeZeroPoint(ChoiceSource& c, Program& program) { MistypeSpecial(c, program, OperandRole::kZeroPoint); }

void MistypeMultiplier(ChoiceSource& c, Program& program) { MistypeSpecial(c, program, OperandRole::kMultiplier); }

// One element more than there are channels.
void Lengthen(Program& program, OperandRole role) {
  const size_t k = OperandsOf(program, role).front();
  SetOperandShape(program, k, Shape::OfSizes({OperandType(program, k).shape[0].size() + 1}));
}

void MisshapeMultiplier(ChoiceSource&, Program& program) { Lengthen(program, OperandRole::kMultiplier); }

// The shift alone, or with the multiplier, so that these two agree.
void MisshapeChannelShift(ChoiceSource& choices, Program& program) {
  Lengthen(program, OperandRole::kChannelShift);
  if (choices.Chance(1, 3)) Lengthen(program, OperandRole::kMultiplier);
}

// An input of rank 0, which has no last dimension. Multiplier and shift have one element, as for a single channel.
void ScaleChannelsOfScalar(ChoiceSource&, Program& program) {
  SetOperandShape(program, 0, Shape::OfSizes({}));  // clears per_channel
  TheOp(program).attributes.per_channel = true;
  TheOp(program).result.shape = Shape::OfSizes({});
}

// Breaks one of the ERROR_IFs of RESCALE that the types have.
void BreakRescale(ChoiceSource& choices, Program& program) {
  Attributes& attributes = TheOp(program).attributes;
  const ElementType input = OperandType(program, 0).element_type;
  if (choices.Chance(4, 5)) {
    // Beside an i32 or i48 no side may be unsigned, and elsewhere not both.
    const bool is_wide = std::max(BitWidth(input), BitWidth(TheOp(program).result.element_type)) >= 32;
    const bool only_one = choices.Chance(1, 2);
    attributes.input_unsigned = !is_wide || only_one;
    attributes.output_unsigned = !is_wide || !only_one;
    return;
  }
  const bool is_i48 = input == ElementType::kI48;
  if (!is_i48) attributes.rounding_mode = RoundingMode::kDoubleRound;
  if (*attributes.scale32 == is_i48) return;
  attributes.scale32 = is_i48;
  const size_t k = OperandsOf(program, OperandRole::kMultiplier).front();
  SetOperandElementType(program, k, is_i48 ? ElementType::kI32 : ElementType::kI16);
}

void SetZeroPoint(ChoiceSource& choices, Program& program) {
  const size_t k = DrawOperand(choices, program, OperandRole::kZeroPoint);
  Tensor& zero_point = program.constants[TheOp(program).operands[k].index];
  const ElementType type = zero_point.element_type();
  zero_point.SetBits(0,
                     IsFloat(type) ? EncodeFloat(type, 1) : 1 + choices.Below(std::min<uint64_t>(100, BitMask(type))));
}

// Outside 0..63, or not 0 where it must be.
void SetShift(ChoiceSource& choices, Program& program) {
  const size_t k = DrawOperand(choices, program, OperandRole::kShift);
  const bool may_shift = OperandType(program, 0).element_type == ElementType::kI32;
  const uint64_t wrong = may_shift ? choices.Between(64, 255) : choices.Between(1, 255);
  program.constants[TheOp(program).operands[k].index].SetBits(0, wrong);
}

// --- What the op verifier accepts and tosa-validate refuses ------------------------------------------------------

void MoveSpecialToRunTime(ChoiceSource& choices, Program& program) {
  const size_t first = BroadcastOperandCount(TheRow(program));
  const size_t k = first + choices.Below(TheOp(program).operands.size() - first);
  TheOp(program).operands[k] = AddArgument(program, OperandType(program, k));
}

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

constexpr Illegality kValidatorIllegalities[] = {
    {"validate-unranked", RuleId::kValidateUnranked, Always, Unrank},
    {"validate-dynamic", RuleId::kValidateDynamic, Always, MakeDynamic},
    {"validate-rank", RuleId::kValidateLevelRank, Always, ExceedRank},
    {"validate-size", RuleId::kValidateLevelSize, Always, ExceedSize},
    {"validate-special-at-run-time", RuleId::kValidateConstantOperand, HasSpecialOperand, MoveSpecialToRunTime},
    {"validate-draft-type", RuleId::kValidateVersion, HasDraftType, UseDraftType},
    {"validate-rescale", RuleId::kLegalRescale, HasMultiplier, BreakRescale},
    {"validate-dialect-type", RuleId::kValidateElementType, HasTypeBeyondSpec, UseTypeBeyondSpec},
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
    {"condition-not-i1", RuleId::kLegalElementType, HasCondition, MistypeCondition},
    {"clamp-max-below-min", RuleId::kLegalAttributeBounds, HasBounds, SwapBounds},
    {"clamp-nan-bound", RuleId::kLegalAttributeBounds, HasFloatBounds, MakeBoundNan},
    {"clamp-bound-type", RuleId::kLegalAttributeBounds, HasBounds, MistypeBounds},
    {"missing-attribute", RuleId::kLegalAttributeMissing, HasMandatoryAttribute, DropAttribute},
    {"shift-type", RuleId::kLegalSpecialOperandType, HasShift, MistypeShift},
    {"shift-shape", RuleId::kLegalSpecialOperand, HasShift, MisshapeShift},
    {"shift-out-of-range", RuleId::kLegalShift, HasShift, SetShift},
    {"multiplier-type", RuleId::kLegalSpecialOperandType, HasMultiplier, MistypeMultiplier},
    {"multiplier-shape", RuleId::kLegalSpecialOperand, HasMultiplier, MisshapeMultiplier},
    {"channel-shift-shape", RuleId::kLegalSpecialOperand, HasMultiplier, MisshapeChannelShift},
    {"channels-of-scalar", RuleId::kLegalSpecialOperand, HasMultiplier, ScaleChannelsOfScalar},
    {"rescale-attributes", RuleId::kLegalRescale, HasMultiplier, BreakRescale},
    {"zero-point-nonzero", RuleId::kLegalZeroPoint, HasFixedZeroPoint, SetZeroPoint},
    {"zero-point-type", RuleId::kLegalSpecialOperandType, HasZeroPoint, MistypeZeroPoint},
    {"zero-point-shape", RuleId::kLegalSpecialOperand, HasZeroPoint, MisshapeZeroPoint},
};

}  // namespace

absl::Span<const Illegality> AllIllegalities() { return kIllegalities; }

absl::Span<const Illegality> AllValidatorIllegalities() { return kValidatorIllegalities; }

}  // namespace tosaic
