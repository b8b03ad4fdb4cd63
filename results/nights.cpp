// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/nights.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

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

}  // namespace

double RunsPerCase(const NightRow& night) { return Ratio(night.runs, night.cases); }
double ComparedShare(const NightRow& night) { return Ratio(night.compared, night.compared + night.masked); }

void Fields(Visitor& v, NightRow& night) {
  v.Type("night");
  v("night", night.name);
  v("seed", night.seed);
  v("ops", night.ops);
  v("cases", night.cases);
  v("runs", night.runs);
  v("elements_compared", night.compared);
  v("elements_masked", night.masked);
  v("new", night.fresh);
  v("alarms", night.alarms);
}

void Fields(Visitor& v, NightHistory& history) { v("nights", history.nights); }

std::vector<std::string> AlarmsOf(absl::Span<const NightRow> before, const NightRow& tonight) {
  std::vector<double> runs, shares;
  for (auto night = before.rbegin(); night != before.rend() && runs.size() < kLatest; ++night) {
    if (night->ops != tonight.ops || night->cases < kEnoughCases) continue;
    runs.push_back(RunsPerCase(*night));
    shares.push_back(ComparedShare(*night));
  }
  std::vector<std::string> alarms;
  if (runs.empty() || tonight.cases < kEnoughCases) return alarms;
  const std::string nights =
      runs.size() == 1 ? "the night before" : absl::StrCat("the ", runs.size(), " nights before");
  if (const double usual = Median(runs); RunsPerCase(tonight) < kLeastShare * usual) {
    alarms.push_back(
        absl::StrFormat("A case executes %.2f runs on average, %.2f in %s.", RunsPerCase(tonight), usual, nights));
  }
  if (const double usual = Median(shares); ComparedShare(tonight) < kLeastShare * usual) {
    alarms.push_back(absl::StrFormat("Of all elements %.1f %% are compared, %.1f %% in %s.",
                                     100 * ComparedShare(tonight), 100 * usual, nights));
  }
  return alarms;
}

}  // namespace tosaic
