// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/verdict.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "codec/visitor.h"

namespace tosaic {

EnumNames NamesOf(Verdict) {
  static constexpr absl::string_view kNames[] = {"agree",
                                                 "unsupported",
                                                 "undefined",
                                                 "false-accept",
                                                 "false-reject",
                                                 "wrong-inference",
                                                 "lowering-failed",
                                                 "crash",
                                                 "timeout",
                                                 "memory-fault",
                                                 "uninitialized-result",
                                                 "leak",
                                                 "wrong-shape",
                                                 "wrong-value",
                                                 "contract-violation",
                                                 "judges-disagree",
                                                 "harness-fault"};
  return NamesFor<Verdict>(kNames, "a verdict");
}

std::string ToString(const DecidingRule& rule) {
  if (rule.id == RuleId::kNone) return rule.fault;
  return absl::StrCat(Name(rule.id), rule.fault.empty() ? "" : ": ", rule.fault);
}

absl::Status ReadText(absl::string_view text, DecidingRule& rule) {
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(text, absl::MaxSplits(": ", 1));
  const std::optional<RuleId> id = Find<RuleId>(parts.first);
  rule = {id.value_or(RuleId::kNone), std::string(id ? parts.second : text)};
  return absl::OkStatus();
}

void Fields(Visitor& v, ElementMismatch& mismatch) {
  v.Type("mismatch");
  v("run", mismatch.run);
  v("op", mismatch.op, "index of the program's op");
  v("index", mismatch.index, "of the element in the result, row major");
  v("inputs", mismatch.inputs, "the operands' elements");
  v("expected", mismatch.expected, "a value, or a range \"[a, b]\"");
  v("actual", mismatch.actual);
  v("expected_bits", mismatch.expected_bits);
  v("actual_bits", mismatch.actual_bits);
  v("ulp_distance", OrInfinity{mismatch.ulp_distance}, "in units of the expected value's last place; null if infinite");
  v("bound", mismatch.bound, "the rule and its width: \"2 ulp\"");
  v("count", mismatch.count, "elements of this run and op that disagree");
}

void Fields(Visitor& v, Judgement& judgement) {
  v.Type("judgement");
  v("verdict", judgement.verdict);
  v("stage", judgement.stage);
  v("beyond_spec", judgement.beyond_spec, "whether element types are outside the specification's tuples");
  v("rule", judgement.rule, "label of the rule that decided");
  v.Optional("strictness", judgement.strictness, "of tosa-validate's judgement");
  v("expected", judgement.expected);
  v("actual", judgement.actual);
  v.Optional("op", judgement.op, "index of the op that a verifier or inference decided at");
  v.Optional("mismatch", judgement.mismatch, "the first element that disagrees");
  v("compared", judgement.compared, "elements really compared, over all runs");
  v("masked", judgement.masked, "elements left out as unpredictable");
  v.MayLack("open", judgement.open, "elements of which the documents allow more than half of all values");
  v.MayLack("judged", judgement.judged, "all three, by what computed them");
  v("notes", judgement.notes);
}

}  // namespace tosaic
