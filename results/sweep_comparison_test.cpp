// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/sweep_comparison.h"

#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

ValueSweepRow RowWith(std::string op, double error, std::string at, uint64_t wrong) {
  ValueSweepRow row;
  row.op = std::move(op);
  row.types = "f32";
  row.exhaustive = true;
  row.inputs = 100;
  row.profile.compared = 100;
  row.profile.error = {error, {std::move(at)}, "0x00000000"};
  row.profile.disagreements = wrong;
  row.wrong_stretches = wrong;
  for (uint64_t i = 0; i < wrong; ++i) row.wrong.push_back({"0x00000007", "0x00000007"});
  return row;
}

TEST(SweepComparisonTest, SaysWhatAPatchChanges) {
  ValueSweepSummary base, patch;
  base.rows = {RowWith("abs", 0, "", 0), RowWith("tanh", 3.1, "0x3f000000", 0), RowWith("exp", 0.5, "0x3f000001", 1),
               RowWith("sin", 0.5, "0x3f000002", 0), RowWith("cos", 0.5, "0x3f000002", 0)};
  patch.rows = {RowWith("abs", 0, "", 0), RowWith("tanh", 5.7, "0x3f123456", 0), RowWith("exp", 0.5, "0x3f000001", 3),
                RowWith("log", 0.5, "0x3f000002", 0), RowWith("cos", 0.5001, "0x3f000003", 0)};
  const SweepComparison comparison = CompareSweeps(base, patch);
  EXPECT_EQ(ToText(comparison),
            "changed   tanh f32: worst error 3.1 -> 5.7 ulp at 0x3f123456\n"
            "regressed exp f32: 1 -> 3 wrong inputs; now exp f32: 3 wrong inputs, 0x00000007, 0x00000007, 0x00000007\n"
            "changed   cos f32: worst error 0.5000 -> 0.5001 ulp at 0x3f000003\n"
            "not compared: log f32: one of them lacks it, has tried other inputs, or failed on it\n"
            "not compared: sin f32: one of them lacks it, has tried other inputs, or failed on it\n"
            "4 sweeps compared, 3 changed, 1 regressed\n");
  EXPECT_EQ(ToJson(comparison)["changes"][1]["regressed"], true);
}

TEST(SweepComparisonTest, AFaultOfTheHarnessIsNoRegression) {
  ValueSweepSummary base, patch;
  base.rows = patch.rows = {RowWith("tanh", 3.1, "0x3f000000", 0)};
  patch.rows[0].profile = {};
  patch.rows[0].verdicts = {{Verdict::kHarnessFault, 1}};
  patch.harness_faults = {"tanh f32: boo"};
  for (const auto& [before, after, side] : {std::tuple(&base, &patch, "patch"), {&patch, &base, "base"}}) {
    EXPECT_EQ(ToText(CompareSweeps(*before, *after)),
              absl::StrCat("not compared: tanh f32: one of them lacks it, has tried other inputs, or failed on it\n"
                           "harness fault: ",
                           side, ": tanh f32: boo\n0 sweeps compared, 0 changed, 0 regressed\n"));
  }
}

TEST(SweepComparisonTest, InputsThatBecomeOpenAreAChange) {
  ValueSweepSummary base, patch;
  base.rows = patch.rows = {RowWith("pow", 3.1, "0x3f000000", 0)};
  patch.rows[0].profile.compared = 10;
  patch.rows[0].profile.open = 90;
  EXPECT_EQ(ToText(CompareSweeps(base, patch)),
            "changed   pow f32: 0 -> 90 open inputs\n1 sweep compared, 1 changed, 0 regressed\n");
}

// An op that is no longer lowered has no error, which is no improvement.
TEST(SweepComparisonTest, InputsThatDoNotRunAnyMoreAreARegression) {
  ValueSweepSummary base, patch;
  base.rows = {RowWith("tanh", 3.1, "0x3f000000", 0), RowWith("cos", 0, "", 1)};
  patch.rows = base.rows;
  for (ValueSweepRow& row : patch.rows) row.profile = {}, row.wrong = {}, row.wrong_stretches = 0;
  patch.rows[0].verdicts = {{Verdict::kLoweringFailed, 1}};
  patch.rows[1].verdicts = {{Verdict::kUnsupported, 1}};
  EXPECT_EQ(ToText(CompareSweeps(base, patch)),
            "regressed tanh f32: 100 -> 0 judged inputs, now lowering-failed\n"
            "regressed cos f32: 100 -> 0 judged inputs, now unsupported, 1 -> 0 wrong inputs\n"
            "2 sweeps compared, 2 changed, 2 regressed\n");
  EXPECT_EQ(ToText(CompareSweeps(patch, base)),
            "changed   tanh f32: 0 -> 100 judged inputs\n"
            "regressed cos f32: 0 -> 100 judged inputs, 0 -> 1 wrong input; now cos f32: 1 wrong input, 0x00000007\n"
            "2 sweeps compared, 2 changed, 1 regressed\n");
}

// As many wrong inputs as before, or fewer, but others.
TEST(SweepComparisonTest, AnInputThatWasRightIsARegression) {
  const auto with = [](std::vector<BitStretch> wrong, uint64_t stretches) {
    ValueSweepSummary summary;
    summary.rows = {RowWith("tanh", 0, "", 0)};
    summary.rows[0].profile.disagreements = 20;
    summary.rows[0].wrong = std::move(wrong);
    summary.rows[0].wrong_stretches = stretches;
    return summary;
  };
  const ValueSweepSummary base = with({{"0x10", "0x1f"}, {"0x30", "0x30"}}, 2);
  const auto newly = [&](const ValueSweepSummary& before, std::vector<BitStretch> wrong) {
    const SweepComparison comparison = CompareSweeps(before, with(std::move(wrong), 1));
    return comparison.changes.empty() ? "the same" : comparison.changes[0].newly_wrong;
  };
  EXPECT_EQ(newly(base, {{"0x10", "0x1f"}, {"0x30", "0x30"}}), "the same");
  EXPECT_EQ(newly(base, {{"0x12", "0x1f"}}), "");
  EXPECT_EQ(newly(base, {{"0x12", "0x20"}}), "0x12 to 0x20");
  EXPECT_EQ(newly(base, {{"0x0f", "0x0f"}}), "0x0f");
  EXPECT_EQ(newly(base, {{"0x30", "0x30"}, {"0x31", "0x31"}}), "0x31");
  EXPECT_EQ(ToText(CompareSweeps(base, with({{"0x30", "0x31"}}, 1))),
            "regressed tanh f32: newly wrong 0x30 to 0x31; now tanh f32: 20 wrong inputs, 0x30 to 0x31\n"
            "1 sweep compared, 1 changed, 1 regressed\n");
  // The base lists the first of its stretches alone.
  EXPECT_EQ(newly(with({{"0x10", "0x1f"}}, 9), {{"0x30", "0x31"}}), "");
  EXPECT_EQ(newly(with({{"0x10", "0x1f"}}, 9), {{"0x08", "0x08"}}), "0x08");
  // Of two operands the first changes fastest.
  EXPECT_EQ(newly(with({{"0x10 0x01", "0x05 0x02"}}, 1), {{"0xff 0x01", "0x00 0x02"}}), "");
  EXPECT_EQ(newly(with({{"0x10 0x01", "0x05 0x02"}}, 1), {{"0x06 0x02", "0x06 0x02"}}), "0x06 0x02");
}

TEST(SweepComparisonTest, OtherInputsAreNotCompared) {
  ValueSweepSummary base, patch;
  base.rows = {RowWith("tanh", 3.1, "0x3f000000", 0)};
  patch.rows = base.rows;
  patch.rows[0].inputs = 50;
  patch.rows[0].exhaustive = false;
  EXPECT_EQ(CompareSweeps(base, patch).compared, 0u);
  EXPECT_EQ(CompareSweeps(base, base).changes.size(), 0u);
}

}  // namespace
}  // namespace tosaic
