// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/support_table.h"

#include <cstddef>

#include "absl/algorithm/container.h"
#include "model/unsigned_types.h"

namespace tosaic {
namespace {

bool IsUnranked(const Program& program, const OpApplication& op, Dialect, SpecVersion) {
  for (const TensorType& type : OperandTypes(program, op)) {
    if (!type.shape.IsRanked()) return true;
  }
  return !op.result.shape.IsRanked();
}

bool IsBeyondSpec(const Program& program, const OpApplication& op, Dialect dialect, SpecVersion version) {
  return !HasSpecTypes(program, op, version) || IsLaterDraft(program, op, dialect);
}

bool UsesBlocks(const Program& program, const OpApplication& op, Dialect, SpecVersion) {
  const std::vector<TensorType> types = OperandTypes(program, op);
  return IsBlockScaled(op.result.element_type) ||
         absl::c_any_of(types, [](const TensorType& type) { return IsBlockScaled(type.element_type); });
}

bool UsesFp8(const Program& program, const OpApplication& op, Dialect, SpecVersion) {
  return IsFp8(InputElementType(program, op)) || IsFp8(op.result.element_type);
}

// Lowerings take the parameters from constants, tables apart, which they read from memory.
bool MustBeConstant(OperandRole role) { return IsSpecial(role) && Info(role).access != OperandAccess::kLookup; }

// Whether a parameter of an op can be a value that is only known at run time.
bool HasSpecialOperands(const DialectInfo& dialect) {
  for (size_t role = 0; role < dialect.operands.size(); ++role) {
    const bool is_operand = dialect.operands[role].form == OperandSpelling::Form::kOperand;
    if (is_operand && MustBeConstant(static_cast<OperandRole>(role))) return true;
  }
  return false;
}

bool HasRunTimeSpecialOperand(const Program& program, const OpApplication& op, Dialect, SpecVersion) {
  return HasSpecialOperandAtRunTime(program, op);
}

bool LacksOp(const Program&, const OpApplication& op, Dialect dialect, SpecVersion) {
  return NameIn(Info(op.op), dialect).empty();
}

// Covers the specification's types that an older dialect lacks. Whether the dialect must refuse other types is judged
// at its verifier.
bool LacksTypes(const Program& program, const OpApplication& op, Dialect dialect, SpecVersion version) {
  return dialect < kCanonicalDialect && HasSpecTypes(program, op, version) &&
         !DialectAccepts(Info(op.op), InputElementType(program, op), op.result.element_type, dialect);
}

// A shift or zero point that an attribute cannot express: not a constant of one element or of one per channel, of
// another type, or a float's that is not 0.
bool HasNoSuchAttribute(const Program& program, const OpApplication& op, Dialect dialect, SpecVersion) {
  const OpInfo& info = Info(op.op);
  for (size_t i = WrittenOperandCount(info, Info(dialect)); i < op.operands.size(); ++i) {
    const Tensor* constant = AsConstant(program, op.operands[i]);
    const ElementType type =
        TypeOfOperand(info.operands[i], InputElementType(program, op), op.result.element_type, op.attributes);
    if (constant == nullptr || constant->sizes().size() != 1 || constant->element_type() != type) return true;
    const bool is_list = Info(info.operands[i]).access == OperandAccess::kChannel;
    if (!is_list && constant->element_count() != 1) return true;
    if (IsFloat(type) && ElementToDouble(type, constant->Bits(0)) != 0) return true;
  }
  return false;
}

// Block-scaled types came after MLIR 22.
bool HasNoSuchBlocks(const Program& program, const OpApplication& op, Dialect dialect, SpecVersion version) {
  const bool has_type = absl::c_linear_search(Info(dialect).numbers, ElementType::kBlockF8E4M3FN);
  return !has_type && UsesBlocks(program, op, dialect, version);
}

bool HasOtherBounds(const Program& program, const OpApplication& op, Dialect dialect, SpecVersion) {
  bool has_other = false;
  ForEachBounds(op.attributes, [&](const AttributeInfo& info, const auto& lower, const auto&, const auto& upper) {
    if (Info(dialect).Spelling(op.op, info.attribute) != AttributeSpelling::kUntyped) return;
    const ElementType input = InputElementType(program, op);
    has_other |= (lower && lower->type != input) || (upper && upper->type != input);
  });
  return has_other;
}

// Whether the op says what the dialect cannot spell.
bool LacksWordFor(const OpApplication& op, Dialect dialect, Attribute attribute) {
  return Info(dialect).Spelling(op.op, attribute) == AttributeSpelling::kNone && SaysMore(op.attributes, attribute);
}

bool HasNoNanMode(const Program&, const OpApplication& op, Dialect dialect, SpecVersion) {
  return LacksWordFor(op, dialect, Attribute::kNanMode);
}

// A number that is read as unsigned where the dialect has no word for it, and a rounding that is between those of a
// flag.
bool HasNoSuchWord(const Program& program, const OpApplication& op, Dialect dialect, SpecVersion) {
  const bool is_flag = Info(dialect).Spelling(op.op, Attribute::kRoundingMode) == AttributeSpelling::kFlag;
  const bool lacks_word = op.op == OpKind::kRescale ? HasUnsignedTypes(Info(dialect)) && !WithUnsignedTypes(program)
                                                    : LacksWordFor(op, dialect, Attribute::kInputUnsigned);
  return lacks_word || (is_flag && op.attributes.rounding_mode == RoundingMode::kInexactRound);
}

bool RoundsInexactly(const Program&, const OpApplication& op, Dialect, SpecVersion) {
  return op.attributes.rounding_mode == RoundingMode::kInexactRound;
}

bool HasUnrankedResult(const Program&, const OpApplication& op, Dialect dialect, SpecVersion) {
  return TypingIn(Info(op.op), dialect).ranked_result && !op.result.shape.IsRanked();
}

constexpr SupportEntry kTable[] = {
    {RuleId::kSupportUnranked, "unranked tensors are not lowered", IsUnranked},
    {RuleId::kSupportSpecialOperand,
     "shifts, multipliers, zero points and tables must be compile-time constants; the op verifier lets others pass",
     HasRunTimeSpecialOperand, false, HasSpecialOperands},
    {RuleId::kSupportBeyondSpec, "element types that the specification lacks need not be lowered", IsBeyondSpec},
    {RuleId::kSupportFp8, "f8E4M3FN and f8E5M2 are an extension that a toolchain may decline", UsesFp8},
    {RuleId::kSupportBlockScaled, "block-scaled types are an extension that a toolchain may decline", UsesBlocks},
    {RuleId::kSupportInexactRound, "INEXACT_ROUND is an extension that a toolchain may decline", RoundsInexactly},
    {RuleId::kSupportNoSuchOp, "the dialect of this version has no such op", LacksOp, true},
    {RuleId::kSupportNoSuchType, "the dialect of this version has no such element types for this op", LacksTypes, true},
    {RuleId::kSupportNoBlocks, "the dialect of this version has no block-scaled types", HasNoSuchBlocks, true},
    {RuleId::kSupportNoSuchAttribute, "shift and zero points are integer attributes in the dialect of this version",
     HasNoSuchAttribute, true},
    {RuleId::kSupportNoSuchWord,
     "the dialect of this version cannot say that this op reads or makes an unsigned number, or rounds inexactly",
     HasNoSuchWord, true},
    {RuleId::kSupportOtherBounds, "the bounds of clamp have the input's type in the dialect of this version",
     HasOtherBounds, true},
    {RuleId::kSupportNanMode, "the dialect of this version always propagates a NaN", HasNoNanMode, true},
    {RuleId::kSupportRankedResult, "the result of reshape is ranked in the dialect of this version", HasUnrankedResult,
     true},
};

}  // namespace

absl::Span<const SupportEntry> SupportTable() { return kTable; }

bool HoldsFor(const SupportEntry& entry, Dialect dialect) {
  const bool holds_for_newer = entry.rule == RuleId::kSupportNoSuchWord || entry.rule == RuleId::kSupportNoBlocks;
  if (entry.unwritable) return dialect < kCanonicalDialect || holds_for_newer;
  return entry.only_if == nullptr || entry.only_if(Info(dialect));
}

bool IsLaterDraft(const Program& program, const OpApplication& op, Dialect dialect) {
  if (Info(dialect).draft_casts_of_i1) return false;
  const ElementType input = InputElementType(program, op), result = op.result.element_type;
  return op.op == OpKind::kCast && IsDraftTuple(Info(op.op), input, result) &&
         (input == ElementType::kI1 || result == ElementType::kI1);
}

const SupportEntry* FindSupportEntry(const Program& program, Dialect dialect, SpecVersion version) {
  for (const SupportEntry& entry : kTable) {
    // A program that cannot be written never reaches the lowering that might refuse it.
    if (entry.unwritable || !HoldsFor(entry, dialect)) continue;
    for (const OpApplication& op : program.ops) {
      if (entry.covers(program, op, dialect, version)) return &entry;
    }
  }
  return nullptr;
}

// The version of the specification makes no difference: what can be written depends on the dialect alone.
const SupportEntry* FindUnwritable(const Program& program, Dialect dialect) {
  for (const SupportEntry& entry : kTable) {
    for (const OpApplication& op : program.ops) {
      if (entry.unwritable && entry.covers(program, op, dialect, SpecVersion::k1_0_2)) return &entry;
    }
  }
  return nullptr;
}

}  // namespace tosaic
