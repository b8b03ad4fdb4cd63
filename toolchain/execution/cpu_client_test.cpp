// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On another CPU a program is observed as on this one: its numbers, what it touches, what it leaves, how it ends.
#include "toolchain/execution/cpu_client.h"

#include <signal.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "toolchain/execution/code_runner.h"
#include "toolchain/execution/ir_testing.h"
#include "toolchain/program_testing.h"

namespace tosaic {
namespace {

// A function of one vector that returns one.
Case CaseOf(ElementType type, const std::vector<uint64_t>& data, ElementType result, size_t runs = 2) {
  Case test_case;
  test_case.program.arguments = {{Dynamic(1), type}};
  test_case.program.ops = {{.op = OpKind::kAbs,
                            .operands = {{ValueRef::Kind::kArgument, 0}},
                            .attributes = {},
                            .result = {Dynamic(1), result}}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  const auto size = static_cast<int64_t>(data.size());
  for (size_t i = 0; i < runs; ++i) test_case.runs.push_back({TensorOf(type, {size}, data)});
  return test_case;
}

std::string EntryWith(absl::string_view body, absl::string_view declared = "") {
  return absl::StrCat(declared,
                      "define void @_mlir_ciface_main(ptr %result, ptr %operand) {\n"
                      "  %in = call ptr @data(ptr %operand)\n",
                      body, "\n  ret void\n}\n");
}

// A new buffer of two elements, the first of which is the operand's element `index`, returned.
std::string Copies(int index, int bytes = 8) {
  return EntryWith(
      absl::StrCat("%out = call ptr @malloc(i64 ", bytes, ")\n%v = call i32 @load(ptr %in, i64 ", index, R"()
    call void @store(ptr %out, i64 0, i32 %v)
    call void @store(ptr %out, i64 1, i32 %v)
    call void @describe(ptr %result, ptr %out, i64 0, i64 2, i64 1))"));
}

class CpuTest : public testing::TestWithParam<Cpu> {
 protected:
  void SetUp() override {
    WorkerLimits limits;
    limits.cpu_seconds = 1;
    absl::StatusOr<CpuSettings> settings = FindCpuServer(GetParam().name, limits, TOSAIC_SERVERS);
    if (!settings.ok()) GTEST_SKIP() << settings.status();
    runner_ = std::make_unique<CodeRunner>(*std::move(settings));
  }

  Observation Run(const std::string& ir, const Case& test_case, CompiledProgram program = {}) {
    Observation observation;
    const absl::StatusOr<Jit*> jit = runner_->JitFor(program.generation);
    EXPECT_TRUE(jit.ok()) << jit.status();
    if (!jit.ok()) return observation;
    program.code = Owned(ParseIr(**jit, ir));
    runner_->Run(std::move(program), test_case, &observation);
    return observation;
  }
  Observation Run(const std::string& ir) { return Run(ir, CaseOf(ElementType::kI32, {5, 6}, ElementType::kI32)); }

  std::unique_ptr<CodeRunner> runner_;
};

// Poison is LLVM IR's, whatever CPU runs the code.
TEST_P(CpuTest, PoisonShowsInTheIr) {
  const Observation of = Run(absl::StrReplaceAll(
      Copies(1), {{"i64 1, i32 %v)", "i64 1, i32 %s)"},
                  {"call void @store(ptr %out, i64 0", "%s = shl i32 %v, 32\ncall void @store(ptr %out, i64 0"}}));
  ASSERT_EQ(of.runs.size(), 2u) << Summarize(of);
  EXPECT_EQ(of.runs[1].results[0].poisoned, std::vector<uint64_t>{1});
  EXPECT_EQ(of.runs[1].poison, std::vector<std::string>{"%s = shl i32 %v, 32 where %v = 6"});
}

TEST_P(CpuTest, NumbersComeBack) {
  for (int i = 0; i < 3; ++i) {  // one server serves many
    const Observation of = Run(Copies(1));
    ASSERT_EQ(of.outcome, Outcome::kCompleted) << Summarize(of);
    ASSERT_EQ(of.runs.size(), 2u);
    EXPECT_EQ(of.runs[1].results[0].tensor, TensorOf(ElementType::kI32, {2}, {6, 6}));
  }
}

TEST_P(CpuTest, ConstantsAndFunctionsOfLibmAreLinked) {
  const std::string ir = EntryWith(R"(
    %out = call ptr @malloc(i64 8)
    %x = load float, ptr %in
    %c = load float, ptr @constant
    %e = call float @expf(float %x)
    %s = fadd float %e, %c
    store float %s, ptr %out
    %w = getelementptr float, ptr %out, i64 1
    store float %c, ptr %w
    call void @describe(ptr %result, ptr %out, i64 0, i64 2, i64 1))",
                                   "@constant = private constant float 2.5\ndeclare float @expf(float)\n");
  const Observation of = Run(ir, CaseOf(ElementType::kF32, {0, 0}, ElementType::kF32));
  ASSERT_EQ(of.outcome, Outcome::kCompleted) << Summarize(of);
  EXPECT_EQ(of.runs[0].results[0].tensor, TensorOf(ElementType::kF32, {2}, {0x40600000, 0x40200000}));  // 3.5, 2.5
}

TEST_P(CpuTest, AccessesOutsideAreFound) {
  const Observation read = Run(Copies(2));
  ASSERT_EQ(read.outcome, Outcome::kMemoryFault) << Summarize(read);
  EXPECT_EQ(read.signal, SIGSEGV);
  EXPECT_EQ(*read.fault, (MemoryFault{.is_write = false, .region = "operand 0", .offset = 8, .region_bytes = 8}));
  const Observation written = Run(Copies(0, /*bytes=*/4));
  ASSERT_EQ(written.outcome, Outcome::kMemoryFault) << Summarize(written);
  EXPECT_EQ(*written.fault, (MemoryFault{.is_write = true, .region = "allocation 0", .offset = 4, .region_bytes = 4}));
  const Observation operand = Run(EntryWith("call void @store(ptr %in, i64 0, i32 1)"));
  ASSERT_EQ(operand.outcome, Outcome::kMemoryFault) << Summarize(operand);
  EXPECT_TRUE(operand.fault->is_write);
  EXPECT_EQ(operand.fault->region, "operand 0");
  EXPECT_EQ(Run(Copies(0)).outcome, Outcome::kCompleted);  // by another server
}

TEST_P(CpuTest, LeaksAndBadFreesAreCounted) {
  CompiledProgram program;
  program.options.count_leaks = true;
  const Case test_case = CaseOf(ElementType::kI32, {5, 6}, ElementType::kI32);
  const std::string leak = absl::StrCat(Copies(0), "\n");
  const Observation clean = Run(leak, test_case, std::move(program));
  ASSERT_EQ(clean.runs.size(), 2u);
  EXPECT_EQ(clean.runs[0].leaked_buffers, 0);
  program = {};
  program.options.count_leaks = true;
  const Observation leaks = Run(absl::StrReplaceAll(leak, {{"%v =", "%lost = call ptr @malloc(i64 4)\n%v ="}}),
                                test_case, std::move(program));
  ASSERT_EQ(leaks.runs.size(), 2u);
  EXPECT_EQ(leaks.runs[0].leaked_buffers, 1);
  const Observation twice =
      Run(EntryWith("%m = call ptr @malloc(i64 4)\ncall void @free(ptr %m)\ncall void @free(ptr %m)\n"
                    "call void @describe(ptr %result, ptr %in, i64 0, i64 2, i64 1)"));
  EXPECT_EQ(twice.outcome, Outcome::kMemoryFault) << Summarize(twice);
}

TEST_P(CpuTest, StoresAreCounted) {
  CompiledProgram program;
  program.options.counts_stores = true;
  const std::string ir = absl::StrReplaceAll(Copies(0), {{"i64 1, i32 %v", "i64 0, i32 %v"}});
  const Observation of = Run(ir, CaseOf(ElementType::kI32, {5, 6}, ElementType::kI32), std::move(program));
  ASSERT_EQ(of.runs.size(), 2u) << Summarize(of);
  ASSERT_EQ(of.runs[0].uneven_stores.size(), 1u);
  EXPECT_EQ(of.runs[0].uneven_stores[0].never, 4);
  EXPECT_EQ(of.runs[0].uneven_stores[0].repeated, 4);
}

TEST_P(CpuTest, WhatDoesNotResolveIsNamed) {
  const Observation of = Run(EntryWith("call void @no_such()", "declare void @no_such()\n"));
  EXPECT_EQ(of.outcome, Outcome::kRefused);
  EXPECT_EQ(of.stage, Stage::kCompile);
  EXPECT_TRUE(absl::StrContains(of.diagnostics.back(), "no_such")) << of.diagnostics.back();
}

TEST_P(CpuTest, WhatNeverEndsMeetsItsDeadline) {
  const Observation of = Run("define void @_mlir_ciface_main(ptr %r, ptr %o) {\n  br label %l\nl:\n  br label %l\n}\n");
  EXPECT_EQ(of.outcome, Outcome::kDeadline) << Summarize(of);
  EXPECT_EQ(of.stage, Stage::kExecute);
  EXPECT_EQ(Run(Copies(0)).outcome, Outcome::kCompleted);
}

// Each conversion of f16 and bf16, by instructions or by calls, of values on either side of what rounds.
TEST_P(CpuTest, HalvesAreRoundedOnce) {
  struct {
    absl::string_view wide, narrow;
    ElementType from, to;
    uint64_t value, rounded;
  } const cases[] = {
      {"float", "half", ElementType::kF32, ElementType::kF16, 0x3f801000, 0x3c00},  // a tie, to even
      {"float", "half", ElementType::kF32, ElementType::kF16, 0x3f801001, 0x3c01},
      {"float", "half", ElementType::kF32, ElementType::kF16, 0x3f803000, 0x3c02},  // a tie, to even
      {"float", "half", ElementType::kF32, ElementType::kF16, 0x477ff000, 0x7c00},  // 65520
      {"float", "half", ElementType::kF32, ElementType::kF16, 0x477fefff, 0x7bff},
      {"float", "half", ElementType::kF32, ElementType::kF16, 0x33000000, 0x0000},  // half of the least
      {"float", "half", ElementType::kF32, ElementType::kF16, 0x33000001, 0x0001},
      {"float", "half", ElementType::kF32, ElementType::kF16, 0xff800000, 0xfc00},
      {"float", "bfloat", ElementType::kF32, ElementType::kBF16, 0x3f808000, 0x3f80},
      {"float", "bfloat", ElementType::kF32, ElementType::kBF16, 0x3f808001, 0x3f81},
      {"float", "bfloat", ElementType::kF32, ElementType::kBF16, 0x7f7fffff, 0x7f80},
      {"float", "bfloat", ElementType::kF32, ElementType::kBF16, 0x00008001, 0x0001},
  };
  for (const auto& [wide, narrow, from, to, value, rounded] : cases) {
    const std::string ir =
        EntryWith(absl::StrCat("%x = load ", wide, ", ptr %in\n%y = fptrunc ", wide, " %x to ", narrow,
                               "\n%out = call ptr @malloc(i64 2)\nstore ", narrow, " %y, ptr %out\n",
                               "call void @describe(ptr %result, ptr %out, i64 0, i64 1, i64 1)"));
    const Observation of = Run(ir, CaseOf(from, {value}, to));
    ASSERT_EQ(of.runs.size(), 2u) << Summarize(of);
    EXPECT_EQ(of.runs[0].results[0].tensor.Bits(0), rounded) << narrow << " " << value;
    const std::string back =
        EntryWith(absl::StrCat("%x = load ", narrow, ", ptr %in\n%y = fpext ", narrow, " %x to ", wide,
                               "\n%out = call ptr @malloc(i64 4)\nstore ", wide, " %y, ptr %out\n",
                               "call void @describe(ptr %result, ptr %out, i64 0, i64 1, i64 1)"));
    const Observation wider = Run(back, CaseOf(to, {rounded}, from));
    ASSERT_EQ(wider.runs.size(), 2u) << Summarize(wider);
    EXPECT_EQ(ElementToDouble(from, wider.runs[0].results[0].tensor.Bits(0)), ElementToDouble(to, rounded));
  }
}

TEST(CpuServerTest, WhatIsMissingIsNamed) {
  EXPECT_TRUE(absl::StrContains(FindCpuServer("vax", {}).status().message(), "aarch64"));
  const absl::StatusOr<CpuSettings> nowhere = FindCpuServer("aarch64", {}, "/nowhere");
  EXPECT_TRUE(absl::StrContains(nowhere.status().message(), "g++-aarch64-linux-gnu")) << nowhere.status();
}

INSTANTIATE_TEST_SUITE_P(All, CpuTest, testing::ValuesIn(AllCpus().begin(), AllCpus().end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tosaic
