// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "model/first_of.h"
#include "model/mlir_text.h"
#include "results/judgement_text.h"
#include "results/text.h"
#include "results/view.h"

namespace tosaic {
namespace {

// This names the toolchains, plugins and passes that were compared.
std::string SidesToText(const Comparison& comparison) {
  std::string out;
  for (const auto& [name, provenance] : {std::pair("base:   ", &comparison.base), {"patch:  ", &comparison.patch}}) {
    const auto& [toolchain, version] = std::tie(provenance->toolchain, provenance->toolchain_version);
    absl::StrAppend(&out, name, toolchain.empty() ? "unknown" : toolchain, " (", version.empty() ? "unknown" : version,
                    provenance->plugins.empty() ? ")" : "), plugins ", absl::StrJoin(provenance->plugins, ", "), "\n");
  }
  const std::string passes =
      PipelinesInWords(comparison.base, comparison.patch, [](const std::string& text) { return text; });
  return passes.empty() ? out : absl::StrCat(out, "passes: ", passes, "\n");
}

std::string Verdicts(const CaseChange& change) {
  return absl::StrCat(VerdictInWords(change.base), " -> ", VerdictInWords(change.patch));
}

// Says which ops came and went in the IR, and shows samples as diffs.
std::string IrToText(const IrChange& change) {
  constexpr size_t kGroups = 6, kLines = 40;
  std::string out;
  for (const std::string& line : Headlines(change)) absl::StrAppend(&out, line, "\n");
  const PlaceChange& shown = change.tensors.differ > 0 ? change.tensors : change.lowered;
  for (size_t i = 0; i < shown.groups.size() && i < kGroups; ++i) {
    const OpsChange& group = shown.groups[i];
    absl::StrAppendFormat(&out, "%6d x %s\n         first: %s\n", group.cases, OpsInWords(group.ops),
                          group.examples.empty() ? "" : group.examples.front());
  }
  if (shown.groups.size() > kGroups) absl::StrAppend(&out, "       and ", shown.groups.size() - kGroups, " more\n");
  for (const IrSample& sample : change.samples) {
    absl::StrAppend(&out, "\nIR ", PlaceInWords(sample.place), " of ", sample.name, "\n");
    const std::vector<absl::string_view> lines = absl::StrSplit(absl::StripSuffix(sample.diff, "\n"), '\n');
    for (size_t i = 0; i < lines.size() && i < kLines; ++i) absl::StrAppend(&out, "  ", lines[i], "\n");
    if (lines.size() > kLines) absl::StrAppend(&out, "  ... ", lines.size() - kLines, " more lines\n");
  }
  return out;
}

}  // namespace

std::vector<ChangeGroup> GroupsOf(absl::Span<const CaseChange> changes, Change change) {
  std::map<std::string, ChangeGroup> groups;
  for (const CaseChange& case_change : changes) {
    if (case_change.change != change) continue;
    ChangeGroup& group = groups[Verdicts(case_change)];
    group.verdicts = Verdicts(case_change);
    group.cases.push_back(&case_change);
  }
  std::vector<ChangeGroup> sorted;
  for (auto& [verdicts, group] : groups) sorted.push_back(std::move(group));
  std::sort(sorted.begin(), sorted.end(), [](const ChangeGroup& a, const ChangeGroup& b) {
    return a.cases.size() != b.cases.size() ? a.cases.size() > b.cases.size() : a.verdicts < b.verdicts;
  });
  return sorted;
}

std::string OpsOf(const ChangeGroup& group, size_t most) {
  std::set<std::string> ops;
  for (const CaseChange* change : group.cases) {
    ops.insert(absl::StrCat(change->patch.op, change->patch.types.empty() ? "" : "/", change->patch.types));
  }
  return FirstOf({ops.begin(), ops.end()}, most);
}

std::string ToText(const Comparison& comparison) {
  const ChangeTotals totals = TotalsOf(comparison);
  std::string out =
      absl::StrCat(SidesToText(comparison), "suite:  version ", comparison.suite.version, ", ",
                   comparison.suite.profile, ", ", comparison.suite.cases, " cases\n\n              tiles     cases\n");
  for (const char* name : {"regressed", "harness-fault", "fixed", "supported", "changed", "unchanged"}) {
    if (name == Name(Change::kHarnessFault) && totals.cases.at(name) == 0) continue;
    absl::StrAppendFormat(&out, "%-13s%6d %9d\n", name, totals.tiles.at(name), totals.cases.at(name));
  }
  for (Change change :
       {Change::kRegressed, Change::kHarnessFault, Change::kFixed, Change::kSupported, Change::kChanged}) {
    const std::vector<ChangeGroup> groups = GroupsOf(comparison.cases, change);
    if (!groups.empty()) absl::StrAppend(&out, "\n", Name(change), "\n");
    for (const ChangeGroup& group : groups) {
      absl::StrAppendFormat(&out, "%6d x %s\n         %s\n         first: %s\n", group.cases.size(), group.verdicts,
                            OpsOf(group, 6), group.cases.front()->patch.name);
    }
  }
  for (const Finding& finding : comparison.regressions) {
    absl::StrAppend(&out, "\nregression: ", ToString(finding.signature), "\ncase:      ", finding.cases().case_name,
                    "\n", JudgementToText(finding.judgement), ToMlir(finding.cases().reduced.program));
  }
  if (comparison.ir) absl::StrAppend(&out, "\n", IrToText(*comparison.ir));
  if (comparison.values) absl::StrAppend(&out, "\nvalues, over all inputs\n", ToText(*comparison.values));
  return out;
}

}  // namespace tosaic
