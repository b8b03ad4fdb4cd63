// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/check_case.h"

#include <signal.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "generators/twins.h"
#include "gtest/gtest.h"
#include "toolchain/progress.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

using E = ElementType;
using Kind = ValueRef::Kind;

Tensor I32(uint64_t bits) {
  Tensor tensor(E::kI32, {1});
  tensor.SetBits(0, bits);
  return tensor;
}

// (x + x) + x for x = 3, of which the second sum is returned.
Case AddTwice(const std::string& twin) {
  const TensorType type{Shape({Dim::Dynamic()}), E::kI32};
  Case chain;
  chain.program.arguments = {type};
  chain.program.ops = {{OpKind::kAdd, {{Kind::kArgument, 0}, {Kind::kArgument, 0}}, {}, type},
                       {OpKind::kAdd, {{Kind::kOp, 0}, {Kind::kArgument, 0}}, {}, type}};
  chain.program.results = {{Kind::kOp, 1}};
  chain.runs = {{I32(3)}};
  chain.twin = twin;
  return chain;
}

// The right observation of AddTwice(), whichever of its values the program returns.
Observation Honest(const Case& test_case) {
  Observation observation;
  for (const Run& run : test_case.runs) {
    RunObservation results;
    for (ValueRef ref : test_case.program.results) {
      const uint64_t x = run.empty() ? 3 : run[0].Bits(0);
      results.results.push_back({I32(ref.index == 0 ? x + x : x + x + x), {}});
    }
    observation.runs.push_back(results);
  }
  return observation;
}

TEST(CheckWithTest, WithoutATwinAHiddenIntermediateIsWhatItHasToBe) {
  const CheckedCase checked = CheckWith(Honest, AddTwice(""), {});
  EXPECT_EQ(checked.judgement.verdict, Verdict::kAgree);
  EXPECT_EQ(checked.judgement.compared, 1u);
}

// x / y for the run's x and y; a run with y = 0 ends the process, as it does on an x86.
Observation Divided(const Case& test_case, uint64_t quotient) {
  Observation observation;
  for (const Run& run : test_case.runs) {
    if (run[1].Bits(0) == 0) {
      observation.outcome = Outcome::kSignal;
      observation.signal = SIGFPE;
      return observation;
    }
    observation.runs.push_back({.results = {{I32(quotient), {}}}});
    ++observation.run;
  }
  observation.run = 0;
  return observation;
}

TEST(CheckWithTest, ARunThatNothingDefinesHidesNoOther) {
  const TensorType type{Shape({Dim::Dynamic()}), E::kI32};
  Case division;
  division.program.arguments = {type, type};
  division.program.ops = {{OpKind::kIntdiv, {{Kind::kArgument, 0}, {Kind::kArgument, 1}}, {}, type}};
  division.program.results = {{Kind::kOp, 0}};
  division.runs = {{I32(6), I32(2)}, {I32(6), I32(0)}, {I32(6), I32(0)}, {I32(6), I32(2)}};
  const auto checked_with = [&](uint64_t quotient) {
    return CheckWith([&](const Case& test_case) { return Divided(test_case, quotient); }, division, {});
  };
  const CheckedCase right = checked_with(3);
  EXPECT_EQ(right.judgement.verdict, Verdict::kUndefined);
  EXPECT_EQ(right.judgement.compared, 2u);
  EXPECT_FALSE(right.twin);
  division.runs.erase(division.runs.begin());  // what the first run shows is shown already
  const CheckedCase wrong = checked_with(4);
  EXPECT_EQ(wrong.judgement.verdict, Verdict::kWrongValue);
  ASSERT_TRUE(wrong.twin);
  EXPECT_EQ(wrong.twin_name, "from-run-2");
  EXPECT_EQ(wrong.twin->runs.size(), 1u);
  division.twin = wrong.twin_name;
  EXPECT_EQ(TwinOf(division), wrong.twin);
}

TEST(CheckWithTest, TheTwinShowsTheIntermediate) {
  for (const char* name : {"all-returned", "last-argument-as-constant", "after-cse"}) {
    const CheckedCase checked = CheckWith(Honest, AddTwice(name), {});
    EXPECT_EQ(checked.judgement.verdict, Verdict::kAgree) << name;
    EXPECT_EQ(checked.judgement.compared, 1u) << name;
    EXPECT_FALSE(checked.twin) << name;
  }
}

TEST(CheckWithTest, AValueThatTheTwinDoesNotHaveIsTheCasesDivergence) {
  auto fuses_wrongly = [](const Case& test_case) {
    Observation observation = Honest(test_case);
    if (test_case.program.results.size() == 1) observation.runs[0].results[0].tensor = I32(10);
    return observation;
  };
  for (const char* twin : {"", "all-returned"}) {
    const CheckedCase checked = CheckWith(fuses_wrongly, AddTwice(twin), {});
    EXPECT_FALSE(checked.twin);
    EXPECT_EQ(ToString(checked.signature), "wrong-value/several-ops/loops/value.add/number-for-number");
  }
}

// Where the intermediate value changes nothing, it tells which op it was.
TEST(CheckWithTest, AValueThatIsWrongWithAllReturnedIsSaidOfOneOp) {
  auto doubles_wrongly = [](const Case& test_case) {
    Observation observation = Honest(test_case);
    if (test_case.program.results.size() == 2) observation.runs[0].results[0].tensor = I32(7);
    observation.runs[0].results.back().tensor = I32(10);
    return observation;
  };
  const CheckedCase checked = CheckWith(doubles_wrongly, AddTwice(""), {});
  ASSERT_TRUE(checked.twin);
  EXPECT_EQ(checked.twin_name, "all-returned");
  EXPECT_TRUE(checked.is_wrong_itself);
  EXPECT_EQ(checked.judgement.mismatch->op, 0);
  EXPECT_EQ(ToString(checked.signature), "wrong-value/add/i32/loops/value.add/number-for-number");
}

TEST(CheckWithTest, WhatIsWrongWithTheTwinIsSaidOfTheTwin) {
  auto breaks_with_all = [](const Case& test_case) {
    Observation observation = Honest(test_case);
    if (test_case.program.results.size() == 2) observation.runs[0].results[1].tensor = I32(10);
    return observation;
  };
  const CheckedCase checked = CheckWith(breaks_with_all, AddTwice("all-returned"), {});
  ASSERT_TRUE(checked.twin);
  EXPECT_EQ(checked.twin->program.results.size(), 2u);
  EXPECT_EQ(ToString(checked.signature), "wrong-value/add/i32/loops/value.add/number-for-number");
}

TEST(CheckWithTest, OneDivergenceIsEnough) {
  int observed = 0;
  auto leaks = [&](const Case& test_case) {
    ++observed;
    Observation observation = Honest(test_case);
    observation.runs[0].leaked_buffers = 1;
    return observation;
  };
  EXPECT_EQ(CheckWith(leaks, AddTwice("all-returned"), {}).judgement.verdict, Verdict::kLeak);
  EXPECT_EQ(observed, 1);
}

TEST(CheckWithTest, ATwinThatTheCaseDoesNotHaveIsANote) {
  const CheckedCase checked = CheckWith(Honest, AddTwice("constants-as-arguments"), {});
  EXPECT_EQ(checked.judgement.notes,
            (std::vector<std::string>{"metamorphic.constants-as-arguments: the case has no such twin"}));
}

// x + x of so many elements.
Case AddOf(int64_t elements) {
  const TensorType type{Shape({Dim::Dynamic()}), E::kI32};
  Case test_case;
  test_case.program.arguments = {type};
  test_case.program.ops = {{OpKind::kAdd, {{Kind::kArgument, 0}, {Kind::kArgument, 0}}, {}, type}};
  test_case.program.results = {{Kind::kOp, 0}};
  test_case.runs = {{Tensor(E::kI32, {elements})}};
  for (int64_t i = 0; i < elements; ++i) test_case.runs[0][0].SetBits(static_cast<size_t>(i), static_cast<uint64_t>(i));
  return test_case;
}

class Doubling : public Toolchain {
 public:
  explicit Doubling(bool hangs) : Toolchain({.name = "doubling", .version = "1"}), hangs_(hangs) {}
  Observation Observe(const Case& test_case) override {
    EnterStage(Stage::kExecute);
    while (hangs_) spent_ = spent_ + 1;
    Tensor twice = test_case.runs[0][0];
    for (size_t i = 0; i < twice.element_count(); ++i) twice.SetBits(i, 2 * twice.Bits(i));
    Observation observation;
    observation.runs = {{.results = {{.tensor = twice}}}};
    return observation;
  }

 private:
  const bool hangs_;
  volatile uint64_t spent_ = 0;
};

// In a process of its own, a large case is judged as a small one is here.
TEST(CheckCaseTest, JudgesALargeCaseAsASmallOne) {
  Doubling toolchain(/*hangs=*/false);
  for (const int64_t elements : {10, 100'000}) {
    const Case test_case = AddOf(elements);
    const CheckedCase checked = CheckCase(toolchain, test_case, {}, {});
    EXPECT_EQ(checked.judgement.verdict, Verdict::kAgree);
    EXPECT_EQ(checked.judgement.compared, static_cast<uint64_t>(elements));
    EXPECT_EQ(checked.observation, toolchain.Observe(test_case));
  }
}

TEST(CheckCaseTest, NobodyIsToBlameForTheTimeOfALargeCase) {
  Doubling toolchain(/*hangs=*/true);
  const WorkerLimits limits = {.cpu_seconds = 1};
  EXPECT_EQ(CheckCase(toolchain, AddOf(100'000), limits, {}).judgement.verdict, Verdict::kTimeout);
  const Judgement large = CheckCase(toolchain, AddOf(600'000), limits, {}).judgement;
  EXPECT_EQ(large.verdict, Verdict::kHarnessFault);
  EXPECT_TRUE(absl::StrContains(large.actual, "the case is too large to run in 1 s (--cpu-limit)")) << large.actual;
}

TEST(CheckCaseTest, SaysThatTosaicFailedWhereItDid) {
  Judgement judgement;
  judgement.verdict = Verdict::kHarnessFault;
  judgement.actual = "no time left";
  EXPECT_EQ(NoDivergence(judgement, "reduced"), absl::InternalError("no time left"));
  judgement.verdict = Verdict::kAgree;
  EXPECT_EQ(NoDivergence(judgement, "reduced"),
            absl::InvalidArgumentError("the verdict is agree; only a divergence can be reduced"));
}

}  // namespace
}  // namespace tosaic
