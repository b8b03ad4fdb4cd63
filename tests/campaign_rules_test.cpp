// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules that campaigns name rather than the oracle, each with a case: what oracle/every_rule_test.cpp leaves out.
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "campaign/campaign.h"
#include "campaign/confirming.h"
#include "checking/check_case.h"
#include "conformance/arm_conformance.h"
#include "gtest/gtest.h"
#include "model/pass_pipeline.h"
#include "model/routes.h"
#include "model/signature_program.h"
#include "oracle/rule_cases_testing.h"
#include "sweeps/type_sweep.h"
#include "tests/adder_campaign.h"
#include "tests/fake_toolchain.h"
#include "tests/temporary_directory.h"
#include "toolchain/mlir/mlir_toolchain.h"

namespace tosaic {
namespace {

// A file that says another rule than the oracle.
RuleId OfAFileThatIsWrong() {
  SpecCase wrong;
  Case test_case;
  test_case.program = ParseSignature("add(tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>").value();
  wrong.subject = test_case;
  wrong.expected = Expectation{"accept", RuleId::kBcastVerifyDynDyn, "tensor<2xi32>"};
  AdderToolchain toolchain;
  const Judgement judgement = CheckCase(toolchain, wrong, WorkerLimits(), JudgeOptions()).judgement;
  EXPECT_EQ(judgement.verdict, Verdict::kHarnessFault);
  EXPECT_EQ(judgement.actual, "the oracle says: accept [bcast.verify.equal], inferred type tensor<2xi32>");
  wrong.expected->rule = RuleId::kBcastVerifyEqual;
  wrong.expected->validation = {{"1.0,pro_int,8k", RuleId::kValidateProfile}};
  EXPECT_EQ(CheckCase(toolchain, wrong, WorkerLimits(), JudgeOptions()).judgement.rule, judgement.rule);
  wrong.expected->validation = {{"1.0,pro_int,8k", RuleId::kBcastVerifyEqual}};
  EXPECT_EQ(CheckCase(toolchain, wrong, WorkerLimits(), JudgeOptions()).judgement.verdict, Verdict::kAgree);
  return judgement.rule;
}

// A divergence that a fresh process does not show.
RuleId OfADivergenceThatStaysAway() {
  CaseRecord before;
  before.signature = ParseFindingSignature("leak/add/i32/loops/run.leak");
  before.verdict = Verdict::kLeak;
  const CaseRecord counts = Confirmed(before, CaseRecord(), false);
  EXPECT_EQ(counts.verdict, Verdict::kHarnessFault);
  return counts.rule.id;
}

// Dies once, at whatever is asked first.
class DiesOnceDeciders : public DeciderFactory {
 public:
  DiesOnceDeciders(Toolchain& toolchain, std::string mark) : toolchain_(toolchain), mark_(std::move(mark)) {}
  std::unique_ptr<Decider> CreateDecider(const Program* prototype, absl::Span<const ValueType> types) override {
    if (!std::filesystem::exists(mark_)) {
      Spill(mark_, "");
      abort();
    }
    return toolchain_.deciders()->CreateDecider(prototype, types);
  }

 private:
  Toolchain& toolchain_;
  const std::string mark_;
};

// A death in a sweep of types that no single decision repeats: a note.
RuleId OfADeathThatStaysAway() {
  const TemporaryDirectory directory;
  const std::unique_ptr<Toolchain> mlir = *CreateMlirToolchain();
  DiesOnceDeciders deciders(*mlir, directory / "died");
  AdderToolchain dies_once({.deciders = &deciders});
  const TypeSweepOptions options = {
      .max_rank = 1, .dims = {Dim::Dynamic(), Dim::Static(1), Dim::Static(2)}, .ops = {OpKind::kAbs}, .probe = false};
  const auto summary = RunTypeSweep(dies_once, options, nullptr, [](uint64_t, uint64_t) {});
  EXPECT_TRUE(summary->total.disagreements.empty());
  EXPECT_EQ(static_cast<double>(summary->total.decisions), CountDecisions(options));
  EXPECT_EQ(summary->total.notes.begin()->second, 1u);
  return Find<RuleId>(summary->total.notes.begin()->first).value();
}

// 1.0003 as f16 is 1 by the oracle, and not exactly 1.0003, as a test may state.
RuleId OfTwoJudges() {
  const TemporaryDirectory directory;
  const std::unique_ptr<Toolchain> mlir = *CreateMlirToolchain();
  ArmTest test = {.name = "own", .tolerance = StatedTolerance()};
  test.test_case.emplace().program = ParseSignature("cast(tensor<1xf32>) -> tensor<1xf16>").value();
  test.test_case->runs = {{*TensorFromHex(ElementType::kF32, {1}, "3f8009d5")}};
  ConformanceOptions options;
  options.campaign.out = directory / "work";
  return RunArmSuite(*mlir, options, {test}, nullptr)->cases.at(0).rule.id;
}

// An add without operands, which an implementation takes.
RuleId OfAMiscountedOp() {
  const TemporaryDirectory directory;
  TakesText takes_all(absl::OkStatus());
  AdderToolchain toolchain({.lowering = &takes_all});
  const ArmTest test = {.name = "own", .must_fail = true, .error = "WrongList", .miscounted = LooseOp()};
  ConformanceOptions options;
  options.campaign.out = directory / "work";
  return RunArmSuite(toolchain, options, {test}, nullptr)->unwritable.at(0).rule->id;
}

// Additions have nothing that a second canonicalization would change.
RuleId OfAnEditThatChangesNothing() {
  const TemporaryDirectory directory;
  ToolchainOptions options;
  options.custom_like = "canonicalized";
  const absl::string_view pipeline = FindRoute(options.custom_like)->pipeline;
  options.pipeline = *InsertPass(pipeline, PassPlace::kInstead, "canonicalize", "canonicalize,canonicalize");
  const std::unique_ptr<Toolchain> mlir = *CreateMlirToolchain(options);
  CampaignOptions campaign = AdditionsInto(directory / "work");
  campaign.cases = 2;
  campaign.changed = *ChangedPrograms::ByEdit(*mlir);
  campaign.base = *PatchBase::OfEdit(*mlir);
  campaign.generator.routes = {{std::string(kCustomRoute), 1}};
  EXPECT_TRUE(RunCampaign(*mlir, campaign, nullptr).ok());
  const std::map<uint64_t, CaseRecord> records = ReadJournal(directory / "work");
  EXPECT_EQ(records.at(0).verdict, Verdict::kUnsupported);
  EXPECT_EQ(records.at(0).runs, 0u);
  return records.at(0).rule.id;
}

TEST(CampaignRulesTest, EachHasACase) {
  const std::set<RuleId> named = {OfAFileThatIsWrong(), OfADivergenceThatStaysAway(), OfADeathThatStaysAway(),
                                  OfTwoJudges(),        OfAnEditThatChangesNothing(), OfAMiscountedOp()};
  EXPECT_EQ(named, std::set<RuleId>(std::begin(kRulesOfCampaigns), std::end(kRulesOfCampaigns)));
}

}  // namespace
}  // namespace tosaic
