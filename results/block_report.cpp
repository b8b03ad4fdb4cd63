// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/block_report.h"

#include <tuple>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/counted.h"
#include "results/result_file.h"
#include "results/text.h"

namespace tosaic {

void Fields(Visitor& v, UnreachedBlock& block) {
  v.Type("unreached_block");
  v("offset", block.offset, "from the function's beginning, in bytes");
  v.Optional("calls", block.calls, "the names of what it would call");
}

void Fields(Visitor& v, FunctionBlocks& function) {
  v.Type("function");
  v("group", function.group);
  v("name", function.name, "`[local 2]`: the second function without a name behind the one that is named");
  v("address", function.address, "in the library's file");
  v("blocks", function.blocks, "basic blocks");
  v("reached", function.reached);
  v.Optional("unreachable", function.unreachable, "why no case enters it: it counts nowhere");
  v.Optional("unreached", function.unreached);
}

void Fields(Visitor& v, BlockTotals& totals) {
  v.Type("block_totals");
  v("functions", totals.functions);
  v("never_entered", totals.never_entered);
  v("blocks", totals.blocks);
  v("reached", totals.reached);
}

void Fields(Visitor& v, BlockReport& report) {
  v.Constant("tosaic_report", kReportVersion, "version of the format");
  v.Constant("kind", kCoverageKind);
  v("provenance", report.provenance);
  v("library", report.library, "the file that was watched");
  v("of", report.of, "which cases");
  v("route", report.route, "empty: each case has its own");
  v("cases", report.cases);
  v("deaths", report.deaths, "cases that killed their process");
  v.Derived("totals", TotalsOf(report.functions));
  v("functions", report.functions, "never entered first, then by how many blocks are not reached");
  v("left_out", report.left_out, "functions that cannot be watched, and why");
  v("interrupted", report.interrupted);
  v("startup_seconds", report.startup_seconds, "until the first case");
  v("elapsed_seconds", report.elapsed_seconds, "of the cases");
}

BlockTotals TotalsOf(const std::vector<FunctionBlocks>& functions, const std::string& group) {
  BlockTotals totals;
  for (const FunctionBlocks& function : functions) {
    if (!function.unreachable.empty() || (!group.empty() && function.group != group)) continue;
    ++totals.functions;
    totals.never_entered += function.reached == 0 ? 1 : 0;
    totals.blocks += function.blocks;
    totals.reached += function.reached;
  }
  return totals;
}

void SortForReaders(std::vector<FunctionBlocks>* functions) {
  const auto order = [](const FunctionBlocks& function) {
    const uint64_t missing = function.blocks - function.reached;
    return std::tuple(!function.unreachable.empty(), missing == 0, function.reached != 0, ~missing, function.address);
  };
  absl::c_sort(*functions, [&](const auto& a, const auto& b) { return order(a) < order(b); });
}

std::vector<std::string> GroupsOf(const std::vector<FunctionBlocks>& functions) {
  std::vector<std::string> groups;
  for (const FunctionBlocks& function : functions) {
    if (!absl::c_linear_search(groups, function.group)) groups.push_back(function.group);
  }
  absl::c_sort(groups);
  return groups;
}

namespace {

std::string Percent(const BlockTotals& totals) {
  const double share = totals.blocks == 0 ? 0 : 100.0 * static_cast<double>(totals.reached) / totals.blocks;
  return absl::StrFormat("%.1f %%", share);
}

std::string GroupsToText(const std::vector<FunctionBlocks>& functions) {
  std::string text =
      absl::StrFormat("%-16s%10s%15s%9s%9s%9s\n", "group", "functions", "never entered", "blocks", "reached", "");
  for (const std::string& group : GroupsOf(functions)) {
    const BlockTotals totals = TotalsOf(functions, group);
    absl::StrAppendFormat(&text, "%-16s%10d%15d%9d%9d%9s\n", group, totals.functions, totals.never_entered,
                          totals.blocks, totals.reached, Percent(totals));
  }
  return text;
}

std::string FunctionToText(const FunctionBlocks& function, bool all_blocks) {
  std::string text = absl::StrFormat("%5d of %4d  %s\n", function.reached, function.blocks, function.name);
  if (!all_blocks || !function.unreachable.empty()) return text;
  for (const UnreachedBlock& block : function.unreached) {
    absl::StrAppendFormat(&text, "%14s0x%x %s\n", "", block.offset, absl::StrJoin(block.calls, ", "));
  }
  return text;
}

}  // namespace

std::string FunctionsToText(const std::vector<FunctionBlocks>& functions, bool all_blocks) {
  std::string text = GroupsToText(functions), heading;
  uint64_t complete = 0;
  const auto list = [&](absl::string_view under, const FunctionBlocks& function) {
    if (under != heading) absl::StrAppend(&text, "\n", under, "\n");
    heading = std::string(under);
    text += FunctionToText(function, all_blocks);
  };
  for (const FunctionBlocks& function : functions) {
    if (!function.unreachable.empty()) {
      list(absl::StrCat("unreachable: ", function.unreachable), function);
    } else if (function.reached == function.blocks) {
      ++complete;
    } else {
      list(function.reached == 0 ? "never entered" : "reached in part", function);
    }
  }
  absl::StrAppend(&text, "\n", Counted(complete, "function"), " reached wholly\n");
  return text;
}

std::string ToText(const BlockReport& report, bool all_blocks) {
  const BlockTotals totals = TotalsOf(report.functions);
  std::string text = absl::StrFormat(
      "%s, %s%s: %d of %d blocks (%s) of %s of %s\n%d never entered; start-up %.1f s, cases %.1f s%s\n", report.of,
      Counted(report.cases, "case"), report.route.empty() ? "" : absl::StrCat(", route ", report.route), totals.reached,
      totals.blocks, Percent(totals), Counted(totals.functions, "function"), report.library, totals.never_entered,
      report.startup_seconds, report.elapsed_seconds, report.interrupted ? " (interrupted)" : "");
  if (report.deaths > 0) absl::StrAppend(&text, Counted(report.deaths, "case"), " killed a process\n");
  for (const std::string& note : report.left_out) absl::StrAppend(&text, "left out: ", note, "\n");
  return absl::StrCat(text, "\n", FunctionsToText(report.functions, all_blocks));
}

}  // namespace tosaic
