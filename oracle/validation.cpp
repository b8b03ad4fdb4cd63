// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/validation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "absl/algorithm/container.h"
#include "model/support_table.h"
#include "oracle/category.h"
#include "oracle/reshape.h"

namespace tosaic {
namespace {

using Level = ValidationTarget::Level;
using Version = ValidationTarget::Version;

// The declared types of an op's operands and result, including shift and zero points.
std::vector<TensorType> Types(const Program& program, const OpApplication& op) {
  std::vector<TensorType> types = OperandTypes(program, op);
  types.push_back(op.result);
  return types;
}

// Whether the target has a profile; or an extension, and a profile that it extends (tosa.xml: profile_supported).
bool Has(const ValidationTarget& target, Capability capability) {
  if (target.capabilities.count(capability) == 0) return false;
  switch (capability) {
    case Capability::kProInt:
    case Capability::kProFp:
      return true;
    case Capability::kInt4:
    case Capability::kInt16:
    case Capability::kDoubleRound:
    case Capability::kInexactRound:
      return Has(target, Capability::kProInt);
    case Capability::kDynamic:
    case Capability::kShape:
    case Capability::kInt64:
      return Has(target, Capability::kProInt) || Has(target, Capability::kProFp);
    case Capability::kBf16:
    case Capability::kFp8E4M3:
    case Capability::kFp8E5M2:
    case Capability::kMxCommon:
    case Capability::kMxFp4E2M1:
    case Capability::kMxFp6E2M3:
    case Capability::kMxFp6E3M2:
    case Capability::kMxFp8E4M3:
    case Capability::kMxFp8E5M2:
    case Capability::kMxInt8:
      return Has(target, Capability::kProFp);
  }
  return false;
}

bool Supports(const ValidationTarget& target, Profile profile) {
  const auto has_block = [&](Capability of_value) {
    return Has(target, Capability::kMxCommon) && Has(target, of_value);
  };
  auto has = [&](Capability capability) { return Has(target, capability); };
  switch (profile) {
    case Profile::kProInt:
      return has(Capability::kProInt);
    case Profile::kProFp:
      return has(Capability::kProFp);
    case Profile::kProIntOrFp:
      return has(Capability::kProInt) || has(Capability::kProFp);
    case Profile::kExtBf16:
      return has(Capability::kBf16);
    case Profile::kExtInt4:
      return has(Capability::kInt4);
    case Profile::kExtInt16:
      return has(Capability::kInt16);
    case Profile::kExtFp8E4M3:
      return has(Capability::kFp8E4M3);
    case Profile::kExtFp8E5M2:
      return has(Capability::kFp8E5M2);
    case Profile::kExtBf16AndFp8E4M3:
      return has(Capability::kBf16) && has(Capability::kFp8E4M3);
    case Profile::kExtBf16AndFp8E5M2:
      return has(Capability::kBf16) && has(Capability::kFp8E5M2);
    case Profile::kExtInt64:
      return has(Capability::kInt64);
    case Profile::kExtMxFp8E4M3:
      return has_block(Capability::kMxFp8E4M3);
    case Profile::kExtMxFp8E5M2:
      return has_block(Capability::kMxFp8E5M2);
    case Profile::kExtMxFp6E3M2:
      return has_block(Capability::kMxFp6E3M2);
    case Profile::kExtMxFp6E2M3:
      return has_block(Capability::kMxFp6E2M3);
    case Profile::kExtMxFp4E2M1:
      return has_block(Capability::kMxFp4E2M1);
    case Profile::kExtMxInt8:
      return has_block(Capability::kMxInt8);
    case Profile::kDeduced:  // by the types of the op: SupportsTuple
      return true;
  }
  return false;
}

// Constant operands are separate ops, CONST, with their own table (tosa.xml: CONST). If CONST lacks an element type, no
// op has it: validate.element-type.
bool SupportsConstant(const ValidationTarget& target, ElementType type) {
  const std::optional<Profile> profile = Info(type).constants;
  return !profile || Supports(target, *profile);
}

// DEDUCE-EXT: "the required extension set is deduced from the concrete input and output data types"
// (introduction.adoc).
bool SupportsTuple(const ValidationTarget& target, const TypeTuple& tuple) {
  if (tuple.profile != Profile::kDeduced) return Supports(target, tuple.profile);
  return SupportsConstant(target, tuple.input) && SupportsConstant(target, tuple.result);
}

// The op's tuple, including those of the draft of 1.1.
const TypeTuple* TupleOf(const Program& program, const OpApplication& op) {
  return FindSpecTuple(Info(op.op), InputElementType(program, op), op.result.element_type, SpecVersion::k1_1);
}

bool IsDraft(const Program& program, const OpApplication& op) {
  return TupleOf(program, op) && !HasSpecTypes(program, op);
}

size_t MaxRank(Level level) { return level == Level::k8K ? 6 : 32; }

int64_t MaxBytes(Level level) {
  return level == Level::k8K ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int64_t>::max();
}

// "The element size in bytes (which is taken to be 1 for elements smaller than a 8-bit)" (introduction.adoc, Tensors).
// Compiled code gives an i48 eight bytes, but its size is six.
int64_t ElementBytes(ElementType type) { return (BitWidth(type) + 7) / 8; }

bool IsTooLarge(const TensorType& type, Level level) {
  if (!type.shape.IsStatic()) return false;
  int64_t bytes = ElementBytes(type.element_type);
  for (Dim dim : type.shape.dims()) {
    if (dim.size() > 0 && bytes > MaxBytes(level) / dim.size()) return true;
    bytes *= dim.size();
  }
  return bytes > MaxBytes(level);
}

bool HasDynamicDim(const Shape& shape) { return shape.IsRanked() && !shape.IsStatic(); }

// Whether a table is of another type than the input, which is the only one that the specification has.
bool HasOtherTable(const Program& program, const OpApplication& op) {
  return LooksUp(Info(op.op)) && ElementTypeOf(program, op.operands.back()) != InputElementType(program, op);
}

// The extension that a rounding mode belongs to (tosa.xml: rounding_mode_t).
std::optional<Capability> ExtensionOf(RoundingMode mode) {
  switch (mode) {
    case RoundingMode::kSingleRound:
      return std::nullopt;
    case RoundingMode::kInexactRound:
      return Capability::kInexactRound;
    case RoundingMode::kDoubleRound:
      return Capability::kDoubleRound;
  }
  return std::nullopt;
}

// The validator's own rules that an op breaks, in the order of model/rules.def.
std::vector<RuleId> BrokenValidationRules(const Program& program, const OpApplication& op,
                                          const ValidationTarget& target) {
  std::vector<RuleId> broken;
  const TypeTuple* tuple = TupleOf(program, op);
  if (tuple == nullptr || HasOtherTable(program, op)) broken.push_back(RuleId::kValidateElementType);
  if (IsDraft(program, op) && target.version == Version::k1_0) broken.push_back(RuleId::kValidateVersion);
  const bool constants_fit = std::all_of(op.operands.begin(), op.operands.end(), [&](ValueRef operand) {
    const Tensor* constant = AsConstant(program, operand);
    return constant == nullptr || SupportsConstant(target, constant->element_type());
  });
  const bool types_fit = tuple == nullptr || SupportsTuple(target, *tuple);
  const bool rounds =
      op.attributes.round.value_or(false) && target.version != Version::k1_0;  // ARITHMETIC_RIGHT_SHIFT: ERROR_IF
  const bool rounding_fits = !rounds || Has(target, Capability::kProInt);
  const std::optional<Capability> of_mode =
      ExtensionOf(op.attributes.rounding_mode.value_or(RoundingMode::kSingleRound));
  const bool mode_fits = !of_mode || Has(target, *of_mode);
  // The new shape is an op of its own, CONST_SHAPE, which both profiles have (Shape operators: CONST_SHAPE).
  const bool shape_fits = !HasNewShape(Info(op.op)) || Supports(target, Profile::kProIntOrFp);
  if (!types_fit || !constants_fit || !rounding_fits || !mode_fits || !shape_fits)
    broken.push_back(RuleId::kValidateProfile);
  if (HasSpecialOperandAtRunTime(program, op) && !Has(target, Capability::kDynamic)) {
    broken.push_back(RuleId::kValidateConstantOperand);
  }
  if (target.strict && LeavesASizeOpen(op)) broken.push_back(RuleId::kValidateNewShape);
  const std::vector<TensorType> types = Types(program, op);
  auto any = [&](auto has) { return std::any_of(types.begin(), types.end(), has); };
  if (any([](const TensorType& type) { return !type.shape.IsRanked(); })) broken.push_back(RuleId::kValidateUnranked);
  if (target.version == Version::k1_0 && any([](const TensorType& type) { return HasDynamicDim(type.shape); })) {
    broken.push_back(RuleId::kValidateDynamic);
  }
  if (any([&](const TensorType& t) { return t.shape.IsRanked() && t.shape.rank() > MaxRank(target.level); })) {
    broken.push_back(RuleId::kValidateLevelRank);
  }
  if (any([&](const TensorType& type) { return IsTooLarge(type, target.level); })) {
    broken.push_back(RuleId::kValidateLevelSize);
  }
  return broken;
}

}  // namespace

Legality JudgeValidity(const Program& program, const ValidationTarget& target, const Policies& policies) {
  Legality validity = JudgeLegality(program, policies);
  validity.inferred.reset();
  validity.beyond_spec = false;
  if (validity.answer == Answer::kRefuse) return validity;
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const std::vector<RuleId> broken = BrokenValidationRules(program, program.ops[i], target);
    if (broken.empty() && IsLaterDraft(program, program.ops[i], policies.dialect)) {
      validity.answer = Answer::kEither;
      validity.rule = RuleId::kValidateVersion;
    }
    if (broken.empty() && LeavesASizeOpen(program.ops[i])) {
      validity.answer = Answer::kEither;
      validity.rule = RuleId::kValidateNewShape;
    }
    if (broken.empty()) continue;
    Legality refused;
    refused.answer = Answer::kRefuse;
    refused.rule = broken.front();
    refused.op_index = static_cast<int>(i);
    return refused;
  }
  const bool is_strict_rule = validity.rule == RuleId::kLegalShift || validity.rule == RuleId::kLegalRescale;
  if (target.strict && is_strict_rule) validity.answer = Answer::kRefuse;
  return validity;
}

std::vector<Category> BrokenCategories(const Program& program, const ValidationTarget& target,
                                       const Policies& policies) {
  std::vector<Category> categories = BrokenCategories(program, policies);
  for (const OpApplication& op : program.ops) {
    AddCategories(BrokenValidationRules(program, op, target), &categories);
    if (IsLaterDraft(program, op, policies.dialect)) AddCategories({RuleId::kValidateElementType}, &categories);
  }
  return categories;
}

}  // namespace tosaic
