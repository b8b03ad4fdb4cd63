// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/spoken_words.h"

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "model/mlir_text.h"
#include "model/signature_program.h"
#include "model/unsigned_types.h"
#include "model/value_edits.h"

namespace tosaic {
namespace {

// On numbers rather than truth values, which attributes may not be for; and on such as every dialect has.
Program LegalProgram(const OpInfo& op) {
  const Dialect oldest = AllDialects().front().dialect;
  const auto* numbers = absl::c_find_if(op.spec_types, [&](const TypeTuple& types) {
    return types.input != ElementType::kI1 && DialectAccepts(op, types.input, types.result, oldest);
  });
  const TypeTuple& types = numbers == op.spec_types.end() ? op.spec_types.front() : *numbers;
  std::vector<std::string> operands;
  for (const OperandRole role : op.operands.first(BroadcastOperandCount(op))) {
    operands.push_back(absl::StrCat("tensor<2x", Name(TypeOfOperand(role, types.input, types.result)), ">"));
  }
  return ParseSignature(
             absl::StrCat(op.name, "(", absl::StrJoin(operands, ", "), ") -> tensor<2x", Name(types.result), ">"))
      .value();
}

// Sets an attribute that may be absent, and its kinds are these, to what its absence does not mean.
void SayMore(std::optional<bool>& value) { value = true; }
template <NamedEnum E>
void SayMore(std::optional<E>& value) {
  value = All<E>().back();
}
template <typename Kind>
void SayMore(std::optional<Kind>&) {}

}  // namespace

std::string ToString(const Unspoken& unspoken) {
  if (unspoken.type) return absl::StrCat(Name(*unspoken.type), ": ", unspoken.why);
  if (unspoken.is_unranked) return absl::StrCat("unranked result of ", Info(unspoken.op).name, ": ", unspoken.why);
  const std::string attribute = unspoken.attribute ? absl::StrCat(Name(*unspoken.attribute), " of ") : "";
  return absl::StrCat(attribute, Info(unspoken.op).name, ": ", unspoken.why);
}

std::vector<WordQuestion> QuestionsIn(Dialect dialect) {
  std::vector<WordQuestion> questions;
  const auto ask = [&](const OpInfo& op, std::optional<Attribute> attribute, const Program& program) {
    questions.push_back({op.kind, attribute, ToMlir(program, dialect, absl::StrCat("question", questions.size()))});
  };
  for (const OpInfo& op : AllOps()) {
    if (NameIn(op, dialect).empty()) continue;
    Program program = LegalProgram(op);
    ask(op, std::nullopt, program);
    ForEachAttribute(program.ops.front().attributes, [&](const AttributeInfo& info, auto& value) {
      const bool may_lack =
          HasAttribute(op, info.attribute) && PresenceIn(op, info.attribute) == AttributePresence::kOptional;
      if (!may_lack || Info(dialect).Spelling(op.kind, info.attribute) == AttributeSpelling::kNone) return;
      SayMore(value);
      ask(op, info.attribute, program);
      value.reset();
    });
  }
  // Where a type says that a number is unsigned, an attribute that says it too is nobody's, whatever it is.
  if (const OpInfo& rescale = Info(OpKind::kRescale); HasUnsignedTypes(Info(dialect))) {
    for (const Attribute attribute : {Attribute::kInputUnsigned, Attribute::kOutputUnsigned}) {
      ask(rescale, attribute, LegalProgram(rescale));
      std::string& module = questions.back().module;
      absl::StrReplaceAll({{"{scale32", absl::StrCat("{", Name(attribute), " = 0 : i32, scale32")}}, &module);
    }
  }
  for (const ElementTypeInfo& type : BlockScaledTypes()) {
    if (!absl::c_linear_search(Info(dialect).numbers, type.type)) continue;
    // Of a constant, which a library of some weeks of 2026 does not read though it has the type.
    const std::string cast = absl::StrCat("cast(tensor<32x", type.name, ">) -> tensor<32xf32>");
    Case of_constant = {.program = ParseSignature(cast).value()};
    MakeConstant(of_constant, {ValueRef::Kind::kArgument, 0}, Tensor(type.type, {kBlockSize}));
    ask(Info(OpKind::kCast), std::nullopt, of_constant.program);
    questions.back().type = type.type;
  }
  return questions;
}

std::vector<DayQuestion> DayQuestionsIn(Dialect dialect) {
  std::vector<DayQuestion> questions;
  const auto ask = [&](Unspoken about, bool is_legal, const Program& program) {
    questions.push_back(
        {std::move(about), ToMlir(program, dialect, absl::StrCat("question", questions.size())), is_legal});
  };
  for (const ElementTypeInfo& type : AllElementTypes()) {
    for (const auto& [op, result] : {std::pair(OpKind::kIdentity, type.type), {OpKind::kCast, ElementType::kI32}}) {
      ask({.op = op, .type = type.type}, DialectAccepts(Info(op), type.type, result, dialect),
          ParseSignature(absl::StrCat(Name(op), "(tensor<2x", type.name, ">) -> tensor<2x", Name(result), ">"))
              .value());
    }
  }
  Program reshape = LegalProgram(Info(OpKind::kReshape));
  reshape.ops.front().result.shape = Shape::Unranked();
  ask({.op = OpKind::kReshape, .is_unranked = true}, !TypingIn(Info(OpKind::kReshape), dialect).ranked_result, reshape);
  return questions;
}

bool IsAboutWords(absl::string_view error) {
  constexpr absl::string_view kWords[] = {"unregistered operation", "requires attribute", "operands, but found",
                                          "invalid properties",     "unknown type `",     "expected '>'"};
  return absl::c_any_of(kWords, [&](absl::string_view words) { return absl::StrContains(error, words); });
}

bool MayBeAboutWords(absl::string_view error) {
  constexpr absl::string_view kForms[] = {"unknown attribute `", "failed to satisfy constraint",
                                          "requires a single operand"};
  return IsAboutWords(error) ||
         absl::c_any_of(kForms, [&](absl::string_view words) { return absl::StrContains(error, words); });
}

bool IsUnspoken(OpKind op, absl::Span<const Unspoken> unspoken) {
  return absl::c_any_of(unspoken, [&](const Unspoken& word) {
    return word.op == op && !word.attribute && !word.type && !word.is_unranked;
  });
}

const Unspoken* FindUnspoken(const Program& program, absl::Span<const Unspoken> unspoken) {
  for (const Unspoken& word : unspoken) {
    const auto is_type = [&](const TensorType& type) { return type.element_type == word.type; };
    if (word.type && word.op != OpKind::kIdentity) {
      if (HasType(program, [&](ElementType type) { return type == *word.type; })) return &word;
      continue;
    }
    const bool is_said = absl::c_any_of(program.ops, [&](const OpApplication& op) {
      if (word.type) {
        const auto is_of_type = [&](ValueRef operand) { return is_type(TypeOf(program, operand)); };
        return op.op != OpKind::kCast && (is_type(op.result) || absl::c_any_of(op.operands, is_of_type));
      }
      return op.op == word.op && (!word.attribute || SaysMore(op.attributes, *word.attribute)) &&
             (!word.is_unranked || !op.result.shape.IsRanked());
    });
    if (is_said) return &word;
  }
  return nullptr;
}

}  // namespace tosaic
