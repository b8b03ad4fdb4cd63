#include "oracle/explain.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "oracle/legality.h"

namespace tosaic {
namespace {

// ---- Signatures ----

absl::Status SignatureError(absl::string_view signature, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(
      "'", signature, "': ", what, " (for instance add(tensor<2x?xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>)"));
}

struct SignatureParts {
  absl::string_view name;
  std::vector<absl::string_view> operands;
  absl::string_view result;
};

absl::StatusOr<SignatureParts> SplitSignature(absl::string_view signature) {
  const std::vector<absl::string_view> sides = absl::StrSplit(signature, "->");
  if (sides.size() != 2) return SignatureError(signature, "exactly one '->' must stand before the result's type");
  absl::string_view call = absl::StripAsciiWhitespace(sides[0]);
  const size_t open = call.find('(');
  if (open == absl::string_view::npos || !absl::ConsumeSuffix(&call, ")")) {
    return SignatureError(signature, "the operands' types must stand in parentheses after the op's name");
  }
  SignatureParts parts;
  parts.name = absl::StripAsciiWhitespace(call.substr(0, open));
  const absl::string_view operands = absl::StripAsciiWhitespace(call.substr(open + 1));
  if (!operands.empty()) parts.operands = absl::StrSplit(operands, ',');
  parts.result = absl::StripAsciiWhitespace(sides[1]);
  return parts;
}

absl::StatusOr<TensorType> ParseType(absl::string_view signature, absl::string_view where, absl::string_view text) {
  absl::StatusOr<TensorType> type = ParseTensorType(absl::StripAsciiWhitespace(text));
  if (type.ok()) return type;
  return absl::InvalidArgumentError(absl::StrCat("'", signature, "': ", where, ": ", type.status().message()));
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

std::string JoinTypes(const std::vector<TensorType>& types) {
  return absl::StrJoin(types, ", ",
                       [](std::string* out, const TensorType& type) { absl::StrAppend(out, Name(type.element_type)); });
}

// Writes down the rules in the order of legality.h, up to the one that refused.
class Narrator {
 public:
  Narrator(const Program& program, const OpApplication& op, const Policies& policies, const Legality& legality)
      : program_(program),
        op_(op),
        info_(Info(op.op)),
        policies_(policies),
        legality_(legality),
        types_(OperandTypes(program, op)),
        input_(InputElementType(program, op)) {}

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
    constexpr absl::string_view kConclusions[] = {"legal", "illegal", "left open: may be accepted or refused"};
    Say(legality_.rule, kConclusions[static_cast<size_t>(legality_.answer)]);
    return std::move(steps_);
  }

 private:
  void Say(absl::string_view label, absl::string_view text) { steps_.push_back(absl::StrCat(text, " [", label, "]")); }
  // A rule with two outcomes: says the one that legality.h found.
  void Rule(absl::string_view label, absl::string_view if_kept, absl::string_view if_broken) {
    refused_ = legality_.answer == Answer::kRefuse && legality_.rule == label;
    Say(label, refused_ ? if_broken : if_kept);
  }

  void ElementTypes() {
    const TypeTuple* tuple = FindSpecTuple(info_, input_, op_.result.element_type);
    const std::string types =
        absl::StrCat("element types ", JoinTypes(types_), " -> ", Name(op_.result.element_type), ": ");
    Rule("legal.element-type",
         absl::StrCat(
             types, tuple != nullptr ? Name(tuple->profile) : "beyond the specification, but the dialect accepts them"),
         absl::StrCat(types, info_.name, " does not accept them"));
  }

  void Dimensions() {
    Rule("legal.dimension", "every static dimension is at least 1",
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
    Rule("legal.special-operand.type", absl::StrCat(operands, ": of the right element type"),
         absl::StrCat(operands, ": a shift must be i8, a zero point of the input's element type"));
  }

  void SpecialOperands() {
    if (!HasSpecialOperands()) return;
    const std::string operands = SpecialOperandTexts();
    const bool open = legality_.answer == Answer::kEither && legality_.rule == "legal.special-operand";
    Rule("legal.special-operand",
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
    Rule("legal.rank", absl::StrCat(text, ": those known are equal"),
         absl::StrCat(text, ": TOSA requires equal ranks (the trait alone would expand them with 1s on the left)"));
  }

  // InferResultShape, pair by pair.
  void Inference() {
    std::optional<Shape> inferred;
    for (size_t i = 0; i < BroadcastOperandCount(info_) && !refused_; ++i) {
      const Shape& operand = types_[i].shape;
      if (!operand.IsRanked()) {
        Say("bcast.operands.unranked", absl::StrCat("operand ", i, " is unranked and takes no part"));
      } else if (!inferred) {
        inferred = operand;
      } else {
        InferPair(i, &*inferred, operand);
      }
    }
    if (refused_) return;
    std::vector<const Shape*> operands;
    for (size_t i = 0; i < BroadcastOperandCount(info_); ++i) operands.push_back(&types_[i].shape);
    const ShapeInference inference = InferResultShape(operands);
    Say(inference.rule, inference.shape ? absl::StrCat("inferred type: ",
                                                       ToString(TensorType{*inference.shape, op_.result.element_type}))
                                        : "no operand is ranked: no shape can be inferred");
  }

  // InferShape: the shape inferred so far and the next ranked operand. The ranks are equal (legal.rank).
  void InferPair(size_t operand_index, Shape* inferred, const Shape& operand) {
    for (size_t i = 0; i < operand.rank() && !refused_; ++i) {
      const DimInference row = InferDim((*inferred)[i], operand[i]);
      refused_ = !row.dim;
      Say(row.rule,
          absl::StrCat("dimension ", i, operand_index > 1 ? absl::StrCat(", with operand ", operand_index) : "", ": ",
                       ToString((*inferred)[i]), " and ", ToString(operand[i]),
                       row.dim ? absl::StrCat(" -> ", ToString(*row.dim)) : " are not broadcast-compatible"));
      if (row.dim) inferred->mutable_dims()[i] = *row.dim;
    }
  }

  void Verification() {
    const Shape& result = op_.result.shape;
    if (!result.IsRanked()) return Say("bcast.verify.unranked-result", "the result is unranked: nothing to verify");
    if (!legality_.inferred) {
      return Say("bcast.verify.unranked-operands", "all operands are unranked: nothing to verify");
    }
    for (size_t i = 0; i < result.rank() && !refused_; ++i) {
      const Dim inferred = (*legality_.inferred)[i];
      const Decision row = VerifyDim(inferred, result[i], policies_);
      refused_ = row.answer == Answer::kRefuse;
      Say(row.rule, absl::StrCat("result dimension ", i, ": inferred ", ToString(inferred), ", declared ",
                                 ToString(result[i]), refused_ ? ": error" : ": OK", Remark(row, inferred)));
    }
  }

  // Why a row of the verification table decides as it does, where that is not plain.
  absl::string_view Remark(const Decision& row, Dim inferred) const {
    if (row.rule == "bcast.verify.dyn-static") {
      return policies_.refuse_static_result_of_dynamic_inference
                 ? " (policy refuse_static_result_of_dynamic_inference is on: the trait's pseudo-code, RFC "
                   "modification 2)"
                 : " (policy refuse_static_result_of_dynamic_inference is off: the trait's table)";
    }
    if (row.rule == "bcast.verify.different" && inferred.Is(1))
      return " (results are not broadcast: RFC modification 1)";
    return "";
  }

  void Attributes() {
    const std::optional<TypedBits>& min = op_.attributes.min_val;
    const std::optional<TypedBits>& max = op_.attributes.max_val;
    const bool has_bounds = HasAttribute(info_, Attribute::kMinVal);
    if (!has_bounds && !HasAttribute(info_, Attribute::kRound)) return;
    Rule("legal.attribute.missing", "the mandatory attributes are present",
         has_bounds ? "min_val and max_val are mandatory" : "round is mandatory");
    if (refused_ || !has_bounds) return;
    auto text = [](const TypedBits& bound) {
      return absl::StrCat(ElementToString(bound.type, bound.bits), " : ", Name(bound.type));
    };
    const std::string bounds = absl::StrCat("min_val ", text(*min), ", max_val ", text(*max), ": ");
    Rule("legal.attribute.bounds", absl::StrCat(bounds, "in order"),
         absl::StrCat(bounds, "must be numbers of type ", Name(input_), " with min_val <= max_val"));
  }

  void ZeroPoints() {
    if (!HasRole(OperandRole::kZeroPoint)) return;
    Rule("legal.zero-point",
         SpecialOperandsAreConstant() ? "the zero points are zero, or the input is i8"
                                      : "a zero point is no constant, which only tosa-validate refuses",
         "a zero point must be zero unless the input is i8");
  }

  void Shift() {
    if (!HasRole(OperandRole::kShift)) return;
    if (legality_.answer == Answer::kEither && legality_.rule == "legal.shift") {
      return Say("legal.shift", "the shift is outside 0..63, or not 0 though the input is not i32: unpredictable");
    }
    Say("legal.shift", SpecialOperandsAreConstant() ? "the shift is in range"
                                                    : "the shift is no constant, which only tosa-validate refuses");
  }

  bool HasRole(OperandRole role) const {
    return std::find(info_.operands.begin(), info_.operands.end(), role) != info_.operands.end();
  }
  bool SpecialOperandsAreConstant() const {
    return std::all_of(op_.operands.begin() + BroadcastOperandCount(info_), op_.operands.end(),
                       [&](ValueRef operand) { return AsConstant(program_, operand) != nullptr; });
  }

  const Program& program_;
  const OpApplication& op_;
  const OpInfo& info_;
  const Policies& policies_;
  const Legality& legality_;
  const std::vector<TensorType> types_;
  const ElementType input_;
  bool refused_ = false;
  std::vector<std::string> steps_;
};

}  // namespace

absl::StatusOr<Program> ParseSignature(absl::string_view signature) {
  absl::StatusOr<SignatureParts> parts = SplitSignature(signature);
  if (!parts.ok()) return parts.status();
  const std::optional<OpKind> kind = FindOp(parts->name);
  if (!kind) {
    return SignatureError(signature, absl::StrCat("unknown op '", parts->name, "'; 'tosaic list-ops' prints them all"));
  }
  const OpInfo& info = Info(*kind);
  const size_t given = parts->operands.size();
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
    absl::StatusOr<TensorType> type = ParseType(signature, absl::StrCat("operand ", i), parts->operands[i]);
    if (!type.ok()) return type.status();
    op.operands.push_back({ValueRef::Kind::kArgument, static_cast<int>(i)});
    program.arguments.push_back(*std::move(type));
  }
  absl::StatusOr<TensorType> result = ParseType(signature, "result", parts->result);
  if (!result.ok()) return result.status();
  op.result = *std::move(result);
  AddZeros(info, &program, &op);
  op.attributes = LegalAttributes(info, InputElementType(program, op));
  program.ops.push_back(std::move(op));
  program.results.push_back({ValueRef::Kind::kOp, 0});
  return program;
}

Explanation Explain(const Program& program, const OpApplication& op, const Policies& policies) {
  const Legality legality = JudgeLegality(program, op, policies);
  Explanation explanation{.legal = legality.answer != Answer::kRefuse,
                          .answer = legality.answer,
                          .rule = std::string(legality.rule),
                          .inferred = std::nullopt,
                          .beyond_spec = legality.beyond_spec,
                          .steps = Narrator(program, op, policies, legality).Narrate()};
  if (legality.inferred) explanation.inferred = TensorType{*legality.inferred, op.result.element_type};
  return explanation;
}

absl::StatusOr<Explanation> Explain(absl::string_view signature, const Policies& policies) {
  const absl::StatusOr<Program> program = ParseSignature(signature);
  if (!program.ok()) return program.status();
  return Explain(*program, program->ops[0], policies);
}

}  // namespace tosaic
