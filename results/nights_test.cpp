// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/nights.h"

#include "codec/codec.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

NightRow Row(uint64_t cases, uint64_t runs, uint64_t compared, uint64_t masked, const std::string& ops = "") {
  NightRow row;
  row.name = "2026-11-22";
  row.ops = ops;
  row.cases = cases;
  row.runs = runs;
  row.compared = compared;
  row.masked = masked;
  return row;
}

using Sentences = std::vector<std::string>;

TEST(AlarmsOf, LessThanFourFifthsIsAnAlarm) {
  const std::vector<NightRow> before = {Row(1000, 5000, 900, 100)};
  EXPECT_EQ(AlarmsOf(before, Row(1000, 4000, 721, 279)), Sentences()) << "four fifths are enough";
  EXPECT_EQ(AlarmsOf(before, Row(1000, 3990, 721, 279)),
            Sentences({"A case executes 3.99 runs on average, 5.00 in the night before."}));
  EXPECT_EQ(AlarmsOf(before, Row(1000, 5000, 719, 281)),
            Sentences({"Of all elements 71.9 % are compared, 90.0 % in the night before."}));
  EXPECT_EQ(AlarmsOf(before, Row(1000, 0, 0, 0)).size(), 2u) << "nothing executes";
  EXPECT_EQ(AlarmsOf(before, Row(1000, 9000, 1000, 0)), Sentences()) << "more is no alarm";
}

TEST(AlarmsOf, TheMedianOfTheLatestNightsIsTheMeasure) {
  std::vector<NightRow> before = {Row(1000, 8000, 1, 0), Row(1000, 5000, 1, 0), Row(1000, 1000, 1, 0)};
  EXPECT_EQ(AlarmsOf(before, Row(1000, 4000, 1, 0)), Sentences());
  EXPECT_EQ(AlarmsOf(before, Row(1000, 3000, 1, 0)),
            Sentences({"A case executes 3.00 runs on average, 5.00 in the 3 nights before."}));
  before.insert(before.end(), 7, Row(1000, 3000, 1, 0));
  EXPECT_EQ(AlarmsOf(before, Row(1000, 3000, 1, 0)), Sentences()) << "seven such nights make it usual";
}

TEST(AlarmsOf, OtherOpsAndFewCasesSayNothing) {
  EXPECT_EQ(AlarmsOf({}, Row(1000, 0, 0, 0)), Sentences());
  EXPECT_EQ(AlarmsOf({Row(1000, 5000, 1, 0, "add")}, Row(1000, 0, 0, 0)), Sentences());
  EXPECT_EQ(AlarmsOf({Row(99, 500, 1, 0)}, Row(1000, 0, 0, 0)), Sentences());
  EXPECT_EQ(AlarmsOf({Row(1000, 5000, 1, 0)}, Row(99, 0, 0, 0)), Sentences());
  EXPECT_EQ(AlarmsOf({Row(100, 500, 1, 0)}, Row(100, 0, 1, 0)).size(), 1u);
}

TEST(NightHistory, IsReadAsItWasWritten) {
  NightHistory history = {{Row(10, 20, 30, 40, "add,mul")}};
  history.nights[0].alarms = {"Less."};
  const std::string text = ToLine(history);
  const absl::StatusOr<NightHistory> read = FromText<NightHistory>(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToLine(*read), text);
  EXPECT_FALSE(FromText<NightHistory>("{\"nights\": [{}]}").ok());
}

}  // namespace
}  // namespace tosaic
