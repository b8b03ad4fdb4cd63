#include "oracle/explain.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "oracle/legality.h"
#include "oracle/probe_legality.h"

namespace tosaic {
namespace {

// ---- Signatures ----

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

// Gives the operands that are still missing, shift or zero points, as constants of 0.
void AddZeros(const OpInfo& info, Program* program, OpApplication* op) {
  const ElementType input = InputElementType(*program, *op);
  for (size_t i = op->operands.size(); i < info.operands.size(); ++i) {
    const ElementType type = info.operands[i] == OperandRole::kShift ? ElementType::kI8 : input;
    op->operands.push_back({ValueRef::Kind::kConstant, static_cast<int>(program->constants.size())});
    program->constants.push_back(Tensor(type, {1}));
  }
}

// ---- Steps ----

std::string Step(RuleId rule, absl::string_view text) { return absl::StrCat(text, " [", Name(rule), "]"); }

std::string JoinTypes(const std::vector<TensorType>& types) {
  return absl::StrJoin(types, ", ",
                       [](std::string* out, const TensorType& type) { absl::StrAppend(out, Name(type.element_type)); });
}

// The Broadcastable trait in words, dimension by dimension as in the document's tables. Each part is false if it ends
// with a refusal.
class TraitNarrator {
 public:
  TraitNarrator(std::vector<ValueType> operands, ValueType result, const Policies& policies,
                std::vector<std::string>* steps)
      : operands_(std::move(operands)), result_(std::move(result)), policies_(policies), steps_(*steps) {}

  // InferResultShape, pair by pair.
  bool Infer() {
    std::vector<const Shape*> shapes;
    for (size_t i = 0; i < operands_.size(); ++i) {
      const Shape& operand = operands_[i].type.shape;
      shapes.push_back(&operand);
      if (!operand.IsRanked()) {
        Say(RuleId::kBcastOperandsUnranked, absl::StrCat("operand ", i, " is unranked and takes no part"));
      } else if (!inferred_) {
        inferred_ = operand;
      } else if (!InferPair(i, operand)) {
        return false;
      }
    }
    ValueType type = result_;
    if (inferred_) type.type.shape = *inferred_;
    Say(InferResultShape(shapes).rule,
        inferred_ ? absl::StrCat("inferred type: ", ToString(type)) : "no operand is ranked: no shape can be inferred");
    return true;
  }

  bool Verify() {
    const Shape& result = result_.type.shape;
    if (!result.IsRanked()) return Say(RuleId::kBcastVerifyUnrankedResult, "the result is unranked: nothing to verify");
    if (!inferred_) return Say(RuleId::kBcastVerifyUnrankedOperands, "all operands are unranked: nothing to verify");
    if (inferred_->rank() != result.rank()) {
      return !Say(RuleId::kBcastVerifyRank, absl::StrCat("the inferred rank is ", inferred_->rank(), ", the result's ",
                                                         result.rank(), ": error"));
    }
    for (size_t i = 0; i < result.rank(); ++i) {
      const Dim inferred = (*inferred_)[i];
      const Decision row = VerifyDim(inferred, result[i], policies_);
      const bool refused = row.answer == Answer::kRefuse;
      Say(row.rule, absl::StrCat("result dimension ", i, ": inferred ", ToString(inferred), ", declared ",
                                 ToString(result[i]), refused ? ": error" : ": OK", Remark(row, inferred)));
      if (refused) return false;
    }
    return true;
  }

 private:
  bool Say(RuleId rule, absl::string_view text) {
    steps_.push_back(Step(rule, text));
    return true;
  }

  // InferShape: the shape inferred so far and the next ranked operand.
  bool InferPair(size_t operand_index, const Shape& operand) {
    Shape expanded = operand;
    const size_t rank = std::max(inferred_->rank(), operand.rank());
    if (inferred_->rank() != operand.rank()) {
      ExpandRank(rank, &*inferred_);
      ExpandRank(rank, &expanded);
      Say(RuleId::kBcastExpandRank,
          absl::StrCat("ranks are equalized with 1s on the left: ", ToString(*inferred_), " and ", ToString(expanded)));
    }
    for (size_t i = 0; i < rank; ++i) {
      Dim& dim = inferred_->mutable_dims()[i];
      const DimInference row = InferDim(dim, expanded[i]);
      Say(row.rule,
          absl::StrCat("dimension ", i, operand_index > 1 ? absl::StrCat(", with operand ", operand_index) : "", ": ",
                       ToString(dim), " and ", ToString(expanded[i]),
                       row.dim ? absl::StrCat(" -> ", ToString(*row.dim)) : " are not broadcast-compatible"));
      if (!row.dim) return false;
      dim = *row.dim;
    }
    return true;
  }

  // Why a row of the verification table decides as it does, where that is not plain.
  absl::string_view Remark(const Decision& row, Dim inferred) const {
    if (row.rule == RuleId::kBcastVerifyDynStatic) {
      return policies_.refuse_static_result_of_dynamic_inference
                 ? " (policy refuse_static_result_of_dynamic_inference is on: the trait's pseudo-code, RFC "
                   "modification 2)"
                 : " (policy refuse_static_result_of_dynamic_inference is off: the trait's table)";
    }
    if (row.rule == RuleId::kBcastVerifyDifferent && inferred.Is(1))
      return " (results are not broadcast: RFC modification 1)";
    return "";
  }

  const std::vector<ValueType> operands_;
  const ValueType result_;
  const Policies& policies_;
  std::vector<std::string>& steps_;
  std::optional<Shape> inferred_;
};

std::vector<ValueType> BroadcastTypes(const OpInfo& info, const std::vector<TensorType>& types) {
  std::vector<ValueType> result;
  for (size_t i = 0; i < BroadcastOperandCount(info); ++i) result.push_back({Container::kTensor, types[i]});
  return result;
}

constexpr absl::string_view kConclusions[] = {"legal", "illegal", "left open: may be accepted or refused"};

// Writes down the rules in the order of legality.h, up to the one that refused.
class Narrator {
 public:
  Narrator(const Program& program, const OpApplication& op, const Policies& policies, const Legality& legality)
      : program_(program),
        op_(op),
        info_(Info(op.op)),
        legality_(legality),
        types_(OperandTypes(program, op)),
        input_(InputElementType(program, op)),
        trait_(BroadcastTypes(info_, types_), {Container::kTensor, op.result}, policies, &steps_) {}

  std::vector<std::string> Narrate() && {
    using Part = void (Narrator::*)();
    constexpr Part kParts[] = {&Narrator::ElementTypes, &Narrator::SpecialOperandTypes,
                               &Narrator::Dimensions,   &Narrator::SpecialOperands,
                               &Narrator::Ranks,        &Narrator::Inference,
                               &Narrator::Verification, &Narrator::Attributes,
                               &Narrator::ZeroPoints,   &Narrator::Shift};
    for (Part part : kParts) {
      if (!refused_) (this->*part)();
    }
    Say(legality_.rule, kConclusions[static_cast<size_t>(legality_.answer)]);
    return std::move(steps_);
  }

 private:
  void Say(RuleId rule, absl::string_view text) { steps_.push_back(Step(rule, text)); }
  // A rule with two outcomes: says the one that legality.h found.
  void Rule(RuleId rule, absl::string_view if_kept, absl::string_view if_broken) {
    refused_ = legality_.answer == Answer::kRefuse && legality_.rule == rule;
    Say(rule, refused_ ? if_broken : if_kept);
  }

  void ElementTypes() {
    const TypeTuple* tuple = FindSpecTuple(info_, input_, op_.result.element_type);
    const std::string types =
        absl::StrCat("element types ", JoinTypes(types_), " -> ", Name(op_.result.element_type), ": ");
    Rule(RuleId::kLegalElementType,
         absl::StrCat(
             types, tuple != nullptr ? Name(tuple->profile) : "beyond the specification, but the dialect accepts them"),
         absl::StrCat(types, info_.name, " does not accept them"));
  }

  void Dimensions() {
    Rule(RuleId::kLegalDimension, "every static dimension is at least 1",
         absl::StrCat("dimension ", legality_.dim, " of an operand or the result is 0, but must be at least 1"));
  }

  bool HasSpecialOperands() const { return BroadcastOperandCount(info_) < info_.operands.size(); }
  std::string SpecialOperandTexts() const {
    std::vector<std::string> texts;
    for (size_t i = BroadcastOperandCount(info_); i < types_.size(); ++i) {
      texts.push_back(absl::StrCat(Name(info_.operands[i]), " ", ToString(types_[i])));
    }
    return absl::StrJoin(texts, ", ");
  }

  void SpecialOperandTypes() {
    if (!HasSpecialOperands()) return;
    const std::string operands = SpecialOperandTexts();
    Rule(RuleId::kLegalSpecialOperandType, absl::StrCat(operands, ": of the right element type"),
         absl::StrCat(operands, ": a shift must be i8, a zero point of the input's element type"));
  }

  void SpecialOperands() {
    if (!HasSpecialOperands()) return;
    const std::string operands = SpecialOperandTexts();
    const bool open = legality_.answer == Answer::kEither && legality_.rule == RuleId::kLegalSpecialOperand;
    Rule(RuleId::kLegalSpecialOperand,
         absl::StrCat(operands, open ? ": the type leaves open whether it is one element" : ": one element each"),
         absl::StrCat(operands, ": must have shape [1]"));
  }

  void Ranks() {
    std::vector<std::string> ranks;
    auto add = [&](const Shape& shape) { ranks.push_back(shape.IsRanked() ? absl::StrCat(shape.rank()) : "unranked"); };
    for (size_t i = 0; i < BroadcastOperandCount(info_); ++i) add(types_[i].shape);
    const std::string operands = absl::StrJoin(ranks, ", ");
    add(op_.result.shape);
    const std::string text = absl::StrCat("ranks ", operands, " -> ", ranks.back());
    Rule(RuleId::kLegalRank, absl::StrCat(text, ": those known are equal"),
         absl::StrCat(text, ": TOSA requires equal ranks (the trait alone would expand them with 1s on the left)"));
  }

  void Inference() { refused_ = !trait_.Infer(); }
  void Verification() { refused_ = !trait_.Verify(); }

  void Attributes() {
    const std::optional<TypedBits>& min = op_.attributes.min_val;
    const std::optional<TypedBits>& max = op_.attributes.max_val;
    const bool has_bounds = HasAttribute(info_, Attribute::kMinVal);
    if (!has_bounds && !HasAttribute(info_, Attribute::kRound)) return;
    Rule(RuleId::kLegalAttributeMissing, "the mandatory attributes are present",
         has_bounds ? "min_val and max_val are mandatory" : "round is mandatory");
    if (refused_ || !has_bounds) return;
    auto text = [](const TypedBits& bound) {
      return absl::StrCat(ElementToString(bound.type, bound.bits), " : ", Name(bound.type));
    };
    const std::string bounds = absl::StrCat("min_val ", text(*min), ", max_val ", text(*max), ": ");
    Rule(RuleId::kLegalAttributeBounds, absl::StrCat(bounds, "in order"),
         absl::StrCat(bounds, "must be numbers of type ", Name(input_), " with min_val <= max_val"));
  }

  void ZeroPoints() {
    if (!HasRole(info_, OperandRole::kZeroPoint)) return;
    Rule(RuleId::kLegalZeroPoint,
         SpecialOperandsAreConstant() ? "the zero points are zero, or the input is i8"
                                      : "a zero point is no constant, which only tosa-validate refuses",
         "a zero point must be zero unless the input is i8");
  }

  void Shift() {
    if (!HasRole(info_, OperandRole::kShift)) return;
    if (legality_.answer == Answer::kEither && legality_.rule == RuleId::kLegalShift) {
      return Say(RuleId::kLegalShift,
                 "the shift is outside 0..63, or not 0 though the input is not i32: unpredictable");
    }
    Say(RuleId::kLegalShift, SpecialOperandsAreConstant()
                                 ? "the shift is in range"
                                 : "the shift is no constant, which only tosa-validate refuses");
  }

  bool SpecialOperandsAreConstant() const {
    return std::all_of(op_.operands.begin() + BroadcastOperandCount(info_), op_.operands.end(),
                       [&](ValueRef operand) { return AsConstant(program_, operand) != nullptr; });
  }

  const Program& program_;
  const OpApplication& op_;
  const OpInfo& info_;
  const Legality& legality_;
  const std::vector<TensorType> types_;
  const ElementType input_;
  bool refused_ = false;
  std::vector<std::string> steps_;
  TraitNarrator trait_;
};

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
  const bool tensors_only = signature.result.container == Container::kTensor &&
                            std::all_of(signature.operands.begin(), signature.operands.end(),
                                        [](const ValueType& type) { return type.container == Container::kTensor; });
  if (!tensors_only) return SignatureError(signature, "TOSA's operands and results are tensors");
  AddZeros(info, &program, &op);
  op.attributes = LegalAttributes(info, InputElementType(program, op));
  program.ops.push_back(std::move(op));
  program.results.push_back({ValueRef::Kind::kOp, 0});
  return program;
}

absl::StatusOr<Program> ParseSignature(absl::string_view text) {
  const absl::StatusOr<OpSignature> signature = ParseOpSignature(text);
  if (!signature.ok()) return signature.status();
  return ProgramOf(*signature);
}

Explanation Explain(const Program& program, const OpApplication& op, const Policies& policies) {
  const Legality legality = JudgeLegality(program, op, policies);
  Explanation explanation{.legal = legality.answer != Answer::kRefuse,
                          .answer = legality.answer,
                          .rule = legality.rule,
                          .inferred = std::nullopt,
                          .beyond_spec = legality.beyond_spec,
                          .steps = Narrator(program, op, policies, legality).Narrate()};
  if (legality.inferred) {
    explanation.inferred = ValueType{Container::kTensor, {*legality.inferred, op.result.element_type}};
  }
  if (explanation.legal) explanation.runtime_broadcasts = PredictRuntimeBroadcasts(program, op);
  return explanation;
}

Explanation ExplainProbe(const OpSignature& probe, const Policies& policies) {
  const Legality legality = JudgeProbe(probe, policies);
  Explanation explanation{.legal = legality.answer != Answer::kRefuse,
                          .answer = legality.answer,
                          .rule = legality.rule,
                          .inferred = std::nullopt,
                          .beyond_spec = false,
                          .steps = {}};
  if (legality.inferred) {
    explanation.inferred = probe.result;
    explanation.inferred->type.shape = *legality.inferred;
  }
  auto say = [&](RuleId rule, absl::string_view text) { explanation.steps.push_back(Step(rule, text)); };
  const auto refused_by = [&](RuleId rule) { return !explanation.legal && legality.rule == rule; };
  say(RuleId::kBcastPropertyOperands,
      absl::StrCat(probe.operands.size(), " operands",
                   refused_by(RuleId::kBcastPropertyOperands) ? ": at least one is needed" : ""));
  if (!refused_by(RuleId::kBcastPropertyOperands)) {
    say(RuleId::kBcastPropertyContainer, refused_by(RuleId::kBcastPropertyContainer)
                                             ? "an operand or the result is neither tensor nor vector"
                                             : "operands and result are tensors or vectors");
    if (legality.rule == RuleId::kBcastPropertyMixed) say(legality.rule, "tensors and vectors together: left open");
    if (legality.rule == RuleId::kBcastDimensionZero) {
      say(legality.rule, "a dimension of 0 is in none of the document's categories: left open");
    } else if (!refused_by(RuleId::kBcastPropertyContainer)) {
      TraitNarrator trait(probe.operands, probe.result, policies, &explanation.steps);
      if (trait.Infer()) trait.Verify();
    }
  }
  say(legality.rule, kConclusions[static_cast<size_t>(legality.answer)]);
  return explanation;
}

absl::StatusOr<Explanation> Explain(absl::string_view text, const Policies& policies) {
  const absl::StatusOr<OpSignature> signature = ParseOpSignature(text);
  if (!signature.ok()) return signature.status();
  if (signature->op == kProbeOp) return ExplainProbe(*signature, policies);
  const absl::StatusOr<Program> program = ProgramOf(*signature);
  if (!program.ok()) return program.status();
  return Explain(*program, program->ops[0], policies);
}

}  // namespace tosaic
