// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nightly/night_results.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tests/example_results.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

Finding NewFinding(const std::string& signature) {
  Finding finding;
  finding.signature = ParseFindingSignature(signature);
  finding.cases().original = finding.cases().reduced = ExampleCase();
  return finding;
}

// Several causes may break one rule: what happened tells them apart.
TEST(NightResults, ATitleOfTheSuitesFindingSaysWhatAPassDidOrWhichRuleIsBroken) {
  TemporaryDirectory night;
  ConformanceReport suite;
  const auto add = [&](const std::string& signature, const std::string& op, const Judgement& judgement) {
    suite.findings.push_back(NewFinding(signature));
    suite.findings.back().op = op;
    suite.findings.back().judgement = judgement;
  };
  add("a", "negate",
      {.verdict = Verdict::kLoweringFailed,
       .stage = Stage::kLower,
       .rule = RuleId::kLowerLegalIr,
       .actual = "illegal-ir at lower (canonicalize): 'x'\n wrong"});
  add("b", "add", {.verdict = Verdict::kWrongValue, .rule = RuleId::kValueAddPlain, .expected = "2", .actual = "1"});
  add("e", "add",
      {.verdict = Verdict::kFalseAccept,
       .stage = Stage::kVerify,
       .rule = RuleId::kBcastVerifyDifferent,
       .actual = "accepted"});
  add("c", "add", {.verdict = Verdict::kWrongValue});
  suite.findings.back().known_reason = "known";
  add("d", "add", {.verdict = Verdict::kWrongValue});
  Spill(night / "conform.json", Dump(ToJson(suite), 1));
  const std::vector<NewOfNight> found = FoundIn(NightPaths{night.path()}, "mlir-22", "");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].title, "lowering-failed in negate: illegal-ir at lower (canonicalize): 'x'  wrong");
  EXPECT_EQ(found[1].title, "wrong-value in add: 1, expected 2");
  EXPECT_TRUE(absl::StartsWith(found[2].title, "false-accept in add: A static dimension")) << found[2].title;
  EXPECT_EQ(found[3].title, "d");
}

// What one mistake does on several routes, in the campaign and in the suite, is one cause.
TEST(NightResults, ACauseOnSeveralRoutesIsOne) {
  TemporaryDirectory night;
  const auto finding = [](const std::string& route, const std::string& rule) {
    return NewFinding("wrong-value/add/f32/" + route + "/" + rule + "/number-for-number");
  };
  const auto suite = [](const std::vector<Finding>& findings) {
    return Dump(ToJson(ConformanceReport{.findings = findings}), 1);
  };
  std::filesystem::create_directory(night / "campaign");
  Spill(night / "campaign/summary.json",
        Dump(ToJson(CampaignSummary{.findings = {finding("named", "value.add"), finding("loops", "value.add")}}), 1));
  Spill(night / "conform.json", suite({finding("loops", "value.add"), finding("contract", "contract.leftover")}));
  Spill(night / "other-conform.json", suite({finding("contract", "value.add")}));
  const std::vector<NewOfNight> found = FoundIn(NightPaths{night.path()}, "mlir-22", "mlir-trunk");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].place, "campaign.html");
  EXPECT_EQ(
      InWords(found[0]),
      "wrong-value/add/f32/named/value.add/number-for-number, on mlir-22, mlir-trunk; also on the routes contract, "
      "loops");
  EXPECT_EQ(InWords(found[1]), "wrong-value/add/f32/contract/contract.leftover/number-for-number, on mlir-22");
}

}  // namespace
}  // namespace tosaic
