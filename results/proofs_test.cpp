// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/proofs.h"

#include "absl/strings/match.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "results/report.h"
#include "results/result_file.h"
#include "results/text.h"
#include "results/view.h"
#include "tests/example_results.h"

namespace tosaic {
namespace {

ProofSummary ExampleProofs() { return FromText<ProofSummary>(ExampleResults("text").at(kProofsKind)).value(); }

TEST(Proofs, TextHasALinePerTile) {
  const std::string text = ToText(ExampleProofs());
  EXPECT_TRUE(absl::StartsWith(text,
                               "abs f32: refuted: another value text at 0xbfc00000; run: wrong-value\n"
                               "negate i8: proved\nexp f32: unknown: open text\n"))
      << text;
  EXPECT_TRUE(absl::EndsWith(text, "3 tiles: 1 proved, 1 refuted, 1 unknown; 0.0 CPU seconds\n")) << text;
}

TEST(Proofs, WhatIsUnknownIsInTheHeadlineAndNoTile) {
  const ResultReport report = ViewOf(ExampleProofs(), "");
  EXPECT_EQ(report.not_run, std::vector<std::string>{"exp f32: unknown: open text"});
  EXPECT_EQ(report.tiles.size(), 2u);
  EXPECT_TRUE(absl::StrContains(Headline(report), ", 1 unknown")) << Headline(report);
}

// A refutation is not new if its run is a known divergence; it is new if no run shows it.
TEST(Proofs, ARefutationIsNewUnlessItsRunIsKnown) {
  ProofSummary summary = ExampleProofs();
  Finding known = summary.findings[0];
  known.known_reason = "so it is";
  summary.findings = {known};
  EXPECT_EQ(summary.CountNewlyRefuted(), 0u);
  summary.findings.push_back(known);
  summary.findings.back().known_reason.clear();
  EXPECT_EQ(summary.CountNewlyRefuted(), 1u) << "what is new does not hide behind what is known";
  summary.findings.clear();
  EXPECT_EQ(summary.CountNewlyRefuted(), 1u) << "no run shows it";
}

}  // namespace
}  // namespace tosaic
