// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/nights.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/counted.h"
#include "model/signature.h"

namespace tosaic {
namespace {

constexpr size_t kLatest = 7;           // nights that tonight is measured by
constexpr uint64_t kEnoughCases = 100;  // shares of fewer cases differ by chance
constexpr double kLeastShare = 0.8;

double Ratio(uint64_t part, uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

// The lower one of two in the middle: a single good night raises no alarm.
double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::string Nights(size_t count) {
  return count == 1 ? "the night before" : absl::StrCat("the ", count, " nights before");
}

// A number of a campaign that is watched. The sentence gets tonight's value, the usual one, and the nights before.
struct Watched {
  double (*of)(const NightCampaign& campaign);
  std::string (*sentence)(double tonight, double usual, const std::string& nights);
};
constexpr Watched kWatched[] = {
    {ExecutedShare,
     [](double tonight, double usual, const std::string& nights) {
       return absl::StrFormat("Of all cases %.1f %% execute, %.1f %% in %s.", 100 * tonight, 100 * usual, nights);
     }},
    {RunsPerCase,
     [](double tonight, double usual, const std::string& nights) {
       return absl::StrFormat("A case executes %.2f runs on average, %.2f in %s.", tonight, usual, nights);
     }},
    {ComparedShare,
     [](double tonight, double usual, const std::string& nights) {
       return absl::StrFormat("Of all elements %.1f %% are compared, %.1f %% in %s.", 100 * tonight, 100 * usual,
                              nights);
     }},
};

// A row of an earlier version counts runs, and not the cases that have them.
bool Says(const NightCampaign& campaign, const Watched& watched) {
  return watched.of != ExecutedShare || campaign.executed > 0 || campaign.runs == 0;
}

std::vector<std::string> AlarmsOfCampaign(absl::Span<const NightCampaign> before, const NightCampaign& tonight) {
  std::vector<std::string> alarms;
  if (tonight.cases < kEnoughCases) return alarms;
  for (const Watched& watched : kWatched) {
    std::vector<double> values;
    for (const NightCampaign& night : before) {
      if (Says(night, watched)) values.push_back(watched.of(night));
    }
    if (values.empty()) continue;
    const double usual = Median(values), now = watched.of(tonight);
    if (now < kLeastShare * usual) alarms.push_back(watched.sentence(now, usual, Nights(values.size())));
  }
  return alarms;
}

}  // namespace

double ExecutedShare(const NightCampaign& campaign) { return Ratio(campaign.executed, campaign.cases); }
double RunsPerCase(const NightCampaign& campaign) { return Ratio(campaign.runs, campaign.cases); }
double ComparedShare(const NightCampaign& campaign) {
  return Ratio(campaign.compared, campaign.compared + campaign.masked + campaign.open);
}

void Fields(Visitor& v, NightCampaign& campaign) {
  v("cases", campaign.cases);
  v.MayLack("cases_executed", campaign.executed);
  v("runs", campaign.runs);
  v("elements_compared", campaign.compared);
  v("elements_masked", campaign.masked);
  v.MayLack("elements_open", campaign.open);
}

void Fields(Visitor& v, NewOfNight& new_finding) {
  v("signature", new_finding.signature, "empty: of what has none, such as cases of the suite that regressed");
  v("title", new_finding.title);
  v("toolchain", new_finding.toolchain, "that shows it; of several, with commas between");
  v("place", new_finding.place, "what to look at, below the night's folder");
  v.Optional("also", new_finding.also, "signatures of the same on other routes");
}

void Fields(Visitor& v, NightRow& night) {
  v.Type("night");
  v("night", night.name);
  v("seed", night.seed);
  v("ops", night.ops);
  v.MayLack("edits", night.edits, "flags that put passes into a route; empty: none");
  Fields(v, static_cast<NightCampaign&>(night));
  v.MayLack("other", night.other, "the toolchain that has a campaign as well; empty: none");
  v.MayLack("of_other", night.of_other);
  v("new", night.fresh);
  v.MayLack("found", night.found, "what is new, on all toolchains");
  v.Optional("left_out", night.left_out, "parts for which there was no time: `the suite on mlir-22`");
  v("alarms", night.alarms);
}

void Fields(Visitor& v, NightHistory& history) { v("nights", history.nights); }

std::string InWords(const NewOfNight& new_finding) {
  std::set<std::string> routes;
  for (const std::string& signature : new_finding.also) routes.insert(ParseFindingSignature(signature).route);
  return absl::StrCat(new_finding.title, ", on ", new_finding.toolchain,
                      routes.empty()       ? ""
                      : routes.size() == 1 ? "; also on the route "
                                           : "; also on the routes ",
                      absl::StrJoin(routes, ", "));
}

std::string ShortHeadline(const NightRow& night) {
  const std::string alarms = absl::StrCat(", but ", Counted(night.alarms.size(), "alarm"), ",");
  const std::string nothing = absl::StrCat("nothing new", night.alarms.empty() ? "" : alarms);
  return absl::StrCat(night.fresh == 0 ? nothing : Counted(night.fresh, "new cause"), " in the night of ", night.name,
                      night.left_out.empty() ? "" : ", without ", absl::StrJoin(night.left_out, " and "));
}

std::string Headline(const NightRow& night, Written words, Written place) {
  const std::string line = words(ShortHeadline(night));
  if (night.found.empty()) return line;
  const NewOfNight& first = night.found.front();
  const std::string where = place(first.place);
  const size_t more = night.found.size() - 1;
  return absl::StrCat(line, ": ", words(InWords(first)), where.empty() ? "" : ", ", where,
                      more == 0 ? "" : absl::StrCat("; and ", more, " more"));
}

std::vector<std::string> AlarmsOf(absl::Span<const NightRow> before, const NightRow& tonight) {
  std::vector<NightCampaign> own, of_other;
  for (auto night = before.rbegin(); night != before.rend(); ++night) {
    if (night->ops != tonight.ops || night->edits != tonight.edits) continue;
    if (own.size() < kLatest && night->cases >= kEnoughCases) own.push_back(*night);
    if (night->other != tonight.other || night->of_other.cases < kEnoughCases) continue;
    if (of_other.size() < kLatest) of_other.push_back(night->of_other);
  }
  std::vector<std::string> alarms = AlarmsOfCampaign(own, tonight);
  if (tonight.other.empty() || of_other.empty()) return alarms;
  if (tonight.of_other.cases == 0) {
    alarms.push_back(absl::StrCat("Nothing ran on ", tonight.other, ", as it did in ", Nights(of_other.size()), "."));
  }
  for (const std::string& alarm : AlarmsOfCampaign(of_other, tonight.of_other)) {
    alarms.push_back(absl::StrCat("On ", tonight.other, ": ", alarm));
  }
  return alarms;
}

}  // namespace tosaic
