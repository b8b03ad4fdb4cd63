// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic report --format=html: the page around the parts.
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/escape.h"
#include "reports/formats.h"
#include "reports/html_parts.h"
#include "results/view.h"

namespace tosaic {
namespace {

std::string SideNames(const ResultReport& report) {
  return absl::StrJoin(report.sides, " \xe2\x86\x92 ", [](std::string* out, const Side& side) {
    absl::StrAppend(out, EscapeMarkup(side.name), side.name.empty() ? "" : " ",
                    SideInWords(side.provenance, EscapeMarkup));
  });
}

// Says how the sides' pass pipelines differ.
std::string Passes(const ResultReport& report) {
  if (report.sides.size() != 2) return "";
  const auto quote = [](const std::string& text) { return absl::StrCat("<code>", EscapeMarkup(text), "</code>"); };
  const std::string passes = PipelinesInWords(report.sides[0].provenance, report.sides[1].provenance, quote);
  return passes.empty() ? "" : HtmlPart("page.html", "passes", {{"PASSES", passes}});
}

// The routes that the toolchain does not have.
std::string Untested(const ResultReport& report) {
  if (report.untested_routes.empty()) return "";
  return HtmlPart("page.html", "untested", {{"ROUTES", EscapeMarkup(RoutesInWords(report.untested_routes))}});
}

std::string CountItem(uint64_t count, absl::string_view noun) {
  return absl::StrCat("<li><b>", count, "</b> ", noun, count == 1 ? "" : "s", "</li>");
}

std::string DateOf(const ResultReport& report) {
  for (const Fact& fact : report.facts) {
    if (fact.name == kDateFact) return absl::StrCat(", ", EscapeMarkup(fact.value));
  }
  return "";
}

std::string Header(const ResultReport& report) {
  std::string strip, label, counts;
  uint64_t tiles = 0;
  for (const StandingInfo& info : AllStandings()) {
    const uint64_t count = CountTiles(report, info.standing);
    if (count == 0 || info.standing == Standing::kNotApplicable) continue;
    tiles += count;
    absl::StrAppend(&strip, "<i class=\"", info.name, "\" style=\"flex-grow:", count, "\"></i>");
    absl::StrAppend(&label, label.empty() ? "" : ", ", count, " ", info.name);
    absl::StrAppend(&counts, "<li>", HtmlMark(info.name, info.mark), " <b>", count, "</b> ", info.name, "</li>");
  }
  return HtmlPart("page.html", "header",
                  {{"TITLE", EscapeMarkup(report.title)},
                   {"CLASS", IsGood(report) ? "good" : "bad"},
                   {"HEADLINE", EscapeMarkup(Headline(report))},
                   {"SIDES", SideNames(report)},
                   {"PASSES", Passes(report)},
                   {"UNTESTED", Untested(report)},
                   {"STRIP", strip.empty() ? "" : HtmlPart("page.html", "strip", {{"LABEL", label}, {"PARTS", strip}})},
                   {"DATE", DateOf(report)},
                   {"CASES", CountItem(report.cases, "case")},
                   {"RUNS", report.runs == 0 ? "" : CountItem(report.runs, "run")},
                   {"TILES", tiles == 0 ? ""
                                        : HtmlPart("page.html", "tiles",
                                                   {{"COUNT", absl::StrCat(tiles)},
                                                    {"TILES", tiles == 1 ? "tile" : "tiles"},
                                                    {"COUNTS", counts}})}});
}

// The facts about the report itself.
std::vector<Fact> FactsOf(const ResultReport& report) {
  std::vector<Fact> facts = report.facts;
  facts.push_back({"verdicts", absl::StrJoin(report.verdicts, ", ", [](std::string* out, const auto& entry) {
                     absl::StrAppend(out, Name(entry.first), " ", entry.second);
                   })});
  // A comparison of reports takes no time.
  if (report.elapsed_seconds > 0 || report.interrupted) {
    facts.push_back(
        {"elapsed", absl::StrFormat("%.1f s%s", report.elapsed_seconds, report.interrupted ? ", interrupted" : "")});
  }
  return facts;
}

// Says where a side comes from.
std::string SideFacts(const Side& side) {
  Provenance but_for_pipelines = side.provenance;
  std::vector<Fact> pipelines = {{"pipeline", std::exchange(but_for_pipelines.pipeline, "")}};
  for (const auto& [route, pipeline] : std::exchange(but_for_pipelines.other_pipelines, {})) {
    pipelines.push_back({"pipeline of " + route, pipeline});
  }
  return absl::StrCat(side.name.empty() ? "" : absl::StrCat("<h3>", EscapeMarkup(side.name), "</h3>"),
                      HtmlFacts(FactsOf(but_for_pipelines)),
                      HtmlPart("page.html", "pipelines", {{"FACTS", HtmlFacts(pipelines)}}));
}

std::string Footer(const ResultReport& report) {
  std::string sides, notes;
  for (const Side& side : report.sides) sides += SideFacts(side);
  for (const std::string& note : report.notes) absl::StrAppend(&notes, "<li>", EscapeMarkup(note), "</li>");
  if (!report.notes.empty()) {
    notes = HtmlPart("page.html", "notes", {{"COUNT", absl::StrCat(report.notes.size())}, {"NOTES", notes}});
  }
  return HtmlPart("page.html", "footer",
                  {{"FACTS", HtmlFacts(FactsOf(report))}, {"SIDES", std::move(sides)}, {"NOTES", std::move(notes)}});
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
  const auto whole = [](absl::string_view file) { return std::string(TemplatePart(HtmlTemplates(), file)); };
  return HtmlPart("page.html", "",
                  {{"TITLE", EscapeMarkup(Headline(report))},
                   {"STYLE", whole("report.css")},
                   {"HEADER", Header(report)},
                   {"FINDINGS", HtmlFindings(report)},
                   {"CHANGES", HtmlChanges(report)},
                   {"IR", HtmlIr(report)},
                   {"ACCURACY", HtmlAccuracy(report)},
                   {"COVERAGE", HtmlCoverage(report)},
                   {"MOSAIC", HtmlMosaic(report)},
                   {"JUDGED", HtmlJudged(report)},
                   {"FOOTER", Footer(report)},
                   {"DATA", HtmlData(report)},
                   {"SCRIPT", whole("report.js")}});
}

}  // namespace tosaic
