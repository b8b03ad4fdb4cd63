// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/finding.h"

#include "absl/algorithm/container.h"
#include "codec/visitor.h"

namespace tosaic {

EnumNames NamesOf(Finding::Status) {
  static constexpr absl::string_view kNames[] = {"regressed", "new", "not-reduced", "beyond-spec", "known"};
  return NamesFor<Finding::Status>(kNames, "a status");
}

Finding::Status StatusOf(const Finding& finding) {
  if (!finding.known_reason.empty()) return Finding::Status::kKnown;
  if (finding.judgement.beyond_spec) return Finding::Status::kBeyondSpec;
  return finding.is_reduced ? Finding::Status::kNew : Finding::Status::kNotReduced;
}

bool AnyUrgent(const std::vector<Finding>& findings) {
  return absl::c_any_of(findings, [](const Finding& one) { return IsUrgent(one); });
}

uint64_t CountNew(const std::vector<Finding>& findings) {
  return static_cast<uint64_t>(absl::c_count_if(findings, IsNew));
}

uint64_t CountNotReduced(const std::vector<Finding>& findings) {
  const auto is_not = [](const Finding& one) { return StatusOf(one) == Finding::Status::kNotReduced; };
  return static_cast<uint64_t>(absl::c_count_if(findings, is_not));
}

void Fields(Visitor& v, ValueDisagreement& one) {
  v("input_bits", one.input_bits, "by operand; empty without a mismatch");
  v("judgement", one.judgement);
}

void Fields(Visitor& v, Finding& finding) {
  v.MayLack("signature", finding.signature);
  v.MayLack("op", finding.op);
  v.MayLack("route", finding.route);
  v.Derived("status", StatusOf(finding));
  v.MayLack("cause", finding.cause, "the cause in the list of known divergences; if it is not listed, the signature");
  v.MayLack("reason", finding.known_reason, "why it is known; empty if it is new");
  v.MayLack("count", finding.count, "cases that show it");
  v.MayLack("case_number", finding.case_number, "the first of them");
  v.MayLack("pipeline", finding.pipeline,
            "the shortest part of the route's pass pipeline that shows it; empty if all of it is needed");
  v("judgement_of_reduced", finding.judgement);
}

void Fields(Visitor& v, FindingOfSuite& one) {
  Finding& finding = one.finding;
  Finding::Status status = StatusOf(finding);
  v.Type("suite-finding");
  v("signature", finding.signature);
  v.Derived("verdict", finding.judgement.verdict);
  v("op", finding.op);
  v("route", finding.route);
  v.MayLack("status", status);
  v("cause", finding.cause, "the cause in the list of known divergences; if it is not listed, the signature");
  v("reason", finding.known_reason, "why it is known; empty if it is new");
  v("count", finding.count, "cases that show it");
  v("case_name", finding.case_name, "the first of them");
  v("judgement", finding.judgement, "the judgement on the reduced case");
  v("original", finding.original, "the first case that showed it");
  v("reduced", finding.reduced, "the smallest case that still shows it");
  if (v.IsReading()) finding.is_reduced = status != Finding::Status::kNotReduced;
}

}  // namespace tosaic
