// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nightly/history.h"

#include <chrono>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

NightRow Row(const std::string& name, uint64_t cases) {
  NightRow row;
  row.name = name;
  row.cases = cases;
  return row;
}

TEST(FillFromCampaign, SumsWhatIsThere) {
  NightRow row;
  FillFromCampaign({.cases = 10,
                    .executed = 6,
                    .runs = 70,
                    .by_op = {{"add", {.compared = 5, .masked = 1}}, {"mul", {.compared = 2}}}},
                   &row);
  EXPECT_EQ(row.cases, 10u);
  EXPECT_EQ(row.executed, 6u);
  EXPECT_EQ(row.runs, 70u);
  EXPECT_EQ(row.compared, 7u);
  EXPECT_EQ(row.masked, 1u);
}

TEST(History, GrowsByARowPerNight) {
  TemporaryDirectory state;
  EXPECT_TRUE(ReadHistory(state.path()).value().nights.empty());
  ASSERT_TRUE(WriteHistory(state.path(), {}, Row("a", 1)).ok());
  ASSERT_TRUE(WriteHistory(state.path(), ReadHistory(state.path()).value(), Row("b", 2)).ok());
  ASSERT_TRUE(WriteHistory(state.path(), ReadHistory(state.path()).value(), Row("b", 3)).ok());
  const NightHistory history = ReadHistory(state.path()).value();
  ASSERT_EQ(history.nights.size(), 2u);
  EXPECT_EQ(history.nights[1].cases, 3u);
  EXPECT_TRUE(absl::StrContains(Slurp(state / "index.html"), "Nothing new in the night of b"));
  EXPECT_FALSE(absl::StrContains(Slurp(state / "index.html"), "<a href"));
  for (const char* file : {"summary.md", "campaign.html", "other-campaign.html"}) {
    fs::create_directories(state / "nights/b/new/x");
    Spill(state / absl::StrCat("nights/b/", file), "x");
  }
  ASSERT_TRUE(WriteHistory(state.path(), history, Row("b", 3)).ok());
  EXPECT_TRUE(absl::StrContains(
      Slurp(state / "index.html"),
      "<a href=\"nights/b/summary.md\">summary</a>, <a href=\"nights/b/campaign.html\">campaign</a>, "
      "<a href=\"nights/b/other-campaign.html\">other campaign</a>, <a href=\"nights/b/new\">new</a>"))
      << Slurp(state / "index.html");
  Spill(state / "history.json", "[]");
  EXPECT_TRUE(absl::StrContains(ReadHistory(state.path()).status().message(), state / "history.json"));
}

TEST(History, LinksNoFileOutsideOfTheState) {
  TemporaryDirectory temporary;
  const std::string state = temporary / "state";
  for (const std::string folder : {"state/nights/a", "elsewhere"}) {
    fs::create_directories(temporary / folder);
    Spill(temporary / (folder + "/summary.md"), "A night.");
  }
  ASSERT_TRUE(WriteHistory(state, {{Row("../../elsewhere", 1)}}, Row("a", 1)).ok());
  const std::string page = Slurp(state + "/index.html");
  EXPECT_TRUE(absl::StrContains(page, "nights/a/summary.md"));
  EXPECT_FALSE(absl::StrContains(page, "elsewhere/summary.md"));
}

TEST(RemoveOldNights, KeepsTheLatestAndWhatIsNotDone) {
  TemporaryDirectory state;
  const fs::file_time_type now = fs::file_time_type::clock::now();
  int hours = 0;
  for (const char* name : {"2026-11-22-10", "2026-11-22-9", "2026-11-23"}) {
    const std::string done = state / absl::StrCat("nights/", name, "/done");
    fs::create_directories(fs::path(done).parent_path());
    Spill(done, "");
    fs::last_write_time(done, now + std::chrono::hours(++hours));
  }
  fs::create_directories(state / "nights/2026-01-01");
  ASSERT_TRUE(RemoveOldNights(state.path(), 4, "tonight").ok());
  EXPECT_TRUE(fs::exists(state / "nights/2026-11-22-10"));
  ASSERT_TRUE(RemoveOldNights(state.path(), 3, "2026-11-22-10").ok());
  EXPECT_TRUE(fs::exists(state / "nights/2026-11-22-10")) << "tonight's, whatever the clock said when it ended before";
  ASSERT_TRUE(RemoveOldNights(state.path(), 2, "tonight").ok());
  EXPECT_FALSE(fs::exists(state / "nights/2026-11-22-10"));
  EXPECT_FALSE(fs::exists(state / "nights/2026-11-22-9"));
  EXPECT_TRUE(fs::exists(state / "nights/2026-11-23"));
  EXPECT_TRUE(fs::exists(state / "nights/2026-01-01"));
}

}  // namespace
}  // namespace tosaic
