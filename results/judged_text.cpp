// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/judged_text.h"

#include <bit>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/counted.h"
#include "results/judgement_text.h"

namespace tosaic {
namespace {

constexpr size_t kShownChains = 20;

std::string InShort(absl::string_view which, const std::vector<JudgedElements>& rows) {
  const JudgedElements sum = SumOf(rows, which);
  return absl::StrCat(which, ": ", Counted(sum.elements, "element"), ", ", SharePercent(sum), " compared, ", sum.open,
                      " open", sum.compared() == 0 ? "" : absl::StrCat(", ", AllowedInWords(sum)), LeftOutText(sum));
}

void AppendRow(const JudgedElements& row, std::string* out) {
  absl::StrAppendFormat(out, "  %-39s%11d%9s%8d%11s\n", row.computed, row.elements, SharePercent(row), row.open,
                        MedianText(row));
}

}  // namespace

std::string SharePercent(const JudgedElements& row) {
  return row.elements == 0 ? "none" : absl::StrFormat("%.1f %%", 100 * row.share());
}

std::string MedianText(const JudgedElements& row) {
  constexpr uint64_t kLargestPlain = 1024;
  const uint64_t median = row.widths.Median();
  if (row.compared() == 0) return "-";
  return median <= kLargestPlain ? absl::StrCat(median) : absl::StrCat("2^", std::bit_width(median) - 1);
}

std::string LeftOutText(const JudgedElements& row) {
  if (row.masked_by_division == 0) return "";
  return absl::StrCat(", ", row.masked_by_division, " left out because a division in their run has no quotient");
}

std::string JudgedInShort(const std::vector<JudgedElements>& ops, const std::vector<JudgedElements>& chains) {
  std::string text;
  if (!ops.empty()) text = InShort("computed from known values", ops);
  if (!chains.empty())
    absl::StrAppend(&text, text.empty() ? "" : "; ", InShort("computed from values that are not returned", chains));
  return text;
}

std::string JudgedToText(const std::vector<JudgedElements>& ops, const std::vector<JudgedElements>& chains) {
  if (ops.empty() && chains.empty()) return "";
  std::string out = absl::StrFormat("%-41s%11s%9s%8s%11s\n", "what computed the elements", "elements", "compared",
                                    "open", "median ulp");
  std::vector<JudgedElements> by_op;
  for (JudgedElements row : ops) {
    row.types.clear();
    AddTo(&by_op, row);
  }
  for (const JudgedElements& row : by_op) AppendRow(row, &out);
  if (!by_op.empty()) AppendRow(SumOf(by_op, "all computed from known values"), &out);
  for (const JudgedElements& row : Largest(chains, kShownChains)) AppendRow(row, &out);
  if (!chains.empty()) AppendRow(SumOf(chains, "all computed from values not returned"), &out);
  JudgedElements all = SumOf(ops, "");
  all.Add(SumOf(chains, ""));
  const std::string left_out = LeftOutText(all);
  if (!left_out.empty()) absl::StrAppend(&out, "  of all ", Counted(all.elements, "element"), left_out, "\n");
  return out;
}

}  // namespace tosaic
