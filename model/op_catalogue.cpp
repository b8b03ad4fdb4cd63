// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/op_catalogue.h"

#include <algorithm>
#include <cstddef>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "codec/json.h"
#include "codec/names.h"
#include "model/draft_tuples.h"

namespace tosaic {
namespace {

using E = ElementType;
using P = Profile;

constexpr OperandRole kUnary[] = {OperandRole::kInput};
constexpr OperandRole kBinary[] = {OperandRole::kInput, OperandRole::kInput};
constexpr OperandRole kBinaryAndShift[] = {OperandRole::kInput, OperandRole::kInput, OperandRole::kShift};
constexpr OperandRole kUnaryAndZeroPoints[] = {OperandRole::kInput, OperandRole::kZeroPoint, OperandRole::kZeroPoint};
constexpr OperandRole kReshaped[] = {OperandRole::kReshaped};
constexpr OperandRole kLookedUp[] = {OperandRole::kInput, OperandRole::kTable};
constexpr OperandRole kRescaled[] = {OperandRole::kInput, OperandRole::kMultiplier, OperandRole::kChannelShift,
                                     OperandRole::kZeroPoint, OperandRole::kOutputZeroPoint};
constexpr OperandRole kConditionAndBinary[] = {OperandRole::kCondition, OperandRole::kInput, OperandRole::kInput};

constexpr Attribute kClampAttributes[] = {Attribute::kMinVal, Attribute::kMaxVal, Attribute::kNanMode};
constexpr Attribute kNanModeAttribute[] = {Attribute::kNanMode};
constexpr Attribute kRoundAttribute[] = {Attribute::kRound};
constexpr Attribute kRescaleAttributes[] = {Attribute::kScale32, Attribute::kRoundingMode, Attribute::kPerChannel,
                                            Attribute::kInputUnsigned, Attribute::kOutputUnsigned};
constexpr Attribute kInputUnsignedAttribute[] = {Attribute::kInputUnsigned};
constexpr Attribute kNewShapeAttribute[] = {Attribute::kNewShape};

// Element-type tuples: columns 2 of the table in tosa-semantics.md, "Ops".
constexpr TypeTuple Same(ElementType type, Profile profile) { return {type, type, profile}; }
constexpr TypeTuple kF16 = Same(E::kF16, P::kProFp);
constexpr TypeTuple kF32 = Same(E::kF32, P::kProFp);
constexpr TypeTuple kBF16 = Same(E::kBF16, P::kExtBf16);

constexpr TypeTuple kFloatTypes[] = {kF16, kF32, kBF16};
constexpr TypeTuple kBoolTypes[] = {Same(E::kI1, P::kProIntOrFp)};
constexpr TypeTuple kI32Int[] = {Same(E::kI32, P::kProInt)};
constexpr TypeTuple kI32AnyProfile[] = {Same(E::kI32, P::kProIntOrFp)};
constexpr TypeTuple kIntTypes[] = {Same(E::kI8, P::kProInt), Same(E::kI16, P::kProInt), Same(E::kI32, P::kProInt)};
constexpr TypeTuple kIntTypesAnyProfile[] = {Same(E::kI8, P::kProIntOrFp), Same(E::kI16, P::kProIntOrFp),
                                             Same(E::kI32, P::kProIntOrFp)};
constexpr TypeTuple kArithmeticTypes[] = {Same(E::kI32, P::kProIntOrFp), kF16, kF32, kBF16};
constexpr TypeTuple kMinMaxTypes[] = {Same(E::kI32, P::kProInt), kF16, kF32, kBF16};
constexpr TypeTuple kClampTypes[] = {Same(E::kI8, P::kProInt), Same(E::kI16, P::kExtInt16), kF16, kF32, kBF16};
constexpr TypeTuple kNegateTypes[] = {
    Same(E::kI8, P::kProInt), Same(E::kI16, P::kProInt), Same(E::kI32, P::kProInt), kF16, kF32, kBF16};
constexpr TypeTuple kMulTypes[] = {{E::kI8, E::kI32, P::kProInt},
                                   {E::kI16, E::kI32, P::kProInt},
                                   {E::kI32, E::kI32, P::kProIntOrFp},
                                   kF16,
                                   kF32,
                                   kBF16};
constexpr TypeTuple kSelectTypes[] = {Same(E::kI1, P::kProIntOrFp),
                                      Same(E::kI8, P::kProInt),
                                      Same(E::kI16, P::kProInt),
                                      Same(E::kI32, P::kProInt),
                                      kF16,
                                      kF32,
                                      kBF16};
constexpr TypeTuple kReshapeTypes[] = {Same(E::kI1, P::kProIntOrFp),
                                       Same(E::kI8, P::kProInt),
                                       Same(E::kI16, P::kProInt),
                                       Same(E::kI32, P::kProInt),
                                       Same(E::kF8E4M3FN, P::kExtFp8E4M3),
                                       Same(E::kF8E5M2, P::kExtFp8E5M2),
                                       kF16,
                                       kF32,
                                       kBF16};
constexpr TypeTuple kTableTypes[] = {Same(E::kI8, P::kProInt), {E::kI16, E::kI32, P::kExtInt16}};
constexpr TypeTuple kRescaleTypes[] = {
    Same(E::kI8, P::kProInt),        {E::kI8, E::kI16, P::kProInt},    {E::kI8, E::kI32, P::kProInt},
    {E::kI16, E::kI8, P::kProInt},   Same(E::kI16, P::kProInt),        {E::kI16, E::kI32, P::kProInt},
    {E::kI32, E::kI8, P::kProInt},   {E::kI32, E::kI16, P::kProInt},   Same(E::kI32, P::kProInt),
    {E::kI48, E::kI8, P::kExtInt16}, {E::kI48, E::kI16, P::kExtInt16}, {E::kI48, E::kI32, P::kExtInt16}};
constexpr TypeTuple kComparisonTypes[] = {{E::kI32, E::kI1, P::kProInt},
                                          {E::kF16, E::kI1, P::kProFp},
                                          {E::kF32, E::kI1, P::kProFp},
                                          {E::kBF16, E::kI1, P::kExtBf16}};
constexpr TypeTuple kCastTypes[] = {
    {E::kI1, E::kI8, P::kProInt},
    {E::kI1, E::kI16, P::kProInt},
    {E::kI1, E::kI32, P::kProInt},
    {E::kI8, E::kI1, P::kProInt},
    {E::kI16, E::kI1, P::kProInt},
    {E::kI32, E::kI1, P::kProInt},
    {E::kI8, E::kI16, P::kProInt},
    {E::kI8, E::kI32, P::kProInt},
    {E::kI16, E::kI8, P::kProInt},
    {E::kI16, E::kI32, P::kProInt},
    {E::kI32, E::kI8, P::kProInt},
    {E::kI32, E::kI16, P::kProInt},
    {E::kI8, E::kF16, P::kProFp},
    {E::kI8, E::kF32, P::kProFp},
    {E::kI8, E::kBF16, P::kExtBf16},
    {E::kI16, E::kF16, P::kProFp},
    {E::kI16, E::kF32, P::kProFp},
    {E::kI16, E::kBF16, P::kExtBf16},
    {E::kI32, E::kF16, P::kProFp},
    {E::kI32, E::kF32, P::kProFp},
    {E::kI32, E::kBF16, P::kExtBf16},
    {E::kF16, E::kI8, P::kProFp},
    {E::kF16, E::kI16, P::kProFp},
    {E::kF16, E::kI32, P::kProFp},
    {E::kF32, E::kI8, P::kProFp},
    {E::kF32, E::kI16, P::kProFp},
    {E::kF32, E::kI32, P::kProFp},
    {E::kBF16, E::kI8, P::kExtBf16},
    {E::kBF16, E::kI16, P::kExtBf16},
    {E::kBF16, E::kI32, P::kExtBf16},
    {E::kF16, E::kF32, P::kProFp},
    {E::kF32, E::kF16, P::kProFp},
    {E::kBF16, E::kF32, P::kExtBf16},
    {E::kF32, E::kBF16, P::kExtBf16},
    {E::kF8E4M3FN, E::kF16, P::kExtFp8E4M3},
    {E::kF8E4M3FN, E::kF32, P::kExtFp8E4M3},
    {E::kF8E4M3FN, E::kBF16, P::kExtBf16AndFp8E4M3},
    {E::kF8E5M2, E::kF16, P::kExtFp8E5M2},
    {E::kF8E5M2, E::kF32, P::kExtFp8E5M2},
    {E::kF8E5M2, E::kBF16, P::kExtBf16AndFp8E5M2},
    {E::kF16, E::kF8E4M3FN, P::kExtFp8E4M3},
    {E::kF32, E::kF8E4M3FN, P::kExtFp8E4M3},
    {E::kBF16, E::kF8E4M3FN, P::kExtBf16AndFp8E4M3},
    {E::kF16, E::kF8E5M2, P::kExtFp8E5M2},
    {E::kF32, E::kF8E5M2, P::kExtFp8E5M2},
    {E::kBF16, E::kF8E5M2, P::kExtBf16AndFp8E5M2},
};
constexpr TypeTuple kIdentityTypes[] = {Same(E::kI1, P::kProIntOrFp),
                                        Same(E::kI4, P::kExtInt4),
                                        Same(E::kI8, P::kProIntOrFp),
                                        Same(E::kI16, P::kProIntOrFp),
                                        Same(E::kI32, P::kProIntOrFp),
                                        Same(E::kI48, P::kExtInt16),
                                        Same(E::kF8E4M3FN, P::kExtFp8E4M3),
                                        Same(E::kF8E5M2, P::kExtFp8E5M2),
                                        kF16,
                                        kF32,
                                        kBF16};

// Accuracy rules: column 4 of the table in tosa-semantics.md, "Ops".
constexpr Accuracy Ulp(double n) { return {.kind = Accuracy::Kind::kUlp, .ulp = n}; }
constexpr auto kAeb = Accuracy::Kind::kAbsoluteError;
constexpr Accuracy kCosAccuracy = {.kind = kAeb, .m = Accuracy::Magnitude::kOnePlusAbsInput, .b_const = 1, .d = 2};
constexpr double kPi = 3.14159265358979323846;
constexpr Accuracy kSinAccuracy = {
    .kind = kAeb, .m = Accuracy::Magnitude::kInput, .b_const = 2, .d = 2, .least_in_normal_min = kPi};
constexpr Accuracy kExpAccuracy = {.kind = kAeb, .b_base = 1, .b_abs_x = 2};
constexpr Accuracy kLogAccuracy = {.kind = kAeb, .b_const = 5, .l = 0.5};
constexpr Accuracy kSigmoidAccuracy = {.kind = kAeb, .b_const = 2, .b_abs_x = 2};
constexpr Accuracy kTanhAccuracy = {.kind = kAeb, .b_base = 4, .b_abs_x = 8, .l = 0.5};

constexpr DialectTyping kLogical = {.inputs = DialectTypes::kI1};
constexpr DialectTyping kComparison = {.result = DialectResult::kI1};
constexpr DialectTyping kTrigonometric = {.inputs = DialectTypes::kFloat};
constexpr DialectTyping kIntegers = {.inputs = DialectTypes::kInteger, .result = DialectResult::kInteger};
constexpr DialectTyping kAnyResult = {.result = DialectResult::kAny};

constexpr OpInfo kOps[] = {
#define TOSAIC_OP(enumerator, ...) {.kind = OpKind::k##enumerator, __VA_ARGS__},
#include "model/ops.def"
#undef TOSAIC_OP
};

}  // namespace

static_assert(std::ranges::all_of(kOps, [](const OpInfo& op) { return ReadCount(op, E::kI16) <= kMostReads; }));

absl::Span<const OpInfo> AllOps() { return kOps; }

const OpInfo& Info(OpKind kind) { return kOps[static_cast<size_t>(kind)]; }

std::optional<OpKind> FindOp(absl::string_view name) {
  absl::ConsumePrefix(&name, "tosa.");
  for (const OpInfo& op : kOps) {
    if (op.name == name) return op.kind;
  }
  return std::nullopt;
}

std::string ToString(OpKind kind) { return std::string(Name(kind)); }

absl::Status ReadText(absl::string_view text, OpKind& kind) {
  const std::optional<OpKind> found = FindOp(text);
  if (found) kind = *found;
  return found ? absl::OkStatus()
               : absl::InvalidArgumentError(
                     absl::StrCat(Dump(std::string(text), -1), " is not a known op ('tosaic list-ops' prints them)"));
}

bool HasAttribute(const OpInfo& op, Attribute attribute) { return absl::c_linear_search(op.attributes, attribute); }

bool IsDrawn(const OpInfo& op, Attribute attribute) {
  return HasAttribute(op, attribute) && !absl::c_linear_search(op.draft_attributes, attribute);
}

AttributePresence PresenceIn(const OpInfo& op, Attribute attribute) {
  return absl::c_linear_search(op.draft_attributes, attribute) ? AttributePresence::kOptional
                                                               : Info(attribute).presence;
}

bool HasRole(const OpInfo& op, OperandRole role) { return absl::c_linear_search(op.operands, role); }

size_t BroadcastOperandCount(const OpInfo& op) {
  return absl::c_count_if(op.operands, [](OperandRole role) { return !IsSpecial(role); });
}

size_t FirstInput(const OpInfo& op) {
  const auto* first =
      absl::c_find_if(op.operands, [](OperandRole role) { return Info(role).type == OperandTyping::kInput; });
  return static_cast<size_t>(first - op.operands.begin());
}

std::vector<TypeTuple> TuplesOf(const OpInfo& op, SpecVersion version) {
  std::vector<TypeTuple> tuples(op.spec_types.begin(), op.spec_types.end());
  if (version == SpecVersion::k1_1) tuples.insert(tuples.end(), op.draft_types.begin(), op.draft_types.end());
  return tuples;
}

const TypeTuple* FindSpecTuple(const OpInfo& op, ElementType input, ElementType result, SpecVersion version) {
  const auto has_types = [&](const TypeTuple& tuple) { return tuple.input == input && tuple.result == result; };
  const auto* tuple = absl::c_find_if(op.spec_types, has_types);
  if (tuple != op.spec_types.end()) return tuple;
  if (version != SpecVersion::k1_1) return nullptr;
  tuple = absl::c_find_if(op.draft_types, has_types);
  if (tuple != op.draft_types.end()) return tuple;
  tuple = absl::c_find_if(op.block_types, has_types);
  return tuple != op.block_types.end() ? tuple : nullptr;
}

bool IsDraftTuple(const OpInfo& op, ElementType input, ElementType result) {
  return FindSpecTuple(op, input, result) == nullptr && FindSpecTuple(op, input, result, SpecVersion::k1_1) != nullptr;
}

absl::string_view NameIn(const OpInfo& op, Dialect dialect) { return Info(dialect).Op(op.kind).name; }

size_t WrittenOperandCount(const OpInfo& op, const DialectInfo& dialect) {
  return absl::c_count_if(op.operands, [&](OperandRole role) {
    return dialect.Spelling(op.kind, role).form == OperandSpelling::Form::kOperand;
  });
}

const DialectTyping& TypingIn(const OpInfo& op, Dialect dialect) { return Info(dialect).Op(op.kind).typing; }

bool DialectAccepts(const OpInfo& op, ElementType input, ElementType result, Dialect dialect) {
  const DialectTyping& typing = TypingIn(op, dialect);
  const auto is_number = [&](ElementType type) {
    return type == typing.also || absl::c_linear_search(Info(dialect).numbers, type);
  };
  if (!is_number(input) || !is_number(result)) return false;
  switch (typing.inputs) {
    case DialectTypes::kAnyNumber:
      break;
    case DialectTypes::kI1:
      if (input != E::kI1) return false;
      break;
    case DialectTypes::kInt32:
      if (input != E::kI32) return false;
      break;
    case DialectTypes::kInt32Or64:
      if (input != E::kI32 && input != E::kI64) return false;
      break;
    case DialectTypes::kFloat:
      if (!IsFloat(input)) return false;
      break;
    case DialectTypes::kInteger:
      if (!IsInteger(input)) return false;
      break;
  }
  switch (typing.result) {
    case DialectResult::kSameAsInputs:
      return input == result;
    case DialectResult::kI1:
      return result == E::kI1;
    case DialectResult::kAny:
      // CastOp's verifier: one of the two is block-scaled, and the other a float.
      if (op.kind == OpKind::kCast && (IsBlockScaled(input) || IsBlockScaled(result)))
        return IsFloat(input) || IsFloat(result);
      return true;
    case DialectResult::kInteger:
      return IsInteger(result);
    case DialectResult::kWidened:
      return IsInteger(input) && IsInteger(result) ? BitWidth(input) <= BitWidth(result) : input == result;
  }
  return false;
}

std::string Describe(const Accuracy& accuracy) {
  switch (accuracy.kind) {
    case Accuracy::Kind::kExact:
      return "exact";
    case Accuracy::Kind::kUlp:
      return absl::StrCat(accuracy.ulp, " ulp");
    case Accuracy::Kind::kAbsoluteError: {
      constexpr absl::string_view kMagnitudes[] = {"ref", "x", "1 + |x|"};
      std::string bound;
      auto term = [&](double factor, absl::string_view of) {
        if (factor == 0) return;
        absl::StrAppend(&bound, bound.empty() ? "" : " + ");
        if (factor != 1 || of.empty()) absl::StrAppend(&bound, factor);
        absl::StrAppend(&bound, factor != 1 && !of.empty() ? " " : "", of);
      };
      term(accuracy.b_const, "");
      term(accuracy.b_base, "base");
      term(accuracy.b_abs_x, "|x|");
      return absl::StrCat(
          "AEB(", EntryFor(accuracy.m, kMagnitudes), ", ", bound, ", ", accuracy.l, ", ", accuracy.d, ")",
          accuracy.least_in_normal_min > 0 ? absl::StrCat(", at least ", accuracy.least_in_normal_min, " normal_min")
                                           : "");
    }
    case Accuracy::Kind::kPow:
      return "pow, 1.0.2";
    case Accuracy::Kind::kPow100:
      return "pow, 1.0.0";
    case Accuracy::Kind::kCast:
      return "by the pair of types";
  }
  return "";
}

absl::string_view Describe(Unpredictable unpredictable) {
  constexpr absl::string_view kTexts[] = {
      "never",
      "|INT_MIN|",
      "integer overflow",
      "integer overflow",
      "divisor 0, or INT_MIN / -1",
      "shift amount outside 0..width-1",
      "shift outside 0..63, non-zero unless i32, or result beyond i32",
      "i32 overflow",
      "x < 0; x = 0 and y <= 0; a NaN or an infinity",
      "NaN to an integer",
      "a multiplier below 0, a shift outside 2..62, a value or a sum beyond the range that they allow",
      "entries beside each other that differ by more than an i16",
  };
  return EntryFor(unpredictable, kTexts);
}

}  // namespace tosaic
