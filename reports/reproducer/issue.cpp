// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// issue.md, from the parts of templates/issue.md.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "model/mlir_text.h"
#include "reports/escape.h"
#include "reports/reproducer/parts.h"
#include "reports/reproducer/templates.h"

namespace tosaic {
namespace {

std::string Part(absl::string_view name, TemplateValues values = {}) {
  return FillTemplate(TemplatePart(ReproducerTemplates(), "issue.md", name), values);
}

// The run's operands.
std::string Data(const Reproduction& r) {
  if (r.test_case.runs.empty() || r.test_case.program.arguments.empty() || r.showing == Showing::kRefuses) return "";
  constexpr size_t kMost = 16;
  std::string tensors;
  const Run& run = r.test_case.runs[r.shown.run];
  for (size_t i = 0; i < run.size(); ++i) {
    const Tensor& tensor = run[i];
    std::string elements;
    for (size_t e = 0; e < tensor.element_count() && e < kMost; ++e) {
      absl::StrAppend(&elements, " ", ElementToString(tensor.element_type(), tensor.Bits(e)));
    }
    if (tensor.element_count() > kMost) elements += " ...";
    absl::StrAppend(&tensors, Part("tensor", {{"NUMBER", absl::StrCat(i)},
                                              {"TYPE", std::string(Name(tensor.element_type()))},
                                              {"SIZES", SizesToString(tensor.sizes())},
                                              {"ELEMENTS", std::move(elements)}}));
  }
  return Part("data", {{"TENSORS", std::move(tensors)}});
}

// Where the rule stands, as a link for people elsewhere.
std::string LinkedCitation(RuleId rule) {
  const RuleInfo& info = Info(rule);
  return info.is_ours() ? Citation(rule) : absl::StrCat("[", Citation(rule), "](", info.link, ")");
}

// The first element that disagrees.
std::string Mismatch(const Reproduction& r) {
  if (!r.judgement.mismatch) return "";
  const ElementMismatch& m = *r.judgement.mismatch;
  return Part("mismatch", {{"INDEX", absl::StrCat(m.index)},
                           {"OP", absl::StrCat(m.op)},
                           {"INPUTS", absl::StrJoin(m.inputs, ", ")},
                           {"ACTUAL", m.actual},
                           {"ACTUAL_BITS", m.actual_bits},
                           {"EXPECTED", m.expected},
                           {"EXPECTED_BITS", m.expected_bits.empty() ? "" : absl::StrCat(" (", m.expected_bits, ")")},
                           {"BOUND", m.bound}});
}

}  // namespace

std::string IssueText(const Reproduction& r) {
  const std::string runner = IsExecuted(r.showing) ? Part("runner") : "";
  return Part("", {{"TITLE", OneLine(Title(r))},
                   {"VERSION", r.version},
                   {"PROGRAM", r.program},
                   {"DATA", Data(r)},
                   {"TWIN", r.twin ? Part("twin", {{"TWIN", r.test_case.twin}, {"PROGRAM", r.twin_program}}) : ""},
                   {"PIPELINE", r.pipeline.empty() ? "" : absl::StrCat(" --pass-pipeline='", r.pipeline, "'")},
                   {"RUNNER", std::string(absl::StripSuffix(runner, "\n"))},
                   {"OBSTACLE", r.obstacle.empty() ? "" : Part("obstacle", {{"OBSTACLE", r.obstacle}})},
                   {"EXPECTED", OneLine(r.judgement.expected)},
                   {"RULE", std::string(Name(r.judgement.rule))},
                   {"SECTION", LinkedCitation(r.judgement.rule)},
                   {"ACTUAL", OneLine(r.judgement.actual)},
                   {"MISMATCH", Mismatch(r)},
                   {"SIGNATURE", r.signature}});
}

}  // namespace tosaic
