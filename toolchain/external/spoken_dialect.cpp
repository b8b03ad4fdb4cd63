// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/spoken_dialect.h"

#include <cstddef>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/mlir_text.h"
#include "model/signature_program.h"

namespace tosaic {
namespace {

// A legal program that says one thing.
struct Question {
  OpKind op;
  std::optional<Attribute> attribute;
  std::string module;
};

Program LegalProgram(const OpInfo& op) {
  const TypeTuple& types = op.spec_types.front();
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

// All that the dialect has, in functions of different names.
std::vector<Question> QuestionsIn(Dialect dialect) {
  std::vector<Question> questions;
  const auto ask = [&](const OpInfo& op, std::optional<Attribute> attribute, const Program& program) {
    questions.push_back({op.kind, attribute, ToMlir(program, dialect, absl::StrCat("question", questions.size()))});
  };
  for (const OpInfo& op : AllOps()) {
    if (NameIn(op, dialect).empty()) continue;
    Program program = LegalProgram(op);
    ask(op, std::nullopt, program);
    ForEachAttribute(program.ops.front().attributes, [&](const AttributeInfo& info, auto& value) {
      const bool may_lack = info.presence == AttributePresence::kOptional && HasAttribute(op, info.attribute);
      if (!may_lack || Info(dialect).Spelling(info.attribute) == AttributeSpelling::kNone) return;
      SayMore(value);
      ask(op, info.attribute, program);
      value.reset();
    });
  }
  return questions;
}

std::vector<std::string> ModulesOf(absl::Span<const Question> questions) {
  std::vector<std::string> modules;
  for (const Question& question : questions) modules.push_back(question.module);
  return modules;
}

// Whether a refusal is about words, and not about what they say.
bool IsNotRead(const ToolCalls& calls, const std::string& module, const ToolAnswer& answer) {
  if (answer.how != ToolAnswer::How::kRefused) return false;
  for (const char* words : {"unregistered operation", "requires attribute", "operands, but found"}) {
    if (absl::StrContains(answer.errors.front(), words)) return true;
  }
  ToolQuestion reading = calls.Verification();
  reading.arguments.push_back("--mlir-very-unsafe-disable-verifier-on-parsing");
  return calls.AskAlone(reading, module).how == ToolAnswer::How::kRefused;
}

std::vector<Dialect> CandidatesFor(int version) {
  std::vector<Dialect> candidates = {NearestDialect(version)};
  for (const DialectInfo& info : AllDialects()) {
    if (info.dialect != candidates.front()) candidates.push_back(info.dialect);
  }
  return candidates;
}

// The dialect that the tools read most of, and what they do not read of it; nullopt: they read nothing.
std::optional<SpokenDialect> FindByOps(const ToolCalls& calls, absl::Span<const Dialect> candidates) {
  std::optional<SpokenDialect> best;
  std::ptrdiff_t most = 0;
  for (const Dialect candidate : candidates) {
    const std::vector<Question> questions = QuestionsIn(candidate);
    const std::vector<ToolAnswer> answers = calls.Ask(calls.Verification(), ModulesOf(questions));
    const auto taken =
        absl::c_count_if(answers, [](const ToolAnswer& answer) { return answer.how == ToolAnswer::How::kMade; });
    if (taken <= most) continue;
    most = taken;
    best = SpokenDialect{.dialect = candidate, .unspoken = {}};
    for (size_t i = 0; i < questions.size(); ++i) {
      if (!IsNotRead(calls, questions[i].module, answers[i])) continue;
      const auto& [op, attribute, module] = questions[i];
      if (FindUnspoken(LegalProgram(Info(op)), best->unspoken) != nullptr) continue;  // the op itself is not read
      best->unspoken.push_back({op, attribute, answers[i].errors.front()});
    }
  }
  return best;
}

}  // namespace

std::string ToString(const Unspoken& unspoken) {
  const std::string attribute = unspoken.attribute ? absl::StrCat(Name(*unspoken.attribute), " of ") : "";
  return absl::StrCat(attribute, Info(unspoken.op).name, ": ", unspoken.why);
}

absl::StatusOr<SpokenDialect> FindDialect(const ToolCalls& calls) {
  const ExternalTools& tools = calls.tools();
  const std::vector<Dialect> candidates = CandidatesFor(tools.major);
  ToolAnswer first;
  for (const Dialect candidate : candidates) {
    ToolAnswer answer = calls.AskAlone(calls.Verification(), absl::StrJoin(ModulesOf(QuestionsIn(candidate)), ""));
    if (answer.how == ToolAnswer::How::kMade) return SpokenDialect{.dialect = candidate, .unspoken = {}};
    if (candidate == candidates.front()) first = std::move(answer);
    if (first.how == ToolAnswer::How::kDeadline) break;
  }
  // Tools that hang or print nonsense at one op would do so at each.
  const ToolAnswer one = calls.AskAlone(calls.Verification(), QuestionsIn(candidates.front()).front().module);
  if (one.how == ToolAnswer::How::kMade || one.how == ToolAnswer::How::kRefused) {
    if (std::optional<SpokenDialect> spoken = FindByOps(calls, candidates)) return *std::move(spoken);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      tools.opt, " of LLVM ", tools.version, " takes none of the TOSA dialects that Tosaic writes (of MLIR ",
      absl::StrJoin(AllDialects(), ", ",
                    [](std::string* out, const DialectInfo& info) { absl::StrAppend(out, info.version); }),
      "): ",
      first.how == ToolAnswer::How::kDeadline ? "it does not answer in time"
      : first.errors.empty()                  ? "it does not end as it should"
                                              : first.errors.front()));
}

const Unspoken* FindUnspoken(const Program& program, absl::Span<const Unspoken> unspoken) {
  for (const Unspoken& one : unspoken) {
    const bool is_said = absl::c_any_of(program.ops, [&](const OpApplication& op) {
      return op.op == one.op && (!one.attribute || SaysMore(op.attributes, *one.attribute));
    });
    if (is_said) return &one;
  }
  return nullptr;
}

}  // namespace tosaic
