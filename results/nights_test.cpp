// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/nights.h"

#include "absl/strings/str_cat.h"
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
  NightRow edited = Row(1000, 5000, 1, 0);
  edited.edits = "--insert-after='cse:x'";
  EXPECT_EQ(AlarmsOf({edited}, Row(1000, 0, 0, 0)), Sentences());
  EXPECT_EQ(AlarmsOf({Row(99, 500, 1, 0)}, Row(1000, 0, 0, 0)), Sentences());
  EXPECT_EQ(AlarmsOf({Row(1000, 5000, 1, 0)}, Row(99, 0, 0, 0)), Sentences());
  EXPECT_EQ(AlarmsOf({Row(100, 500, 1, 0)}, Row(100, 0, 1, 0)).size(), 1u);
}

NightRow Executing(uint64_t executed) {
  NightRow row = Row(1000, 5000, 900, 100);
  row.executed = executed;
  return row;
}

// That many runs are left says nothing of the cases that have none.
TEST(AlarmsOf, TheShareOfCasesThatExecuteIsWatched) {
  const std::vector<NightRow> before = {Executing(500)};
  EXPECT_EQ(AlarmsOf(before, Executing(400)), Sentences());
  EXPECT_EQ(AlarmsOf(before, Executing(399)), Sentences({"Of all cases 39.9 % execute, 50.0 % in the night before."}));
  EXPECT_EQ(AlarmsOf({Row(1000, 5000, 900, 100)}, Executing(100)), Sentences()) << "an old row does not say";
}

TEST(AlarmsOf, TheCampaignOfAnotherToolchainIsWatchedToo) {
  const auto with_other = [](uint64_t executed, const std::string& other = "mlir-trunk") {
    NightRow row = Executing(500);
    row.other = other;
    row.of_other = Executing(executed);
    return row;
  };
  const std::vector<NightRow> before = {with_other(500)};
  EXPECT_EQ(AlarmsOf(before, with_other(400)), Sentences());
  EXPECT_EQ(AlarmsOf(before, with_other(1)),
            Sentences({"On mlir-trunk: Of all cases 0.1 % execute, 50.0 % in the night before."}));
  EXPECT_EQ(AlarmsOf(before, with_other(1, "mlir-19")), Sentences()) << "another one";
  EXPECT_EQ(AlarmsOf(before, Executing(500)), Sentences()) << "none was asked for";
  NightRow none = Executing(500);
  none.other = "mlir-trunk";
  EXPECT_EQ(AlarmsOf(before, none), Sentences({"Nothing ran on mlir-trunk, as it did in the night before."}));
  EXPECT_EQ(AlarmsOf({}, none), Sentences());
}

TEST(NightHistory, IsReadAsItWasWritten) {
  NightHistory history = {{Row(10, 20, 30, 40, "add,mul")}};
  history.nights[0].other = "mlir-trunk";
  history.nights[0].of_other = Row(1, 2, 3, 4);
  history.nights[0].alarms = {"Less."};
  const std::string text = ToLine(history);
  const absl::StatusOr<NightHistory> read = FromText<NightHistory>(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToLine(*read), text);
  EXPECT_FALSE(FromText<NightHistory>("{\"nights\": [{}]}").ok());
  EXPECT_TRUE(FromText<NightHistory>(R"({"nights": [{"night": "a", "seed": 1, "ops": "", "cases": 1, "runs": 1,
    "elements_compared": 1, "elements_masked": 0, "new": 0, "alarms": []}]})")
                  .ok())
      << "a row of 0.9.0";
}

TEST(Headline, NamesTheFirstOfWhatIsNew) {
  NightRow row = Row(1, 1, 1, 1);
  const auto quoted = [](absl::string_view text) { return absl::StrCat("'", text, "'"); };
  EXPECT_EQ(Headline(row, quoted, quoted), "'nothing new in the night of 2026-11-22'");
  row.alarms = {"x"};
  EXPECT_EQ(Headline(row, quoted, quoted), "'nothing new, but 1 alarm, in the night of 2026-11-22'");
  row.fresh = 2;
  EXPECT_EQ(Headline(row, quoted, quoted), "'2 new causes in the night of 2026-11-22'") << "a row of before";
  row.found = {{"s", "abs is wrong", "mlir-22", "new/x"}, {}};
  EXPECT_EQ(Headline(row, quoted, quoted),
            "'2 new causes in the night of 2026-11-22': 'abs is wrong, on mlir-22', 'new/x'; and 1 more");
}

}  // namespace
}  // namespace tosaic
