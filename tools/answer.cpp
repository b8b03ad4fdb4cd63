// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/answer.h"

#include <optional>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "diagnosis/pass_bisection.h"
#include "model/counted.h"
#include "oracle/compare.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
#include "oracle/run_sets.h"
#include "oracle/scalar_ops.h"
#include "results/judgement_text.h"

namespace tosaic {
namespace {

// Why this element of an op may be anything; none where its operands are open themselves.
RuleId RuleOfElement(const Program& program, size_t op, size_t element, const Policies& policies, RunSets& sets) {
  const std::optional<ElementBits> bits = sets.OnlyOperandsOf(op, element);
  if (!bits) return RuleId::kNone;
  ScalarInput in = InputOf(program, program.ops[op], policies);
  in.bits = *bits;
  const bool has_values = HasValues(program, program.ops[op]);
  return RuleOf(in.op, has_values ? EvaluateScalar(in) : Undefined(ValueCase::kBeyondSpec));
}

}  // namespace

std::string InBrackets(const Judgement& judgement) {
  const std::vector<std::string>& notes = judgement.notes;
  std::string text =
      judgement.masked + judgement.open == 0 ? "" : absl::StrCat(" (compared ", ComparedText(judgement), ")");
  for (const std::string& note : std::set<std::string>(notes.begin(), notes.end())) {
    absl::StrAppend(&text, " (", note, ")");
  }
  return text;
}

RuleId UndefinedBy(const Case& test_case, const Judgement& judgement, const Policies& policies) {
  const std::vector<const Tensor*> nothing_seen(test_case.program.ops.size(), nullptr);
  for (size_t r = 0; r < test_case.runs.size(); ++r) {
    UndefinedSizes why;
    if (!SizesOfAllOps(test_case.program, test_case.runs[r], &why)) return why.rule;
    std::optional<RunSets> sets = RunSets::Of(test_case, r, nothing_seen, policies);
    for (size_t op = 0; sets && op < test_case.program.ops.size(); ++op) {
      const auto count = static_cast<size_t>(ElementCount(sets->sizes(op)));
      for (size_t element = 0; element < count; ++element) {
        if (!sets->Allowed(op, element).IsUndefined()) continue;
        const RuleId rule = RuleOfElement(test_case.program, op, element, policies, *sets);
        return rule == RuleId::kNone ? judgement.rule : rule;
      }
    }
  }
  return judgement.rule;
}

std::string AnswerOf(const Judgement& judgement, RuleId rule, absl::string_view turn) {
  const Verdict verdict = judgement.verdict;
  const RuleInfo& info = Info(rule);
  const std::string where =
      absl::StrCat("[", info.label, "] ", info.states, " (", info.document, ", ", info.section, ": ", info.link, ")");
  if (verdict == Verdict::kUndefined) return absl::StrCat("undefined: ", where);
  if (verdict == Verdict::kAgree) {
    // An element that a reporter takes for inconsistent may be open.
    const std::string open = judgement.open == 0 ? ""
                                                 : absl::StrCat("; of ", Counted(judgement.open, "element"),
                                                                " the documents allow more than half of all values");
    const std::string specified =
        judgement.beyond_spec ? absl::StrCat("as Tosaic reads the specification for element types beyond it", open)
                              : absl::StrCat("as specified", open);
    if (judgement.masked == 0 || rule == judgement.rule) return specified;
    const bool is_single = judgement.masked == 1;
    return absl::StrCat(specified, "; ", Counted(judgement.masked, "element"), is_single ? " is" : " are",
                        " undefined: ", where);
  }
  if (!IsDivergence(verdict)) return "";
  return absl::StrCat("wrong: ", where, turn.empty() ? "" : absl::StrCat("; ", turn));
}

std::string WhereItGoesWrong(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                             const JudgeOptions& judge, const ProgramReader& read) {
  const absl::StatusOr<PassBisection> bisection = BisectPasses(toolchain, test_case, limits, judge, read);
  if (!bisection.ok()) return "";
  if (bisection->suspects.empty()) return "";
  // If it is not known which it is, it was right before the first of them.
  return absl::StrCat(PassToBlame(*bisection).empty() ? "still right before " : "first wrong after ",
                      bisection->passes[bisection->suspects.front()].text);
}

}  // namespace tosaic
