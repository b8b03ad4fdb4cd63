// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/answer.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "campaign/diagnosis/pass_bisection.h"
#include "oracle/allowed_set.h"
#include "oracle/compare.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
#include "oracle/run_sets.h"

namespace tosaic {

namespace {

// A value of the run, if it can only be one.
std::optional<Tensor> ValueOf(const Case& test_case, const Run& run, ValueRef ref, RunSets& sets) {
  if (ref.kind == ValueRef::Kind::kArgument) return run[ref.index];
  if (ref.kind == ValueRef::Kind::kConstant) return test_case.program.constants[ref.index];
  const size_t op = ref.index;
  Tensor tensor(test_case.program.ops[op].result.element_type, sets.sizes(op));
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    const AllowedSet allowed = sets.Allowed(op, i);
    if (allowed.Count() != 1 || allowed.has_nan()) return std::nullopt;
    tensor.SetBits(i, allowed.OnlyBits());
  }
  return tensor;
}

// Why this element of an op may be anything.
RuleId RuleOfElement(const Case& test_case, const Run& run, size_t op, size_t element, const Policies& policies,
                     RunSets& sets) {
  const OpApplication& application = test_case.program.ops[op];
  std::vector<Tensor> values;
  for (const ValueRef ref : application.operands) {
    std::optional<Tensor> value = ValueOf(test_case, run, ref, sets);
    if (!value) return RuleId::kNone;
    values.push_back(*std::move(value));
  }
  std::vector<const Tensor*> operands;
  for (const Tensor& value : values) operands.push_back(&value);
  return RuleOf(Info(application.op),
                Evaluate(test_case.program, application, operands, sets.sizes(op), policies)[element]);
}

}  // namespace

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
        const RuleId rule = RuleOfElement(test_case, test_case.runs[r], op, element, policies, *sets);
        return rule == RuleId::kNone ? judgement.rule : rule;
      }
    }
  }
  return judgement.rule;
}

std::string AnswerOf(Verdict verdict, RuleId rule, absl::string_view turn) {
  const RuleInfo& info = Info(rule);
  const std::string where =
      absl::StrCat("[", info.label, "] ", info.states, " (", info.document, ", ", info.section, ": ", info.link, ")");
  if (verdict == Verdict::kUndefined) return absl::StrCat("undefined: ", where);
  if (verdict == Verdict::kAgree) return "as specified";
  if (!IsDivergence(verdict)) return "";
  return absl::StrCat("wrong: ", where, turn.empty() ? "" : absl::StrCat("; ", turn));
}

std::string WhereItGoesWrong(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                             const JudgeOptions& judge) {
  const absl::StatusOr<PassBisection> bisection = BisectPasses(toolchain, test_case, limits, judge);
  if (!bisection.ok()) return "";
  if (bisection->suspects.empty()) return "";
  // Where several cannot be told apart, it was right before the first of them.
  return absl::StrCat(bisection->suspects.size() == 1 ? "first wrong after " : "still right before ",
                      bisection->passes[bisection->suspects.front()].text);
}

}  // namespace tosaic
