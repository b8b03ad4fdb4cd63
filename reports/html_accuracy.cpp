// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accuracy profile of the HTML report, as a chart of bars in a table.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/counted.h"
#include "model/escape.h"
#include "reports/html_parts.h"
#include "results/text.h"

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
       {"USED", EscapeMarkup(ShareOfBound(row.bound_used))},
       {"MAX", absl::StrFormat("%.3g", row.max_error)},
       {"MEAN", absl::StrFormat("%.3g", row.mean_error)},
       {"INPUTS", absl::StrCat(row.compared, row.exhaustive ? " (all)" : "")},
       {"OPEN", absl::StrCat(row.open)},
       {"LARGEST_AT", EscapeMarkup(absl::StrJoin(row.max_error_inputs, ", "))},
       {"DISAGREE", disagrees ? absl::StrCat(HtmlMark("new", "!"), " ", row.disagreements, " disagree") : ""}});
}

constexpr size_t kCurveColumns = 512;
constexpr double kCurveHeight = 120, kPerFactor = 3;  // heights: of all, and of a factor of 2
constexpr double kLeastExponent = -8;                 // at the bottom

// A part of the range as a picture has it.
struct CurveColumn {
  double error = 0, allowed = 0;
  bool is_wrong = false;
};

// From the least number to the greatest: negative ones are the second half of the bit patterns, in falling order.
std::vector<CurveColumn> ColumnsOf(const std::vector<CurvePoint>& curve) {
  std::vector<CurveColumn> columns(kCurveColumns);
  const size_t half = (curve.size() + 1) / 2;
  for (size_t i = 0; i < curve.size(); ++i) {
    const size_t place = i < half ? half + i : curve.size() - 1 - i;
    CurveColumn& column = columns[std::min(place * kCurveColumns / curve.size(), kCurveColumns - 1)];
    column.error = std::max(column.error, curve[i].error);
    column.allowed = std::max(column.allowed, curve[i].allowed);
    column.is_wrong |= curve[i].is_wrong;
  }
  return columns;
}

double HeightOf(double ulp) {
  const double height = ulp > 0 ? kPerFactor * (std::log2(ulp) - kLeastExponent) : 0;
  return std::clamp(height, 0.0, kCurveHeight);
}

std::string Curve(const AccuracyRow& row) {
  std::string error, wrong, allowed;
  bool goes_on = false;  // the line of what is allowed
  const std::vector<CurveColumn> columns = ColumnsOf(row.curve);
  for (size_t x = 0; x < columns.size(); ++x) {
    const CurveColumn& column = columns[x];
    const double height = column.is_wrong ? std::max(HeightOf(column.error), 1.0) : HeightOf(column.error);
    const std::string bar = absl::StrFormat("M%d %dh1v-%.1fh-1z", x, static_cast<int>(kCurveHeight), height);
    if (height > 0) absl::StrAppend(column.is_wrong ? &wrong : &error, bar);
    if (column.allowed > 0) {
      absl::StrAppendFormat(&allowed, "%c%d %.1f", goes_on ? 'L' : 'M', x, kCurveHeight - HeightOf(column.allowed));
    }
    goes_on = column.allowed > 0;
  }
  const std::string largest =
      absl::StrFormat("%.3g ulp at %s", row.max_error, absl::StrJoin(row.max_error_inputs, ", "));
  return HtmlPart(
      "accuracy.html", "curve",
      {{"OP", EscapeMarkup(row.op)},
       {"TYPES", absl::StrCat(EscapeMarkup(row.types), row.setting.empty() ? "" : " ", EscapeMarkup(row.setting))},
       {"LARGEST", EscapeMarkup(largest)},
       {"LABEL", EscapeMarkup(absl::StrCat("error of ", row.op, " over the range, the largest: ", largest))},
       {"ERROR", error},
       {"WRONG", wrong},
       {"ALLOWED", allowed},
       {"TEXT", row.wrong.empty() ? "" : HtmlPart("accuracy.html", "wrong", {{"WRONG", EscapeMarkup(row.wrong)}})}});
}

// The curves of the ops whose errors or wrong inputs are known over the range.
std::string Curves(const ResultReport& report) {
  std::string curves;
  for (const AccuracyRow& row : report.accuracy) {
    if (row.exhaustive && !row.curve.empty() && (row.max_error > 0 || row.disagreements > 0)) curves += Curve(row);
  }
  return curves.empty() ? "" : HtmlPart("accuracy.html", "curves", {{"CURVES", curves}});
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
       {"CURVES", Curves(report)},
       {"EXACT", exact == 0 ? "" : HtmlPart("accuracy.html", "exact", {{"COUNT", Counted(exact, "more sweep")}})}});
}

}  // namespace tosaic
