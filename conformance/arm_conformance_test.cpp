// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/arm_conformance.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "model/signature_program.h"
#include "results/text.h"
#include "tests/fake_toolchain.h"
#include "tests/temporary_directory.h"
#include "toolchain/mlir/mlir_toolchain.h"

namespace tosaic {
namespace {

ArmTest TestOf(const std::string& signature, std::vector<tosaic::Run> runs) {
  ArmTest test = {.name = "own/test", .must_fail = runs.empty()};
  test.test_case.emplace().program = ParseSignature(signature).value();
  test.test_case->runs = std::move(runs);
  return test;
}

ConformanceReport ReportOn(const ArmTest& test, ConformanceOptions options = {}) {
  const TemporaryDirectory directory;
  const std::unique_ptr<Toolchain> mlir = *CreateMlirToolchain();
  options.campaign.out = directory / "work";
  auto report = RunArmSuite(*mlir, options, {test}, nullptr);
  EXPECT_TRUE(report.ok()) << report.status();
  return *std::move(report);
}

// 1.0003 as f16 is 1 by the oracle, and not exactly 1.0003, as a test may state.
TEST(ArmConformance, WhereTheJudgesDisagreeNobodyIsBlamed) {
  ArmTest test = TestOf("cast(tensor<1xf32>) -> tensor<1xf16>", {{*TensorFromHex(ElementType::kF32, {1}, "3f8009d5")}});
  test.tolerance = StatedTolerance{.outward = 0.5, .inward = 1};
  const ConformanceReport kept = ReportOn(test);
  EXPECT_EQ(kept.cases.at(0).verdict, Verdict::kAgree);
  EXPECT_EQ(kept.cases.at(0).test->tolerance, "kept");
  EXPECT_TRUE(kept.findings.empty());

  test.tolerance = StatedTolerance();
  const ConformanceReport report = ReportOn(test);
  const SuiteCase& suite_case = report.cases.at(0);
  EXPECT_EQ(suite_case.verdict, Verdict::kJudgesDisagree);
  EXPECT_EQ(Name(suite_case.rule.id), Name(RuleId::kHarnessJudgesDisagree));
  EXPECT_EQ(suite_case.test->tolerance, "missed");
  EXPECT_EQ(report.tiles.at(0).verdicts, (VerdictCounts{{Verdict::kJudgesDisagree, 1}}));
  EXPECT_EQ(report.tiles.at(0).signatures, std::vector<FindingSignature>{suite_case.signature});
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings.at(0);
  EXPECT_EQ(finding.signature, suite_case.signature);
  EXPECT_EQ(ToString(finding.signature), "judges-disagree/cast/f32-f16/loops/harness.judges-disagree");
  EXPECT_EQ(finding.judgement.expected, "the oracle says agree");
  EXPECT_EQ(finding.judgement.actual, "the test's tolerance is missed at element 0: 1, the true value is 1.0003");
  EXPECT_TRUE(IsUrgent(finding));
  EXPECT_TRUE(report.harness_faults.empty());

  test.tolerance.reset();
  EXPECT_EQ(ReportOn(test).cases.at(0).test->tolerance, "") << "not judged by it";
}

// F4: 433061889 is 434110464 in bf16, and MLIR rounds twice, to the next. A test that allows it contradicts the oracle.
TEST(ArmConformance, AWrongValueThatATestAllowsIsBothTheOraclesFindingAndADisagreement) {
  ArmTest test =
      TestOf("cast(tensor<1xi32>) -> tensor<1xbf16>", {{*TensorFromHex(ElementType::kI32, {1}, "19d00001")}});
  test.tolerance = StatedTolerance{.outward = 1, .inward = 1};
  const ConformanceReport report = ReportOn(test);
  const SuiteCase& suite_case = report.cases.at(0);
  EXPECT_EQ(suite_case.verdict, Verdict::kWrongValue);
  EXPECT_EQ(Name(suite_case.rule.id), "value.cast.integer-to-float");
  EXPECT_EQ(suite_case.test->tolerance, "kept");
  const auto disagreement = absl::c_find_if(
      report.findings, [](const Finding& finding) { return finding.judgement.verdict == Verdict::kJudgesDisagree; });
  ASSERT_NE(disagreement, report.findings.end());
  EXPECT_EQ(disagreement->judgement.expected, "the oracle says wrong-value [value.cast.integer-to-float]");
  EXPECT_EQ(disagreement->judgement.actual, "the test's tolerance is kept");
  EXPECT_EQ(report.findings.size(), 2u) << "and the wrong value itself";
}

TEST(ArmConformance, WhoIsWrongMayBeListed) {
  ArmTest test = TestOf("cast(tensor<1xf32>) -> tensor<1xf16>", {{*TensorFromHex(ElementType::kF32, {1}, "3f8009d5")}});
  test.tolerance = StatedTolerance();
  ConformanceOptions options;
  options.campaign.known = *KnownDivergences::FromText(
      R"({"known": [{"signature": "judges-disagree/cast/*", "reason": "the test is wrong"}]})");
  const ConformanceReport report = ReportOn(test, options);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings.at(0).known_reason, "the test is wrong");
}

TEST(ArmConformance, AFolderThatGoesAwayIsNoAgreement) {
  ArmTest test = TestOf("cast(tensor<1xf32>) -> tensor<1xf16>", {{}});
  test.folder = "/nowhere/to/be/found";
  const ConformanceReport report = ReportOn(test);
  ASSERT_EQ(report.harness_faults.size(), 1u);
  EXPECT_TRUE(absl::StrContains(report.harness_faults[0].text, "/nowhere/to/be/found"));
}

TEST(ArmConformance, SaysWhoRefuses) {
  const auto report_on = [](const std::string& signature, const std::string& profile) {
    ArmTest test = TestOf(signature, {});
    test.profiles = {profile};
    test.error = "Wrong";
    return ReportOn(test);
  };
  const auto refused_by = [&](const std::string& signature, const std::string& profile) {
    const ConformanceReport report = report_on(signature, profile);
    EXPECT_EQ(report.cases.at(0).verdict, Verdict::kAgree);
    return report.cases.at(0).test->refused_by;
  };
  EXPECT_EQ(refused_by("add(tensor<2xi32>, tensor<3xi32>) -> tensor<3xi32>", "tosa-pro-int"), "verifier");
  EXPECT_EQ(refused_by("add(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>", "tosa-pro-int"), "tosa-validate");
  const ConformanceReport legal = report_on("add(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>", "tosa-pro-fp");
  EXPECT_EQ(legal.cases.at(0).test->refused_by, "nobody");
  EXPECT_EQ(legal.cases.at(0).verdict, Verdict::kJudgesDisagree);
  ASSERT_EQ(legal.findings.size(), 1u);
  EXPECT_EQ(legal.findings[0].judgement.expected, "the oracle says accept");
  EXPECT_EQ(legal.findings[0].judgement.actual, "the test must be refused (Wrong)");
}

ArmTest Miscounted(LooseOp op) {
  ArmTest test = {
      .name = "own/test", .op = "abs", .profiles = {"tosa-pro-fp"}, .must_fail = true, .error = "WrongList"};
  test.not_representable = "abs has a number that it must not have";
  test.miscounted = std::move(op);
  return test;
}

// MLIR asks for the numbers before all else: the types here are wrong as well.
TEST(ArmConformance, AMiscountedOpIsRefusedForItsNumbersAlone) {
  const TensorType f32{Shape({Dim::Static(2)}), ElementType::kF32}, i8{Shape({Dim::Static(3)}), ElementType::kI8};
  const auto refused_by = [](LooseOp op) {
    const ConformanceReport report = ReportOn(Miscounted(std::move(op)));
    EXPECT_TRUE(report.cases.empty());
    EXPECT_TRUE(report.findings.empty());
    EXPECT_EQ(report.unwritable.at(0).rule, std::nullopt);
    return report.unwritable.at(0).test.refused_by;
  };
  EXPECT_EQ(refused_by({.op = OpKind::kAbs, .operands = {f32, f32}, .results = {f32}}), "verifier");
  EXPECT_EQ(refused_by({.op = OpKind::kAbs, .results = {f32}}), "verifier");
  EXPECT_EQ(refused_by({.op = OpKind::kAbs, .operands = {f32}}), "verifier");
  EXPECT_EQ(refused_by({.op = OpKind::kAbs, .operands = {f32}, .results = {f32, f32}}), "verifier");
  EXPECT_EQ(refused_by({.op = OpKind::kAdd, .operands = {i8, f32, i8}, .results = {f32}}), "verifier");
  // The numbers are right, and the refusal is not for them.
  EXPECT_EQ(refused_by({.op = OpKind::kAbs, .operands = {i8}, .results = {f32}}), "verifier, for another reason");
}

TEST(ArmConformance, AMiscountedOpThatIsTakenBreaksARule) {
  const ArmTest test = Miscounted({.op = OpKind::kAbs});
  const auto asked = [&](absl::Status status) {
    TakesText text(std::move(status));
    AdderToolchain toolchain({.lowering = &text});
    const TemporaryDirectory directory;
    ConformanceOptions options;
    options.campaign.out = directory / "work";
    return *RunArmSuite(toolchain, options, {test}, nullptr);
  };
  const ConformanceReport taken = asked(absl::OkStatus());
  EXPECT_EQ(taken.unwritable.at(0).test.refused_by, "nobody");
  EXPECT_EQ(taken.unwritable.at(0).rule->id, RuleId::kLegalCount);
  EXPECT_EQ(WronglyAccepted(taken.unwritable),
            (std::vector<std::string>{"nobody refuses own/test [legal.count]: abs has "
                                      "a number that it must not have"}));
  EXPECT_TRUE(absl::StrContains(ToText(taken), "nobody refuses own/test [legal.count]"));
  const ConformanceReport garbled = asked(absl::InvalidArgumentError("the module: unbalanced"));
  EXPECT_EQ(garbled.unwritable.at(0).test.refused_by, "verifier, for another reason");
  const ConformanceReport silent = asked(absl::InternalError("it died"));
  EXPECT_EQ(silent.unwritable.at(0).test.refused_by, "");
  EXPECT_TRUE(WronglyAccepted(silent.unwritable).empty());
}

// F1: the finding stays the one that every case of it has, and which the list of known divergences has.
TEST(ArmConformance, WhatTheVerifierWronglyAcceptsIsTheFindingThatItIs) {
  ArmTest test = TestOf("mul(tensor<1xf16>, tensor<1xf16>, tensor<1xi8>) -> tensor<2xf16>", {});
  test.profiles = {"tosa-pro-fp", "tosa-pro-int"};
  Program& program = test.test_case->program;
  program.arguments.pop_back();  // the shift is a constant: tosa-validate refuses any other
  program.constants.push_back(Tensor(ElementType::kI8, {1}));
  program.ops[0].operands[2] = {ValueRef::Kind::kConstant, 0};
  const ConformanceReport report = ReportOn(test);
  EXPECT_EQ(report.cases.at(0).test->refused_by, "nobody");
  EXPECT_EQ(report.cases.at(0).verdict, Verdict::kFalseAccept);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.cases.at(0).rule.id, report.findings.at(0).judgement.rule);
  EXPECT_EQ(report.cases.at(0).signature, report.findings.at(0).signature);
  EXPECT_TRUE(report.harness_faults.empty());
}

TEST(ArmConformance, TheTargetIsWhatTheTestNames) {
  ArmTest test;
  test.profiles = {"tosa-pro-int", "tosa-pro-fp"};
  test.extensions = {"tosa-ext-bf16", "tosa-ext-mx-common", "tosa-ext-unheard-of"};
  EXPECT_EQ(ToString(TargetOf(test)), "1.0,pro_int+pro_fp+bf16+mx_common,8k,strict");
}

}  // namespace
}  // namespace tosaic
