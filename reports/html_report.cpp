// tosaic report --format=html: the page around the parts.
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/html_assets.h"
#include "reports/html_parts.h"

namespace tosaic {
namespace {

std::string Header(const ResultReport& report) {
  const std::string headline = EscapeMarkup(Headline(report));
  std::string html = absl::StrCat("<header><h1>Tosaic: ", EscapeMarkup(report.title), "</h1>\n<p class=\"headline ",
                                  IsGood(report) ? "good" : "bad", "\">", headline, "</p>\n<p class=\"soft\">");
  absl::string_view separator = "";
  for (const Side& side : report.sides) {
    absl::StrAppend(&html, separator, EscapeMarkup(side.name), side.name.empty() ? "" : " ",
                    EscapeMarkup(side.toolchain));
    separator = " \xe2\x86\x92 ";
  }
  absl::StrAppend(&html, "</p>\n");
  std::string strip, label;
  for (const StandingInfo& info : AllStandings()) {
    const uint64_t count = CountTiles(report, info.standing);
    if (count == 0 || info.standing == Standing::kNotApplicable) continue;
    absl::StrAppend(&strip, "<i class=\"", info.name, "\" style=\"flex-grow:", count, "\"></i>");
    absl::StrAppend(&label, label.empty() ? "" : ", ", count, " ", info.name);
  }
  if (!strip.empty()) {
    absl::StrAppend(&html, "<div class=\"strip\" role=\"img\" aria-label=\"tiles: ", label, "\">", strip, "</div>\n");
  }
  absl::StrAppend(&html, "<ul class=\"counts\"><li><b>", report.cases, "</b> cases</li>");
  if (report.runs > 0) absl::StrAppend(&html, "<li><b>", report.runs, "</b> runs</li>");
  for (const StandingInfo& info : AllStandings()) {
    const uint64_t count = CountTiles(report, info.standing);
    if (count == 0 || info.standing == Standing::kNotApplicable) continue;
    absl::StrAppend(&html, "<li>", HtmlMark(info.name, info.mark), " <b>", count, "</b> ", info.name, "</li>");
  }
  return absl::StrCat(html, "</ul></header>\n");
}

std::string Footer(const ResultReport& report) {
  std::string html = "<footer><h2>Where this comes from</h2>\n";
  std::vector<Fact> facts = report.facts;
  facts.push_back({"verdicts", ""});
  absl::string_view separator = "";
  for (const auto& [verdict, count] : report.verdicts) {
    absl::StrAppend(&facts.back().value, separator, Name(verdict), " ", count);
    separator = ", ";
  }
  facts.push_back(
      {"elapsed", absl::StrFormat("%.1f s%s", report.elapsed_seconds, report.interrupted ? ", interrupted" : "")});
  absl::StrAppend(&html, HtmlFacts(facts));
  for (const Side& side : report.sides) {
    std::vector<Fact> first, pipelines;
    for (const Fact& fact : side.provenance)
      (absl::StartsWith(fact.name, "pipeline") ? pipelines : first).push_back(fact);
    if (!side.name.empty()) absl::StrAppend(&html, "<h3>", EscapeMarkup(side.name), "</h3>");
    absl::StrAppend(&html, HtmlFacts(first));
    if (!pipelines.empty()) {
      absl::StrAppend(&html, "<details class=\"fold\"><summary>Pass pipelines</summary>", HtmlFacts(pipelines),
                      "</details>\n");
    }
  }
  if (!report.notes.empty()) {
    absl::StrAppend(&html, "<details class=\"fold\"><summary>Notes <small>", report.notes.size(),
                    "</small></summary><ul>");
    for (const std::string& note : report.notes) absl::StrAppend(&html, "<li>", EscapeMarkup(note), "</li>");
    absl::StrAppend(&html, "</ul></details>\n");
  }
  return html + "</footer>\n";
}

}  // namespace

absl::string_view HtmlGlyph(absl::string_view mark) {
  return mark == "." ? "\xc2\xb7" : mark == "x" ? "\xc3\x97" : mark == "-" ? "\xe2\x80\x93" : mark;
}

std::string HtmlMark(absl::string_view class_name, absl::string_view mark) {
  return absl::StrCat("<i class=\"m ", EscapeMarkup(class_name), "\" aria-hidden=\"true\">", HtmlGlyph(mark), "</i>");
}

std::string HtmlFacts(const std::vector<Fact>& facts) {
  std::string rows;
  for (const Fact& fact : facts) {
    if (fact.value.empty()) continue;
    absl::StrAppend(&rows, "<dt>", EscapeMarkup(fact.name), "</dt><dd><code>", EscapeMarkup(fact.value),
                    "</code></dd>\n");
  }
  return rows.empty() ? "" : absl::StrCat("<dl>", rows, "</dl>\n");
}

std::string ReportToHtml(const ResultReport& report) {
  // The policy keeps what should ever slip in from loading anything.
  return absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>",
      EscapeMarkup(Headline(report)), " - Tosaic</title>\n<style>\n", kReportCss, "</style>\n</head>\n<body>\n",
      Header(report), "<main>\n", HtmlFindings(report), HtmlChanges(report), HtmlAccuracy(report), HtmlMosaic(report),
      "</main>\n", Footer(report), "<script type=\"application/json\" id=\"data\">", HtmlData(report),
      "</script>\n<script>\n", kReportJs, "</script>\n</body>\n</html>\n");
}

}  // namespace tosaic
