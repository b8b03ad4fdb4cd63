// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nightly/night_results.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

// Several causes may break one rule: what happened tells them apart.
TEST(NightResults, ATitleOfTheSuitesFindingSaysWhatAPassDidOrWhichRuleIsBroken) {
  TemporaryDirectory night;
  Spill(night / "conform.json", R"({"findings": [
    {"signature": "a", "status": "new", "verdict": "lowering-failed", "op": "negate", "judgement":
     {"rule": "lower.legal-ir", "stage": "lower", "actual": "illegal-ir at lower (canonicalize): 'x'\n wrong"}},
    {"signature": "b", "status": "new", "verdict": "wrong-value", "op": "add", "judgement":
     {"rule": "value.add", "stage": "execute", "expected": "2", "actual": "1"}},
    {"signature": "e", "status": "new", "verdict": "false-accept", "op": "add", "judgement":
     {"rule": "bcast.verify.different", "stage": "verify", "actual": "accepted"}},
    {"signature": "c", "status": "known", "verdict": "wrong-value", "op": "add"},
    {"signature": "d", "status": "new", "verdict": "wrong-value", "op": "add"}]})");
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
    return Json::object(
        {{"signature", "wrong-value/add/f32/" + route + "/" + rule + "/number-for-number"}, {"status", "new"}});
  };
  const auto result = [](std::vector<Json> findings) { return Dump(Json::object({{"findings", findings}}), 1); };
  std::filesystem::create_directory(night / "campaign");
  Spill(night / "campaign/summary.json", result({finding("named", "value.add"), finding("loops", "value.add")}));
  Spill(night / "conform.json", result({finding("loops", "value.add"), finding("contract", "contract.leftover")}));
  Spill(night / "other-conform.json", result({finding("contract", "value.add")}));
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
