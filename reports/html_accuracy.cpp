// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accuracy profile of the HTML report, as a chart of bars in a table.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/counted.h"
#include "model/escape.h"
#include "reports/html_parts.h"

namespace tosaic {
namespace {

// The share of the allowed error that the largest error takes, to all of it, with lines at the quarters.
std::string Bar(const AccuracyRow& row) {
  const double percent = 100 * row.bound_used;
  const bool over = row.disagreements > 0;
  return FillTemplateLine(TemplatePart(HtmlTemplates(), "accuracy.html", "bar"),
                          {{"PERCENT", absl::StrFormat("%.2f", percent)},
                           {"BEYOND", over ? ", and beyond it" : ""},
                           {"CLASS", over ? "over" : "used"},
                           {"WIDTH", absl::StrFormat("%.2f", over ? 100.0 : std::clamp(percent, 0.4, 100.0))}});
}

// `first`: of the rows of an op.
std::string Row(const AccuracyRow& row, bool first) {
  const bool disagrees = row.disagreements > 0;
  return HtmlPart(
      "accuracy.html", "row",
      {{"OP", first ? "<code>" + EscapeMarkup(row.op) + "</code>" : ""},
       {"TYPES", absl::StrCat(EscapeMarkup(row.types), row.setting.empty() ? "" : " ", EscapeMarkup(row.setting))},
       {"BAR", Bar(row)},
       {"USED", absl::StrFormat("%.3g", 100 * row.bound_used)},
       {"MAX", absl::StrFormat("%.3g", row.max_error)},
       {"MEAN", absl::StrFormat("%.3g", row.mean_error)},
       {"INPUTS", absl::StrCat(row.compared, row.exhaustive ? " (all)" : "")},
       {"OPEN", absl::StrCat(row.open)},
       {"LARGEST_AT", EscapeMarkup(absl::StrJoin(row.max_error_inputs, ", "))},
       {"DISAGREE", disagrees ? absl::StrCat(HtmlMark("new", "!"), " ", row.disagreements, " disagree") : ""}});
}

}  // namespace

std::string HtmlAccuracy(const ResultReport& report) {
  std::string rows, op;
  size_t exact = 0;
  for (const AccuracyRow& row : report.accuracy) {
    if (row.max_error == 0 && row.disagreements == 0) {
      exact += row.compared > 0 ? 1 : 0;
      continue;
    }
    rows += Row(row, row.op != op);
    op = row.op;
  }
  if (rows.empty() && exact == 0) return "";
  return HtmlPart(
      "accuracy.html", "",
      {{"TABLE", rows.empty() ? "" : HtmlPart("accuracy.html", "table", {{"ROWS", rows}})},
       {"EXACT", exact == 0 ? "" : HtmlPart("accuracy.html", "exact", {{"COUNT", Counted(exact, "more sweep")}})}});
}

}  // namespace tosaic
