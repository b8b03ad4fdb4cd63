// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/judgement_text.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

std::string TextWithDistance(double ulp) {
  Judgement judgement;
  judgement.verdict = Verdict::kWrongValue;
  judgement.mismatch = ElementMismatch{.actual_bits = "0x00", .ulp_distance = ulp, .bound = "2 ulp"};
  return JudgementToText(judgement);
}

TEST(JudgementTextTest, ADistanceIsSaidWhereThereIsOne) {
  EXPECT_TRUE(absl::StrContains(TextWithDistance(3), "distance:  3 ulp, allowed: 2 ulp\n")) << TextWithDistance(3);
}

// NaN for 0, true for false, -0 for 0.
TEST(JudgementTextTest, NoDistanceIsSaidWhereThereIsNone) {
  EXPECT_FALSE(absl::StrContains(TextWithDistance(0), "distance"));
  EXPECT_TRUE(absl::StrContains(TextWithDistance(0), "allowed:   2 ulp\n")) << TextWithDistance(0);
}

TEST(JudgementTextTest, AnExpectedNaNHasNoBound) {
  Judgement judgement;
  judgement.verdict = Verdict::kWrongValue;
  judgement.mismatch = ElementMismatch{.expected = "NaN", .actual = "0", .bound = "0.5 ulp = 0"};
  EXPECT_FALSE(absl::StrContains(JudgementToText(judgement), "ulp")) << JudgementToText(judgement);
}

// A program of twelve rescales said the same nine times.
TEST(JudgementTextTest, ANoteIsSaidOnce) {
  Judgement judgement;
  judgement.notes = {"this", "that", "this"};
  const std::string text = JudgementToText(judgement);
  EXPECT_TRUE(absl::StrContains(text, "note:      this\nnote:      that\n")) << text;
  EXPECT_FALSE(absl::StrContains(text.substr(text.find("this") + 1), "this")) << text;
}

TEST(JudgementTextTest, WhatAgreesHasNothingExpected) {
  Judgement judgement;
  EXPECT_FALSE(absl::StrContains(JudgementToText(judgement), "expected:"));
  judgement.actual = "2";
  EXPECT_TRUE(absl::StrContains(JudgementToText(judgement), "expected:  \nactual:    2\n"));
}

TEST(JudgementTextTest, NotesAndNumbersAreInWords) {
  Judgement judgement;
  judgement.mismatch = ElementMismatch{.bound = "exact", .count = 1};
  judgement.notes = {"infer.less-precise", "value.implausible: add", "seen by nobody"};
  const std::string text = JudgementToText(judgement);
  for (const char* part :
       {"(1 element there disagrees)\n", "note:      An op's own inference may say less than the trait's; ",
        " [infer.less-precise]\n",
        "note:      A result of add is within its bound, but implausible. [value.implausible: add]\n",
        "note:      seen by nobody\n"}) {
    EXPECT_TRUE(absl::StrContains(text, part)) << part << " in " << text;
  }
  judgement.mismatch->count = 2;
  EXPECT_TRUE(absl::StrContains(JudgementToText(judgement), "(2 elements there disagree)\n"));
}

}  // namespace
}  // namespace tosaic
