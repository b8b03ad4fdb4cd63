// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/judgement_text.h"

#include <set>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "model/counted.h"
#include "model/rules.h"
#include "results/judged_text.h"

namespace tosaic {

std::string NoteInWords(const std::string& note) {
  for (const RuleInfo& rule : AllRules()) {
    if (rule.label == note) return absl::StrCat(rule.states, " [", note, "]");
  }
  const std::string implausible = absl::StrCat(Name(RuleId::kValueImplausible), ": ");  // then the op
  if (absl::StartsWith(note, implausible)) {
    return absl::StrCat("A result of ", note.substr(implausible.size()), " is within its bound, but implausible. [",
                        note, "]");
  }
  const std::string unseen = absl::StrCat(Name(RuleId::kRunUndefinedBehaviourOpen), ": ");  // then what was not seen
  if (absl::StartsWith(note, unseen)) {
    return absl::StrCat("Undefined behaviour of the code may have gone unseen: ", note.substr(unseen.size()), ". [",
                        note, "]");
  }
  return note;
}

std::vector<Fact> FactsOf(const Judgement& judgement) {
  std::vector<Fact> facts;
  if (judgement.mismatch && judgement.rule == RuleId::kRunUndefinedBehaviour) {
    const ElementMismatch& m = *judgement.mismatch;
    facts = {{"element", absl::StrFormat("%d of %%%d in run %d", m.index, m.op, m.run)},
             {"inputs", absl::StrJoin(m.inputs, ", ")}};
  } else if (judgement.mismatch) {
    const ElementMismatch& m = *judgement.mismatch;
    facts = {{"element", absl::StrFormat("%d of %%%d in run %d (%s there disagree%s)", m.index, m.op, m.run,
                                         Counted(m.count, "element"), m.count == 1 ? "s" : "")},
             {"inputs", absl::StrJoin(m.inputs, ", ")},
             {"bits", absl::StrCat("expected ", m.expected_bits.empty() ? "one of several" : m.expected_bits,
                                   ", actual ", m.actual_bits)}};
    // There is no distance if one of them is no number, if the type has no units, or if only the sign differs.
    // An expected NaN has no bound that one could be within.
    if (m.ulp_distance > 0) {
      facts.push_back({"distance", absl::StrFormat("%.6g ulp, allowed: %s", m.ulp_distance, m.bound)});
    } else if (m.expected != "NaN") {
      facts.push_back({"allowed", m.bound});
    }
  }
  std::set<std::string> notes;  // a program of many ops has a note of each
  for (const std::string& note : judgement.notes) {
    std::string words = NoteInWords(note);
    if (notes.insert(words).second) facts.push_back({"note", std::move(words)});
  }
  return facts;
}

std::string VariantInWords(absl::string_view twin, bool is_wrong_itself) {
  const std::optional<RuleId> rule = FindTwinRule(twin);
  std::string text = is_wrong_itself
                         ? absl::StrCat("it is wrong as it is; its variant ", twin, " shows which op is wrong")
                         : absl::StrCat("nothing is wrong with it as it is; its variant ", twin, " shows it");
  if (!rule) return text;
  std::string states(absl::StripSuffix(Info(*rule).states, "."));
  states[0] = absl::ascii_tolower(states[0]);
  return absl::StrCat(text, ": ", states);
}

std::string AllowedInWords(const JudgedElements& elements) {
  const bool is_one = elements.compared() == 1;
  if (elements.widths.Median() == 0)
    return is_one ? "one value is allowed" : "for at least half of them one value is allowed";
  return absl::StrCat(is_one ? "" : "for at least half of them ", "the allowed values span at most ",
                      MedianText(elements), " ulp");
}

std::string ComparedText(const Judgement& judgement) {
  const JudgedElements all = SumOf(judgement.judged, "all");
  if (all.elements == 0) return "";
  const std::string of_all =
      absl::StrFormat("%d of %s (%.1f %%)", all.compared(), Counted(all.elements, "element"), 100 * all.share());
  const std::string open = all.open == 0 ? "" : absl::StrCat(", ", all.open, " open: most values are allowed");
  const std::string left_out = absl::StrCat(open, LeftOutText(all));
  return all.compared() == 0 ? absl::StrCat(of_all, left_out)
                             : absl::StrCat(of_all, left_out, "; ", AllowedInWords(all));
}

const OpApplication& BlamedOp(const Program& program, const Judgement& judgement) {
  if (judgement.mismatch) return program.ops[static_cast<size_t>(judgement.mismatch->op)];
  return judgement.op ? program.ops[static_cast<size_t>(*judgement.op)] : program.ops.back();
}

std::string OpInWords(const Program& program, size_t op) {
  return absl::StrCat("%", op, " (", Name(program.ops[op].op), ")");
}

std::string JudgementToText(const Judgement& judgement) {
  std::string out =
      absl::StrCat("verdict:   ", Name(judgement.verdict), judgement.beyond_spec ? " (beyond-spec)" : "", " at ",
                   Name(judgement.stage), "\nrule:      ", Name(judgement.rule),
                   judgement.verdict == Verdict::kAgree ? absl::StrCat(": ", Info(judgement.rule).states) : "", "\n");
  if (!judgement.expected.empty() || !judgement.actual.empty()) {
    absl::StrAppend(&out, "expected:  ", judgement.expected, "\nactual:    ", judgement.actual, "\n");
  }
  for (const Fact& fact : FactsOf(judgement)) {
    absl::StrAppendFormat(&out, "%-11s%s\n", fact.name + ":", fact.value);
  }
  const std::string compared = ComparedText(judgement);
  if (!compared.empty()) absl::StrAppend(&out, "compared:  ", compared, "\n");
  return out;
}

std::string RunsToText(const Case& test_case) {
  constexpr size_t kShown = 16;
  std::string out;
  for (size_t i = 0; i < test_case.runs.size(); ++i) {
    absl::StrAppend(&out, "run ", i, ":\n");
    for (size_t a = 0; a < test_case.runs[i].size(); ++a) {
      const Tensor& tensor = test_case.runs[i][a];
      absl::StrAppend(&out, "  %arg", a, " = ", Name(tensor.element_type()), " ", SizesToString(tensor.sizes()), ":");
      for (size_t e = 0; e < tensor.element_count() && e < kShown; ++e) {
        absl::StrAppend(&out, " ", ElementToString(tensor.element_type(), tensor.Bits(e)));
      }
      absl::StrAppend(&out, tensor.element_count() > kShown ? " ...\n" : "\n");
    }
  }
  return out;
}

}  // namespace tosaic
