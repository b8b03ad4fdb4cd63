// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section of the HTML report that says how the IR of a comparison's sides differs.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "model/escape.h"
#include "reports/html_parts.h"

namespace tosaic {
namespace {

constexpr size_t kShown = 100;  // groups of cases

std::string Table(const PlaceChange& change, absl::string_view place) {
  std::string rows;
  for (size_t i = 0; i < change.groups.size() && i < kShown; ++i) {
    const OpsChange& group = change.groups[i];
    rows += HtmlPart("ir.html", "row",
                     {{"CASES", absl::StrCat(group.cases)},
                      {"OPS", EscapeMarkup(OpsInWords(group.ops))},
                      {"FIRST", EscapeMarkup(group.examples.empty() ? "" : group.examples.front())}});
  }
  return rows.empty()
             ? ""
             : HtmlPart("ir.html", "table", {{"PLACE", std::string(PlaceInWords(place))}, {"ROWS", std::move(rows)}});
}

// A diff, with what came and what went in colour.
std::string Diff(const std::string& text) {
  std::string html;
  for (const absl::string_view line : absl::StrSplit(absl::StripSuffix(text, "\n"), '\n')) {
    const absl::string_view kind = absl::StartsWith(line, "+") ? "came" : absl::StartsWith(line, "-") ? "went" : "";
    const std::string escaped = EscapeMarkup(line);
    absl::StrAppend(&html, kind.empty() ? escaped : absl::StrCat("<span class=\"", kind, "\">", escaped, "</span>"),
                    "\n");
  }
  return html;
}

}  // namespace

std::string HtmlIr(const ResultReport& report) {
  if (!report.ir) return "";
  std::string headlines, samples;
  for (const std::string& line : Headlines(*report.ir))
    headlines += HtmlPart("ir.html", "headline", {{"TEXT", EscapeMarkup(line)}});
  for (const IrSample& sample : report.ir->samples) {
    samples += HtmlPart("ir.html", "sample",
                        {{"PLACE", std::string(PlaceInWords(sample.place))},
                         {"CASE", EscapeMarkup(sample.name)},
                         {"DIFF", Diff(sample.diff)}});
  }
  return HtmlPart("ir.html", "",
                  {{"HEADLINES", std::move(headlines)},
                   {"TABLES", absl::StrCat(Table(report.ir->tensors, "tensors"), Table(report.ir->lowered, "lowered"))},
                   {"SAMPLES", std::move(samples)}});
}

}  // namespace tosaic
