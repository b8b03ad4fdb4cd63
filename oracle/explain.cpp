// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/explain.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/names.h"
#include "codec/status.h"
#include "model/counted.h"
#include "oracle/legality.h"
#include "oracle/probe_legality.h"
#include "oracle/trait_narrator.h"

namespace tosaic {
namespace {

std::string JoinTypes(const std::vector<TensorType>& types) {
  return absl::StrJoin(types, ", ",
                       [](std::string* out, const TensorType& type) { absl::StrAppend(out, Name(type.element_type)); });
}

std::vector<ValueType> BroadcastTypes(const OpInfo& info, const std::vector<TensorType>& types) {
  std::vector<ValueType> result;
  for (size_t i = 0; i < BroadcastOperandCount(info); ++i) result.push_back({Container::kTensor, types[i]});
  return result;
}

bool HasBlocks(ElementType input, ElementType result) { return IsBlockScaled(input) || IsBlockScaled(result); }

constexpr absl::string_view kConclusions[] = {"legal", "illegal", "left open: may be accepted or refused"};

// Lists the rules in the order of legality.h, up to the one that refused.
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
    constexpr Part kParts[] = {&Narrator::ElementTypes,
                               &Narrator::Blocks,
                               &Narrator::SpecialOperandTypes,
                               &Narrator::Rescale,
                               &Narrator::Dimensions,
                               &Narrator::SpecialOperands,
                               &Narrator::Ranks,
                               &Narrator::Inference,
                               &Narrator::Verification,
                               &Narrator::ResultShape,
                               &Narrator::AttributesPresent,
                               &Narrator::Bounds,
                               &Narrator::ZeroPoints,
                               &Narrator::Shift,
                               &Narrator::NewShape};
    for (Part part : kParts) {
      if (!refused_) (this->*part)();
    }
    Say(legality_.rule, EntryFor(legality_.answer, kConclusions));
    return std::move(steps_);
  }

 private:
  void Say(RuleId rule, absl::string_view text) { steps_.push_back(Step(rule, text)); }
  // A rule with two outcomes: states the one that legality.h found.
  void Rule(RuleId rule, absl::string_view if_kept, absl::string_view if_broken) {
    refused_ = legality_.answer == Answer::kRefuse && legality_.rule == rule;
    Say(rule, refused_ ? if_broken : if_kept);
  }

  void ElementTypes() {
    const TypeTuple* tuple =
        legality_.beyond_spec ? nullptr : FindSpecTuple(info_, input_, op_.result.element_type, SpecVersion::k1_1);
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

  void Blocks() {
    if (!HasBlocks(input_, op_.result.element_type)) return;
    Rule(RuleId::kLegalBlockScaled, "a block-scaled tensor's last dimension is a multiple of 32, as far as it is known",
         "a block-scaled tensor has rank 0, or a last dimension that is no multiple of 32");
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
         absl::StrCat(operands, open ? ": this shape may be accepted or refused" : ": of the right shape"),
         absl::StrCat(operands, ": must have another shape"));
  }

  void Ranks() {
    if (!Broadcasts()) return;
    std::vector<std::string> ranks;
    auto add = [&](const Shape& shape) { ranks.push_back(shape.IsRanked() ? absl::StrCat(shape.rank()) : "unranked"); };
    for (size_t i = 0; i < BroadcastOperandCount(info_); ++i) add(types_[i].shape);
    const std::string operands = absl::StrJoin(ranks, ", ");
    add(op_.result.shape);
    const std::string text = absl::StrCat("ranks ", operands, " -> ", ranks.back());
    Rule(RuleId::kLegalRank, absl::StrCat(text, ": those known are equal"),
         absl::StrCat(text, ": TOSA requires equal ranks (the trait alone would expand them with 1s on the left)"));
  }

  void ResultShape() {
    if (info_.result_shape != ResultShape::kInput) return;
    const std::string shapes = absl::StrCat(ToString(types_[0].shape), " -> ", ToString(op_.result.shape));
    const bool open = legality_.answer == Answer::kEither && legality_.rule == RuleId::kLegalResultShape;
    Rule(RuleId::kLegalResultShape,
         absl::StrCat(shapes, open ? ": a static size stands for a dynamic one, which may be accepted or refused"
                                   : ": the result has the input's shape, as far as it is known"),
         absl::StrCat(shapes, ": the result must have the input's shape"));
  }

  bool Broadcasts() const { return info_.result_shape == ResultShape::kBroadcast; }
  void Inference() { refused_ = Broadcasts() && !trait_.Infer(); }
  void Verification() { refused_ = Broadcasts() && !trait_.Verify(); }

  void Rescale() {
    if (op_.op != OpKind::kRescale) return;
    Say(RuleId::kLegalRescale,
        legality_.answer == Answer::kEither && legality_.rule == RuleId::kLegalRescale
            ? "the attributes exclude each other or the types, which tosa-validate refuses if it is strict"
            : "the attributes suit each other and the types");
  }

  void NewShape() {
    if (!HasNewShape(info_)) return;
    const std::string sizes = absl::StrCat("[", absl::StrJoin(*op_.attributes.new_shape, ", "), "]");
    Rule(RuleId::kLegalReshape, absl::StrCat("new shape ", sizes, ": as many elements as the input, and the result's"),
         absl::StrCat("new shape ", sizes, ": another number of elements than the input's, or not the result's shape"));
  }

  void AttributesPresent() {
    std::vector<absl::string_view> mandatory;
    for (const Attribute attribute : info_.attributes) {
      if (PresenceIn(info_, attribute) == AttributePresence::kMandatory) mandatory.push_back(Name(attribute));
    }
    if (mandatory.empty()) return;
    Rule(RuleId::kLegalAttributeMissing, "the mandatory attributes are present",
         absl::StrCat(absl::StrJoin(mandatory, " and "), mandatory.size() > 1 ? " are" : " is", " mandatory"));
  }

  void Bounds() {
    const auto text = [](const AttributeInfo& info, const TypedBits& bound) {
      return absl::StrCat(info.name, " ", ElementToString(bound.type, bound.bits), " : ", Name(bound.type));
    };
    ForEachBounds(op_.attributes, [&](const AttributeInfo& of_lower, const auto& lower, const AttributeInfo& of_upper,
                                      const auto& upper) {
      if (!HasAttribute(info_, of_lower.attribute)) return;
      const std::string bounds = absl::StrCat(text(of_lower, *lower), ", ", text(of_upper, *upper), ": ");
      Rule(RuleId::kLegalAttributeBounds, absl::StrCat(bounds, "in order"),
           absl::StrCat(bounds, "must be numbers of type ", Name(input_), " with ", of_lower.name,
                        " <= ", of_upper.name));
    });
  }

  void ZeroPoints() {
    if (!HasRole(info_, OperandRole::kZeroPoint)) return;
    Rule(RuleId::kLegalZeroPoint,
         SpecialOperandsAreConstant() ? "the zero points are zero, or of a type that may have others"
                                      : "a zero point is no constant, which only tosa-validate refuses",
         "a zero point must be zero unless it is of an i8 (an unsigned i16 may have 32768)");
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

Explanation Explain(const Program& program, const OpApplication& op, const Policies& given) {
  Policies policies = given;
  if (HasBlocks(InputElementType(program, op), op.result.element_type)) {
    policies.dialect = std::max(policies.dialect, Dialect::k24);  // those before have no word for them
  }
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
      absl::StrCat(Counted(probe.operands.size(), "operand"),
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
  say(legality.rule, EntryFor(legality.answer, kConclusions));
  return explanation;
}

absl::StatusOr<Explanation> Explain(absl::string_view text, const Policies& policies) {
  TOSAIC_ASSIGN_OR_RETURN(const OpSignature signature, ParseOpSignature(text));
  if (signature.op == kProbeOp) return ExplainProbe(signature, policies);
  TOSAIC_ASSIGN_OR_RETURN(const Program program, ProgramOf(signature));
  return Explain(program, program.ops[0], policies);
}

}  // namespace tosaic
