// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much was really compared, in the HTML report.
#include "absl/strings/str_cat.h"
#include "model/escape.h"
#include "reports/html_parts.h"
#include "results/judged_text.h"

namespace tosaic {
namespace {

std::string Table(absl::string_view heading, const std::vector<JudgedElements>& rows) {
  std::string text;
  for (const JudgedElements& row : rows) {
    absl::StrAppend(&text, HtmlPart("judged.html", "row",
                                    {{"COMPUTED", EscapeMarkup(row.computed)},
                                     {"TYPES", EscapeMarkup(row.types)},
                                     {"ELEMENTS", absl::StrCat(row.elements)},
                                     {"SHARE", SharePercent(row)},
                                     {"OPEN", absl::StrCat(row.open)},
                                     {"MEDIAN", MedianText(row)}}));
  }
  return rows.empty() ? ""
                      : HtmlPart("judged.html", "table", {{"WHAT", std::string(heading)}, {"ROWS", std::move(text)}});
}

}  // namespace

std::string HtmlJudged(const ResultReport& report) {
  if (report.judged_ops.empty() && report.judged_chains.empty()) return "";
  return HtmlPart("judged.html", "",
                  {{"SUM", EscapeMarkup(JudgedInShort(report.judged_ops, report.judged_chains))},
                   {"TABLES", absl::StrCat(Table("op, on known values", report.judged_ops),
                                           Table("op, on values that are not returned", report.judged_chains))}});
}

}  // namespace tosaic
