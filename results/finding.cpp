// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/finding.h"

#include "absl/algorithm/container.h"
#include "codec/visitor.h"

namespace tosaic {

EnumNames NamesOf(Finding::Status) {
  static constexpr absl::string_view kNames[] = {"regressed", "new", "beyond-spec", "known"};
  return {kNames, "a status"};
}

Finding::Status StatusOf(const Finding& finding) {
  if (!finding.known_reason.empty()) return Finding::Status::kKnown;
  return finding.judgement.beyond_spec ? Finding::Status::kBeyondSpec : Finding::Status::kNew;
}

uint64_t CountNew(const std::vector<Finding>& findings) {
  return static_cast<uint64_t>(absl::c_count_if(findings, IsNew));
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
  v.Type("suite-finding");
  v("signature", finding.signature);
  v.Derived("verdict", finding.judgement.verdict);
  v("op", finding.op);
  v("route", finding.route);
  v.Derived("status", StatusOf(finding));
  v("cause", finding.cause, "the cause in the list of known divergences; if it is not listed, the signature");
  v("reason", finding.known_reason, "why it is known; empty if it is new");
  v("count", finding.count, "cases that show it");
  v("case_name", finding.case_name, "the first of them");
  v("judgement", finding.judgement, "the judgement on the reduced case");
  v("original", finding.original, "the first case that showed it");
  v("reduced", finding.reduced, "the smallest case that still shows it");
}

}  // namespace tosaic
