// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/comparison_report.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "model/json.h"
#include "model/mlir_text.h"
#include "reports/campaign_report.h"

namespace tosaic {
namespace {

constexpr Change kChanges[] = {Change::kRegressed, Change::kFixed, Change::kChanged, Change::kUnchanged};

// "mlir-22 (LLVM 22.1.8)"
std::string ToolchainOf(const Json& provenance) {
  const auto text = [&](const char* key) {
    return provenance.contains(key) && provenance[key].is_string() ? provenance[key].get<std::string>() : "unknown";
  };
  return absl::StrCat(text("toolchain"), " (", text("toolchain_version"), ")");
}

struct Counts {
  std::map<Change, uint64_t> tiles, cases;
};

Counts CountsOf(const Comparison& comparison) {
  Counts counts;
  for (const TileChange& tile : comparison.tiles) {
    ++counts.tiles[tile.change];
    counts.cases[Change::kFixed] += tile.fixed;
    counts.cases[Change::kRegressed] += tile.regressed;
    counts.cases[Change::kChanged] += tile.changed;
    counts.cases[Change::kUnchanged] += tile.unchanged;
  }
  return counts;
}

std::string Verdicts(const CaseChange& one) {
  const auto side = [](const SuiteCase& result) { return absl::StrCat(Name(result.verdict), " [", result.rule, "]"); };
  return absl::StrCat(side(one.base), " -> ", side(one.patch));
}

// Changes of one kind by what became of what, the most frequent first: so many cases, of which so many are named.
struct Group {
  std::string what;
  std::vector<const CaseChange*> cases;
};

std::vector<Group> GroupsOf(const Comparison& comparison, Change change) {
  std::map<std::string, Group> groups;
  for (const CaseChange& one : comparison.cases) {
    if (one.change != change) continue;
    Group& group = groups[Verdicts(one)];
    group.what = Verdicts(one);
    group.cases.push_back(&one);
  }
  std::vector<Group> sorted;
  for (auto& [what, group] : groups) sorted.push_back(std::move(group));
  std::sort(sorted.begin(), sorted.end(), [](const Group& a, const Group& b) {
    return a.cases.size() != b.cases.size() ? a.cases.size() > b.cases.size() : a.what < b.what;
  });
  return sorted;
}

// "add/f32, add/i32 and 12 more": the ops and element types of a group's cases.
std::string OpsOf(const Group& group, size_t most) {
  std::set<std::string> ops;
  for (const CaseChange* one : group.cases) ops.insert(absl::StrCat(one->patch.op, "/", one->patch.types));
  std::string text;
  size_t listed = 0;
  for (const std::string& op : ops) {
    if (listed == most) return absl::StrCat(text, " and ", ops.size() - most, " more");
    absl::StrAppend(&text, listed++ > 0 ? ", " : "", op);
  }
  return text;
}

std::string EscapeMarkdown(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"|", "\\|"}, {"*", "\\*"}});
}

}  // namespace

std::string ComparisonToText(const Comparison& comparison) {
  const Counts counts = CountsOf(comparison);
  std::string out = absl::StrCat("base:   ", ToolchainOf(comparison.base), "\npatch:  ", ToolchainOf(comparison.patch),
                                 "\nsuite:  version ", comparison.suite.version, ", ", comparison.suite.profile, ", ",
                                 comparison.suite.cases, " cases\n\n              tiles     cases\n");
  for (Change change : kChanges) {
    absl::StrAppendFormat(&out, "%-10s%9d %9d\n", Name(change),
                          counts.tiles.contains(change) ? counts.tiles.at(change) : 0,
                          counts.cases.contains(change) ? counts.cases.at(change) : 0);
  }
  for (Change change : {Change::kRegressed, Change::kFixed, Change::kChanged}) {
    const std::vector<Group> groups = GroupsOf(comparison, change);
    if (!groups.empty()) absl::StrAppend(&out, "\n", Name(change), "\n");
    for (const Group& group : groups) {
      absl::StrAppendFormat(&out, "%6d x %s\n         %s\n         first: %s\n", group.cases.size(), group.what,
                            OpsOf(group, 6), group.cases.front()->patch.name);
    }
  }
  for (const Finding& one : comparison.regressions) {
    absl::StrAppend(&out, "\nregression: ", one.signature, "\ncase:      ", one.case_name, "\n",
                    JudgementToText(one.judgement), ToMlir(one.reduced.program));
  }
  return out;
}

std::string ComparisonToMarkdown(const Comparison& comparison) {
  const Counts counts = CountsOf(comparison);
  const auto count = [](const std::map<Change, uint64_t>& of, Change change) {
    return of.contains(change) ? of.at(change) : 0;
  };
  std::string out = absl::StrFormat(
      "**TOSA conformance: %d regressed, %d fixed** of %d cases — `%s` against `%s`\n\n| | tiles | cases "
      "|\n|---|---|---|\n",
      count(counts.cases, Change::kRegressed), count(counts.cases, Change::kFixed), comparison.suite.cases,
      ToolchainOf(comparison.patch), ToolchainOf(comparison.base));
  for (Change change : kChanges) {
    absl::StrAppendFormat(&out, "| %s | %d | %d |\n", Name(change), count(counts.tiles, change),
                          count(counts.cases, change));
  }
  for (const Finding& one : comparison.regressions) {
    const Judgement& judgement = one.judgement;
    absl::StrAppend(&out, "\n<details><summary>regressed: ", EscapeMarkdown(one.signature), "</summary>\n\n`",
                    one.case_name, "`, rule `", Name(judgement.rule),
                    "`\n\n- expected: ", EscapeMarkdown(judgement.expected),
                    "\n- actual: ", EscapeMarkdown(judgement.actual), "\n\n```mlir\n", ToMlir(one.reduced.program),
                    "```\n\n</details>\n");
  }
  for (Change change : {Change::kRegressed, Change::kFixed, Change::kChanged}) {
    const std::vector<Group> groups = GroupsOf(comparison, change);
    if (groups.empty()) continue;
    absl::StrAppendFormat(&out,
                          "\n<details><summary>%s: %d cases</summary>\n\n| cases | from -> to | ops |\n|---|---|---|\n",
                          Name(change), count(counts.cases, change));
    for (const Group& group : groups) {
      absl::StrAppendFormat(&out, "| %d | %s | %s |\n", group.cases.size(), EscapeMarkdown(group.what),
                            OpsOf(group, 12));
    }
    absl::StrAppend(&out, "\n</details>\n");
  }
  return out;
}

}  // namespace tosaic
