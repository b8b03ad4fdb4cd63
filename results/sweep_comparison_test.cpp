// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/sweep_comparison.h"

#include <utility>

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
            "not compared: log f32: one of them lacks it, or has tried other inputs\n"
            "not compared: sin f32: one of them lacks it, or has tried other inputs\n"
            "4 sweeps compared, 3 changed, 1 regressed\n");
  EXPECT_EQ(ToJson(comparison)["changes"][1]["regressed"], true);
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
