#include "campaign/findings.h"

#include <map>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "oracle/twins.h"

namespace tosaic {

std::vector<Finding> FindingsOf(const std::vector<const CaseRecord*>& records,
                                absl::FunctionRef<Case(const CaseRecord&)> judged_case) {
  std::map<std::string, Finding> by_signature;
  for (const CaseRecord* record : records) {
    if (!IsDivergence(record->verdict)) continue;
    const auto [it, inserted] = by_signature.try_emplace(ToString(record->signature));
    Finding& finding = it->second;
    ++finding.count;
    if (!inserted) continue;
    finding.signature = it->first;
    finding.op = record->op;
    finding.route = record->route;
    finding.case_number = record->number;
    finding.judgement.verdict = record->verdict;
    finding.judgement.beyond_spec = record->beyond_spec;
    finding.judgement.rule = Find<RuleId>(record->rule).value_or(RuleId::kNone);
    finding.original = judged_case(*record);
    if (FamilyOf(finding.judgement.rule) != RuleFamily::kMetamorphic) finding.original.twin.clear();
    finding.reduced = finding.original;
  }
  std::vector<Finding> findings;
  for (auto& [signature, finding] : by_signature) findings.push_back(std::move(finding));
  return findings;
}

std::vector<Finding> Named(std::vector<Finding> findings, const KnownDivergences& known) {
  std::map<std::string, Finding> by_signature;
  for (Finding& finding : findings) {
    const std::string signature = finding.signature;
    const auto [it, inserted] = by_signature.try_emplace(signature, std::move(finding));
    if (!inserted) it->second.count += finding.count;
  }
  findings.clear();
  for (auto& [signature, finding] : by_signature) {
    const KnownDivergences::Entry* entry = known.Find(signature);
    finding.cause = entry != nullptr ? entry->cause : signature;
    if (entry != nullptr) finding.known_reason = entry->reason;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace tosaic
