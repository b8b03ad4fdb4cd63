// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/history_rows.h"

#include <string>
#include <vector>

#include "diagnosis/history_testing.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

HistoryRow RowOf(Verdict verdict, RuleId rule, Stage stage) {
  Judgement judgement;
  judgement.verdict = verdict;
  judgement.rule = rule;
  judgement.stage = stage;
  judgement.actual = "as seen";
  return WithJudgement({.version = "V"}, judgement);
}

const HistoryRow kCrashes = RowOf(Verdict::kCrash, RuleId::kRunSignal, Stage::kLower);

TEST(HistoryRows, AnswersByTheVerdict) {
  EXPECT_EQ(kCrashes.answer, HistoryAnswer::kWrong);
  EXPECT_EQ(RowOf(Verdict::kUndefined, RuleId::kRunUndefined, Stage::kExecute).answer, HistoryAnswer::kUndefined);
  EXPECT_EQ(RowOf(Verdict::kAgree, RuleId::kRunSignal, Stage::kExecute).answer, HistoryAnswer::kRight);
  const HistoryRow refused = RowOf(Verdict::kUnsupported, RuleId::kSupportNoBlocks, Stage::kBuild);
  EXPECT_EQ(refused.answer, HistoryAnswer::kUnknown);
  EXPECT_EQ(refused.why, "as seen");
  EXPECT_TRUE(LacksWords(refused));
  EXPECT_FALSE(LacksWords(RowOf(Verdict::kUnsupported, RuleId::kSupportUnranked, Stage::kLower)));
}

// "why" was empty for whatever was wrong.
TEST(HistoryRows, SaysWhatIsWrong) {
  EXPECT_EQ(kCrashes.why, "as seen");
  Judgement judgement;
  judgement.verdict = Verdict::kWrongValue;
  judgement.mismatch = ElementMismatch{.expected = "NaN", .actual = "0"};
  EXPECT_EQ(WithJudgement({}, judgement).why, "expected NaN, actual 0");
}

// A version that was never asked was called right, because it did not crash.
TEST(HistoryRows, ARefusalIsNoCrashOnlyIfThisMlirRefuses) {
  const auto refused_at = [](Stage stage) {
    return AsAnswerAbout(kCrashes, RowOf(Verdict::kUnsupported, RuleId::kSupportNoBlocks, stage));
  };
  EXPECT_EQ(refused_at(Stage::kBuild).answer, HistoryAnswer::kUnknown);
  EXPECT_EQ(refused_at(Stage::kBuild).why, "as seen");
  EXPECT_EQ(refused_at(Stage::kLower).answer, HistoryAnswer::kRight);
  EXPECT_EQ(refused_at(Stage::kLower).why, "no crash: as seen");
  EXPECT_EQ(refused_at(Stage::kExecute).answer, HistoryAnswer::kUnknown) << "nothing of it ran";
  const HistoryRow wrong = RowOf(Verdict::kWrongShape, RuleId::kRuntimeEqual, Stage::kExecute);
  EXPECT_EQ(AsAnswerAbout(wrong, RowOf(Verdict::kUnsupported, RuleId::kSupportUnranked, Stage::kLower)).answer,
            HistoryAnswer::kUnknown);
}

TEST(HistoryRows, AnotherDivergenceSaysNothing) {
  const HistoryRow shape = RowOf(Verdict::kWrongShape, RuleId::kRuntimeEqual, Stage::kExecute);
  const HistoryRow illegal =
      AsAnswerAbout(shape, RowOf(Verdict::kLoweringFailed, RuleId::kLowerLegalIr, Stage::kLower));
  EXPECT_EQ(illegal.answer, HistoryAnswer::kUnknown);
  EXPECT_EQ(illegal.why, "wrong otherwise: lowering-failed [lower.legal-ir]");
  EXPECT_EQ(AsAnswerAbout(shape, shape).answer, HistoryAnswer::kWrong);
}

// A letter per row: 'r'ight, 'w'rong, un'd'efined, '?'. Their versions are A, B, C, ...
std::string SpanOfReleases(const std::string& letters) {
  std::vector<HistoryRow> rows;
  for (const char letter : letters) {
    rows.push_back({.version = std::string(1, static_cast<char>('A' + rows.size()))});
    rows.back().answer = AnswerOf(letter);
  }
  return Span(rows);
}

TEST(HistoryRows, SaysSinceWhichReleaseAndUntilWhich) {
  EXPECT_EQ(SpanOfReleases("rww"), "wrong since B (A is not), and still on C");
  EXPECT_EQ(SpanOfReleases("?wr"), "wrong on B, the oldest that can tell, and no longer on C");
  EXPECT_EQ(SpanOfReleases("wrw"), "wrong on A, the oldest that can tell, and still on C; not on all in between");
  EXPECT_EQ(SpanOfReleases("wd"), "wrong on A, the oldest that can tell, and no longer on B, where it is undefined");
  EXPECT_EQ(SpanOfReleases("dw"), "wrong since B (A is not, where it is undefined), and still on B");
  EXPECT_EQ(SpanOfReleases("rd"), "wrong on no release");
  EXPECT_EQ(SpanOfReleases("??"), "no toolchain can tell");
}

}  // namespace
}  // namespace tosaic
