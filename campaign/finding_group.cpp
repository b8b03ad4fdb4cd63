// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/finding_group.h"

#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "campaign/findings.h"
#include "codec/codec.h"

namespace tosaic {

void Fields(Visitor& v, FindingGroup& group) {
  Finding& finding = group.finding;
  CaseEvidence& cases = finding.cases();
  v.Type("finding-group");
  v("key", group.key,
    "signature, known cause and, where the signature names no op, the ops before reduction; those that follow are "
    "after it");
  CommonFields(v, finding);
  v("case_number", cases.case_number, "the first of the cases");
  v.Optional("base_agrees", cases.base_agrees, "as in finding.json");
  v.MayLack("is_reduced", cases.is_reduced, "false: as --no-reduce or an interruption left it");
  v("pipeline", cases.pipeline);
  v("judgement", finding.judgement, "the judgement on the reduced case");
  v("original", cases.original, "the first case");
  v("reduced", cases.reduced);
  v("reproducer", cases.reproducer, "files by name; none where the finding is another group's too");
}

std::vector<FindingGroup> GroupsOf(std::vector<Finding> findings) {
  std::vector<FindingGroup> groups;
  for (Finding& finding : findings) {
    const std::string suspects = SuspectsOf(finding.signature, finding.cases().original.program);
    std::string key = absl::StrCat(ToString(finding.signature), finding.cause.empty() ? "" : " of ", finding.cause,
                                   suspects.empty() ? "" : " in ", suspects,
                                   finding.cases().base_agrees ? " where the base agrees" : "");
    groups.push_back({std::move(key), std::move(finding)});
  }
  absl::c_sort(groups, [](const FindingGroup& a, const FindingGroup& b) { return a.key < b.key; });
  return groups;
}

std::vector<FindingGroup> United(std::vector<FindingGroup> groups, std::vector<FindingGroup> others) {
  std::map<std::string, FindingGroup> by_key;
  const auto add = [&](FindingGroup& group) {
    const auto [it, inserted] = by_key.try_emplace(group.key, std::move(group));
    if (inserted) return;
    Finding& first = it->second.finding;
    const uint64_t count = first.count + group.finding.count;
    if (group.finding.cases().case_number < first.cases().case_number) first = std::move(group.finding);
    first.count = count;
  };
  absl::c_for_each(groups, add);
  absl::c_for_each(others, add);
  groups.clear();
  for (auto& [key, group] : by_key) groups.push_back(std::move(group));
  return groups;
}

std::vector<Finding> FindingsOf(const std::vector<FindingGroup>& groups) {
  std::vector<Finding> findings;
  for (const FindingGroup& group : groups) findings.push_back(group.finding);
  return UnitedBySignature(std::move(findings));
}

}  // namespace tosaic
