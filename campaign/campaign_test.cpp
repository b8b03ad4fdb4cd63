// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Campaigns over toolchains that lie, crash, hang, and eat memory: each misbehaviour must become the right verdict of
// the right cases, and the campaign must go on.
#include "campaign/campaign.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "campaign/case_record.h"
#include "checking/check_case.h"
#include "checking/files.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/adder_campaign.h"
#include "tests/fake_toolchain.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

using Records = std::map<uint64_t, CaseRecord>;
constexpr uint64_t kCases = 60;

CampaignOptions Options(const std::string& out) {
  CampaignOptions options = AdditionsInto(out);
  options.cases = kCases;
  options.limits = {.cpu_seconds = 1, .wall_seconds = 30, .memory_bytes = uint64_t{256} << 20};
  return options;
}

struct Outcomes {
  CampaignSummary summary;
  Records records;
};

Outcomes RunIt(Toolchain& toolchain, const CampaignOptions& options, const std::atomic<bool>* stop = nullptr) {
  absl::StatusOr<CampaignSummary> summary = RunCampaign(toolchain, options, stop);
  EXPECT_TRUE(summary.ok()) << summary.status();
  if (!summary.ok()) return {};
  return {*std::move(summary), ReadJournal(options.out)};
}

// The summary without what differs from run to run.
std::string Timeless(const CampaignSummary& summary) {
  Json json = ToJson(summary);
  for (const char* key : {"elapsed_seconds", "cases_per_second", "provenance"}) json.erase(key);
  for (Json& fault : json["harness_faults"]) fault.erase("preceding_cases_from");
  return Dump(json, 1);
}

std::vector<std::string> VerdictsOf(const Records& records) {
  std::vector<std::string> verdicts;
  for (const auto& [number, record] : records) {
    verdicts.push_back(
        absl::StrCat(number, " ", Name(record.verdict), " ", ToString(record.signature), " ", record.compared));
  }
  return verdicts;
}

// The fakes misbehave on a property of the case that survives reduction, which its number would not.
bool HasRankTwo(const Case& test_case) { return !test_case.runs.empty() && test_case.runs[0][0].sizes().size() == 2; }
bool IsVictim(const Case& test_case) {
  // A case with undefined data may end in any way, so that its misbehaviour would be no finding.
  if (absl::EndsWith(test_case.origin, "intent=undefined-data")) return false;
  return !test_case.program.arguments.empty() && HasRankTwo(test_case) && test_case.runs.back()[0].sizes()[1] >= 2;
}
Case FirstVictim(const CampaignOptions& options) {
  uint64_t number = 0;
  while (!IsVictim(GenerateCase(1, number, options.generator))) ++number;
  return GenerateCase(1, number, options.generator);
}
bool HasNumber(const Case& test_case, uint64_t number) {
  return absl::StrContains(test_case.origin, absl::StrCat(" case=", number, " "));
}

// A campaign in which the victims misbehave so: they, and only they, have the verdict.
Outcomes ExpectVerdictOfVictims(Verdict verdict, CampaignOptions options,
                                const MisbehavingToolchain::Misbehaviour& misbehave) {
  MisbehavingToolchain toolchain([&](const Case& test_case, Observation* observation) {
    if (IsVictim(test_case)) misbehave(test_case, observation);
  });
  Outcomes outcomes = RunIt(toolchain, options);
  EXPECT_EQ(outcomes.records.size(), kCases);
  uint64_t victims = 0;
  for (const auto& [number, record] : outcomes.records) {
    const Case test_case = GenerateCase(options.seed, number, options.generator);
    if (IsVictim(test_case)) {
      ++victims;
      EXPECT_EQ(Name(record.verdict), Name(verdict)) << "case " << number << " " << ToString(record.rule);
    } else {
      EXPECT_FALSE(IsDivergence(record.verdict)) << "case " << number << " " << ToString(record.signature);
      EXPECT_NE(record.verdict, Verdict::kHarnessFault) << "case " << number << " " << ToString(record.rule);
    }
  }
  EXPECT_GT(victims, 2u) << "the seed must give some";
  EXPECT_LT(victims, kCases / 2);
  EXPECT_EQ(outcomes.summary.verdicts[verdict], victims);
  EXPECT_EQ(outcomes.summary.cases, kCases);
  EXPECT_TRUE(outcomes.summary.harness_faults.empty());
  return outcomes;
}

// One finding that counts all victims, reduced to a smallest victim, with files that read back.
void ExpectOneReducedFinding(const Outcomes& outcomes, Verdict verdict, const CampaignOptions& options) {
  ASSERT_EQ(outcomes.summary.findings.size(), 1u);
  const Finding& finding = outcomes.summary.findings[0];
  EXPECT_EQ(finding.judgement.verdict, verdict);
  EXPECT_EQ(finding.count, outcomes.summary.verdicts.at(verdict));
  EXPECT_EQ(finding.op, "add");
  EXPECT_TRUE(HasNumber(finding.cases().original, finding.cases().case_number));
  EXPECT_TRUE(IsVictim(finding.cases().reduced));
  EXPECT_EQ(finding.cases().reduced.runs.size(), 1u);
  EXPECT_EQ(finding.cases().reduced.runs[0][0].element_count(), 2u) << CaseToText(finding.cases().reduced);
  const std::string folder = options.out + "/" + outcomes.summary.findings[0].cases().folder;
  EXPECT_EQ(CaseToText(ReadCase(folder + "/reduced.json").value()), CaseToText(finding.cases().reduced));
  EXPECT_EQ(CaseToText(ReadCase(folder + "/original.json").value()), CaseToText(finding.cases().original));
}

TEST(CampaignTest, AnHonestToolchainAgrees) {
  TemporaryDirectory temporary;
  AdderToolchain toolchain;
  const Outcomes outcomes = RunIt(toolchain, Options(temporary / "out"));
  ASSERT_EQ(outcomes.records.size(), kCases);
  for (const auto& [number, record] : outcomes.records) {
    EXPECT_TRUE(record.verdict == Verdict::kAgree || record.verdict == Verdict::kUndefined)
        << number << " " << ToString(record.signature);
  }
  EXPECT_GT(outcomes.summary.verdicts.at(Verdict::kAgree), kCases * 9 / 10);
  EXPECT_TRUE(outcomes.summary.findings.empty());
  EXPECT_FALSE(std::filesystem::exists(temporary / "out/findings"));
}

// Whatever is watched reports a pattern that nothing else does.
class CountingWatcher : public PatternWatcher {
 public:
  void Watch(std::function<void(absl::string_view)> on_pattern) override {
    if (on_pattern) on_pattern(absl::StrCat("watch ", ++watches_));
  }
  std::vector<std::string> Patterns() override { return {}; }

 private:
  int watches_ = 0;
};

TEST(CampaignTest, PatternsAreWatchedInEveryEighthCaseIfItIsSmall) {
  TemporaryDirectory temporary;
  CountingWatcher watcher;
  MisbehavingToolchain toolchain(
      [](const Case&, Observation* observation) {
        *observation = {};
        observation->stage = Stage::kBuild;
        observation->outcome = Outcome::kRefused;
      },
      {.patterns = &watcher});
  CampaignOptions options = Options(temporary / "out");
  options.generator.graph_percent = 100;
  const Outcomes outcomes = RunIt(toolchain, options);
  int small = 0, large = 0;
  for (const auto& [number, record] : outcomes.records) {
    const size_t ops = GenerateCase(options.seed, number, options.generator).program.ops.size();
    EXPECT_EQ(!record.patterns.empty(), number % 8 == 0 && ops <= 4) << "case " << number << " of " << ops << " ops";
    if (number % 8 == 0) ++(ops <= 4 ? small : large);
  }
  EXPECT_GT(small, 0) << "the seed must give some";
  EXPECT_GT(large, 0);
}

TEST(CampaignTest, ALieAboutAValue) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  const Outcomes outcomes =
      ExpectVerdictOfVictims(Verdict::kWrongValue, options, [](const Case&, Observation* observation) {
        Tensor& tensor = observation->runs.back().results[0].tensor;
        // Not one but several of them wrong: repaired data may mask any one.
        for (size_t i = 0; i < tensor.element_count(); ++i) tensor.SetBits(i, tensor.Bits(i) ^ 1);
      });
  ASSERT_FALSE(outcomes.summary.findings.empty());
  for (const Finding& finding : outcomes.summary.findings) EXPECT_TRUE(finding.judgement.mismatch.has_value());
}

TEST(CampaignTest, ALieAboutAShape) {
  TemporaryDirectory temporary;
  ExpectVerdictOfVictims(Verdict::kWrongShape, Options(temporary.path()), [](const Case&, Observation* observation) {
    Tensor& tensor = observation->runs.back().results[0].tensor;
    tensor = Tensor(ElementType::kI32, {static_cast<int64_t>(tensor.element_count()) + 1});
  });
}

TEST(CampaignTest, ALieAboutADecision) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  ExpectVerdictOfVictims(Verdict::kFalseReject, options, [](const Case&, Observation* observation) {
    *observation = Observation();
    observation->outcome = Outcome::kRefused;
    observation->stage = Stage::kVerify;
    observation->diagnostics = {"'tosa.add' op does not feel like it"};
  });
}

TEST(CampaignTest, AcceptingEverythingIsFoundOut) {
  TemporaryDirectory temporary;
  CampaignOptions options = Options(temporary.path());
  options.generator.illegal_percent = 50;
  AdderToolchain toolchain;  // has never refused anything
  const Outcomes outcomes = RunIt(toolchain, options);
  EXPECT_GT(outcomes.summary.verdicts.at(Verdict::kFalseAccept), kCases / 8);
  for (const auto& [number, record] : outcomes.records) {
    const Case test_case = GenerateCase(options.seed, number, options.generator);
    EXPECT_EQ(record.verdict == Verdict::kFalseAccept, test_case.runs.empty()) << number << " " << test_case.origin;
  }
}

TEST(CampaignTest, RefusingToLower) {
  TemporaryDirectory temporary;
  const Outcomes outcomes = ExpectVerdictOfVictims(
      Verdict::kLoweringFailed,
      [&] {
        CampaignOptions options = Options(temporary.path());
        options.seed = 4;
        return options;
      }(),
      [](const Case& test_case, Observation* observation) {
        const bool ranked = std::all_of(test_case.program.arguments.begin(), test_case.program.arguments.end(),
                                        [](const TensorType& type) { return type.shape.IsRanked(); }) &&
                            test_case.program.ops[0].result.shape.IsRanked();
        *observation = Observation();
        // Unranked ones may be refused: as illegal IR they are a divergence like the others.
        observation->outcome = ranked ? Outcome::kRefused : Outcome::kIllegalIr;
        observation->stage = Stage::kLower;
        observation->pass = "tosa-to-linalg";
      });
  EXPECT_FALSE(outcomes.summary.findings.empty());
}

TEST(CampaignTest, AFindingIsCalledAfterAnOpOfItsReducedCase) {
  MisbehavingToolchain toolchain([](const Case& test_case, Observation* observation) {
    *observation = Observation();
    observation->outcome = Outcome::kRefused;
    observation->stage = test_case.program.ops.size() > 1 ? Stage::kLower : Stage::kBuild;
    observation->pass = std::string(Name(test_case.program.ops.front().op));  // so that there are several findings
  });
  int renamed = 0;
  for (uint64_t seed = 1; seed < 6; ++seed) {
    TemporaryDirectory temporary;
    CampaignOptions options = Options(temporary.path());
    options.seed = seed;
    options.cases = 20;
    options.generator.ops = {OpKind::kAdd, OpKind::kSub, OpKind::kMaximum};
    options.generator.graph_percent = 100;
    for (const Finding& finding : RunIt(toolchain, options).summary.findings) {
      EXPECT_EQ(finding.op, Name(finding.cases().reduced.program.ops.back().op)) << ToString(finding.signature);
      renamed += finding.op == Name(finding.cases().original.program.ops.back().op) ? 0 : 1;
    }
  }
  EXPECT_GT(renamed, 0) << "the seeds must give some";
}

TEST(CampaignTest, AnElementLeftUnwritten) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  const Outcomes outcomes = ExpectVerdictOfVictims(
      Verdict::kUninitializedResult, options,
      [](const Case&, Observation* observation) { observation->runs.back().results[0].unwritten = {1}; });
  ExpectOneReducedFinding(outcomes, Verdict::kUninitializedResult, options);
}

TEST(CampaignTest, ALeak) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  const Outcomes outcomes = ExpectVerdictOfVictims(
      Verdict::kLeak, options, [](const Case&, Observation* observation) { observation->runs[0].leaked_buffers = 1; });
  ExpectOneReducedFinding(outcomes, Verdict::kLeak, options);
}

TEST(CampaignTest, AnOverrun) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  const Outcomes outcomes =
      ExpectVerdictOfVictims(Verdict::kMemoryFault, options, [](const Case&, Observation* observation) {
        observation->outcome = Outcome::kMemoryFault;
        observation->runs.clear();
        observation->fault = MemoryFault{.region = "operand 0", .offset = 8, .region_bytes = 8};
      });
  ExpectOneReducedFinding(outcomes, Verdict::kMemoryFault, options);
}

TEST(CampaignTest, AnAbortInAPass) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  const Outcomes outcomes = ExpectVerdictOfVictims(Verdict::kCrash, options, [](const Case&, Observation*) {
    EnterStage(Stage::kLower);
    EnterPass("one-shot-bufferize");
    std::abort();
  });
  ExpectOneReducedFinding(outcomes, Verdict::kCrash, options);
  ASSERT_EQ(outcomes.summary.findings.size(), 1u);
  EXPECT_EQ(ToString(outcomes.summary.findings[0].signature),
            absl::StrCat("crash/add/i32/loops/run.signal/one-shot-bufferize/signal-", SIGABRT));
  EXPECT_EQ(outcomes.summary.findings[0].judgement.stage, Stage::kLower);
}

TEST(CampaignTest, ASegmentationFaultInTheCode) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  const Outcomes outcomes = ExpectVerdictOfVictims(Verdict::kCrash, options, [](const Case&, Observation*) {
    signal(SIGSEGV, SIG_DFL);  // a sanitizer's own handler would make an exit of it
    raise(SIGSEGV);
  });
  ExpectOneReducedFinding(outcomes, Verdict::kCrash, options);
}

TEST(CampaignTest, AnExitIsACrashToo) {
  TemporaryDirectory temporary;
  CampaignOptions options = Options(temporary.path());
  options.reduce = false;
  const Outcomes outcomes =
      ExpectVerdictOfVictims(Verdict::kCrash, options, [](const Case&, Observation*) { _exit(0); });
  EXPECT_EQ(CountNew(outcomes.summary.findings), 0u) << "known causes are recognised by reduced cases";
  EXPECT_EQ(CountNotReduced(outcomes.summary.findings), 1u);
}

TEST(CampaignTest, EatingMemory) {
  TemporaryDirectory temporary;
  CampaignOptions options = Options(temporary.path());
  options.reduce = false;
  const Outcomes outcomes = ExpectVerdictOfVictims(Verdict::kCrash, options, [](const Case&, Observation*) {
    static std::vector<std::string> eaten;
    while (true) eaten.push_back(std::string(size_t{16} << 20, 'x'));
  });
  for (const Finding& finding : outcomes.summary.findings) EXPECT_EQ(finding.judgement.rule, RuleId::kRunMemoryLimit);
}

TEST(CampaignTest, ALoopWithoutEnd) {
  TemporaryDirectory temporary;
  CampaignOptions options = Options(temporary.path());
  options.reduce = false;
  options.cases = 20;
  MisbehavingToolchain toolchain([](const Case& test_case, Observation*) {
    volatile bool forever = HasNumber(test_case, 7);
    while (forever) {
    }
  });
  const Outcomes outcomes = RunIt(toolchain, options);
  ASSERT_EQ(outcomes.records.size(), 20u);
  EXPECT_EQ(Name(outcomes.records.at(7).verdict), "timeout");
  EXPECT_EQ(outcomes.summary.verdicts.at(Verdict::kTimeout), 1u);
}

TEST(CampaignTest, ASleepWithoutEnd) {
  TemporaryDirectory temporary;
  CampaignOptions options = Options(temporary.path());
  options.reduce = false;
  options.cases = 20;
  options.limits.wall_seconds = 1;
  MisbehavingToolchain toolchain([](const Case& test_case, Observation*) {
    while (HasNumber(test_case, 7)) pause();
  });
  const Outcomes outcomes = RunIt(toolchain, options);
  ASSERT_EQ(outcomes.records.size(), 20u);
  EXPECT_EQ(Name(outcomes.records.at(7).verdict), "timeout");
}

TEST(CampaignTest, WhatDoesNotRepeatIsTheHarnessesFault) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  Shared<std::atomic<int>> times;
  MisbehavingToolchain toolchain([&](const Case& test_case, Observation*) {
    if (HasNumber(test_case, 12) && (*times)++ == 0) std::abort();
  });
  const Outcomes outcomes = RunIt(toolchain, options);
  EXPECT_EQ(*times, 2);
  ASSERT_EQ(outcomes.records.size(), kCases);
  EXPECT_EQ(Name(outcomes.records.at(12).verdict), "harness-fault");
  EXPECT_TRUE(outcomes.records.at(12).signature.empty());
  ASSERT_EQ(outcomes.summary.harness_faults.size(), 1u);
  EXPECT_EQ(outcomes.summary.harness_faults[0].case_number, 12u);
  EXPECT_TRUE(absl::StartsWith(outcomes.summary.harness_faults[0].text, "harness.not-repeatable: crash/add"))
      << outcomes.summary.harness_faults[0].text;
  EXPECT_TRUE(outcomes.summary.findings.empty());
}

// Four times, so that the worker pool gives up, and then no more.
TEST(CampaignTest, WhatSomebodyKilledIsRightIfItIsRightAlone) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  Shared<std::atomic<int>> times;
  MisbehavingToolchain toolchain([&](const Case& test_case, Observation*) {
    if (HasNumber(test_case, 12) && (*times)++ < 4) kill(getpid(), SIGKILL);
  });
  const Outcomes outcomes = RunIt(toolchain, options);
  EXPECT_EQ(*times, 6) << "alone twice";
  EXPECT_EQ(Name(outcomes.records.at(12).verdict), "agree") << ToString(outcomes.records.at(12).rule);
  EXPECT_TRUE(outcomes.summary.harness_faults.empty());
  EXPECT_TRUE(outcomes.summary.findings.empty());
}

// The replays die as well, the first one and the third.
TEST(CampaignTest, AReplayThatSomebodyKilledSaysNothing) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  Shared<std::atomic<int>> times;
  MisbehavingToolchain toolchain([&](const Case& test_case, Observation*) {
    if (HasNumber(test_case, 12) && ((*times)++ < 8 || (*times > 9 && *times < 14))) kill(getpid(), SIGKILL);
  });
  const Outcomes outcomes = RunIt(toolchain, options);
  EXPECT_EQ(Name(outcomes.records.at(12).verdict), "agree") << ToString(outcomes.records.at(12).rule);
  EXPECT_TRUE(outcomes.summary.harness_faults.empty());
}

// The same command again asks only for what failed.
TEST(CampaignTest, AHarnessFaultIsTriedAgainWhenTheCampaignGoesOn) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  Shared<std::atomic<int>> times, cases;
  MisbehavingToolchain toolchain([&](const Case& test_case, Observation* observation) {
    ++*cases;
    if (HasNumber(test_case, 12) && (*times)++ == 0) observation->outcome = Outcome::kToolFailure;
  });
  EXPECT_EQ(RunIt(toolchain, options).summary.harness_faults.size(), 1u);
  *cases = 0;
  const Outcomes again = RunIt(toolchain, options);
  EXPECT_EQ(*cases, 1);
  EXPECT_EQ(again.records.size(), kCases);
  EXPECT_EQ(Name(again.records.at(12).verdict), "agree");
  EXPECT_TRUE(again.summary.harness_faults.empty());
}

// Known causes may read memory that nobody wrote (docs/findings.md, F2 and F3): a night is not red for them.
TEST(CampaignTest, WhatIsKnownNeedNotRepeat) {
  TemporaryDirectory temporary;
  CampaignOptions options = Options(temporary.path());
  options.known = *KnownDivergences::FromText(R"({"known": [{"signature": "crash/add/*", "reason": "a test"}]})");
  Shared<std::atomic<int>> times;
  MisbehavingToolchain toolchain([&](const Case& test_case, Observation*) {
    if (HasNumber(test_case, 12) && (*times)++ == 0) std::abort();
  });
  const Outcomes outcomes = RunIt(toolchain, options);
  EXPECT_TRUE(outcomes.summary.harness_faults.empty());
  EXPECT_EQ(Name(outcomes.records.at(12).verdict), "crash");
  EXPECT_EQ(outcomes.records.at(12).notes, std::vector<std::string>{"known, and not repeatable"});
  ASSERT_EQ(outcomes.summary.findings.size(), 1u);
  EXPECT_EQ(outcomes.summary.findings[0].known_reason, "a test");
}

TEST(CampaignTest, MakesReproducersIfTheyAreWanted) {
  for (const bool wanted : {true, false}) {
    TemporaryDirectory temporary;
    CampaignOptions options = Options(temporary.path());
    options.reproducers = wanted;
    MisbehavingToolchain toolchain([&](const Case& test_case, Observation*) {
      if (HasNumber(test_case, 12)) std::abort();
    });
    const Outcomes outcomes = RunIt(toolchain, options);
    ASSERT_EQ(outcomes.summary.findings.size(), 1u);
    EXPECT_EQ(outcomes.summary.findings[0].cases().reproducer.empty(), !wanted);
  }
}

// A pass that keeps state fails in a pass manager that was used before, and in a fresh one it does not.
// With a fresh pass manager, what fails is case 12 alone.
class FailsAfresh : public Lowering {
 public:
  Observation ObserveThrough(const Case& test_case, absl::string_view) override {
    Observation observation = AdderToolchain().Observe(test_case);
    if (HasNumber(test_case, 12)) observation.runs[0].leaked_buffers = 1;
    return observation;
  }
  absl::StatusOr<std::string> LowerText(absl::string_view, absl::string_view, bool) override {
    return absl::UnimplementedError("it has no text");
  }
};

TEST(CampaignTest, WhatOnlyAUsedPassManagerDoesCountsForNothing) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  int uses = 0;  // each worker has its own
  FailsAfresh afresh;
  const auto leak_when_used = [&](const Case&, Observation* observation) {
    if (uses++ > 0) observation->runs[0].leaked_buffers = 1;
  };
  MisbehavingToolchain toolchain(leak_when_used, {.lowering = &afresh});
  const Outcomes outcomes = RunIt(toolchain, options);
  EXPECT_TRUE(outcomes.summary.findings.empty());
  ASSERT_EQ(outcomes.summary.harness_faults.size(), 1u) << "what fails afresh as well, and alone does not";
  EXPECT_EQ(outcomes.summary.harness_faults[0].case_number, 12u);
}

// A worker that was damaged by case 11 lies about case 12: the range that preceded it is told.
TEST(CampaignTest, AHarnessFaultNamesTheCasesBeforeIt) {
  TemporaryDirectory temporary;
  const CampaignOptions options = Options(temporary.path());
  bool damaged = false;  // each worker has its own
  MisbehavingToolchain toolchain([&](const Case& test_case, Observation* observation) {
    damaged |= HasNumber(test_case, 11);
    if (damaged && HasNumber(test_case, 12)) observation->runs[0].leaked_buffers = 1;
  });
  const Outcomes outcomes = RunIt(toolchain, options);
  ASSERT_EQ(outcomes.summary.harness_faults.size(), 1u);
  EXPECT_EQ(outcomes.summary.harness_faults[0].case_number, 12u);
  EXPECT_EQ(outcomes.summary.harness_faults[0].first_preceding, 0u);
}

TEST(CampaignTest, AToolFailureIsTheHarnessesFault) {
  TemporaryDirectory temporary;
  MisbehavingToolchain toolchain([&](const Case& test_case, Observation* observation) {
    if (!HasNumber(test_case, 3)) return;
    observation->outcome = Outcome::kToolFailure;
    observation->diagnostics = {"out of luck"};
  });
  const Outcomes outcomes = RunIt(toolchain, Options(temporary.path()));
  EXPECT_EQ(Name(outcomes.records.at(3).verdict), "harness-fault");
  EXPECT_EQ(outcomes.summary.harness_faults.size(), 1u);
}

// A finding whose files were to be made says nothing if its last run failed.
TEST(CampaignTest, AToolFailureBehindTheCasesIsTheHarnessesFaultToo) {
  TemporaryDirectory temporary;
  const std::string marks = temporary / "marks";
  MisbehavingToolchain toolchain([&](const Case& test_case, Observation* observation) {
    if (!HasNumber(test_case, 3) || observation->runs.empty()) return;
    observation->runs[0].leaked_buffers = 1;
    std::ofstream(marks, std::ios::app) << "m";
    if (std::filesystem::file_size(marks) < 3) return;  // observed, and replayed alone
    observation->outcome = Outcome::kToolFailure;
    observation->diagnostics = {"out of luck"};
  });
  const Outcomes outcomes = RunIt(toolchain, Options(temporary / "out"));
  ASSERT_EQ(outcomes.summary.harness_faults.size(), 1u);
  EXPECT_EQ(outcomes.summary.harness_faults[0].case_number, 3u);
  EXPECT_TRUE(absl::StartsWith(outcomes.summary.harness_faults[0].text, "harness.toolchain: "));
}

// Many ways at once; each case depends on its content alone.
void MisbehaveInManyWays(const Case& test_case, Observation* observation) {
  if (test_case.runs.empty() || test_case.program.arguments.empty()) return;
  const Tensor& tensor = test_case.runs[0][0];
  switch (tensor.sizes().size()) {
    case 1:
      if (tensor.sizes()[0] == 3) std::abort();
      break;
    case 2:
      if (tensor.sizes()[1] > 2) observation->runs[0].leaked_buffers = 1;
      break;
    case 3:
      if (tensor.sizes()[2] > 1) observation->runs[0].results[0].unwritten = {0};
      break;
    default:
      break;
  }
}

TEST(CampaignTest, TheNumberOfWorkersChangesNothing) {
  std::vector<std::string> verdicts;
  std::string summary;
  std::map<std::string, std::string> files;
  for (int jobs : {1, 2, 4}) {
    TemporaryDirectory temporary;
    CampaignOptions options = Options(temporary.path());
    options.jobs = jobs;
    MisbehavingToolchain toolchain(MisbehaveInManyWays);
    const Outcomes outcomes = RunIt(toolchain, options);
    std::map<std::string, std::string> now = FilesBelow(temporary.path());
    now.erase("summary.json");   // timings
    now.erase("journal.jsonl");  // which worker had which cases before
    if (jobs == 1) {
      verdicts = VerdictsOf(outcomes.records);
      summary = Timeless(outcomes.summary);
      files = now;
      EXPECT_GE(outcomes.summary.findings.size(), 3u);
    }
    EXPECT_EQ(VerdictsOf(outcomes.records), verdicts) << jobs;
    EXPECT_EQ(Timeless(outcomes.summary), summary) << jobs;
    EXPECT_EQ(now, files) << jobs;
  }
}

// Stops after so many observations, in whatever phase that is, and goes on to the same end.
TEST(CampaignTest, AnInterruptedCampaignGoesOnToTheSameEnd) {
  TemporaryDirectory whole;
  MisbehavingToolchain undisturbed(MisbehaveInManyWays);
  const Outcomes expected = RunIt(undisturbed, Options(whole.path()));
  const uint64_t divergent =
      static_cast<uint64_t>(std::count_if(expected.records.begin(), expected.records.end(),
                                          [](const auto& entry) { return IsDivergence(entry.second.verdict); }));
  ASSERT_GT(divergent, 4u);
  for (const uint64_t when : {uint64_t{1}, uint64_t{25}, kCases + divergent / 2, kCases + divergent + 5}) {
    SCOPED_TRACE(when);
    TemporaryDirectory temporary;
    const CampaignOptions options = Options(temporary.path());
    Shared<std::atomic<bool>> stop;
    Shared<std::atomic<uint64_t>> observations;
    MisbehavingToolchain toolchain([&](const Case& test_case, Observation* observation) {
      if (++*observations == when) *stop = true;
      MisbehaveInManyWays(test_case, observation);
    });
    const Outcomes interrupted = RunIt(toolchain, options, &*stop);
    EXPECT_TRUE(interrupted.summary.interrupted);
    if (when < kCases) {
      EXPECT_EQ(CountNew(interrupted.summary.findings), 0u) << "nobody has told them from what is known";
    }
    EXPECT_LE(interrupted.summary.cases, kCases);
    EXPECT_TRUE(std::filesystem::exists(temporary / "summary.json"));
    const Outcomes outcomes = RunIt(undisturbed, options);
    EXPECT_FALSE(outcomes.summary.interrupted);
    EXPECT_EQ(VerdictsOf(outcomes.records), VerdictsOf(expected.records));
    EXPECT_EQ(Timeless(outcomes.summary), Timeless(expected.summary));
  }
}

TEST(CampaignTest, AFinishedCampaignIsNotRunAgain) {
  TemporaryDirectory temporary;
  CampaignOptions options = Options(temporary.path());
  Shared<std::atomic<uint64_t>> observations;
  MisbehavingToolchain toolchain([&](const Case&, Observation*) { ++*observations; });
  const Outcomes first = RunIt(toolchain, options);
  EXPECT_EQ(*observations, kCases);
  const Outcomes again = RunIt(toolchain, options);
  EXPECT_EQ(*observations, kCases);
  EXPECT_EQ(Timeless(again.summary), Timeless(first.summary));
  EXPECT_EQ(first.summary.cases_observed, kCases);
  EXPECT_EQ(again.summary.cases_observed, 0u) << "the speed is that of this start's cases";
  options.cases = kCases + 5;  // more of the same
  EXPECT_EQ(RunIt(toolchain, options).summary.cases, kCases + 5);
  EXPECT_EQ(*observations, kCases + 5);
}

// Their results would take the place of those that are there, reduced findings among them.
TEST(CampaignTest, FewerCasesThanTheJournalHasAreRefused) {
  TemporaryDirectory temporary;
  CampaignOptions options = Options(temporary.path());
  MisbehavingToolchain toolchain(MisbehaveInManyWays);
  RunIt(toolchain, options);
  const std::map<std::string, std::string> files = FilesBelow(temporary.path());
  options.cases = kCases / 3;
  EXPECT_EQ(RunCampaign(toolchain, options, nullptr).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(FilesBelow(temporary.path()), files);
}

TEST(CampaignTest, OtherOptionsAreAnotherCampaign) {
  TemporaryDirectory temporary;
  AdderToolchain toolchain;
  const CampaignOptions options = Options(temporary.path());
  RunIt(toolchain, options);
  const auto before = FilesBelow(temporary.path());
  std::vector<CampaignOptions> others(7, options);
  others[0].seed = 2;
  others[1].shards = 2;
  others[2].generator.runs = 3;
  others[3].generator.types = {ElementType::kI32, ElementType::kF32};
  others[4].judge.policies.refuse_static_result_of_dynamic_inference = true;
  others[5].judge.policies.spec_version = SpecVersion::k1_0_0;
  others[6].generator.routes = {{"custom", 1}};
  for (size_t i = 0; i < others.size(); ++i) {
    EXPECT_FALSE(RunCampaign(toolchain, others[i], nullptr).ok()) << i;
    EXPECT_EQ(FilesBelow(temporary.path()), before) << i;
  }
}

// One cause is one finding, not one per route; what the first route does not show is its own route's.
TEST(CampaignTest, ADivergenceThatTheFirstRouteShowsIsThatRoutes) {
  for (const bool everywhere : {true, false}) {
    TemporaryDirectory temporary;
    CampaignOptions options = Options(temporary.path());
    options.generator.routes = {{"loops", 1}, {"fused", 1}};
    int victims_on_fused = 0;
    for (uint64_t number = 0; number < kCases; ++number) {
      const Case test_case = GenerateCase(1, number, options.generator);
      victims_on_fused += IsVictim(test_case) && test_case.route == "fused" ? 1 : 0;
    }
    ASSERT_GT(victims_on_fused, 0);
    MisbehavingToolchain toolchain([&](const Case& test_case, Observation* observation) {
      if (!IsVictim(test_case) || (!everywhere && test_case.route != "fused")) return;
      Tensor& result = observation->runs.back().results[0].tensor;
      result.SetBits(0, result.Bits(0) ^ 1);
    });
    const Outcomes outcomes = RunIt(toolchain, options);
    ASSERT_FALSE(outcomes.summary.findings.empty());
    const std::string route = everywhere ? "loops" : "fused";
    for (const Finding& finding : outcomes.summary.findings) {
      EXPECT_EQ(finding.route, route);
      EXPECT_EQ(finding.cases().original.route, route);
      EXPECT_EQ(finding.cases().reduced.route, route);
      EXPECT_TRUE(absl::StrContains(ToString(finding.signature), absl::StrCat("/", route, "/")))
          << ToString(finding.signature);
    }
  }
}

TEST(CampaignTest, ShardsPartitionTheCases) {
  TemporaryDirectory temporary;
  MisbehavingToolchain toolchain(MisbehaveInManyWays);
  const Records whole = RunIt(toolchain, Options(temporary / "whole")).records;
  Records together;
  for (uint64_t shard = 0; shard < 3; ++shard) {
    CampaignOptions options = Options(temporary / absl::StrCat(shard));
    options.shard = shard;
    options.shards = 3;
    for (const auto& [number, record] : RunIt(toolchain, options).records) {
      EXPECT_EQ(number % 3, shard);
      EXPECT_TRUE(together.emplace(number, record).second) << number << " is in two shards";
    }
  }
  EXPECT_EQ(VerdictsOf(together), VerdictsOf(whole));
}

TEST(CampaignTest, ADurationGivesAPrefixOfTheCases) {
  TemporaryDirectory temporary;
  CampaignOptions options = Options(temporary.path());
  options.duration = absl::Milliseconds(50);
  options.jobs = 2;
  AdderToolchain toolchain;
  const Records records = RunIt(toolchain, options).records;
  ASSERT_FALSE(records.empty());
  EXPECT_EQ(records.rbegin()->first, records.size() - 1) << "without a hole";
}

TEST(CampaignTest, KnownDivergencesAreMarkedAndThoseUnseenAreListed) {
  TemporaryDirectory temporary;
  CampaignOptions options = Options(temporary.path());
  options.known = KnownDivergences::FromText(R"({"known": [{"signature": "leak/add/*", "reason": "LLVM-12345"},
                                                           {"signature": "contract-violation/add/*", "reason": "gone"},
                                                           {"signature": "crash/sub/*", "reason": "not drawn"}]})")
                      .value();
  MisbehavingToolchain toolchain(MisbehaveInManyWays);
  const Outcomes outcomes = RunIt(toolchain, options);
  uint64_t fresh = 0;
  for (const Finding& finding : outcomes.summary.findings) {
    const bool leak = finding.judgement.verdict == Verdict::kLeak;
    EXPECT_EQ(finding.known_reason, leak ? "LLVM-12345" : "");
    fresh += leak ? 0 : 1;
  }
  EXPECT_EQ(CountNew(outcomes.summary.findings), fresh);
  EXPECT_EQ(outcomes.summary.unseen_known, (std::vector<std::string>())) << "too few cases to tell";
  options.cases = 400;
  options.cases_without_known = 300;
  EXPECT_EQ(RunIt(toolchain, options).summary.unseen_known, (std::vector<std::string>{"contract-violation/add/*"}));
}

// A finding is reported under the name of its plainest case: whoever lists that name lists the finding.
TEST(CampaignTest, WhatAnEarlierCampaignReportedIsNotNewAgain) {
  TemporaryDirectory first, second;
  CampaignOptions options = Options(first.path());
  options.cases = 20;
  options.generator.ops = {OpKind::kBitwiseAnd};
  options.generator.types = {ElementType::kI16};
  MisbehavingToolchain toolchain([](const Case&, Observation* observation) {
    *observation = Observation();
    observation->outcome = Outcome::kIllegalIr;
    observation->stage = Stage::kLower;
    observation->pass = "a-pass";
  });
  const std::vector<Finding> reported = RunIt(toolchain, options).summary.findings;
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_TRUE(absl::StartsWith(ToString(reported[0].signature), "lowering-failed/bitwise_and/i32/"))
      << ToString(reported[0].signature);
  options.out = second.path();
  options.known = KnownDivergences::FromText(absl::StrCat(R"({"known": [{"signature": ")",
                                                          ToString(reported[0].signature), R"(", "reason": "r"}]})"))
                      .value();
  const std::vector<Finding> again = RunIt(toolchain, options).summary.findings;
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].known_reason, "r") << ToString(again[0].signature);
}

TEST(CampaignTest, AKnownDivergenceIsNotUnseenWhereItsCasesAreUnsupported) {
  TemporaryDirectory temporary;
  CampaignOptions options = Options(temporary.path());
  options.cases_without_known = 1;
  options.known = KnownDivergences::FromText(R"({"known": [{"signature": "crash/add/*", "reason": "r"}]})").value();
  MisbehavingToolchain toolchain([](const Case&, Observation* observation) {
    *observation = Observation();
    observation->stage = Stage::kBuild;
    observation->outcome = Outcome::kRefused;
    observation->diagnostics = {"no such route"};
  });
  const Outcomes outcomes = RunIt(toolchain, options);
  ASSERT_GT(outcomes.summary.verdicts.at(Verdict::kUnsupported), 0u);
  EXPECT_EQ(outcomes.summary.unseen_known, (std::vector<std::string>()));
}

TEST(CampaignTest, ADirectoryThatCannotBeWrittenIsAnErrorBeforeAnyWork) {
  TemporaryDirectory temporary;
  Spill(temporary / "file", "kept");
  Shared<std::atomic<uint64_t>> observations;
  MisbehavingToolchain toolchain([&](const Case&, Observation*) { ++*observations; });
  EXPECT_FALSE(RunCampaign(toolchain, Options(temporary / "file"), nullptr).ok());
  EXPECT_EQ(*observations, 0u);
  EXPECT_EQ(Slurp(temporary / "file"), "kept");
}

TEST(CampaignTest, ASteeredCampaignIsTheSameWithAnyNumberOfWorkersAndAfterAnInterruption) {
  AdderToolchain toolchain;
  std::vector<std::string> verdicts;
  for (const int jobs : {1, 3}) {
    TemporaryDirectory temporary;
    CampaignOptions options = Options(temporary.path());
    options.steer = true;
    options.jobs = jobs;
    options.generator.routes = {{"loops", 1}, {"fused", 1}};
    if (jobs > 1) {  // it begins with a third of the cases
      options.cases = kCases / 3;
      RunIt(toolchain, options);
      options.cases = kCases;
    }
    const Outcomes outcomes = RunIt(toolchain, options);
    if (verdicts.empty()) {
      verdicts = VerdictsOf(outcomes.records);
      const Coverage& coverage = outcomes.summary.coverage;
      EXPECT_EQ(coverage.op_types_shapes_routes.possible, 14u);
      EXPECT_EQ(coverage.op_types_shapes_routes.seen, 14u) << "of 60 cases";
    }
    EXPECT_EQ(VerdictsOf(outcomes.records), verdicts);
  }
}

// A divergence that only the twin shows becomes a finding whose case is the twin itself.
TEST(CampaignTest, ADivergenceOfATwinIsAFindingOfTheTwinsCase) {
  for (const bool dies : {false, true}) {
    TemporaryDirectory temporary;
    CampaignOptions options = Options(temporary.path());
    options.generator.twin_percent = 100;
    MisbehavingToolchain toolchain([dies](const Case& test_case, Observation* observation) {
      if (test_case.route != "after-cse") return;
      if (dies) std::abort();
      observation->runs[0].leaked_buffers = 1;
    });
    const Outcomes outcomes = RunIt(toolchain, options);
    ASSERT_EQ(outcomes.summary.findings.size(), 1u) << dies;
    const Finding& finding = outcomes.summary.findings[0];
    EXPECT_EQ(Name(finding.judgement.verdict), dies ? "crash" : "leak");
    EXPECT_EQ(finding.route, "after-cse");
    EXPECT_GT(finding.count, 1u);
    for (const Case& test_case : {finding.cases().original, finding.cases().reduced}) {
      EXPECT_EQ(test_case.route, "after-cse");
      EXPECT_EQ(test_case.twin, "");
    }
    EXPECT_TRUE(outcomes.records.at(finding.cases().case_number).of_twin);
    EXPECT_TRUE(outcomes.summary.harness_faults.empty());
  }
}

TEST(CheckCaseTest, ObservesAloneAndJudges) {
  MisbehavingToolchain toolchain(
      [](const Case&, Observation* observation) { observation->runs[0].leaked_buffers = 1; });
  const CampaignOptions options = Options("");
  const Case test_case = GenerateCase(1, 0, options.generator);
  ASSERT_FALSE(test_case.runs.empty());
  const CheckedCase checked = CheckCase(toolchain, test_case, options.limits, {});
  EXPECT_EQ(Name(checked.judgement.verdict), "leak");
  EXPECT_EQ(ToString(checked.signature), "leak/add/i32/loops/run.leak");
  AdderToolchain honest;
  EXPECT_TRUE(CheckCase(honest, test_case, options.limits, {}).signature.empty());
}

TEST(ReduceCaseTest, GivesTheSameTwice) {
  MisbehavingToolchain toolchain([](const Case& test_case, Observation*) {
    if (IsVictim(test_case)) std::abort();
  });
  const CampaignOptions options = Options("");
  const Case original = FirstVictim(options);
  const FindingSignature signature = CheckCase(toolchain, original, options.limits, {}).signature;
  const absl::StatusOr<Case> once = ReduceCase(toolchain, original, signature, options.limits, {});
  ASSERT_TRUE(once.ok()) << once.status();
  const absl::StatusOr<Case> twice = ReduceCase(toolchain, *once, signature, options.limits, {});
  ASSERT_TRUE(twice.ok()) << twice.status();
  EXPECT_EQ(CaseToText(*twice), CaseToText(*once));
}

// After some cases the process is damaged and lies about every case: a candidate that only then shows the divergence is
// no reduced case.
TEST(ReduceCaseTest, WhatOnlyADamagedProcessShowsIsNotTaken) {
  int seen = 0;  // each worker has its own
  MisbehavingToolchain toolchain([&](const Case& test_case, Observation* observation) {
    const bool lies = ++seen > 5 || IsVictim(test_case);
    if (lies && !observation->runs.empty()) observation->runs[0].leaked_buffers = 1;
  });
  const CampaignOptions options = Options("");
  const Case original = FirstVictim(options);
  const FindingSignature signature = CheckCase(toolchain, original, options.limits, {}).signature;
  const absl::StatusOr<Case> reduced = ReduceCase(toolchain, original, signature, options.limits, {});
  ASSERT_TRUE(reduced.ok()) << reduced.status();
  EXPECT_TRUE(IsVictim(*reduced)) << CaseToText(*reduced);
  EXPECT_EQ(CheckCase(toolchain, *reduced, options.limits, {}).signature, signature);
}

TEST(ReduceCaseTest, OutOfTimeGivesTheBestSoFar) {
  int seen = 0;  // each worker has its own
  MisbehavingToolchain toolchain([&](const Case&, Observation* observation) {
    if (++seen == 8) pause();
    if (!observation->runs.empty()) observation->runs[0].leaked_buffers = 1;
  });
  const CampaignOptions options = Options("");
  const Case original = GenerateCase(1, 0, options.generator);
  const FindingSignature signature = CheckCase(toolchain, original, options.limits, {}).signature;
  const absl::StatusOr<Case> reduced =
      ReduceCase(toolchain, original, signature, options.limits, {}, {.budget = absl::Seconds(1)});
  ASSERT_TRUE(reduced.ok()) << reduced.status();
  EXPECT_LT(CaseToText(*reduced).size(), CaseToText(original).size());
  EXPECT_EQ(CheckCase(toolchain, *reduced, options.limits, {}).signature, signature);
}

TEST(ReduceCaseTest, ToldToStopBeforeItBeginsGivesTheOriginal) {
  MisbehavingToolchain toolchain([](const Case&, Observation* observation) {
    if (!observation->runs.empty()) observation->runs[0].leaked_buffers = 1;
  });
  const CampaignOptions options = Options("");
  const Case original = GenerateCase(1, 0, options.generator);
  const std::atomic<bool> stop = true;
  const absl::StatusOr<Case> reduced = ReduceCase(
      toolchain, original, ParseFindingSignature("leak/add/i32/loops/run.leak"), options.limits, {}, {.stop = &stop});
  ASSERT_TRUE(reduced.ok()) << reduced.status();
  EXPECT_EQ(*reduced, original);
}

TEST(CampaignTest, InterruptedWhileReducingItKeepsTheBestSoFar) {
  TemporaryDirectory temporary;
  CampaignOptions options = Options(temporary.path());
  Shared<std::atomic<int>> candidates;
  Shared<std::atomic<bool>> stop;
  MisbehavingToolchain toolchain([&](const Case& test_case, Observation* observation) {
    // Cases with arguments are generated with two runs.
    if (test_case.runs.size() == 1 && !test_case.program.arguments.empty() && ++*candidates == 4) {
      *stop = true;
      pause();
    }
    if (!observation->runs.empty()) observation->runs[0].leaked_buffers = 1;
  });
  const Outcomes outcomes = RunIt(toolchain, options, &*stop);
  EXPECT_TRUE(outcomes.summary.interrupted);
  ASSERT_EQ(outcomes.summary.findings.size(), 1u);
  const Finding& finding = outcomes.summary.findings[0];
  EXPECT_EQ(finding.cases().original.runs.size(), 2u);
  EXPECT_EQ(finding.cases().reduced.runs.size(), 1u);
  EXPECT_EQ(StatusOf(finding), Finding::Status::kNotReduced);
  const std::string folder = temporary / outcomes.summary.findings[0].cases().folder;
  EXPECT_EQ(Slurp(folder + "/reduced.json"), CaseToText(finding.cases().reduced));
}

}  // namespace
}  // namespace tosaic
