// The accuracy profile of the HTML report, as a chart of bars in a table.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "reports/escape.h"
#include "reports/html_parts.h"

namespace tosaic {
namespace {

// The share of the allowed error that the largest error takes, to all of it, with lines at the quarters.
std::string Bar(const AccuracyRow& row) {
  const double percent = 100 * row.bound_used;
  const bool over = row.disagreements > 0;
  return absl::StrFormat(
      "<svg class=\"bar\" viewBox=\"0 0 100 12\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%.2f %% of the "
      "allowed error%s\"><rect class=\"track\" width=\"100\" height=\"12\"/><rect class=\"%s\" y=\"2\" width=\"%.2f\" "
      "height=\"8\"/><path d=\"M25 0V12M50 0V12M75 0V12M100 0V12\"/></svg>",
      percent, over ? ", and beyond it" : "", over ? "over" : "used", over ? 100.0 : std::clamp(percent, 0.4, 100.0));
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
    const bool first = row.op != op;
    op = row.op;
    absl::StrAppend(
        &rows, "<tr><td>", first ? "<code>" + EscapeMarkup(op) + "</code>" : "", "</td><td>", EscapeMarkup(row.types),
        row.setting.empty() ? "" : " ", EscapeMarkup(row.setting), "</td><td class=\"chart\">", Bar(row),
        absl::StrFormat("</td><td class=\"n\">%.3g %%</td><td class=\"n\">%.3g</td><td class=\"n less\">%.3g</td><td "
                        "class=\"n less\">%d%s</td>",
                        100 * row.bound_used, row.max_error, row.mean_error, row.compared,
                        row.exhaustive ? " (all)" : ""),
        "<td class=\"less\"><code>", EscapeMarkup(absl::StrJoin(row.max_error_inputs, ", ")), "</code></td><td>",
        row.disagreements > 0 ? absl::StrCat(HtmlMark("new", "!"), " ", row.disagreements, " disagree") : "",
        "</td></tr>\n");
  }
  if (rows.empty() && exact == 0) return "";
  std::string html =
      "<section aria-labelledby=\"h-accuracy\"><h2 id=\"h-accuracy\">Accuracy <small>the largest error, as a share of "
      "what the "
      "specification allows</small></h2>\n";
  if (!rows.empty()) {
    absl::StrAppend(
        &html,
        "<div class=\"wide\"><table class=\"data\"><thead><tr><th scope=\"col\">op</th><th "
        "scope=\"col\">types</th><th scope=\"col\">0 to 100 %</th><th scope=\"col\" class=\"n\">used</th><th "
        "scope=\"col\" class=\"n\">max ulp</th><th scope=\"col\" class=\"n less\">mean ulp</th><th "
        "scope=\"col\" class=\"n less\">inputs</th><th scope=\"col\" class=\"less\">largest at</th><th "
        "scope=\"col\"></th></tr></thead><tbody>\n",
        rows, "</tbody></table></div>\n");
  }
  if (exact > 0) absl::StrAppend(&html, "<p class=\"soft\">", exact, " more sweeps show no error at all.</p>\n");
  return html + "</section>\n";
}

}  // namespace tosaic
