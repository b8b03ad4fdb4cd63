// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzzers/crash_state.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(CrashState, KeepsWhatTellsDivergencesApart) {
  EXPECT_EQ(FatalCheckOf("wrong-value/mul/i8/loops/value.mul"),
            "F0101 00:00:00.000000 1 divergence:1] Check failed: wrong-value/mul/i-eight/loops/value.mul");
  EXPECT_NE(FatalCheckOf("wrong-value/mul/i8"), FatalCheckOf("wrong-value/mul/i16"));
}

TEST(CrashState, HasNothingWhereClusterFuzzCutsATextOff) {
  const std::string line = FatalCheckOf(R"-(lowering-failed/several-ops/loops/'f.op' op: "negate(negate(x0))")-");
  const std::string condition = line.substr(line.find("Check failed: ") + 14);
  EXPECT_EQ(condition.find_first_of("0123456789:'\"()"), std::string::npos) << condition;
}

TEST(CrashState, TheTokenIsTheWholeSignatureInOneLine) {
  EXPECT_EQ(DedupTokenOf("wrong-value/mul/i8/loops/value.mul"), "DEDUP_TOKEN: wrong-value/mul/i8/loops/value.mul");
  EXPECT_EQ(DedupTokenOf("lowering-failed/several-ops/a\nb"), "DEDUP_TOKEN: lowering-failed/several-ops/a b");
}

}  // namespace
}  // namespace tosaic
