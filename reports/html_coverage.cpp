// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which blocks of MLIR were reached, in the HTML report.
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "model/escape.h"
#include "reports/html_parts.h"

namespace tosaic {
namespace {

std::string Groups(const std::vector<FunctionBlocks>& functions) {
  std::string rows;
  for (const std::string& group : GroupsOf(functions)) {
    const BlockTotals totals = TotalsOf(functions, group);
    absl::StrAppend(&rows, HtmlPart("coverage.html", "group",
                                    {{"GROUP", EscapeMarkup(group)},
                                     {"FUNCTIONS", absl::StrCat(totals.functions)},
                                     {"NEVER", absl::StrCat(totals.never_entered)},
                                     {"BLOCKS", absl::StrCat(totals.blocks)},
                                     {"REACHED", absl::StrCat(totals.reached)}}));
  }
  return rows;
}

// The functions that `is_in` picks, folded; nothing if there is none.
std::string List(const std::vector<FunctionBlocks>& functions, absl::string_view heading,
                 absl::FunctionRef<bool(const FunctionBlocks&)> is_in) {
  std::string rows;
  size_t count = 0;
  for (const FunctionBlocks& function : functions) {
    if (!is_in(function)) continue;
    ++count;
    const std::string name =
        function.unreachable.empty() ? function.name : absl::StrCat(function.name, ": ", function.unreachable);
    absl::StrAppend(&rows, HtmlPart("coverage.html", "row",
                                    {{"NAME", EscapeMarkup(name)},
                                     {"BLOCKS", absl::StrCat(function.blocks)},
                                     {"REACHED", absl::StrCat(function.reached)}}));
  }
  if (count == 0) return "";
  return HtmlPart("coverage.html", "list", {{"SUMMARY", absl::StrCat(count, " ", heading)}, {"ROWS", std::move(rows)}});
}

}  // namespace

std::string HtmlCoverage(const ResultReport& report) {
  const std::vector<FunctionBlocks>& all = report.functions;
  if (all.empty()) return "";
  const auto counts = [](const FunctionBlocks& function) { return function.unreachable.empty(); };
  const std::string lists = absl::StrCat(
      List(all, "never entered", [&](const auto& function) { return counts(function) && function.reached == 0; }),
      List(all, "reached in part",
           [&](const auto& function) {
             return counts(function) && function.reached > 0 && function.reached < function.blocks;
           }),
      List(all, "reached wholly",
           [&](const auto& function) { return counts(function) && function.reached == function.blocks; }),
      List(all, "unreachable", [&](const auto& function) { return !counts(function); }));
  return HtmlPart("coverage.html", "", {{"GROUPS", Groups(all)}, {"LISTS", lists}});
}

}  // namespace tosaic
