// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/findings.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_join.h"
#include "model/pass_sequence.h"

namespace tosaic {

namespace {

// Whether the rule judges a case by its twin (oracle/twins.h), without which it may show nothing.
bool MayBeOfATwin(RuleId rule) { return FamilyOf(rule) == RuleFamily::kMetamorphic || rule == RuleId::kValueFlushing; }

}  // namespace

std::string SuspectsOf(const FindingSignature& signature, const Program& program) {
  if (signature.op != kSeveralOps) return "";
  std::set<absl::string_view> names;
  for (const OpApplication& op : program.ops) names.insert(Name(op.op));
  return absl::StrJoin(names, ", ");
}

std::vector<Finding> FindingsOf(const std::vector<const CaseRecord*>& records,
                                absl::FunctionRef<Case(const CaseRecord&)> judged_case, const KnownDivergences& known,
                                const Toolchain& toolchain) {
  std::map<std::tuple<FindingSignature, std::string, std::string, bool>, Finding> by_signature;
  for (const CaseRecord* record : records) {
    if (!IsDivergence(record->verdict)) continue;
    Case shown = judged_case(*record);
    const KnownDivergences::Entry* entry =
        known.Explaining(record->base_agrees).Find(record->signature, &shown, toolchain);
    const auto [it, inserted] =
        by_signature.try_emplace({record->signature, entry != nullptr ? entry->cause : "",
                                  SuspectsOf(record->signature, shown.program), record->base_agrees});
    Finding& finding = it->second;
    ++finding.count;
    CaseEvidence& cases = finding.cases();
    cases.case_numbers.push_back(record->number);
    if (!inserted) continue;
    finding.signature = record->signature;
    finding.cause = entry != nullptr ? entry->cause : "";
    finding.op = ToString(record->op);
    finding.route = std::string(RouteName(record->route));
    cases.case_number = record->number;
    finding.judgement.verdict = record->verdict;
    finding.judgement.beyond_spec = record->beyond_spec;
    finding.judgement.rule = record->rule.id;
    cases.base_agrees = record->base_agrees;
    cases.original = std::move(shown);
    if (!MayBeOfATwin(finding.judgement.rule)) cases.original.twin.clear();
    cases.reduced = cases.original;
  }
  std::vector<Finding> findings;
  for (auto& [key, finding] : by_signature) findings.push_back(std::move(finding));
  return findings;
}

std::vector<Finding> Named(std::vector<Finding> findings, const KnownDivergences& known, const Toolchain& toolchain) {
  for (Finding& finding : findings) {
    const KnownDivergences& list = known.Explaining(finding.cases().base_agrees);
    const KnownDivergences::Entry* entry = list.Find(finding.signature, &finding.cases().reduced, toolchain);
    finding.cause = entry != nullptr ? entry->cause : ToString(finding.signature);
    if (entry != nullptr) finding.known_reason = entry->reason;
  }
  return findings;
}

void ShowBy(Case reduced, Finding* finding) {
  finding->op = ToString(reduced.program.ops.back().op);
  finding->cases().reduced = std::move(reduced);
}

std::vector<Finding> UnitedBySignature(std::vector<Finding> findings) {
  std::map<std::pair<FindingSignature, std::string>, Finding> by_signature;  // and cause
  for (Finding& finding : findings) {
    const auto [it, inserted] = by_signature.try_emplace({finding.signature, finding.cause}, finding);
    if (inserted) continue;
    Finding& same = it->second;
    if (finding.cases().case_number < same.cases().case_number) std::swap(same, finding);
    same.count += finding.count;
    absl::c_copy(finding.cases().case_numbers, std::back_inserter(same.cases().case_numbers));
  }
  findings.clear();
  for (auto& [key, finding] : by_signature) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace tosaic
