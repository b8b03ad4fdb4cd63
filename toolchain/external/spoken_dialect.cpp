// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/spoken_dialect.h"

#include <cstddef>
#include <cstdlib>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tosaic {
namespace {

std::vector<std::string> ModulesOf(absl::Span<const WordQuestion> questions) {
  std::vector<std::string> modules;
  for (const WordQuestion& question : questions) modules.push_back(question.module);
  return modules;
}

// Whether a refusal is about words, and not about what they say.
bool IsNotRead(const ToolCalls& calls, const std::string& module, const ToolAnswer& answer) {
  if (answer.how != Outcome::kRefused) return false;
  if (IsAboutWords(answer.errors.front())) return true;
  if (calls.tools().dated && MayBeAboutWords(answer.errors.front())) return true;
  if (calls.tools().major < 17) return false;  // which lack the flag below, and look long for one that is like it
  ToolQuestion reading = calls.Verification();
  reading.arguments.push_back("--mlir-very-unsafe-disable-verifier-on-parsing");
  return calls.AskAlone(reading, module).how == Outcome::kRefused;
}

// All, from the nearest on: an older one may be part of a newer one, and be read as completely.
std::vector<Dialect> CandidatesFor(int version) {
  std::vector<Dialect> candidates;
  for (const DialectInfo& info : AllDialects()) candidates.push_back(info.dialect);
  const auto distance = [&](Dialect dialect) { return std::abs(Info(dialect).version - version); };
  absl::c_stable_sort(candidates, [&](Dialect a, Dialect b) { return distance(a) < distance(b); });
  return candidates;
}

// The dialect that the tools read most of, and what they do not read of it; nullopt: they read nothing.
std::optional<SpokenDialect> FindByOps(const ToolCalls& calls, absl::Span<const Dialect> candidates) {
  std::optional<SpokenDialect> best;
  std::ptrdiff_t most = 0;
  for (const Dialect candidate : candidates) {
    const std::vector<WordQuestion> questions = QuestionsIn(candidate);
    const std::vector<ToolAnswer> answers = calls.Ask(calls.Verification(), ModulesOf(questions));
    // Of ops alone: what has no such attribute may read it as one that is nobody's.
    std::ptrdiff_t taken = 0;
    for (size_t i = 0; i < questions.size(); ++i) {
      taken += !questions[i].attribute && !questions[i].type && answers[i].how == Outcome::kCompleted;
    }
    if (taken <= most) continue;
    most = taken;
    best = SpokenDialect{.dialect = candidate, .unspoken = {}};
    for (size_t i = 0; i < questions.size(); ++i) {
      if (!IsNotRead(calls, questions[i].module, answers[i])) continue;
      const auto& [op, attribute, module, type] = questions[i];
      if (IsUnspoken(op, best->unspoken)) continue;  // the op itself is not read
      best->unspoken.push_back({op, attribute, answers[i].errors.front(), type});
    }
  }
  return best;
}

absl::StatusOr<SpokenDialect> FindByWords(const ToolCalls& calls) {
  const ExternalTools& tools = calls.tools();
  const std::vector<Dialect> candidates = CandidatesFor(tools.major);
  ToolAnswer first;
  for (const Dialect candidate : candidates) {
    ToolAnswer answer = calls.AskAlone(calls.Verification(), absl::StrJoin(ModulesOf(QuestionsIn(candidate)), ""));
    if (answer.how == Outcome::kCompleted) return SpokenDialect{.dialect = candidate, .unspoken = {}};
    if (candidate == candidates.front()) first = std::move(answer);
    if (first.how == Outcome::kDeadline) break;
  }
  // Tools that hang or print nonsense at one op would do so at each.
  const ToolAnswer first_op = calls.AskAlone(calls.Verification(), QuestionsIn(candidates.front()).front().module);
  if (first_op.how == Outcome::kCompleted || first_op.how == Outcome::kRefused) {
    if (std::optional<SpokenDialect> spoken = FindByOps(calls, candidates)) return *std::move(spoken);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      tools.opt, " of LLVM ", tools.version, " takes none of the TOSA dialects that Tosaic writes (of MLIR ",
      absl::StrJoin(AllDialects(), ", ",
                    [](std::string* out, const DialectInfo& info) { absl::StrAppend(out, info.version); }),
      "): ",
      first.how == Outcome::kDeadline ? "it does not answer in time"
      : first.errors.empty()          ? "it does not end as it should"
                                      : first.errors.front()));
}

// What a dated build decides otherwise than its dialect is no mistake of that day, and nobody knows what was right.
void AddOtherDecisions(const ToolCalls& calls, SpokenDialect* spoken) {
  std::vector<DayQuestion> questions = DayQuestionsIn(spoken->dialect);
  std::vector<std::string> modules;
  for (const DayQuestion& question : questions) modules.push_back(question.module);
  const std::vector<ToolAnswer> answers = calls.Ask(calls.Verification(), modules);
  for (size_t i = 0; i < questions.size(); ++i) {
    const bool is_refused = answers[i].how == Outcome::kRefused;
    if (is_refused != questions[i].is_legal || (!is_refused && answers[i].how != Outcome::kCompleted)) continue;
    questions[i].about.why = is_refused ? answers[i].errors.front()
                                        : absl::StrCat("it is taken, and not in MLIR ", Info(spoken->dialect).version);
    spoken->unspoken.push_back(std::move(questions[i].about));
  }
}

}  // namespace

absl::StatusOr<SpokenDialect> FindDialect(const ToolCalls& calls) {
  absl::StatusOr<SpokenDialect> spoken = FindByWords(calls);
  if (spoken.ok() && calls.tools().dated) AddOtherDecisions(calls, &*spoken);
  return spoken;
}

}  // namespace tosaic
