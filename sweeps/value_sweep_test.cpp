// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Value sweeps over toolchains without MLIR: one that is right, and some that are wrong in a way of their own.
#include "sweeps/value_sweep.h"

#include <unistd.h>

#include <csignal>
#include <functional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "sweeps/value_chunk.h"
#include "tests/fake_toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {
namespace {

// Clears the sign of a float, then lets `misbehave` change the bits of a result.
class AbsToolchain : public AdderToolchain {
 public:
  explicit AbsToolchain(std::function<uint64_t(uint64_t)> misbehave) : misbehave_(std::move(misbehave)) {}

  Observation Observe(const Case& test_case) override {
    EnterStage(Stage::kExecute);
    const Tensor& input = test_case.runs[0][0];
    Tensor result(input.element_type(), input.sizes());
    const uint64_t sign = SignMask(input.element_type());
    for (size_t i = 0; i < input.element_count(); ++i) result.SetBits(i, misbehave_(input.Bits(i) & ~sign));
    Observation observation;
    observation.runs.push_back({{{std::move(result), {}}}});
    return observation;
  }

 private:
  std::function<uint64_t(uint64_t)> misbehave_;
};

ValueSweepRunOptions Options(OpKind op, ElementType type) {
  ValueSweepRunOptions options;
  options.plan = {.inputs = 100'000, .ops = {op}, .types = {type}};
  options.limits = {.cpu_seconds = 60, .wall_seconds = 600};
  options.jobs = 2;
  return options;
}

ValueSweepSummary Sweep(Toolchain& toolchain, const ValueSweepRunOptions& options) {
  absl::StatusOr<ValueSweepSummary> summary = RunValueSweep(toolchain, options, nullptr);
  EXPECT_TRUE(summary.ok()) << summary.status();
  return summary.ok() ? *std::move(summary) : ValueSweepSummary();
}

TEST(ValueSweepTest, ARightToolchainAgreesOnAllInputs) {
  AbsToolchain toolchain([](uint64_t bits) { return bits; });
  const ValueSweepSummary summary = Sweep(toolchain, Options(OpKind::kAbs, ElementType::kF16));
  EXPECT_TRUE(summary.findings.empty());
  EXPECT_TRUE(summary.notes.empty());
  EXPECT_TRUE(summary.harness_faults.empty());
  ASSERT_EQ(summary.rows.size(), 1u);
  const ValueSweepRow& row = summary.rows[0];
  EXPECT_TRUE(row.exhaustive);
  EXPECT_EQ(row.inputs, 65536u);
  EXPECT_EQ(row.profile.compared, 65536u);
  EXPECT_EQ(row.profile.measured, 65536u - 2 * 1023);  // without the NaNs
  EXPECT_EQ(row.profile.error.value, 0);
  EXPECT_EQ(row.profile.exact_kept, 2 * 1023u);
  EXPECT_EQ(row.profile.exact_flushed, 0u);
}

TEST(ValueSweepTest, EveryDisagreementIsCountedAndTheFirstAreListed) {
  AbsToolchain toolchain([](uint64_t bits) { return bits >= 0x3c00 && bits < 0x3c80 ? bits + 2 : bits; });
  ValueSweepRunOptions options = Options(OpKind::kAbs, ElementType::kF16);
  const ValueSweepSummary summary = Sweep(toolchain, options);
  ASSERT_EQ(summary.findings.size(), 1u);
  const Finding& finding = summary.findings[0];
  EXPECT_EQ(ToString(finding.signature), "wrong-value/abs/f16/loops/value.abs/number-for-number");
  EXPECT_EQ(finding.count, 256u);  // of both signs
  EXPECT_TRUE(IsNew(finding));
  ASSERT_EQ(finding.values().listed.size(), kListedDisagreements);
  EXPECT_EQ(finding.values().listed[0].input_bits, std::vector<std::string>{"0x3c00"});
  EXPECT_EQ(finding.values().listed[0].judgement.mismatch->expected_bits, "0x3c00");
  EXPECT_EQ(finding.values().listed[0].judgement.mismatch->actual_bits, "0x3c02");
  EXPECT_EQ(finding.values().listed[1].judgement.mismatch->index, 0x3c01u);
  // One element shows it.
  EXPECT_EQ(finding.values().example.runs[0][0].sizes(), std::vector<int64_t>{1});
  EXPECT_EQ(finding.values().example.runs[0][0].Bits(0), 0x3c00u);
  const AccuracyProfile& profile = summary.rows[0].profile;
  EXPECT_EQ(profile.disagreements, 256u);
  EXPECT_EQ(profile.error, (Extreme{2, {"0x3c00"}, "0x3c02"}));
  EXPECT_EQ(profile.MeanError(), 2 * 256.0 / (65536 - 2 * 1023));

  options.known =
      KnownDivergences::FromText(R"({"known": [{"signature": "wrong-value/abs/*", "reason": "so it is"}]})").value();
  EXPECT_EQ(Sweep(toolchain, options).findings[0].known_reason, "so it is");
  // An entry's pattern for ops is matched against the swept case.
  for (const auto& [ops, reason] : {std::pair("abs(x)", "so it is"), {"abs(0)", ""}}) {
    const std::string list = absl::StrCat(R"({"known": [{"signature": "wrong-value/abs/*", "ops": [")", ops,
                                          R"("], "reason": "so it is"}]})");
    options.known = KnownDivergences::FromText(list).value();
    EXPECT_EQ(Sweep(toolchain, options).findings[0].known_reason, reason) << ops;
  }
}

TEST(ValueSweepTest, TheNumberOfWorkersChangesNothing) {
  MisbehavingToolchain toolchain([](const Case& test_case, Observation* observation) {
    const tosaic::Run& run = test_case.runs[0];
    Tensor& result = observation->runs[0].results[0].tensor;
    for (size_t i = 0; i < result.element_count(); ++i) {
      if (run[0].Bits(i) == 7) result.SetBits(i, 0);
    }
  });
  ValueSweepRunOptions options = Options(OpKind::kAdd, ElementType::kI32);
  ValueSweepSummary one, three;
  options.jobs = 1;
  one = Sweep(toolchain, options);
  options.jobs = 3;
  three = Sweep(toolchain, options);
  one.elapsed_seconds = three.elapsed_seconds = 0;
  EXPECT_EQ(ToJson(one), ToJson(three));
  ASSERT_EQ(one.rows.size(), 1u);
  EXPECT_EQ(one.rows[0].inputs, 100'000u);
  EXPECT_GT(one.rows[0].profile.unpredictable, 0u);  // overflows
  EXPECT_GT(one.rows[0].profile.disagreements, 0u);
}

TEST(ValueSweepTest, SomeSubnormalsFlushedAndOthersKeptIsAFinding) {
  ValueSweepRunOptions options = Options(OpKind::kAbs, ElementType::kBF16);
  AbsToolchain some([](uint64_t bits) { return bits < 0x0080 && bits % 2 == 1 ? 0 : bits; });
  const ValueSweepSummary summary = Sweep(some, options);
  EXPECT_TRUE(summary.harness_faults.empty());
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(ToString(summary.findings[0].signature), "wrong-value/abs/bf16/loops/value.flushing/number-for-number");
  EXPECT_LE(summary.findings[0].values().example.runs[0][0].element_count(), 2u);  // one flushed, one kept
  EXPECT_EQ(summary.rows[0].profile.disagreements, 0u);
  ASSERT_EQ(summary.notes.size(), 1u);
  EXPECT_EQ(summary.notes[0], "value.flushing: abs bf16: 128 subnormal results flushed to zero, 126 kept");
  AbsToolchain all([](uint64_t bits) { return bits < 0x0080 ? 0 : bits; });
  EXPECT_TRUE(Sweep(all, options).notes.empty());
  EXPECT_TRUE(Sweep(all, options).findings.empty());
}

TEST(ValueSweepTest, ADeathIsAFindingOfItsProgram) {
  AbsToolchain toolchain([](uint64_t bits) {
    if (bits == 0x1234) std::raise(SIGILL);
    return bits;
  });
  const ValueSweepSummary summary = Sweep(toolchain, Options(OpKind::kAbs, ElementType::kF16));
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_TRUE(absl::StartsWith(ToString(summary.findings[0].signature), "crash/abs/f16/loops/"))
      << ToString(summary.findings[0].signature);
  EXPECT_EQ(summary.findings[0].count, 65536u);
  // The input it died of is found by halving.
  const Tensor& input = summary.findings[0].values().example.runs[0][0];
  EXPECT_EQ(input.element_count(), 1u);
  EXPECT_EQ(input.Bits(0), 0x1234u);
  EXPECT_EQ(summary.rows[0].verdicts, (VerdictCounts{{Verdict::kCrash, 1}}));
}

// The documents excuse a trap, for some sums overflow; that nothing was compared must be said all the same.
TEST(ValueSweepTest, AnExcusedDeathIsANote) {
  MisbehavingToolchain toolchain([](const Case& test_case, Observation*) {
    if (test_case.runs[0][0].element_count() < kChunkInputs) std::raise(SIGFPE);
  });
  const ValueSweepSummary summary = Sweep(toolchain, Options(OpKind::kAdd, ElementType::kI32));
  EXPECT_TRUE(summary.findings.empty());
  EXPECT_EQ(summary.rows[0].verdicts, (VerdictCounts{{Verdict::kAgree, 1}, {Verdict::kUndefined, 1}}));
  ASSERT_EQ(summary.notes.size(), 1u);
  EXPECT_TRUE(absl::StartsWith(summary.notes[0], "add i32, inputs 65536 to 99999: nothing compared: "))
      << summary.notes[0];
}

TEST(ValueSweepTest, WhatDoesNotRepeatAloneIsAHarnessFault) {
  MisbehavingToolchain toolchain([](const Case&, Observation* observation) {
    observation->runs[0].results[0].tensor.SetBits(0, static_cast<uint64_t>(getpid()));
  });
  const ValueSweepSummary summary = Sweep(toolchain, Options(OpKind::kAdd, ElementType::kI32));
  ASSERT_EQ(summary.harness_faults.size(), 2u);
  EXPECT_TRUE(absl::StartsWith(summary.harness_faults[0], "add i32, inputs 0 to 65535: ")) << summary.harness_faults[0];
}

// reciprocal of f16: bound 1 ulp.
ValueChunk ChunkOf(const std::vector<uint64_t>& inputs, const std::vector<uint64_t>& results) {
  Case test_case;
  const std::vector<int64_t> sizes = {static_cast<int64_t>(inputs.size())};
  const TensorType type{Shape::OfSizes(sizes), ElementType::kF16};
  test_case.program.arguments = {type};
  test_case.program.ops = {{OpKind::kReciprocal, {{ValueRef::Kind::kArgument, 0}}, {}, type}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  Tensor input(ElementType::kF16, sizes), result(ElementType::kF16, sizes);
  for (size_t i = 0; i < inputs.size(); ++i) {
    input.SetBits(i, inputs[i]);
    result.SetBits(i, results[i]);
  }
  test_case.runs = {{input}};
  Observation observation;
  observation.runs.push_back({{{std::move(result), {}}}});
  return JudgeChunk(test_case, observation, 1000, {});
}

TEST(ValueChunkTest, ErrorsAreMeasuredInUnitsOfTheTrueValue) {
  // 1/2; 1/3 = 0x3555 1/3, that is 0x3555 and a third; a NaN, which has no error; 1/inf; 1/4 one unit off.
  const ValueChunk chunk = ChunkOf({0x4000, 0x4200, 0x7e00, 0x7c00, 0x4400}, {0x3800, 0x3556, 0x7e01, 0x0000, 0x3401});
  EXPECT_EQ(chunk.verdict, Verdict::kAgree);
  EXPECT_EQ(chunk.profile.compared, 5u);
  EXPECT_EQ(chunk.profile.measured, 4u);
  EXPECT_EQ(chunk.profile.error, (Extreme{1, {"0x4400"}, "0x3401"}));
  EXPECT_EQ(chunk.profile.bound_used, (Extreme{1, {"0x4400"}, "0x3401"}));
  EXPECT_NEAR(chunk.profile.error_sum, 2.0 / 3 + 1, 1e-9);
}

TEST(ValueChunkTest, ADisagreementKeepsItsPlaceInTheSweepAndSurvivesTheLine) {
  const ValueChunk chunk = ChunkOf({0x4000, 0x4400, 0x0000}, {0x3800, 0x3402, 0x7e00});
  EXPECT_EQ(chunk.verdict, Verdict::kWrongValue);
  EXPECT_EQ(chunk.profile.disagreements, 2u);
  EXPECT_EQ(chunk.profile.bound_used.value, 2);
  ASSERT_EQ(chunk.findings.size(), 2u);
  EXPECT_EQ(ToString(chunk.findings[0].signature),
            "wrong-value/reciprocal/f16/loops/value.reciprocal/number-for-number");
  EXPECT_EQ(chunk.findings[0].listed[0].judgement.mismatch->index, 1001u);
  EXPECT_EQ(ToString(chunk.findings[1].signature), "wrong-value/reciprocal/f16/loops/value.reciprocal/nan-for-inf");
  const absl::StatusOr<ValueChunk> again = FromText<ValueChunk>(ToLine(chunk));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(ToLine(*again), ToLine(chunk));
  EXPECT_EQ(again->profile, chunk.profile);
}

TEST(ValueChunkTest, AMalformedLineIsAnError) {
  for (const char* line : {"", "{", "[]", "{}", R"({"verdict": "agree"})",
                           R"({"verdict": "fine", "harness_fault": "", "profile": {}, "findings": []})"}) {
    EXPECT_FALSE(FromText<ValueChunk>(line).ok()) << line;
  }
}

}  // namespace
}  // namespace tosaic
