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
  const auto* cases = std::get_if<CaseEvidence>(&finding.evidence);
  return cases == nullptr || cases->is_reduced ? Finding::Status::kNew : Finding::Status::kNotReduced;
}

bool AnyUrgent(const std::vector<Finding>& findings) {
  return absl::c_any_of(findings, [](const Finding& finding) { return IsUrgent(finding); });
}

uint64_t CountNew(const std::vector<Finding>& findings) {
  return static_cast<uint64_t>(absl::c_count_if(findings, IsNew));
}

uint64_t CountNotReduced(const std::vector<Finding>& findings) {
  const auto is_not = [](const Finding& finding) { return StatusOf(finding) == Finding::Status::kNotReduced; };
  return static_cast<uint64_t>(absl::c_count_if(findings, is_not));
}

void Fields(Visitor& v, ValueDisagreement& disagreement) {
  v("input_bits", disagreement.input_bits, "by operand; empty without a mismatch");
  v("judgement", disagreement.judgement);
}

void CommonFields(Visitor& v, Finding& finding, std::optional<Finding::Status> on_page) {
  const auto key = [&](absl::string_view name, auto& value, absl::string_view description = "") {
    on_page ? v(name, value, description) : v.MayLack(name, value, description);
  };
  Finding::Status status = on_page.value_or(StatusOf(finding));
  v("signature", finding.signature);
  key("verdict", finding.judgement.verdict);
  v("op", finding.op);
  key("route", finding.route);
  key("status", status);
  key("cause", finding.cause, "the cause in the list of known divergences; if it is not listed, the signature");
  key("reason", finding.known_reason, "why it is known; empty if it is new");
  v("count", finding.count, "cases, decisions or inputs that show it");
  if (!v.IsReading()) return;
  if (finding.cause.empty()) finding.cause = ToString(finding.signature);
  finding.judgement.beyond_spec = status == Finding::Status::kBeyondSpec;
  if (auto* cases = std::get_if<CaseEvidence>(&finding.evidence)) {
    cases->is_reduced = status != Finding::Status::kNotReduced;
  }
}

void Fields(Visitor& v, Finding& finding) {
  CommonFields(v, finding);
  v.MayLack("case_number", finding.cases().case_number, "the first of them");
  v.Optional("base_agrees", finding.cases().base_agrees,
             "true if the MLIR without the patch under review has right what is wrong here: no cause of that MLIR "
             "explains it");
  v.MayLack("pipeline", finding.cases().pipeline,
            "the shortest part of the route's pass pipeline that shows it; empty if all of it is needed");
  v("judgement_of_reduced", finding.judgement);
}

void Fields(Visitor& v, FindingOfSuite& of_suite) {
  Finding& finding = of_suite.finding;
  v.Type("suite-finding");
  CommonFields(v, finding);
  v("case_name", finding.cases().case_name, "the first of them");
  v("judgement", finding.judgement, "the judgement on the reduced case");
  v("original", finding.cases().original, "the first case that showed it");
  v("reduced", finding.cases().reduced, "the smallest case that still shows it");
}

std::vector<std::string> FaultsOfSides(const std::vector<std::string>& base, const std::vector<std::string>& patch) {
  std::vector<std::string> faults;
  for (const std::string& fault : base) faults.push_back("base: " + fault);
  for (const std::string& fault : patch) faults.push_back("patch: " + fault);
  return faults;
}

}  // namespace tosaic
