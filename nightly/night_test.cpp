// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nightly/night.h"

#include "absl/strings/match.h"
#include "codec/codec.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

Night After(std::set<std::string> done, std::optional<uint64_t> seed = std::nullopt) {
  return Tonight("2026-11-22", seed, [&](const std::string& name) { return done.contains(name); });
}

TEST(Tonight, TheSeedIsTheDateAndFromTheSecondNightOnItsOrdinal) {
  EXPECT_EQ(After({}).name, "2026-11-22");
  EXPECT_EQ(After({}).seed, 20261122u);
  EXPECT_EQ(After({"2026-11-22"}).name, "2026-11-22-2");
  EXPECT_EQ(After({"2026-11-22"}).seed, 202611222u);
  EXPECT_EQ(After({"2026-11-22", "2026-11-22-2"}).seed, 202611223u);
  EXPECT_EQ(After({"2026-11-21"}).name, "2026-11-22");
}

TEST(Tonight, ASeedThatIsAskedForStaysTheSame) {
  EXPECT_EQ(After({}, 7).name, "2026-11-22-seed-7");
  EXPECT_EQ(After({"2026-11-22", "2026-11-22-seed-7"}, 7).name, "2026-11-22-seed-7-2");
  EXPECT_EQ(After({"2026-11-22-seed-7"}, 7).seed, 7u);
}

TEST(InterruptedNights, AreThoseOfOtherDatesThatBegan) {
  const NightBefore nights[] = {{"2026-11-21-2", true, false}, {"2026-11-21", true, false},
                                {"2026-11-20", true, true},    {"notes", false, false},
                                {"2026-11-22", true, false},   {"2026-11-22-seed-7", true, false}};
  EXPECT_EQ(InterruptedNights(nights, "2026-11-22"), (std::vector<std::string>{"2026-11-21", "2026-11-21-2"}));
}

// Of an hour of which the suites took twelve minutes.
TEST(Shares, TwoThirdsOfWhatIsLeftAreTheCampaigns) {
  EXPECT_EQ(SuiteSeconds(30, false), 1800);
  EXPECT_EQ(SuiteSeconds(30, true), 900);
  EXPECT_EQ(CampaignSeconds(2880, false, true), 1920);
  EXPECT_EQ(CampaignSeconds(2880, true, true), 1280);
  EXPECT_EQ(OtherCampaignSeconds(1600, true), 640);
  EXPECT_EQ(CampaignSeconds(2880, false, false), 2400);
  EXPECT_EQ(CampaignSeconds(-5, true, true), 1);
  EXPECT_EQ(OtherCampaignSeconds(-5, true), 1);
  int fuzzers = 0;
  for (const NightlyTarget& target : NightlyTargets()) {
    fuzzers += FuzzerSeconds(960, target);
    EXPECT_EQ(FuzzerSeconds(0.1, target), 1);
  }
  EXPECT_EQ(fuzzers, 960);
}

TEST(PlanText, SaysWhatTheNightDoesBesideFuzzing) {
  EXPECT_EQ(PlanText(30, "mlir-22", "mlir-trunk", true),
            "nightly: first the conformance suite on mlir-22 and on mlir-trunk (at most 900 s each), then campaigns on "
            "mlir-22 and on mlir-trunk, what is found being reduced, then the libFuzzer targets\n");
  EXPECT_EQ(PlanText(0, "mlir-22", "", false), "nightly: first a campaign on mlir-22, what is found being reduced\n");
}

TEST(EditsText, IsWhatAShellTakes) {
  EXPECT_EQ(EditsText({}), "");
  EXPECT_EQ(EditsText({"--route=loops", "--insert-after=cse:a{x=1 y}"}),
            "--route='loops' --insert-after='cse:a{x=1 y}'");
}

TEST(Logs, OfLibFuzzer) {
  const absl::string_view log =
      "INFO: seed\n#12\tNEW\ntosaic: a new divergence: b/x\ntosaic: a new divergence: a/y\ntosaic: a new divergence: "
      "b/x\n";
  EXPECT_EQ(SignaturesInLog(log), (std::set<std::string>{"a/y", "b/x"}));
  EXPECT_TRUE(HasRun(log));
  EXPECT_FALSE(HasRun("sh: not found\n#\n # 1\n"));
  EXPECT_TRUE(SignaturesInLog("").empty());
}

std::vector<std::string> SignaturesIn(const KnownEntries& entries) {
  std::vector<std::string> signatures;
  for (const KnownDivergences::Entry& entry : entries) signatures.push_back(entry.signature);
  return signatures;
}

TEST(Lists, OfWhatIsNew) {
  EXPECT_EQ(ToJson(ReportedEntries({"a"}, "2026-11-22")), Json::parse(R"([
    {"signature": "a", "reason": "reported in the night of 2026-11-22", "since": "2026-11-22"}])"));
}

TEST(Lists, WhatWasReportedEarlierStays) {
  const KnownEntries list =
      Joined({{.signature = "b", .reason = "old"}},
             {{.signature = "c", .reason = "new"}, {.signature = "b", .reason = "new"}, {.signature = "a"}});
  ASSERT_EQ(SignaturesIn(list), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(list[1].reason, "old");
}

TEST(Lists, TheVersionOfAResultIsItsToolchains) {
  const auto of = [](const char* version) { return ToJson(VersionsOf({.toolchain_version = version})); };
  EXPECT_EQ(of("LLVM 24.0.0 (torch-mlir 20261001)"), Json::array({"24"}));
  EXPECT_EQ(of("LLVM 22.1.8"), Json::array({"22"}));
  for (const char* none : {"", "LLVM", "trunk"}) EXPECT_TRUE(of(none).empty()) << none;
}

TEST(Lists, AnEntryOfOtherVersionsIsAnotherEntry) {
  const KnownEntries of_all = ReportedEntries({"a"}, "2026-11-22");
  const KnownEntries of_24 = ReportedEntries({"a"}, "2026-11-22", VersionsOf({.toolchain_version = "LLVM 24.0.0"}));
  const KnownEntries list = Joined(of_24, of_all);
  EXPECT_EQ(list.size(), 2u);
  EXPECT_EQ(ToJson(Joined(list, of_24)), ToJson(list));
}

TEST(SummaryText, BeginsWithWhatIsNewAndHasTheReportsBelow) {
  const SummaryPart parts[] = {{"Campaign", "### Tosaic: nothing new\n\ntext\n"}, {"libFuzzer targets", "| a |\n"}};
  NightRow row;
  row.name = "2026-11-22-2";
  row.seed = 7;
  EXPECT_EQ(
      SummaryText(row, "b", {}),
      "# Tosaic: nothing new in the night of 2026-11-22-2\n\nThe seed is 7. To run the campaign again:\n\n    b\n");
  row.alarms = {"Less."};
  row.fresh = 1;
  row.found = {{"a/b", "abs is wrong", "mlir-22", "new/a_b"}};
  EXPECT_EQ(SummaryText(row, "tosaic fuzz --seed=7", parts),
            "# Tosaic: 1 new cause in the night of 2026-11-22-2: abs is wrong, on mlir-22, `new/a_b`\n\n"
            "- abs is wrong, on mlir-22, [new/a_b](new/a_b)\n\n**Alarm: Less.**\n\n"
            "The seed is 7. To run the campaign again:\n\n"
            "    tosaic fuzz --seed=7\n\n## Campaign\n\n**Tosaic: nothing new**\n\ntext\n"
            "\n## libFuzzer targets\n\n| a |\n");
}

TEST(TargetsText, IsATableWithWhatTheyFound) {
  EXPECT_EQ(InputsInLog("INFO: x\n#12\tNEW\n#345: cov: 1\nDone 9\n"), 345u);
  EXPECT_EQ(InputsInLog("no\n# 7\n"), 0u);
  const TargetResult targets[] = {{"fuzz_trait", "no --fuzzers", 0, {}}, {"fuzz_numeric", "", 345, {"a/b"}}};
  EXPECT_EQ(TargetsText(targets, 2),
            "| target | inputs | new causes |\n|---|---|---|\n| fuzz_trait | left out: no --fuzzers | 0 |\n"
            "| fuzz_numeric | 345 | 1 |\n\n- `a/b`\n\n2 inputs lie in `crashes/`.\n");
  EXPECT_FALSE(absl::StrContains(TargetsText(targets, 0), "crashes"));
}

}  // namespace
}  // namespace tosaic
