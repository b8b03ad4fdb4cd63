// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/adapter/adapter_toolchain.h"

#include <csignal>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

// An op on ? elements of f32, one argument, with a run for each of these sizes.
Case CaseOf(OpKind op, const std::vector<int64_t>& sizes, Shape shape = Shape({Dim::Dynamic()})) {
  const TensorType type{std::move(shape), ElementType::kF32};
  Case test_case;
  test_case.program.arguments = {type};
  OpApplication application;
  application.op = op;
  application.operands = {{ValueRef::Kind::kArgument, 0}};
  application.result = type;
  test_case.program.ops = {application};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  for (const int64_t size : sizes) {
    test_case.runs.push_back({Tensor(ElementType::kF32, {size})});
    for (int64_t i = 0; i < size; ++i) test_case.runs.back().front().SetBits(static_cast<size_t>(i), 0x3f800000);
  }
  return test_case;
}

absl::StatusOr<std::unique_ptr<Toolchain>> Create(const std::string& how) {
  const WorkerLimits limits{.cpu_seconds = how == "hangs" ? 1 : 20, .wall_seconds = 30};
  return CreateAdapterToolchain(absl::StrCat("adapter:python3 ", TOSAIC_BAD_ADAPTER, " ", how), limits);
}

// Observes an abs, and checks that a floor before and after it is answered as ever.
Observation ObserveBetweenOthers(const std::string& how) {
  absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = Create(how);
  EXPECT_TRUE(toolchain.ok()) << toolchain.status();
  if (!toolchain.ok()) return {};
  const Case other = CaseOf(OpKind::kFloor, {2});
  const Observation before = (*toolchain)->Observe(other);
  const Observation observation = (*toolchain)->Observe(CaseOf(OpKind::kAbs, {2, 3}));
  const Observation after = (*toolchain)->Observe(other);
  EXPECT_EQ(before.outcome, Outcome::kCompleted) << Summarize(before);
  EXPECT_EQ(before, after) << Summarize(after);
  return observation;
}

TEST(AdapterToolchain, TakesOutputs) {
  const Observation observation = ObserveBetweenOthers("well");
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  EXPECT_EQ(observation.stage, Stage::kExecute);
  ASSERT_EQ(observation.runs.size(), 2u);
  EXPECT_EQ(observation.runs[1].results[0].tensor, CaseOf(OpKind::kAbs, {2, 3}).runs[1][0]);
}

TEST(AdapterToolchain, DecidesOnAProgramWithoutRuns) {
  const auto toolchain = Create("well");
  ASSERT_TRUE(toolchain.ok()) << toolchain.status();
  const Observation observation = (*toolchain)->Observe(CaseOf(OpKind::kAbs, {}));
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  EXPECT_EQ(observation.stage, Stage::kVerify);
}

TEST(AdapterToolchain, SaysWhetherItTakesAModule) {
  const auto refusal = [](const std::string& how) { return (*Create(how))->reader()->RefusalOf("// no tosa.abs"); };
  EXPECT_EQ(*refusal("well"), "");
  EXPECT_EQ(*refusal("unread"), "because");
  for (const char* how :
       {"refused", "unsupported", "crashed", "failed", "dies"}) {  // behind the verifier, or no decision
    EXPECT_FALSE(refusal(how).ok()) << how;
  }
}

TEST(AdapterToolchain, ADeathIsACrashOfTheCase) {
  const Observation observation = ObserveBetweenOthers("dies");
  EXPECT_EQ(observation.outcome, Outcome::kSignal);
  EXPECT_EQ(observation.signal, SIGSEGV);
  EXPECT_EQ(observation.stage, Stage::kLower);
}

TEST(AdapterToolchain, ADeathIsAtTheStageThatTheAdapterSaidLast) {
  const Observation observation = ObserveBetweenOthers("dies-in-run");
  EXPECT_EQ(observation.outcome, Outcome::kSignal);
  EXPECT_EQ(observation.signal, SIGABRT);
  EXPECT_EQ(observation.stage, Stage::kExecute);
}

TEST(AdapterToolchain, SilenceIsADeadline) { EXPECT_EQ(ObserveBetweenOthers("hangs").outcome, Outcome::kDeadline); }

// A reply that is no answer is a failure of the adapter, and says nothing about the program.
TEST(AdapterToolchain, NonsenseIsAFailureOfTheTool) {
  for (const auto& [how, says] : std::vector<std::pair<std::string, std::string>>{
           {"exits", "exit status 1; it printed: out of luck"},
           {"twice", "it goes on after its reply"},
           {"twice-late", "it goes on after its reply: it replies to request"},
           {"other-id", "it replies to request"},
           {"no-answers", "it gives 0 answers about 1 programs"},
           {"lacks-runs", "it completed 0 of 2 runs"},
           {"short", "answers[0].runs[0].outputs[0].data: it has 3 bytes instead of 8"},
           {"no-base64", "it is no base64"},
           {"huge", "too many elements"},
           {"nan", "its reply:"},
           {"text", "its reply:"},
           {"half", "exit status 0"}}) {
    const Observation observation = ObserveBetweenOthers(how);
    EXPECT_EQ(observation.outcome, Outcome::kToolFailure) << how << ": " << Summarize(observation);
    ASSERT_FALSE(observation.diagnostics.empty()) << how;
    EXPECT_TRUE(absl::StrContains(observation.diagnostics[0], says)) << how << ": " << observation.diagnostics[0];
  }
}

TEST(AdapterToolchain, WhatAnAdapterSaysOfAnEndIsTaken) {
  const auto expect = [](const std::string& how, Outcome outcome, Stage stage) {
    const Observation observation = ObserveBetweenOthers(how);
    EXPECT_EQ(observation.outcome, outcome) << how;
    EXPECT_EQ(observation.stage, stage) << how;
    EXPECT_EQ(observation.diagnostics, std::vector<std::string>{"because"}) << how;
  };
  expect("refused", Outcome::kRefused, Stage::kCompile);
  expect("unsupported", Outcome::kRefused, Stage::kBuild);
  expect("stopped", Outcome::kSignal, Stage::kExecute);
  expect("crashed", Outcome::kSignal, Stage::kCompile);
  expect("failed", Outcome::kToolFailure, Stage::kCompile);
}

TEST(AdapterToolchain, OneThatLeavesBetweenCasesIsStartedAgain) {
  EXPECT_EQ(ObserveBetweenOthers("tires").outcome, Outcome::kCompleted);
}

TEST(AdapterToolchain, WhatItDoesNotTakeIsNotBuilt) {
  const auto refuses = [](const std::string& how, const Case& test_case) {
    const auto toolchain = Create(how);
    EXPECT_TRUE(toolchain.ok()) << toolchain.status();
    const Observation observation = (*toolchain)->Observe(test_case);
    return observation.outcome == Outcome::kRefused && observation.stage == Stage::kBuild;
  };
  EXPECT_FALSE(refuses("few", CaseOf(OpKind::kAbs, {2})));
  EXPECT_TRUE(refuses("few", CaseOf(OpKind::kFloor, {2})));
  EXPECT_TRUE(refuses("static", CaseOf(OpKind::kAbs, {})));
  EXPECT_FALSE(refuses("static", CaseOf(OpKind::kAbs, {}, Shape({Dim::Static(2)}))));
}

TEST(AdapterToolchain, ADynamicProgramIsAskedAboutWithTheShapesOfEachRun) {
  const auto toolchain = Create("static");
  ASSERT_TRUE(toolchain.ok()) << toolchain.status();
  const Observation observation = (*toolchain)->Observe(CaseOf(OpKind::kAbs, {2, 3}));
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  ASSERT_EQ(observation.runs.size(), 2u);
  EXPECT_EQ(observation.runs[1].results[0].tensor.sizes(), std::vector<int64_t>{3});
}

// A NaN stays what it was where no op computes it, if the greeting says so; a number never becomes one unseen.
TEST(AdapterToolchain, APassedOnNanKeepsItsPayloadByTheGreeting) {
  Case test_case = CaseOf(OpKind::kAbs, {2});
  test_case.program.results = {{ValueRef::Kind::kArgument, 0}};
  test_case.runs[0][0].SetBits(1, 0x7f800001);
  for (const std::string how : {"rewrites", "alters"}) {
    const auto toolchain = Create(how);
    ASSERT_TRUE(toolchain.ok()) << toolchain.status();
    const Observation observation = (*toolchain)->Observe(test_case);
    ASSERT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
    const Tensor& left = observation.runs[0].results[0].tensor;
    EXPECT_EQ(left.Bits(0), 0x7fc00000u) << how;
    EXPECT_EQ(left.Bits(1), how == "rewrites" ? 0x7f800001u : 0x7fc00000u) << how;
  }
}

// The same for a result that is returned again.
TEST(AdapterToolchain, ACopiedNanHasThePayloadOfTheFirstCopyByTheGreeting) {
  Case test_case = CaseOf(OpKind::kAbs, {2});
  test_case.program.results = {{ValueRef::Kind::kOp, 0}, {ValueRef::Kind::kOp, 0}};
  for (const std::string how : {"rewrites-copies", "alters-copies"}) {
    const auto toolchain = Create(how);
    ASSERT_TRUE(toolchain.ok()) << toolchain.status();
    const Observation observation = (*toolchain)->Observe(test_case);
    ASSERT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
    const std::vector<ResultObservation>& results = observation.runs[0].results;
    EXPECT_EQ(results[0].tensor.Bits(0), 0x7fc00000u) << how;
    EXPECT_EQ(results[1].tensor.Bits(0), how == "rewrites-copies" ? 0x7fc00000u : 0x7fc00001u) << how;
    EXPECT_EQ(results[1].tensor.Bits(1), 1u) << "a number stays what it is";
  }
}

// And of what reshape makes of an argument.
TEST(AdapterToolchain, AReshapedNanKeepsItsPayloadByTheGreeting) {
  Case test_case = CaseOf(OpKind::kAbs, {2});
  OpApplication reshape = test_case.program.ops[0];
  reshape.op = OpKind::kReshape;
  reshape.attributes.new_shape = {2};
  test_case.program.ops.push_back(reshape);
  test_case.program.results = {{ValueRef::Kind::kOp, 1}};
  test_case.runs[0][0].SetBits(1, 0x7f800001);
  for (const std::string how : {"rewrites", "alters"}) {
    const auto toolchain = Create(how);
    ASSERT_TRUE(toolchain.ok()) << toolchain.status();
    const Observation observation = (*toolchain)->Observe(test_case);
    ASSERT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
    const Tensor& left = observation.runs[0].results[0].tensor;
    EXPECT_EQ(left.Bits(0), 0x7fc00000u) << how;
    EXPECT_EQ(left.Bits(1), how == "rewrites" ? 0x7f800001u : 0x7fc00000u) << how;
  }
}

// Whoever dies of one program of many does not take the others along.
TEST(AdapterToolchain, OneOfABatchIsToBlameAlone) {
  const auto toolchain = Create("batch-dies");
  ASSERT_TRUE(toolchain.ok()) << toolchain.status();
  EXPECT_EQ((*toolchain)->description().batch_size, 4u);
  std::vector<Case> cases;
  for (int64_t size = 1; size < 7; ++size) cases.push_back(CaseOf(OpKind::kFloor, {size}));
  cases[4] = CaseOf(OpKind::kAbs, {2});
  (*toolchain)->Prepare(cases);
  for (size_t i = 0; i < cases.size(); ++i) {
    const Observation observation = (*toolchain)->Observe(cases[i]);
    EXPECT_EQ(observation.outcome, i == 4 ? Outcome::kSignal : Outcome::kCompleted) << i;
  }
}

TEST(AdapterToolchain, OneThatCannotBeUsedIsRefusedAtTheStart) {
  for (const auto& [how, says] :
       std::vector<std::pair<std::string, std::string>>{{"leaves", "exit status 1; it printed: no licence"},
                                                        {"old", "it speaks protocol 0, not 1"},
                                                        {"nameless", "name: it must not be empty"},
                                                        {"chatters", "its greeting:"}}) {
    const auto toolchain = Create(how);
    EXPECT_TRUE(absl::StrContains(toolchain.status().message(), says)) << how << ": " << toolchain.status();
  }
  const auto none = CreateAdapterToolchain("adapter:/nonexistent/adapter", {});
  EXPECT_TRUE(absl::StrContains(none.status().message(), "exit status 127")) << none.status();
}

TEST(AdapterToolchain, OneThatSpeaksBeforeItIsAskedFails) {
  const auto toolchain = Create("early");
  ASSERT_TRUE(toolchain.ok()) << toolchain.status();
  EXPECT_EQ((*toolchain)->Observe(CaseOf(OpKind::kFloor, {2})).outcome, Outcome::kToolFailure);
}

}  // namespace
}  // namespace tosaic
