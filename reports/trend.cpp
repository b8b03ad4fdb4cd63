// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/trend.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/counted.h"
#include "model/escape.h"
#include "reports/html_parts.h"

namespace tosaic {
namespace {

constexpr size_t kMostNights = 60;  // in the charts
constexpr double kTrendWidth = 240, kGround = 56, kTrendHeight = 52;

std::string Percent(double share) { return absl::StrFormat("%.1f %%", 100 * share); }

// A number of each night that is drawn as a line.
struct Measure {
  absl::string_view name;
  double (*of)(const NightRow& night);
  std::string (*text)(const NightRow& night);
};
constexpr Measure kMeasures[] = {
    {"New causes", [](const NightRow& night) { return static_cast<double>(night.fresh); },
     [](const NightRow& night) { return absl::StrCat(night.fresh); }},
    {"Cases", [](const NightRow& night) { return static_cast<double>(night.cases); },
     [](const NightRow& night) { return absl::StrCat(night.cases); }},
    {"Cases that execute", [](const NightRow& night) { return ExecutedShare(night); },
     [](const NightRow& night) { return Percent(ExecutedShare(night)); }},
    {"Runs per case", [](const NightRow& night) { return RunsPerCase(night); },
     [](const NightRow& night) { return absl::StrFormat("%.2f", RunsPerCase(night)); }},
    {"Elements compared", [](const NightRow& night) { return ComparedShare(night); },
     [](const NightRow& night) { return Percent(ComparedShare(night)); }},
};

// A column per night, from the ground on; the highest is as high as there is room for.
std::string Chart(absl::Span<const NightRow> nights, const Measure& measure) {
  double highest = 0;
  for (const NightRow& night : nights) highest = std::max(highest, measure.of(night));
  const double step = std::min(kTrendWidth / static_cast<double>(nights.size()), kTrendWidth / 12);
  std::string columns;
  for (size_t i = 0; i < nights.size(); ++i) {
    const double height = highest == 0 ? 0 : kTrendHeight * measure.of(nights[i]) / highest;
    columns += HtmlPart("trend.html", "column",
                        {{"CLASS", nights[i].alarms.empty() ? "used" : "over"},
                         {"X", absl::StrFormat("%.2f", step * static_cast<double>(i))},
                         {"Y", absl::StrFormat("%.2f", kGround - height)},
                         {"WIDTH", absl::StrFormat("%.2f", step * 0.8)},
                         {"HEIGHT", absl::StrFormat("%.2f", height)},
                         {"TITLE", absl::StrCat(EscapeMarkup(nights[i].name), ": ", measure.text(nights[i]))}});
  }
  const std::string latest = measure.text(nights.back());
  return HtmlPart(
      "trend.html", "chart",
      {{"NAME", std::string(measure.name)},
       {"LATEST", latest},
       {"LABEL", absl::StrCat(measure.name, " of ", Counted(nights.size(), "night"), ", the latest: ", latest)},
       {"MARKS", columns}});
}

std::string Link(absl::string_view name, absl::string_view path) {
  return absl::StrCat("<a href=\"", EscapeMarkup(path), "\">", EscapeMarkup(name), "</a>");
}

std::string Row(const NightRow& night, const std::vector<NightLink>& links) {
  std::vector<std::string> linked;
  for (const NightLink& link : links) linked.push_back(Link(link.name, link.path));
  return HtmlPart("trend.html", "row",
                  {{"NIGHT", EscapeMarkup(night.name)},
                   {"NEW", absl::StrCat(night.fresh)},
                   {"CASES", absl::StrCat(night.cases)},
                   {"RUNS", absl::StrFormat("%.2f", RunsPerCase(night))},
                   {"COMPARED", Percent(ComparedShare(night))},
                   {"OPS", night.ops.empty() ? "all" : EscapeMarkup(night.ops)},
                   {"LINKS", absl::StrJoin(linked, ", ")}});
}

// Lists what is new in a night, each with the place to look at.
std::string News(const NightRow& night) {
  std::string entries;
  for (const NewOfNight& new_finding : night.found) {
    const std::string link = Link(new_finding.place, absl::StrCat("nights/", night.name, "/", new_finding.place));
    entries += HtmlPart("trend.html", "new", {{"TEXT", EscapeMarkup(InWords(new_finding))}, {"LINK", link}});
  }
  return entries.empty() ? "" : HtmlPart("trend.html", "news", {{"ENTRIES", entries}});
}

}  // namespace

std::string TrendPage(const NightHistory& history,
                      absl::FunctionRef<std::vector<NightLink>(const NightRow&)> links_of) {
  const std::vector<NightRow>& nights = history.nights;
  std::string headline = "No night yet", news, alarms, charts, rows;
  const bool is_good = nights.empty() || (nights.back().alarms.empty() && nights.back().fresh == 0);
  if (!nights.empty()) {
    headline = Headline(nights.back(), EscapeMarkup, [](absl::string_view) { return ""; });  // News() has the places
    headline[0] = absl::ascii_toupper(headline[0]);
    news = News(nights.back());
    for (const std::string& alarm : nights.back().alarms) {
      alarms +=
          HtmlPart("trend.html", "alarm", {{"NIGHT", EscapeMarkup(nights.back().name)}, {"TEXT", EscapeMarkup(alarm)}});
    }
    const absl::Span<const NightRow> drawn = absl::MakeConstSpan(nights).last(std::min(nights.size(), kMostNights));
    for (const Measure& measure : kMeasures) charts += Chart(drawn, measure);
  }
  for (auto night = nights.rbegin(); night != nights.rend(); ++night) rows += Row(*night, links_of(*night));
  return HtmlPart("trend.html", "",
                  {{"STYLE", std::string(TemplatePart(HtmlTemplates(), "report.css"))},
                   {"CLASS", is_good ? "good" : "bad"},
                   {"HEADLINE", headline},
                   {"NEWS", news},
                   {"ALARMS", alarms},
                   {"CHARTS", charts},
                   {"ROWS", rows}});
}

}  // namespace tosaic
