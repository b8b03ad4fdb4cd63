// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nightly/history.h"

#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "checking/files.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "nightly/night.h"
#include "reports/trend.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

std::string FileIn(const std::string& state) { return absl::StrCat(state, "/history.json"); }

// Links to the files that a night has left.
std::vector<NightLink> LinksOf(const std::string& state, const NightRow& night) {
  std::vector<NightLink> links;
  for (const auto& [name, file] : {std::pair("summary", "summary.md"),
                                   {"campaign", "campaign.html"},
                                   {"suite", "conform.html"},
                                   {"other campaign", "other-campaign.html"},
                                   {"other suite", "other-conform.html"},
                                   {"new", "new"}}) {
    const std::string path = absl::StrCat("nights/", night.name, "/", file);
    std::error_code ignored;
    const absl::StatusOr<std::string> there = PathBelow(state, path);  // history.json says the night's name
    if (there.ok() && fs::exists(*there, ignored) && !fs::is_empty(*there, ignored)) links.push_back({name, path});
  }
  return links;
}

}  // namespace

void FillFromCampaign(const CampaignSummary& summary, NightCampaign* campaign) {
  campaign->cases = summary.cases;
  campaign->executed = summary.executed;
  campaign->runs = summary.runs;
  for (const auto& [name, op] : summary.by_op) {
    campaign->compared += op.compared;
    campaign->masked += op.masked;
    campaign->open += op.open;
  }
}

absl::StatusOr<NightHistory> ReadHistory(const std::string& state) {
  std::error_code ignored;
  if (!fs::exists(FileIn(state), ignored)) return NightHistory();
  TOSAIC_ASSIGN_OR_RETURN(const std::string text, ReadFile(FileIn(state)));
  return At(FileIn(state), FromText<NightHistory>(text));
}

absl::Status WriteHistory(const std::string& state, NightHistory history, const NightRow& row) {
  std::erase_if(history.nights, [&](const NightRow& night) { return night.name == row.name; });
  history.nights.push_back(row);
  TOSAIC_RETURN_IF_ERROR(WriteFile(FileIn(state), Dump(ToJson(history), 2) + "\n"));
  return WriteFile(absl::StrCat(state, "/index.html"),
                   TrendPage(history, [&](const NightRow& night) { return LinksOf(state, night); }));
}

absl::Status RemoveOldNights(const std::string& state, size_t keep, const std::string& tonight) {
  const fs::path folder = fs::path(state) / "nights";
  std::vector<std::tuple<fs::file_time_type, std::string>> done;
  std::error_code error, ignored;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const fs::file_time_type ended = fs::last_write_time(entry.path() / "done", ignored);
    const std::string name = entry.path().filename().string();
    if (name != tonight && fs::exists(entry.path() / "done", ignored)) done.emplace_back(ended, name);
  }
  absl::c_sort(done);
  for (size_t i = 0; i + keep <= done.size(); ++i) {
    const std::string& name = std::get<std::string>(done[i]);
    fs::remove_all(folder / name, error);
    if (error)
      return absl::UnavailableError(absl::StrCat((folder / name).string(), ": cannot remove: ", error.message()));
  }
  return absl::OkStatus();
}

}  // namespace tosaic
