// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "results/text.h"
#include "results/view.h"

namespace tosaic {
namespace {

Comparison OneRegressionAndOneFix() {
  Comparison comparison;
  comparison.base = {.toolchain = "mlir-19", .toolchain_version = "LLVM 19.1.7"};
  comparison.patch = {.toolchain = "mlir-22", .toolchain_version = "LLVM 22.1.8"};
  comparison.suite = {1, "all", "loops", 3, "0123"};
  TileChange tile;
  tile.change = Change::kRegressed;
  tile.cases.regressed = tile.cases.fixed = tile.cases.unchanged = 1;
  comparison.tiles = {tile, {}};
  const SuiteCase good = {{"add", "f32", "dynamic-equal"}, "add/f32/dynamic-equal/0", Verdict::kAgree, {}, {}, 8};
  SuiteCase bad = good;
  bad.verdict = Verdict::kWrongValue;
  bad.rule.id = RuleId::kValueAddPlain;
  bad.signature = ParseFindingSignature("wrong-value/add/f32/*/<odd>|");
  comparison.cases = {{Change::kRegressed, good, bad}, {Change::kFixed, bad, good}};
  Finding finding;
  finding.cases().case_name = bad.name;
  finding.signature = bad.signature;
  finding.judgement.verdict = bad.verdict;
  finding.judgement.expected = "a < b";
  finding.cases().reduced.program.arguments = {{Shape::OfSizes({2}), ElementType::kF32}};
  finding.cases().reduced.program.ops = {
      {OpKind::kAbs, {{ValueRef::Kind::kArgument, 0}}, {}, {Shape::OfSizes({2}), ElementType::kF32}}};
  finding.cases().reduced.program.results = {{ValueRef::Kind::kOp, 0}};
  comparison.regressions = {finding};
  return comparison;
}

TEST(ComparisonText, CountsAndShowsTheRegression) {
  const std::string text = ToText(OneRegressionAndOneFix());
  for (const char* wanted :
       {"base:   mlir-19 (LLVM 19.1.7)", "patch:  mlir-22 (LLVM 22.1.8)", "regressed         1         1\n",
        "fixed             0         1\n", "unchanged         1         1\n", "agree [] -> wrong-value [value.add]",
        "regression: wrong-value/add/f32", "tosa.abs", "first: add/f32/dynamic-equal/0"}) {
    EXPECT_TRUE(absl::StrContains(text, wanted)) << wanted << "\n" << text;
  }
}

TEST(ComparisonText, SaysWhatTellsTheSidesApart) {
  Comparison comparison = OneRegressionAndOneFix();
  comparison.base.pipeline = "builtin.module(func.func(a,b))";
  comparison.patch.pipeline = "builtin.module(func.func(a,mine{fast=1},b))";
  comparison.patch.plugins = {"patch.so (mine 1)"};
  const std::string text = ToText(comparison);
  EXPECT_TRUE(absl::StrContains(text,
                                "patch:  mlir-22 (LLVM 22.1.8), plugins patch.so (mine 1)\n"
                                "passes: after a, base runs nothing and patch runs mine{fast=1}\nsuite: "))
      << text;
  const auto quote = [](const std::string& text) { return "`" + text + "`"; };
  EXPECT_EQ(PipelinesInWords(comparison.base, comparison.patch, quote),
            "after `a`, base runs nothing and patch runs `mine{fast=1}`");
  EXPECT_EQ(SideInWords(comparison.patch, quote), "`mlir-22, LLVM 22.1.8`, plugins `patch.so (mine 1)`");
}

TEST(ComparisonText, RegressionsStandBeforeWhatChangedInTheIr) {
  Comparison comparison = OneRegressionAndOneFix();
  comparison.ir.emplace();
  comparison.ir->tensors = {.compared = 2, .differ = 1};
  const std::string text = ToText(comparison);
  EXPECT_LT(text.find("\nregression: "), text.find("\nIR before bufferization: ")) << text;
}

// The suite may not reach what a patch changes; that is no approval of it.
TEST(ComparisonText, WhatIsNotReachedIsSaidInTheHeadline) {
  Comparison comparison = OneRegressionAndOneFix();
  comparison.cases.clear();
  comparison.regressions.clear();
  comparison.tiles = {{}};
  comparison.ir.emplace();
  comparison.ir->lowered = {.compared = 2};
  EXPECT_EQ(Headline(ViewOf(comparison, "")), "Nothing changed, nor the IR of any case: none tests the patch");
  comparison.ir->lowered.patch_alone = 1;
  EXPECT_EQ(Headline(ViewOf(comparison, "")), "Nothing changed");
}

TEST(ComparisonText, NothingChangedIsShort) {
  Comparison comparison = OneRegressionAndOneFix();
  comparison.cases.clear();
  comparison.regressions.clear();
  comparison.tiles = {{}};
  EXPECT_FALSE(absl::StrContains(ToText(comparison), "regression:"));
}

}  // namespace
}  // namespace tosaic
