// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/trend.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

NightRow Row(const std::string& name, uint64_t cases, uint64_t fresh) {
  NightRow row;
  row.name = name;
  row.cases = cases;
  row.executed = cases / 2;
  row.runs = 4 * cases;
  row.compared = 9;
  row.masked = 1;
  row.fresh = fresh;
  return row;
}

std::string PageOf(const NightHistory& history) {
  return TrendPage(history, [](const NightRow& row) {
    if (row.name == "gone") return std::vector<NightLink>();
    return std::vector<NightLink>{{"summary", "nights/" + row.name}, {"new", "nights/" + row.name + "/new"}};
  });
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(TrendPage, HasAColumnPerNightAndMeasureAndARowPerNight) {
  const std::string page = PageOf({{Row("gone", 100, 0), Row("2026-11-21", 50, 3), Row("2026-11-22", 200, 1)}});
  EXPECT_EQ(Count(page, "<rect "), 5u * 3u);
  EXPECT_EQ(Count(page, "<figure "), 5u);
  // The cases of the second night, a quarter as high as those of the third.
  EXPECT_TRUE(absl::StrContains(page, "height=\"13.00\"><title>2026-11-21: 50</title>")) << page;
  EXPECT_TRUE(absl::StrContains(page, "height=\"52.00\"><title>2026-11-22: 200</title>"));
  EXPECT_TRUE(absl::StrContains(page, "<title>2026-11-22: 90.0 %</title>"));
  EXPECT_TRUE(absl::StrContains(page, "<title>2026-11-22: 50.0 %</title>")) << "the cases that execute";
  EXPECT_TRUE(absl::StrContains(page, "<p class=\"headline bad\">1 new cause in the night of 2026-11-22</p>"));
  EXPECT_TRUE(absl::StrContains(page, "<td>2026-11-22</td>"));
  EXPECT_TRUE(
      absl::StrContains(page, "<a href=\"nights/2026-11-22\">summary</a>, <a href=\"nights/2026-11-22/new\">new</a>"));
  EXPECT_TRUE(absl::StrContains(page, "<tr><td>gone</td>"));
  EXPECT_LT(page.find("<td>2026-11-22"), page.find("<td>2026-11-21"));
  EXPECT_FALSE(absl::StrContains(page, "__"));
}

TEST(TrendPage, NamesWhatIsNewWithItsToolchainAndFolder) {
  NightHistory history = {{Row("a", 1, 2)}};
  history.nights[0].found = {{"s", "abs <wrong>", "mlir-trunk", "new/x"}, {"t", "mul", "mlir-22", "conform.html"}};
  const std::string page = PageOf(history);
  EXPECT_TRUE(absl::StrContains(
      page,
      "<p class=\"headline bad\">2 new causes in the night of a: abs &lt;wrong&gt;, on mlir-trunk; and 1 more</p>"))
      << page;
  EXPECT_TRUE(
      absl::StrContains(page, "<li>abs &lt;wrong&gt;, on mlir-trunk, <a href=\"nights/a/new/x\">new/x</a></li>"))
      << page;
  history.nights.push_back(Row("b", 1, 0));
  EXPECT_FALSE(absl::StrContains(PageOf(history), "abs &lt;wrong&gt;")) << "of the latest night alone";
}

TEST(TrendPage, ShowsTheAlarmsOfTheLatestNight) {
  NightHistory history = {{Row("a", 1, 0), Row("b", 1, 0)}};
  EXPECT_TRUE(absl::StrContains(PageOf(history), "<p class=\"headline good\">Nothing new in the night of b</p>"));
  history.nights[0].alarms = {"Earlier."};
  EXPECT_FALSE(absl::StrContains(PageOf(history), "Earlier."));
  EXPECT_EQ(Count(PageOf(history), "class=\"over\""), 5u);
  history.nights[1].alarms = {"Less <b>."};
  EXPECT_TRUE(absl::StrContains(PageOf(history), "<p class=\"fault\">b: Less &lt;b&gt;.</p>"));
  EXPECT_TRUE(absl::StrContains(PageOf(history), "headline bad"));
}

TEST(TrendPage, OfNoNightAndOfMany) {
  EXPECT_TRUE(absl::StrContains(PageOf({}), "No night yet"));
  NightHistory history;
  for (int i = 0; i < 100; ++i) history.nights.push_back(Row(absl::StrCat("night ", i), 0, 0));
  const std::string page = PageOf(history);
  EXPECT_EQ(Count(page, "<rect "), 5u * 60u);
  EXPECT_EQ(Count(page, "<tr><td>"), 100u);
  EXPECT_TRUE(absl::StrContains(page, "height=\"0.00\"><title>night 99: 0</title>"));
}

}  // namespace
}  // namespace tosaic
