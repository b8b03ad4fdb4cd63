// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/confirming.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

CaseRecord Divergence(const char* signature, const char* route) {
  CaseRecord record;
  record.number = 3;
  record.signature = ParseFindingSignature(signature);
  record.verdict = record.signature.verdict.value_or(Verdict::kAgree);
  record.route = route;
  record.patterns = {"a-pattern"};
  record.new_numbers = {0.5};
  record.first_preceding = 1;
  return record;
}

constexpr char kWrong[] = "wrong-value/tanh/f32/loops/value.tanh/number-for-nan";

TEST(ConfirmingTest, WhatCountsIsWhatAFreshProcessShows) {
  const CaseRecord alone = Divergence("crash/tanh/f32/loops/run.signal/cse/signal-11", "loops");
  CaseRecord other = alone;
  other.patterns.clear();
  other.new_numbers.clear();
  other.first_preceding = 3;
  const CaseRecord counts = Confirmed(Divergence(kWrong, "loops"), other, false);
  EXPECT_EQ(ToLine(counts), ToLine(alone)) << "with what only the first process knows";
}

TEST(ConfirmingTest, WhatDoesNotRepeatIsAHarnessFault) {
  const CaseRecord agrees = Divergence("", "loops");
  const CaseRecord counts = Confirmed(Divergence(kWrong, "loops"), agrees, false);
  EXPECT_EQ(counts.verdict, Verdict::kHarnessFault);
  EXPECT_EQ(ToString(counts.rule), absl::StrCat("harness.not-repeatable: ", kWrong, " became agree"));
  EXPECT_TRUE(counts.signature.empty());
}

// Without a process to replay it in, nobody knows whether it repeats.
TEST(ConfirmingTest, AReplayThatFailedIsAFaultOfItsOwn) {
  CaseRecord failed = Divergence("", "loops");
  failed.verdict = Verdict::kHarnessFault;
  failed.rule = {RuleId::kHarnessToolchain, "cannot fork a worker"};
  for (const bool is_known : {false, true}) {
    const CaseRecord counts = Confirmed(Divergence(kWrong, "loops"), failed, is_known);
    EXPECT_EQ(counts.verdict, Verdict::kHarnessFault);
    EXPECT_EQ(ToString(counts.rule),
              absl::StrCat("harness.toolchain: cannot fork a worker, when ", kWrong, " was replayed"));
    EXPECT_TRUE(counts.notes.empty());
    EXPECT_EQ(counts.patterns, std::vector<std::string>{"a-pattern"});
  }
}

TEST(ConfirmingTest, WhatIsKnownMayStayAway) {
  const CaseRecord counts = Confirmed(Divergence(kWrong, "loops"), Divergence("", "loops"), true);
  EXPECT_EQ(ToString(counts.signature), kWrong);
  EXPECT_EQ(counts.notes, std::vector<std::string>{"known, and not repeatable"});
}

TEST(ConfirmingTest, OnlyWhatARouteDidMayBeTheFirstRoutes) {
  EXPECT_TRUE(MayBeOfFirstRoute(Divergence("leak/add/i32/fused/run.leak", "fused"), "loops"));
  EXPECT_FALSE(MayBeOfFirstRoute(Divergence("leak/add/i32/loops/run.leak", "loops"), "loops"));
  EXPECT_FALSE(MayBeOfFirstRoute(Divergence("false-accept/mul/bcast.verify.rank", "fused"), "loops"));
  EXPECT_FALSE(MayBeOfFirstRoute(Divergence("", "fused"), "loops"));
}

TEST(ConfirmingTest, WhatTheFirstRouteShowsIsItsOwn) {
  const CaseRecord fused = Divergence("leak/add/i32/fused/run.leak", "fused");
  CaseRecord loops = Divergence("leak/add/i32/loops/run.leak", "loops");
  loops.first_preceding = 7;
  const CaseRecord counts = AttributedToFirstRoute(fused, "loops", loops);
  EXPECT_EQ(counts.route, "loops");
  EXPECT_EQ(counts.first_preceding, 1u);
  for (const char* other : {"", "leak/sub/i32/loops/run.leak", "wrong-shape/add/i32/loops/run.shape"}) {
    EXPECT_EQ(AttributedToFirstRoute(fused, "loops", Divergence(other, "loops")).route, "fused") << other;
  }
}

TEST(ConfirmingTest, AnotherKindOfWrongValueIsAnotherFinding) {
  const CaseRecord exact = Divergence("wrong-value/tanh/f32/fused/value.tanh/zero-for-nan", "fused");
  EXPECT_EQ(AttributedToFirstRoute(exact, "loops", Divergence(kWrong, "loops")).route, "fused");
}

}  // namespace
}  // namespace tosaic
