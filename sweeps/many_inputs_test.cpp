// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps of all inputs, over toolchains without MLIR; and what a filter leaves, against judging every element.
#include "sweeps/many_inputs.h"

#include <bit>
#include <cmath>
#include <csignal>
#include <functional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "checking/files.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "sweeps/value_sweep.h"
#include "tests/fake_toolchain.h"
#include "workers/temporary_folder.h"

namespace tosaic {
namespace {

// Computes a function of one operand's bits in all runs, or of two of 16 bits, the first in the lower half.
class FunctionToolchain : public AdderToolchain {
 public:
  explicit FunctionToolchain(std::function<uint32_t(uint32_t)> function,
                             std::function<bool(uint32_t)> is_poisoned = nullptr)
      : function_(std::move(function)), is_poisoned_(std::move(is_poisoned)) {}

  Observation Observe(const Case& test_case) override {
    EnterStage(Stage::kExecute);
    Observation observation;
    for (const tosaic::Run& run : test_case.runs) {
      const OpApplication& op = test_case.program.ops[0];
      Tensor result(op.result.element_type, StaticSizes(op.result.shape));
      for (size_t i = 0; i < result.element_count(); ++i) {
        const uint64_t second = run.size() > 1 ? run[1].Bits(i) << 16 : 0;
        result.SetBits(i, function_(static_cast<uint32_t>(run[0].Bits(i) | second)));
      }
      RunObservation observed;
      observed.results = {{.tensor = std::move(result)}};
      for (size_t i = 0; is_poisoned_ && i < run[0].element_count(); ++i) {
        if (!is_poisoned_(static_cast<uint32_t>(run[0].Bits(i)))) continue;
        observed.results[0].poisoned.push_back(i);
        observed.results[0].poisoned_otherwise.push_back(0);
        observed.poison = {"%3 = fptosi float %2 to i32"};
      }
      observation.runs.push_back(std::move(observed));
    }
    return observation;
  }

 private:
  std::function<uint32_t(uint32_t)> function_;
  std::function<bool(uint32_t)> is_poisoned_;
};

class DyingToolchain : public FunctionToolchain {
 public:
  using FunctionToolchain::FunctionToolchain;

  Observation Observe(const Case& test_case) override {
    if (test_case.runs.size() > 1) std::raise(SIGILL);
    return FunctionToolchain::Observe(test_case);
  }
};

uint32_t Applied(float (*function)(float), uint32_t bits) {
  return std::bit_cast<uint32_t>(function(std::bit_cast<float>(bits)));
}

// A sum of bf16 rounds as f32 and once more, which is innocuous.
uint32_t SumOfBf16(uint32_t pair) {
  const auto sum = std::bit_cast<uint32_t>(std::bit_cast<float>(pair << 16) + std::bit_cast<float>(pair & 0xffff0000));
  const bool is_nan = (sum & 0x7fffffff) > 0x7f800000;
  return is_nan ? 0x7fc0 : (sum + 0x7fff + (sum >> 16 & 1)) >> 16;
}

ValueSweep AllOf(OpKind op, ElementType result = ElementType::kF32, ElementType input = ElementType::kF32) {
  for (ValueSweep& sweep : PlanValueSweeps({.all = true, .ops = {op}, .types = {input}})) {
    if (sweep.result == result) return sweep;
  }
  ADD_FAILURE() << Name(op);
  return PlanValueSweeps({}).front();
}

// Two runs of inputs from `first` on, judged with the filter and without.
void ExpectTheSame(const ValueSweep& sweep, uint64_t first, std::function<uint32_t(uint32_t)> function,
                   std::function<bool(uint32_t)> is_poisoned = nullptr) {
  constexpr uint64_t kOfARun = 8192;
  const std::string label = absl::StrCat(Name(sweep.op), " from ", absl::Hex(first));
  FunctionToolchain toolchain(std::move(function), std::move(is_poisoned));
  const Case test_case = CaseOfInputs(sweep, first, 2 * kOfARun, "loops", kOfARun);
  const Observation observation = toolchain.Observe(test_case);
  const ValueChunk filtered = JudgeManyInputs(sweep, test_case, observation, first, {});
  AccuracyProfile profile;
  InputStretches wrong;
  std::vector<std::string> findings;
  const auto text_of = [](const ValueChunk::Finding& finding) {
    std::string inputs;
    for (const ValueDisagreement& listed : finding.listed)
      absl::StrAppend(&inputs, " ", listed.judgement.mismatch->index, ":", listed.judgement.mismatch->actual_bits);
    return absl::StrCat(ToString(finding.signature), " ", finding.count, inputs);
  };
  ValueChunk merged;
  for (size_t run = 0; run < 2; ++run) {
    Case single = test_case;
    single.runs = {test_case.runs[run]};
    Observation of_one;
    of_one.runs = {observation.runs[run]};
    const ValueChunk exact = JudgeChunk(single, of_one, first + run * kOfARun, {});
    profile.Add(exact.profile);
    wrong.Add(exact.wrong);
    for (const ValueChunk::Finding& finding : exact.findings) {
      ValueChunk::Finding& sum = FindingOf(&merged, finding.signature);
      sum.count += finding.count;
      for (const ValueDisagreement& listed : finding.listed) {
        if (sum.listed.size() < kListedDisagreements) sum.listed.push_back(listed);
      }
    }
  }
  EXPECT_NEAR(filtered.profile.error_sum, profile.error_sum, 1e-3 + 1e-12 * profile.error_sum) << label;
  profile.error_sum = filtered.profile.error_sum;
  if (profile.error.value < kLeastError) profile.error = filtered.profile.error;
  if (profile.bound_used.value < kLeastError) profile.bound_used = filtered.profile.bound_used;
  EXPECT_EQ(ToLine(filtered.profile), ToLine(profile)) << label;
  EXPECT_EQ(filtered.wrong, wrong) << label;
  EXPECT_EQ(filtered.harness_fault, "") << label;
  EXPECT_EQ(filtered.verdict, merged.findings.empty() ? Verdict::kAgree : Verdict::kWrongValue) << label;
  std::vector<std::string> expected;
  for (const ValueChunk::Finding& finding : merged.findings) expected.push_back(text_of(finding));
  for (const ValueChunk::Finding& finding : filtered.findings) findings.push_back(text_of(finding));
  EXPECT_EQ(findings, expected) << label;
}

TEST(ManyInputsTest, TheFilterChangesNothing) {
  const auto around = [](double x) { return uint64_t{std::bit_cast<uint32_t>(static_cast<float>(x))} - 5000; };
  for (const uint64_t first : {uint64_t{0}, uint64_t{0x80000000} - 16384, uint64_t{0xffffffff} - 16383, around(1e-20),
                               around(0x1p-126), around(0.25), around(1), around(2.5), around(9.01), around(88.72),
                               around(-87.336), around(-103.97), around(1e5), around(1e20), around(HUGE_VAL)}) {
    ExpectTheSame(AllOf(OpKind::kExp), first, [](uint32_t x) { return Applied(expf, x); });
    ExpectTheSame(AllOf(OpKind::kTanh), first, [](uint32_t x) { return Applied(tanhf, x); });
    ExpectTheSame(AllOf(OpKind::kSin), first, [](uint32_t x) { return Applied(sinf, x); });
    ExpectTheSame(AllOf(OpKind::kFloor), first, [](uint32_t x) { return Applied(floorf, x); });
    ExpectTheSame(AllOf(OpKind::kReciprocal), first,
                  [](uint32_t x) { return Applied([](float v) { return 1 / v; }, x); });
  }
}

TEST(ManyInputsTest, WrongElementsAreFoundWhereverTheyAre) {
  const auto exp = [](uint32_t x) {
    const bool is_wrong = x == 0x3f800001 || (0x3f800ffe <= x && x <= 0x3f801003) || x % 5000 == 0;
    return Applied(expf, x) + (is_wrong ? 20 : 0);
  };
  ExpectTheSame(AllOf(OpKind::kExp), 0x3f800000, exp);
  ExpectTheSame(AllOf(OpKind::kCast, ElementType::kBF16), 0x3f800000,
                [](uint32_t x) { return (x >> 16) + (x % 1000 == 7 ? 1 : 0); });
}

// As a polynomial is outside of its range: most elements are wrong, by growing errors, and some of another kind.
TEST(ManyInputsTest, ElementsThatTheFilterCallsWrongAreCountedAsTheOthersAre) {
  const auto around = [](double x) { return uint64_t{std::bit_cast<uint32_t>(static_cast<float>(x))} - 5000; };
  const auto growing = [](float x) {
    const auto bits = std::bit_cast<uint32_t>(x);
    if (bits % 1000 == 0) return std::numeric_limits<float>::quiet_NaN();
    if (bits % 5 == 0) return bits % 2 == 0 ? HUGE_VALF : -HUGE_VALF;
    return bits % 7 == 0 ? sinf(x) : sinf(x) * (1 + 1e-7F * static_cast<float>(bits % 100000));
  };
  for (const uint64_t first :
       {around(1), around(0x1p-126), around(1e5), around(1e10), around(0.00002), around(3.14159265)}) {
    ExpectTheSame(AllOf(OpKind::kSin), first, [&](uint32_t x) { return Applied(growing, x); });
    ExpectTheSame(AllOf(OpKind::kLog), first, [&](uint32_t x) { return Applied([](float v) { return v - 1; }, x); });
  }
}

// Of poison LLVM may make anything: a value that depends on it is wrong, though it is the right one here.
TEST(ManyInputsTest, AValueThatDependsOnPoisonIsWrong) {
  const auto around = [](double x) { return uint64_t{std::bit_cast<uint32_t>(static_cast<float>(x))} - 5000; };
  for (const uint64_t first : {around(1), around(1e10), around(0x1p-126), around(HUGE_VAL)}) {
    for (const uint32_t every : {1, 3, 4000}) {
      ExpectTheSame(
          AllOf(OpKind::kSin), first, [](uint32_t x) { return Applied(sinf, x) + (x % 100 == 0 ? 1000 : 0); },
          [&](uint32_t x) { return x % every == 0; });
    }
  }
}

// The sine of a small negative number is a great constant beside it: all errors are equal.
TEST(ManyInputsTest, OfManyEqualErrorsTheFirstIsNamed) {
  const auto constant = [](float x) { return x < 0 ? 0x1.0bp-24F : x; };
  for (const uint32_t first : {0x8b400000u, 0x9b400000u, 0xa3400000u, 0xab400000u}) {
    ExpectTheSame(AllOf(OpKind::kSin), first, [&](uint32_t x) { return Applied(constant, x); });
  }
}

TEST(ManyInputsTest, TheFilterChangesNothingOnPairs) {
  const ValueSweep add = AllOf(OpKind::kAdd, ElementType::kBF16, ElementType::kBF16);
  EXPECT_EQ(add.inputs.size(), uint64_t{1} << 32);
  for (const uint64_t first : {0x00000000u, 0x00007000u, 0x3f803000u, 0x7f7f7000u, 0xbf803000u, 0xffff6000u}) {
    ExpectTheSame(add, first, SumOfBf16);
    ExpectTheSame(add, first, [](uint32_t pair) { return SumOfBf16(pair) + (pair % 1000 == 7 ? 2 : 0); });
  }
}

TEST(ManyInputsTest, WrongPairsAreNamedByBothOperands) {
  FunctionToolchain toolchain([](uint32_t pair) {
    const bool is_wrong = pair >= 0x3f804000 && pair < 0x3f804003;
    return SumOfBf16(pair) + (is_wrong ? 1 : 0);
  });
  ValueSweepRunOptions options;
  options.plan = {.all = true, .ops = {OpKind::kAdd}, .types = {ElementType::kBF16}};
  options.limits = {.cpu_seconds = 60, .wall_seconds = 600};
  options.shard = 0x3f800000 / kManyInputs;
  options.shards = uint64_t{1} << 30;
  const absl::StatusOr<ValueSweepSummary> summary = RunValueSweep(toolchain, options, nullptr);
  ASSERT_TRUE(summary.ok()) << summary.status();
  const ValueSweepRow& row = summary->rows[0];
  EXPECT_EQ(row.inputs, kManyInputs);
  EXPECT_EQ(row.profile.disagreements, 3u);
  EXPECT_EQ(row.wrong, (std::vector<BitStretch>{{"0x4000 0x3f80", "0x4002 0x3f80"}}));
  ASSERT_EQ(row.curve.size(), 1u);
  EXPECT_EQ(row.curve[0].first, "0x0000 0x3f80");
}

// 65,536 inputs are one program, so that flushing is judged over all of them; the curve has parts all the same.
TEST(ManyInputsTest, ACurveOfFewInputsHasParts) {
  FunctionToolchain toolchain([](uint32_t x) { return (x & 0x7fff) + (x == 0x3c05 ? 3 : 0); });
  ValueSweepRunOptions options;
  options.plan = {.all = true, .ops = {OpKind::kAbs}, .types = {ElementType::kF16}};
  options.limits = {.cpu_seconds = 60, .wall_seconds = 600};
  const absl::StatusOr<ValueSweepSummary> summary = RunValueSweep(toolchain, options, nullptr);
  ASSERT_TRUE(summary.ok()) << summary.status();
  const ValueSweepRow& row = summary->rows[0];
  EXPECT_TRUE(row.exhaustive);
  ASSERT_EQ(row.curve.size(), 128u);
  for (size_t i = 0; i < row.curve.size(); ++i) {
    const bool is_wrong = i == 0x3c05 / 512;
    EXPECT_EQ(row.curve[i].is_wrong, is_wrong) << i;
    EXPECT_EQ(row.curve[i].error, is_wrong ? 3 : 0) << i;
  }
  EXPECT_EQ(row.curve[1].first, "0x0200");
}

// abs, whose inputs are too many for a test: some programs of each kind of sweep, by shards.
ValueSweepRunOptions AllInputs(const std::string& work = "") {
  ValueSweepRunOptions options;
  options.plan = {.all = true, .ops = {OpKind::kAbs}, .types = {ElementType::kF32}};
  options.limits = {.cpu_seconds = 60, .wall_seconds = 600};
  options.jobs = 2;
  options.shard = 0x3f800000 / kManyInputs;
  options.shards = uint64_t{1} << 30;  // one program
  options.work = work;
  return options;
}

ValueSweepSummary SweepAll(Toolchain& toolchain, const ValueSweepRunOptions& options) {
  absl::StatusOr<ValueSweepSummary> summary = RunValueSweep(toolchain, options, nullptr);
  EXPECT_TRUE(summary.ok()) << summary.status();
  return summary.ok() ? *std::move(summary) : ValueSweepSummary();
}

uint32_t WrongAbs(uint32_t x) { return (x & 0x7fffffff) + (x >= 0x3f800010 && x < 0x3f800020 ? 1 : 0); }

TEST(ManyInputsTest, AShardIsAPartAndNamesTheStretchesThatAreWrong) {
  FunctionToolchain toolchain(WrongAbs);
  const ValueSweepSummary summary = SweepAll(toolchain, AllInputs());
  ASSERT_EQ(summary.rows.size(), 1u);
  const ValueSweepRow& row = summary.rows[0];
  EXPECT_TRUE(summary.all);
  EXPECT_FALSE(row.exhaustive);
  EXPECT_EQ(row.inputs, kManyInputs);
  EXPECT_EQ(row.profile.compared, kManyInputs);
  EXPECT_EQ(row.profile.disagreements, 16u);
  EXPECT_EQ(row.wrong_stretches, 1u);
  EXPECT_EQ(row.wrong, (std::vector<BitStretch>{{"0x3f800010", "0x3f80001f"}}));
  EXPECT_EQ(row.curve, (std::vector<CurvePoint>{{.first = "0x3f800000", .error = 1, .is_wrong = true}}));
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(summary.findings[0].count, 16u);
  EXPECT_EQ(summary.findings[0].values().example.runs[0][0].Bits(0), 0x3f800010u);
}

TEST(ManyInputsTest, ASweepGoesOnWhereItEnded) {
  absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create("sweep");
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string work = folder->path() + "/work";
  FunctionToolchain wrong(WrongAbs);
  ValueSweepSummary first = SweepAll(wrong, AllInputs(work));
  // A second sweep takes its inputs from the work directory: this toolchain would die of programs with several runs.
  DyingToolchain dying(WrongAbs);
  ValueSweepSummary second = SweepAll(dying, AllInputs(work));
  EXPECT_EQ(ToJson(second)["sweeps"], ToJson(first)["sweeps"]);
  EXPECT_EQ(second.findings[0].count, first.findings[0].count);
  // Another shard takes it over.
  ValueSweepRunOptions other = AllInputs();
  other.take = {work};
  ++other.shard;
  EXPECT_EQ(SweepAll(wrong, other).rows[0].inputs, 2 * kManyInputs);
  // A line that was changed does not count.
  const std::string journal = work + "/journal.jsonl";
  std::string text = ReadFile(journal).value();
  text[text.find("\"compared\":4194304") + 12] = '3';
  for (size_t at = text.find("\"confirmed\""); at != std::string::npos; at = std::string::npos) {
    text.erase(text.rfind('\n', at) + 1);  // nor does one that was cut off
  }
  ASSERT_TRUE(WriteFile(journal, text).ok());
  FunctionToolchain right([](uint32_t x) { return x & 0x7fffffff; });
  EXPECT_EQ(SweepAll(right, AllInputs(work)).rows[0].profile.disagreements, 0u);
}

TEST(ManyInputsTest, TheNumberOfWorkersChangesNothing) {
  FunctionToolchain toolchain(WrongAbs);
  ValueSweepRunOptions options = AllInputs();
  options.shards = 512;  // two of the 1024 programs
  options.shard %= options.shards;
  ValueSweepSummary three, one;
  options.jobs = 3;
  three = SweepAll(toolchain, options);
  options.jobs = 1;
  one = SweepAll(toolchain, options);
  one.elapsed_seconds = three.elapsed_seconds = 0;
  EXPECT_EQ(ToJson(one), ToJson(three));
  EXPECT_EQ(one.rows[0].inputs, 2 * kManyInputs);
}

TEST(ManyInputsTest, AnotherSweepsDirectoryIsRefused) {
  absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create("sweep");
  ASSERT_TRUE(folder.ok()) << folder.status();
  FunctionToolchain toolchain([](uint32_t x) { return x & 0x7fffffff; });
  const std::string work = folder->path() + "/work";
  SweepAll(toolchain, AllInputs(work));
  ValueSweepRunOptions options = AllInputs(work);
  options.plan.ops = {OpKind::kCeil};
  const absl::Status refused = RunValueSweep(toolchain, options, nullptr).status();
  EXPECT_TRUE(absl::StrContains(refused.message(), "it holds another sweep (ops abs, not ceil)")) << refused;
}

}  // namespace
}  // namespace tosaic
