// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled code that misbehaves in every way the executor is there for, written by hand as LLVM IR.
#include "toolchain/execution/executor.h"

#include <signal.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "llvm/IR/Verifier.h"
#include "toolchain/execution/instrumentation.h"
#include "toolchain/execution/ir_testing.h"
#include "toolchain/execution/jit.h"
#include "toolchain/program_testing.h"
#include "workers/progress.h"

namespace tosaic {
namespace {

const TensorType kVector = {Dynamic(1), ElementType::kI32};

// A function of one i32 vector whose results have the given types. What its op is does not matter here.
Case CaseReturning(const std::vector<TensorType>& results, size_t runs = 1) {
  Case test_case;
  test_case.program.arguments = {kVector};
  for (size_t i = 0; i < results.size(); ++i) {
    test_case.program.ops.push_back(
        {.op = OpKind::kAbs, .operands = {{ValueRef::Kind::kArgument, 0}}, .attributes = {}, .result = results[i]});
    test_case.program.results.push_back({ValueRef::Kind::kOp, static_cast<int>(i)});
  }
  for (size_t i = 0; i < runs; ++i) test_case.runs.push_back({TensorOf(ElementType::kI32, {4}, {5, 6, 7, 8})});
  return test_case;
}

std::string Main(absl::string_view body) {
  return absl::StrCat(
      "define void @_mlir_ciface_main(ptr %result, ptr %operand) {\n"
      "  %in = call ptr @data(ptr %operand)\n",
      body, "\n  ret void\n}\n");
}

// Copies the operand into a new buffer: nothing is wrong with it.
constexpr absl::string_view kCopy = R"(
  %out = call ptr @malloc(i64 16)
  %v0 = call i32 @load(ptr %in, i64 0)
  call void @store(ptr %out, i64 0, i32 %v0)
  %v1 = call i32 @load(ptr %in, i64 1)
  call void @store(ptr %out, i64 1, i32 %v1)
  %v2 = call i32 @load(ptr %in, i64 2)
  call void @store(ptr %out, i64 2, i32 %v2)
  %v3 = call i32 @load(ptr %in, i64 3)
  call void @store(ptr %out, i64 3, i32 %v3)
)";
constexpr absl::string_view kReturnOut = "  call void @describe(ptr %result, ptr %out, i64 0, i64 4, i64 1)\n";

class ExecutorTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto jit = Jit::Create();
    ASSERT_TRUE(jit.ok()) << jit.status();
    jit_ = jit->release();
  }

  Observation Execute(const std::string& ir, const Case& test_case, bool count_leaks = false) {
    Executor::Options options;
    options.count_leaks = count_leaks;
    return Execute(ir, test_case, options);
  }
  Observation Execute(const std::string& ir, const Case& test_case, const Executor::Options& options) {
    Observation observation;
    std::unique_ptr<llvm::Module> module = ParseIr(*jit_, ir);
    if (module == nullptr) return observation;
    DefineLibraryFunctions(*module);
    if (options.counts_stores) {
      EXPECT_EQ(CountStores(*module), "");
      std::string errors;
      llvm::raw_string_ostream stream(errors);
      EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << errors;
    }
    auto compiled = jit_->Compile(std::move(module));
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    if (compiled.ok()) executor_.Execute(compiled->entry(), test_case, options, &observation);
    return observation;
  }
  // Of a run with stores counted.
  RunObservation Counted(absl::string_view body) {
    Executor::Options options;
    options.counts_stores = true;
    const Observation observation = Execute(Main(body), CaseReturning({kVector}), options);
    EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
    return observation.runs.empty() ? RunObservation() : observation.runs[0];
  }
  Observation ExecuteMain(absl::string_view body, const Case& test_case, bool count_leaks = false) {
    return Execute(Main(body), test_case, count_leaks);
  }

  void ExpectStillWorks() {
    const Observation observation = ExecuteMain(absl::StrCat(kCopy, kReturnOut), CaseReturning({kVector}, 3), true);
    EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
    ASSERT_EQ(observation.runs.size(), 3u);
    for (const RunObservation& run : observation.runs) {
      EXPECT_EQ(run.results[0].tensor, TensorOf(ElementType::kI32, {4}, {5, 6, 7, 8}));
      EXPECT_TRUE(run.results[0].unwritten.empty());
      EXPECT_EQ(run.leaked_buffers, 0);
    }
  }

  // The code ends with the fault, after `finished_runs`, and the executor goes on.
  void ExpectFault(const Observation& observation, const MemoryFault& fault, size_t finished_runs) {
    EXPECT_EQ(observation.outcome, Outcome::kMemoryFault) << Summarize(observation);
    ASSERT_TRUE(observation.fault.has_value()) << Summarize(observation);
    EXPECT_EQ(*observation.fault, fault) << ToString(*observation.fault);
    EXPECT_EQ(observation.runs.size(), finished_runs);
    ExpectStillWorks();
  }

  void ExpectSignal(const Observation& observation, int signal) {
    EXPECT_EQ(observation.outcome, Outcome::kSignal) << Summarize(observation);
    EXPECT_EQ(observation.signal, signal);
    EXPECT_EQ(observation.fault, std::nullopt);
    EXPECT_TRUE(TakeRetirement());
    ExpectStillWorks();
  }

  static Jit* jit_;  // lives until the process ends
  Executor executor_;
};
Jit* ExecutorTest::jit_ = nullptr;

TEST_F(ExecutorTest, CopiesOutWhatTheCodeComputed) {
  ExpectStillWorks();
  EXPECT_FALSE(TakeRetirement());
}

// ---- Accesses out of bounds ----

TEST_F(ExecutorTest, CatchesAReadPastTheEndOfAnOperand) {
  const Observation observation = ExecuteMain(
      absl::StrCat(kCopy, "  %v4 = call i32 @load(ptr %in, i64 4)\n", kReturnOut), CaseReturning({kVector}));
  ExpectFault(observation, {.is_write = false, .region = "operand 0", .offset = 16, .region_bytes = 16}, 0);
  EXPECT_TRUE(TakeRetirement());
}

// Code generation would drop the one and narrow the other.
TEST_F(ExecutorTest, CatchesAReadPastTheEndOfWhichNothingOrAPartIsUsed) {
  for (const char* load : {"%at = getelementptr i32, ptr %in, i64 4\n  %unused = load i32, ptr %at\n",
                           "%at = getelementptr i32, ptr %in, i64 3\n  %both = load <2 x i32>, ptr %at, align 4\n"
                           "  %used = extractelement <2 x i32> %both, i32 0\n"
                           "  call void @store(ptr %out, i64 3, i32 %used)\n"}) {
    const Observation observation = ExecuteMain(absl::StrCat(kCopy, load, kReturnOut), CaseReturning({kVector}));
    ExpectFault(observation, {.is_write = false, .region = "operand 0", .offset = 16, .region_bytes = 16}, 0);
  }
}

TEST_F(ExecutorTest, CatchesAReadBeforeTheBeginningOfAnOperand) {
  const Observation observation = ExecuteMain(
      absl::StrCat(kCopy, "  %v4 = call i32 @load(ptr %in, i64 -1)\n", kReturnOut), CaseReturning({kVector}));
  ExpectFault(observation, {.is_write = false, .region = "operand 0", .offset = -4, .region_bytes = 16}, 0);
}

TEST_F(ExecutorTest, CatchesAReadFarPastTheEndOfAnOperand) {
  const Observation observation = ExecuteMain(
      absl::StrCat(kCopy, "  %v4 = call i32 @load(ptr %in, i64 1000)\n", kReturnOut), CaseReturning({kVector}));
  ExpectFault(observation, {.is_write = false, .region = "operand 0", .offset = 4000, .region_bytes = 16}, 0);
}

TEST_F(ExecutorTest, CatchesAWriteToAnOperandInBothPlacements) {
  for (size_t runs : {1, 2}) {
    // The second run's operand begins with 9 and is the one written to.
    Case test_case = CaseReturning({kVector}, runs);
    test_case.runs.back()[0].SetBits(0, 9);
    const Observation observation = ExecuteMain(absl::StrCat(kCopy, kReturnOut, R"(
  %last = icmp eq i32 %v0, 9
  br i1 %last, label %write, label %done
write:
  call void @store(ptr %in, i64 2, i32 0)
  br label %done
done:)"),
                                                test_case);
    ExpectFault(observation, {.is_write = true, .region = "operand 0", .offset = 8, .region_bytes = 16}, runs - 1);
  }
}

TEST_F(ExecutorTest, CatchesAWritePastAnAllocation) {
  const Observation observation = ExecuteMain(
      absl::StrCat(kCopy, "  call void @store(ptr %out, i64 4, i32 0)\n", kReturnOut), CaseReturning({kVector}));
  ExpectFault(observation, {.is_write = true, .region = "allocation 0", .offset = 16, .region_bytes = 16}, 0);
}

TEST_F(ExecutorTest, CatchesAWriteBeforeAnAllocation) {
  const Observation observation = ExecuteMain(
      absl::StrCat(kCopy, "  call void @store(ptr %out, i64 -1, i32 0)\n", kReturnOut), CaseReturning({kVector}));
  ExpectFault(observation, {.is_write = true, .region = "allocation 0", .offset = -4, .region_bytes = 16}, 0);
}

// Data decide about the access, and the run with these is the only one, or the first or the second of several.
TEST_F(ExecutorTest, CatchesAWriteOnEitherSideInEachOfTheFirstRuns) {
  for (const size_t run : {0, 1}) {
    for (const int64_t element : {-1, 4}) {
      Case test_case = CaseReturning({kVector}, run + 1);
      test_case.runs[run][0].SetBits(0, 9);
      const Observation observation = ExecuteMain(absl::StrCat(kCopy, kReturnOut, R"(
  %astray = icmp eq i32 %v0, 9
  br i1 %astray, label %write, label %done
write:
  call void @store(ptr %out, i64 )",
                                                               element, R"(, i32 0)
  br label %done
done:)"),
                                                  test_case);
      ExpectFault(observation, {.is_write = true, .region = "allocation 0", .offset = 4 * element, .region_bytes = 16},
                  run);
    }
  }
}

TEST_F(ExecutorTest, FindsAWriteIntoTheSlackOfAnAlignedAllocation) {
  const Observation observation = ExecuteMain(R"(
  %out = call ptr @aligned_alloc(i64 64, i64 16)
  call void @store(ptr %out, i64 0, i32 1)
  call void @store(ptr %out, i64 1, i32 1)
  call void @store(ptr %out, i64 2, i32 1)
  call void @store(ptr %out, i64 3, i32 1)
  call void @store(ptr %out, i64 4, i32 1)
  call void @describe(ptr %result, ptr %out, i64 0, i64 4, i64 1))",
                                              CaseReturning({kVector}));
  ExpectFault(observation, {.is_write = true, .region = "allocation 0", .offset = 16, .region_bytes = 16}, 0);
}

TEST_F(ExecutorTest, CatchesAResultThatReachesBeyondItsBuffer) {
  const Observation observation =
      ExecuteMain(absl::StrCat(kCopy, "  call void @describe(ptr %result, ptr %out, i64 0, i64 5, i64 1)"),
                  CaseReturning({kVector}));
  ExpectFault(observation, {.is_write = false, .region = "allocation 0", .offset = 16, .region_bytes = 16}, 0);
}

TEST_F(ExecutorTest, RefusesNonsensicalExtents) {
  for (int64_t size : {int64_t{-1}, int64_t{1} << 40}) {
    const Observation observation =
        ExecuteMain(absl::StrCat(kCopy, "  call void @describe(ptr %result, ptr %out, i64 0, i64 ", size, ", i64 1)"),
                    CaseReturning({kVector}));
    ExpectFault(observation, {.region = absl::StrCat("result 0, whose extents are ", size)}, 0);
  }
}

TEST_F(ExecutorTest, RefusesANonsensicalRankOfAnUnrankedResult) {
  const Observation observation = ExecuteMain(absl::StrCat(kCopy, R"(
  store i64 1000000, ptr %result
  %word = getelementptr i64, ptr %result, i64 1
  store ptr %out, ptr %word)"),
                                              CaseReturning({{Shape::Unranked(), ElementType::kI32}}));
  ExpectFault(observation, {.region = "result 0, whose rank is 1000000"}, 0);
}

TEST_F(ExecutorTest, SurvivesAnUnrankedResultThatPointsAstray) {
  const Case test_case = CaseReturning({{Shape::Unranked(), ElementType::kI32}});
  ExpectFault(ExecuteMain("  store i64 1, ptr %result", test_case),  // null
              {.is_write = false, .region = std::string(kNobodysMemory)}, 0);
  const Observation observation = ExecuteMain(absl::StrCat(kCopy, R"(
  store i64 1, ptr %result
  %word = getelementptr i64, ptr %result, i64 1
  store ptr %out, ptr %word)"),
                                              test_case);
  ExpectFault(observation, {.is_write = false, .region = "allocation 0", .offset = 16, .region_bytes = 16}, 0);
}

TEST_F(ExecutorTest, TakesAResultThatWasNeverSetForAMemoryFault) {
  ExpectFault(
      ExecuteMain("  call void @describe(ptr %result, ptr null, i64 0, i64 4, i64 1)", CaseReturning({kVector})),
      {.is_write = false, .region = std::string(kNobodysMemory)}, 0);
}

// ---- Poison ----

TEST_F(ExecutorTest, NamesTheElementThatWasNotWritten) {
  for (const TensorType& type : {kVector, TensorType{Dynamic(1), ElementType::kF32}}) {
    const Observation observation = ExecuteMain(R"(
  %out = call ptr @malloc(i64 16)
  call void @store(ptr %out, i64 0, i32 1)
  call void @store(ptr %out, i64 1, i32 2)
  call void @store(ptr %out, i64 3, i32 4)
  call void @describe(ptr %result, ptr %out, i64 0, i64 4, i64 1))",
                                                CaseReturning({type}, 2));
    EXPECT_EQ(observation.outcome, Outcome::kCompleted);
    ASSERT_EQ(observation.runs.size(), 2u);
    for (const RunObservation& run : observation.runs) {
      EXPECT_EQ(run.results[0].unwritten, std::vector<uint64_t>{2});
      EXPECT_EQ(run.results[0].tensor.Bits(3), 4u);
    }
  }
}

// An i48 takes eight bytes and is stored as six: what lies in the other two is nobody's element.
TEST_F(ExecutorTest, DoesNotTakePaddingForUnwritten) {
  const Observation observation = ExecuteMain(R"(
  %out = call ptr @malloc(i64 8)
  store i48 7, ptr %out, align 8
  call void @describe(ptr %result, ptr %out, i64 0, i64 1, i64 1))",
                                              CaseReturning({TensorType{Dynamic(1), ElementType::kI48}}));
  ASSERT_EQ(observation.runs.size(), 1u);
  EXPECT_EQ(observation.runs[0].results[0].tensor.Bits(0), 7u);
  EXPECT_TRUE(observation.runs[0].results[0].unwritten.empty());
}

TEST_F(ExecutorTest, DoesNotTakeAValueThatLooksLikeThePoisonForUnwritten) {
  for (uint32_t poison : {0xa5a5a5a5u, 0x5c5c5c5cu}) {
    const Observation observation =
        ExecuteMain(absl::StrCat(kCopy, "  call void @store(ptr %out, i64 1, i32 ", poison, ")\n", kReturnOut),
                    CaseReturning({kVector}));
    ASSERT_EQ(observation.runs.size(), 1u);
    EXPECT_TRUE(observation.runs[0].results[0].unwritten.empty());
    EXPECT_EQ(observation.runs[0].results[0].tensor.Bits(1), poison);
  }
}

TEST_F(ExecutorTest, DoesNotLookForPoisonInOperands) {
  Case test_case = CaseReturning({kVector});
  test_case.runs[0][0].SetBits(2, 0xa5a5a5a5);
  const Observation observation =
      ExecuteMain("  call void @describe(ptr %result, ptr %in, i64 0, i64 4, i64 1)", test_case);
  ASSERT_EQ(observation.runs.size(), 1u);
  EXPECT_TRUE(observation.runs[0].results[0].unwritten.empty());
}

TEST_F(ExecutorTest, NamesTheElementThatWasComputedFromMemoryNeverWritten) {
  const Observation observation = ExecuteMain(absl::StrCat(kCopy, R"(
  %scratch = call ptr @malloc(i64 4)
  %garbage = call i32 @load(ptr %scratch, i64 0)
  %sum = add i32 %garbage, %v3
  call void @store(ptr %out, i64 3, i32 %sum)
)",
                                                           kReturnOut),
                                              CaseReturning({kVector}));
  EXPECT_EQ(observation.outcome, Outcome::kCompleted);
  ASSERT_EQ(observation.runs.size(), 1u);
  EXPECT_EQ(observation.runs[0].results[0].unwritten, std::vector<uint64_t>{3});
}

// The two executions have their buffers at different addresses. That is no memory never written.
TEST_F(ExecutorTest, DoesNotTakeAnAddressForUnwritten) {
  const Observation observation = ExecuteMain(absl::StrCat(kCopy, R"(
  %address = ptrtoint ptr %out to i64
  %low = trunc i64 %address to i32
  call void @store(ptr %out, i64 3, i32 %low)
)",
                                                           kReturnOut),
                                              CaseReturning({kVector}, 2));
  EXPECT_EQ(observation.outcome, Outcome::kCompleted);
  for (const RunObservation& run : observation.runs) EXPECT_TRUE(run.results[0].unwritten.empty());
}

TEST_F(ExecutorTest, KeepsTheWholeByteOfATruthValue) {
  const Observation observation = ExecuteMain(R"(
  %out = call ptr @malloc(i64 2)
  store i8 -91, ptr %out
  %second = getelementptr i8, ptr %out, i64 1
  store i8 2, ptr %second
  call void @describe(ptr %result, ptr %out, i64 0, i64 2, i64 1))",
                                              CaseReturning({{Dynamic(1), ElementType::kI1}}));
  ASSERT_EQ(observation.runs.size(), 1u);
  const ResultObservation& result = observation.runs[0].results[0];
  EXPECT_TRUE(result.unwritten.empty());
  EXPECT_EQ(result.tensor.RawBits(0), 0xa5u);
  EXPECT_EQ(result.tensor.RawBits(1), 0x02u);
  EXPECT_EQ(result.tensor.Bits(0), 1u);
}

// ---- Allocation ----

TEST_F(ExecutorTest, CatchesADoubleFree) {
  const Observation observation = ExecuteMain(absl::StrCat(kCopy, R"(
  %scratch = call ptr @malloc(i64 8)
  call void @free(ptr %scratch)
  call void @free(ptr %scratch)
)",
                                                           kReturnOut),
                                              CaseReturning({kVector}));
  ExpectFault(observation, {.is_write = true, .region = "free of allocation 1", .offset = 0, .region_bytes = 8}, 0);
}

TEST_F(ExecutorTest, CatchesAFreeOfAnOperand) {
  const Observation observation =
      ExecuteMain(absl::StrCat(kCopy, "  call void @free(ptr %in)\n", kReturnOut), CaseReturning({kVector}));
  ExpectFault(observation, {.is_write = true, .region = "free of operand 0", .offset = 0, .region_bytes = 16}, 0);
}

TEST_F(ExecutorTest, CatchesAResultThatWasFreed) {
  const Observation observation =
      ExecuteMain(absl::StrCat(kCopy, "  call void @free(ptr %out)\n", kReturnOut), CaseReturning({kVector}));
  ExpectFault(observation, {.is_write = false, .region = "freed allocation 0", .offset = 0, .region_bytes = 16}, 0);
}

TEST_F(ExecutorTest, CatchesUsesAfterFree) {
  constexpr absl::string_view kFreed =
      "  %scratch = call ptr @malloc(i64 8)\n"
      "  call void @store(ptr %scratch, i64 1, i32 7)\n"
      "  call void @free(ptr %scratch)\n";
  const Observation read =
      ExecuteMain(absl::StrCat(kCopy, kFreed, "  %late = call i32 @load(ptr %scratch, i64 1)\n", kReturnOut),
                  CaseReturning({kVector}));
  ExpectFault(read, {.is_write = false, .region = "freed allocation 1", .offset = 4, .region_bytes = 8}, 0);
  const Observation write =
      ExecuteMain(absl::StrCat(kCopy, kFreed, "  call void @store(ptr %scratch, i64 1, i32 7)\n", kReturnOut),
                  CaseReturning({kVector}));
  ExpectFault(write, {.is_write = true, .region = "freed allocation 1", .offset = 4, .region_bytes = 8}, 0);
}

TEST_F(ExecutorTest, CountsLeaksOnlyWhereTheCodeDeallocates) {
  const std::string body =
      absl::StrCat(kCopy, "  %a = call ptr @malloc(i64 4)\n  %b = call ptr @malloc(i64 0)\n", kReturnOut);
  for (bool count_leaks : {false, true}) {
    const Observation observation = ExecuteMain(body, CaseReturning({kVector}, 2), count_leaks);
    ASSERT_EQ(observation.runs.size(), 2u);
    for (const RunObservation& run : observation.runs) EXPECT_EQ(run.leaked_buffers, count_leaks ? 2 : 0);
  }
}

TEST_F(ExecutorTest, DoesNotCountAResultWithoutElementsAsALeak) {
  const Observation observation = ExecuteMain(R"(
  %out = call ptr @malloc(i64 0)
  call void @describe(ptr %result, ptr %out, i64 0, i64 0, i64 1))",
                                              CaseReturning({kVector}, 2), true);
  ASSERT_EQ(observation.runs.size(), 2u);
  for (const RunObservation& run : observation.runs) {
    EXPECT_EQ(run.leaked_buffers, 0);
    EXPECT_EQ(run.results[0].tensor, Tensor(ElementType::kI32, {0}));
  }
}

// A function that allocates `bytes` so many times.
std::string Allocating(int64_t times, int64_t bytes) {
  return absl::StrCat(R"(
define internal void @many() {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %p = call ptr @malloc(i64 )",
                      bytes, R"()
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, )",
                      times, R"(
  br i1 %more, label %loop, label %end
end:
  ret void
}
)",
                      Main(absl::StrCat("  call void @many()\n", kCopy, kReturnOut)));
}

constexpr int64_t kMegabyte = 1 << 20;

// Out of its own memory, the executor has failed, not the code.
TEST_F(ExecutorTest, IsToBlameItselfIfGuardedMemoryRunsOut) {
  Observation observation = Execute(Allocating(1 << 20, 1), CaseReturning({kVector}));
  EXPECT_EQ(observation.outcome, Outcome::kToolFailure) << Summarize(observation);
  EXPECT_EQ(observation.diagnostics, std::vector<std::string>{"the run takes more than 2048 MiB of guarded memory"});
  EXPECT_TRUE(TakeRetirement());
  ExpectStillWorks();
  observation = ExecuteMain("  %p = call ptr @aligned_alloc(i64 8192, i64 8192)", CaseReturning({kVector}));
  EXPECT_EQ(observation.outcome, Outcome::kToolFailure) << Summarize(observation);
  EXPECT_TRUE(TakeRetirement());
}

TEST_F(ExecutorTest, BlamesCodeThatAsksForMoreThanAnyBufferOfTheCaseTakes) {
  for (const char* bytes : {"-8", "65537"}) {
    const Observation observation =
        ExecuteMain(absl::StrCat("  %p = call ptr @malloc(i64 ", bytes, ")"), CaseReturning({kVector}));
    EXPECT_EQ(observation.outcome, Outcome::kOutOfMemory) << Summarize(observation);
    EXPECT_EQ(observation.diagnostics.size(), 1u);
    EXPECT_TRUE(TakeRetirement());
    ExpectStillWorks();
  }
  const std::string largest = absl::StrCat("  %p = call ptr @malloc(i64 65536)\n", kCopy, kReturnOut);
  EXPECT_EQ(ExecuteMain(largest, CaseReturning({kVector})).outcome, Outcome::kCompleted);
}

// The memory of a case does not depend on what ran before: as many buffers, as large, and the same guards.
TEST_F(ExecutorTest, GivesEachCaseTheSameMemoryWhateverRanBefore) {
  Case large = CaseReturning({kVector});
  large.runs[0][0] = Tensor(ElementType::kI32, {kMegabyte});
  const Case small = CaseReturning({kVector}, 2);
  // Beyond the slot of a small buffer.
  const std::string overrun = absl::StrCat(kCopy, "  %far = getelementptr i8, ptr %in, i64 70000\n",
                                           "  %beyond = load volatile i32, ptr %far\n", kReturnOut);
  for (int i = 0; i < 2; ++i) {
    const Observation many = Execute(Allocating(2000, 64), small);
    EXPECT_EQ(many.outcome, Outcome::kCompleted) << Summarize(many);
    EXPECT_EQ(ExecuteMain(overrun, small).outcome, Outcome::kMemoryFault);
    EXPECT_TRUE(TakeRetirement());
    const Observation of_large = Execute(Allocating(20, 4 * kMegabyte), large);
    EXPECT_EQ(of_large.outcome, Outcome::kCompleted) << Summarize(of_large);
  }
}

// 128 KiB behind a buffer lies the slot of the next one, which the case has not got.
TEST_F(ExecutorTest, CatchesAnAccessWhereAnotherBufferCouldBe) {
  for (int i = 0; i < 2; ++i) {
    for (const int64_t bytes : {int64_t{128} << 10, int64_t{1} << 20}) {
      const Observation write =
          ExecuteMain(absl::StrCat(kCopy, "  call void @store(ptr %out, i64 ", bytes / 4, ", i32 0)\n", kReturnOut),
                      CaseReturning({kVector}));
      ExpectFault(write, {.is_write = true, .region = std::string(kNobodysMemory)}, 0);
      const Observation read =
          ExecuteMain(absl::StrCat(kCopy, "  %v4 = call i32 @load(ptr %out, i64 ", bytes / 4, ")\n", kReturnOut),
                      CaseReturning({kVector}));
      ExpectFault(read, {.is_write = false, .region = std::string(kNobodysMemory)}, 0);
    }
    EXPECT_TRUE(TakeRetirement());
    // What another case used is closed again.
    EXPECT_EQ(Execute(Allocating(20, 64), CaseReturning({kVector})).outcome, Outcome::kCompleted);
  }
}

TEST_F(ExecutorTest, TakesTheLargestTensorsThatACaseMayHave) {
  Case large = CaseReturning({kVector});
  large.program.arguments.assign(2, {Dynamic(1), ElementType::kI64});
  large.runs[0].assign(2, Tensor(ElementType::kI64, {8 * kMegabyte}));
  const Observation observation = ExecuteMain(absl::StrCat(kCopy, kReturnOut), large);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
}

TEST_F(ExecutorTest, TakesAResultThatAliasesAnOperandOrAnotherResult) {
  const std::string body = absl::StrCat(kCopy, kReturnOut, R"(
  %second = getelementptr i64, ptr %result, i64 5
  call void @describe(ptr %second, ptr %in, i64 0, i64 4, i64 1)
  %third = getelementptr i64, ptr %result, i64 10
  call void @describe(ptr %third, ptr %out, i64 1, i64 2, i64 1))");
  const Observation observation = ExecuteMain(body, CaseReturning({kVector, kVector, kVector}, 2), true);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  ASSERT_EQ(observation.runs.size(), 2u);
  for (const RunObservation& run : observation.runs) {
    EXPECT_EQ(run.results[0].tensor, run.results[1].tensor);
    EXPECT_EQ(run.results[2].tensor, TensorOf(ElementType::kI32, {2}, {6, 7}));
    EXPECT_EQ(run.leaked_buffers, 0);
  }
}

// ---- Whose memory a result is ----

// A function that returns the operand's elements in memory that all of its calls share.
std::string ReturningStaticMemory() {
  std::string body = "  %out = getelementptr i8, ptr @memory, i64 0\n";
  for (int i = 0; i < 4; ++i) {
    absl::StrAppend(&body, "  %v", i, " = call i32 @load(ptr %in, i64 ", i, ")\n  call void @store(ptr %out, i64 ", i,
                    ", i32 %v", i, ")\n");
  }
  return absl::StrCat("@memory = internal global [4 x i32] zeroinitializer\n", Main(absl::StrCat(body, kReturnOut)));
}

TEST_F(ExecutorTest, FindsAResultThatTheNextCallChanges) {
  Case test_case = CaseReturning({kVector}, 3);
  test_case.runs[1][0].SetBits(2, 9);
  test_case.runs[2] = test_case.runs[1];
  const Observation observation = Execute(ReturningStaticMemory(), test_case);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  ASSERT_EQ(observation.runs.size(), 3u);
  EXPECT_TRUE(observation.runs[0].results[0].overwritten);
  EXPECT_FALSE(observation.runs[1].results[0].overwritten) << "it has the same elements in the next run";
  EXPECT_EQ(observation.runs[0].results[0].tensor, TensorOf(ElementType::kI32, {4}, {5, 6, 7, 8}));
}

TEST_F(ExecutorTest, AConstantMayBeReturnedByItsAddress) {
  const std::string ir = absl::StrCat("@constant = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]\n",
                                      Main("  %out = getelementptr i8, ptr @constant, i64 0\n"
                                           "  call void @describe(ptr %result, ptr %out, i64 0, i64 4, i64 1)"));
  for (const bool deallocates : {false, true}) {
    const Observation observation = Execute(ir, CaseReturning({kVector}, 2), deallocates);
    ASSERT_EQ(observation.runs.size(), 2u);
    for (const RunObservation& run : observation.runs) {
      EXPECT_FALSE(run.results[0].overwritten);
      EXPECT_EQ(run.results[0].not_owned, deallocates ? "memory that is no buffer of this call" : "");
    }
  }
}

TEST_F(ExecutorTest, SaysWhichResultsAreNotTheCallersToFree) {
  // A copy, the operand, and a part of the copy, which is the same buffer.
  const std::string body = absl::StrCat(kCopy, kReturnOut, R"(
  %second = getelementptr i64, ptr %result, i64 5
  call void @describe(ptr %second, ptr %in, i64 0, i64 4, i64 1)
  %third = getelementptr i64, ptr %result, i64 10
  call void @describe(ptr %third, ptr %out, i64 1, i64 2, i64 1))");
  for (const bool deallocates : {false, true}) {
    const Observation observation = ExecuteMain(body, CaseReturning({kVector, kVector, kVector}), deallocates);
    ASSERT_EQ(observation.runs.size(), 1u);
    const std::vector<ResultObservation>& results = observation.runs[0].results;
    EXPECT_EQ(results[0].not_owned, "");
    EXPECT_EQ(results[1].not_owned, deallocates ? "operand 0" : "");
    EXPECT_EQ(results[2].not_owned, "");
  }
}

// ---- Descriptors ----

TEST_F(ExecutorTest, ReadsStridesAndOffset) {
  Observation observation = ExecuteMain(absl::StrCat(kCopy, R"(
  call void @describe(ptr %result, ptr %out, i64 1, i64 2, i64 2))"),
                                        CaseReturning({kVector}));
  ASSERT_EQ(observation.runs.size(), 1u);
  EXPECT_EQ(observation.runs[0].results[0].tensor, TensorOf(ElementType::kI32, {2}, {6, 8}));
  // Reversed, and one element many times.
  observation = ExecuteMain(absl::StrCat(kCopy, "  call void @describe(ptr %result, ptr %out, i64 3, i64 4, i64 -1)"),
                            CaseReturning({kVector}));
  EXPECT_EQ(observation.runs[0].results[0].tensor, TensorOf(ElementType::kI32, {4}, {8, 7, 6, 5}));
  observation = ExecuteMain(absl::StrCat(kCopy, "  call void @describe(ptr %result, ptr %out, i64 2, i64 3, i64 0)"),
                            CaseReturning({kVector}));
  EXPECT_EQ(observation.runs[0].results[0].tensor, TensorOf(ElementType::kI32, {3}, {7, 7, 7}));
}

TEST_F(ExecutorTest, ReadsATransposedResultOfRank2) {
  const Observation observation = ExecuteMain(absl::StrCat(kCopy, R"(
  call void @describe(ptr %result, ptr %out, i64 0, i64 2, i64 2)
  %stride0 = getelementptr i64, ptr %result, i64 5
  store i64 1, ptr %stride0
  %stride1 = getelementptr i64, ptr %result, i64 6
  store i64 2, ptr %stride1)"),
                                              CaseReturning({{Dynamic(2), ElementType::kI32}}));
  ASSERT_EQ(observation.runs.size(), 1u);
  EXPECT_EQ(observation.runs[0].results[0].tensor, TensorOf(ElementType::kI32, {2, 2}, {5, 7, 6, 8}));
}

TEST_F(ExecutorTest, ReadsResultsOfRank0) {
  const Observation observation = ExecuteMain(R"(
  %out = call ptr @malloc(i64 4)
  call void @store(ptr %out, i64 0, i32 42)
  store ptr %out, ptr %result
  %1 = getelementptr i64, ptr %result, i64 1
  store ptr %out, ptr %1
  %2 = getelementptr i64, ptr %result, i64 2
  store i64 0, ptr %2
  %second = getelementptr i64, ptr %result, i64 3
  call void @describe(ptr %second, ptr %in, i64 0, i64 4, i64 1))",
                                              CaseReturning({{Shape(), ElementType::kI32}, kVector}), true);
  ASSERT_EQ(observation.runs.size(), 1u);
  EXPECT_EQ(observation.runs[0].results[0].tensor, TensorOf(ElementType::kI32, {}, {42}));
  EXPECT_EQ(observation.runs[0].results[1].tensor, TensorOf(ElementType::kI32, {4}, {5, 6, 7, 8}));
  EXPECT_EQ(observation.runs[0].leaked_buffers, 0);
}

TEST_F(ExecutorTest, ReadsUnrankedResults) {
  const Observation observation = ExecuteMain(absl::StrCat(kCopy, R"(
  %copy = call ptr @malloc(i64 40)
  call void @describe(ptr %copy, ptr %out, i64 0, i64 4, i64 1)
  store i64 1, ptr %result
  %word = getelementptr i64, ptr %result, i64 1
  store ptr %copy, ptr %word)"),
                                              CaseReturning({{Shape::Unranked(), ElementType::kI32}}, 2), true);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  ASSERT_EQ(observation.runs.size(), 2u);
  for (const RunObservation& run : observation.runs) {
    EXPECT_EQ(run.results[0].tensor, TensorOf(ElementType::kI32, {4}, {5, 6, 7, 8}));
    EXPECT_EQ(run.leaked_buffers, 0);
  }
}

TEST_F(ExecutorTest, ARunThatPrintsAndAbortsHasStoppedItself) {
  Case test_case = CaseReturning({kVector});
  test_case.runs.push_back(test_case.runs[0]);
  const Observation observation = Execute(R"(
@text = private constant [4 x i8] c"why\00"
declare i32 @puts(ptr)
define void @_mlir_ciface_main(ptr %result, ptr %operand) {
  call i32 @puts(ptr @text)
  call void @abort()
  unreachable
})",
                                          test_case);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  ASSERT_EQ(observation.runs.size(), 2u);
  for (const RunObservation& run : observation.runs) {
    EXPECT_EQ(run.stopped, "why\n");
    EXPECT_TRUE(run.results.empty());
  }
  EXPECT_FALSE(TakeRetirement());
}

TEST_F(ExecutorTest, PassesUnrankedOperands) {
  Case test_case = CaseReturning({kVector});
  test_case.program.arguments[0].shape = Shape::Unranked();
  const Observation observation = Execute(R"(
define void @_mlir_ciface_main(ptr %result, ptr %unranked) {
  %rank = load i64, ptr %unranked
  %operand = call ptr @data(ptr %unranked)
  %in = call ptr @data(ptr %operand)
  %size = call i64 @size(ptr %operand)
  call void @describe(ptr %result, ptr %in, i64 0, i64 %size, i64 %rank)
  ret void
})",
                                          test_case);
  ASSERT_EQ(observation.runs.size(), 1u);
  EXPECT_EQ(observation.runs[0].results[0].tensor, test_case.runs[0][0]);
}

// Arguments that no op brings together have no common buffer: 3,000 x 3,000 x 3,000 elements would be too many.
TEST_F(ExecutorTest, TakesArgumentsThatDoNotFitEachOther) {
  Case test_case = CaseReturning({kVector});
  for (size_t rank : {2, 3}) {
    std::vector<int64_t> sizes(rank, 1);
    sizes[0] = 3000;
    test_case.program.arguments.push_back({Shape::OfSizes(sizes), ElementType::kI32});
    test_case.runs[0].push_back(Tensor(ElementType::kI32, sizes));
  }
  const Observation observation = ExecuteMain(absl::StrCat(kCopy, kReturnOut), test_case);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
}

TEST_F(ExecutorTest, PassesAsManyArgumentsAsAProgramMayHave) {
  Case test_case = CaseReturning({kVector});
  test_case.program.arguments.assign(kMostArgumentsOfRuns, kVector);
  test_case.runs[0].resize(kMostArgumentsOfRuns, TensorOf(ElementType::kI32, {1}, {0}));
  test_case.runs[0].back() = TensorOf(ElementType::kI32, {4}, {9, 10, 11, 12});
  std::string others;
  for (size_t i = 0; i + 1 < kMostArgumentsOfRuns; ++i) absl::StrAppend(&others, "ptr %a", i, ", ");
  const Observation observation =
      Execute(absl::StrCat("define void @_mlir_ciface_main(ptr %result, ", others, R"(ptr %operand) {
  %in = call ptr @data(ptr %operand))",
                           kCopy, kReturnOut, "  ret void\n}\n"),
              test_case);
  ASSERT_EQ(observation.runs.size(), 1u) << Summarize(observation);
  EXPECT_EQ(observation.runs[0].results[0].tensor, test_case.runs[0].back());
}

TEST_F(ExecutorTest, RefusesMoreArgumentsThanItCanPass) {
  Case test_case = CaseReturning({kVector});
  test_case.program.arguments.assign(kMostArgumentsOfRuns + 1, kVector);
  test_case.runs[0].assign(kMostArgumentsOfRuns + 1, Tensor(ElementType::kI32, {1}));
  const Observation observation = ExecuteMain("", test_case);
  EXPECT_EQ(observation.outcome, Outcome::kToolFailure);
  EXPECT_EQ(observation.diagnostics[0], "the executor takes up to 31 arguments, the program has 32");
}

TEST_F(ExecutorTest, MakesRoomForTheBroadcastOfItsOperands) {
  // 300 x 1 against 1 x 300: each operand is small, the result takes 360,000 bytes.
  Case test_case = CaseReturning({kVector});
  test_case.program.ops[0].op = OpKind::kAdd;
  test_case.program.ops[0].operands = {{ValueRef::Kind::kArgument, 0}, {ValueRef::Kind::kArgument, 1}};
  test_case.program.arguments = {{Dynamic(2), ElementType::kI32}, {Dynamic(2), ElementType::kI32}};
  test_case.runs = {{Tensor(ElementType::kI32, {300, 1}), Tensor(ElementType::kI32, {1, 300})}};
  const Observation observation = ExecuteMain(R"(
  %out = call ptr @malloc(i64 360000)
  call void @describe(ptr %result, ptr %out, i64 0, i64 90000, i64 1))",
                                              test_case);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  // And not without bounds.
  test_case.runs = {{Tensor(ElementType::kI32, {30000, 1}), Tensor(ElementType::kI32, {1, 30000})}};
  EXPECT_EQ(ExecuteMain("", test_case).outcome, Outcome::kToolFailure);
}

// ---- Signals ----

TEST_F(ExecutorTest, SurvivesInfiniteRecursion) {
  const Observation observation = Execute(absl::StrCat(R"(
define internal i64 @deep(i64 %n) {
  %next = add i64 %n, 1
  %value = call i64 @deep(i64 %next)
  %sum = add i64 %value, %n
  ret i64 %sum
}
)",
                                                       Main("  %x = call i64 @deep(i64 0)")),
                                          CaseReturning({kVector}));
  ExpectSignal(observation, SIGSEGV);
}

TEST_F(ExecutorTest, SurvivesAStackOverflow) {
  // Grows the stack page by page until there is none.
  const Observation observation = Execute(absl::StrCat(R"(
define internal void @grow() {
  br label %loop
loop:
  %page = alloca [4096 x i8]
  store volatile i8 1, ptr %page
  br label %loop
}
)",
                                                       Main("  call void @grow()")),
                                          CaseReturning({kVector}));
  ExpectSignal(observation, SIGSEGV);
}

TEST_F(ExecutorTest, SurvivesAnIntegerDivisionTrap) {
  Case test_case = CaseReturning({kVector});
  test_case.runs[0][0].SetBits(0, 0);
  const Observation observation = ExecuteMain(
      absl::StrCat(kCopy, "  %q = sdiv i32 %v1, %v0\n", "  call void @store(ptr %out, i64 0, i32 %q)\n", kReturnOut),
      test_case);
  ExpectSignal(observation, SIGFPE);
}

TEST_F(ExecutorTest, SurvivesAbortAgainAndAgain) {
  for (int i = 0; i < 3; ++i) {
    ExpectSignal(ExecuteMain("  call void @abort()", CaseReturning({kVector})), SIGABRT);
  }
}

TEST_F(ExecutorTest, SurvivesAJumpToAGarbageAddress) {
  for (absl::string_view address : {"1234", "-6148914691236517206"}) {  // unmapped; not even canonical
    ExpectFault(ExecuteMain(absl::StrCat("  %f = inttoptr i64 ", address, " to ptr\n  call void %f()"),
                            CaseReturning({kVector})),
                {.is_write = false, .region = std::string(kNobodysMemory)}, 0);
  }
}

TEST_F(ExecutorTest, SurvivesAnIllegalInstruction) {
  ExpectSignal(
      Execute(absl::StrCat("declare void @llvm.trap()\n", Main("  call void @llvm.trap()")), CaseReturning({kVector})),
      SIGILL);
}

TEST_F(ExecutorTest, SurvivesAnUnwindableNullAccess) {
  const Observation observation = ExecuteMain("  store i32 1, ptr null", CaseReturning({kVector}));
  EXPECT_EQ(Summarize(observation), "memory-fault at execute: write to memory that is no buffer of this call");
  ExpectFault(observation, {.is_write = true, .region = std::string(kNobodysMemory)}, 0);
}

TEST_F(ExecutorTest, AnAccessFarFromEveryBufferIsAMemoryFault) {
  for (const int64_t element : {int64_t{1} << 20, int64_t{1} << 40, int64_t{1} << 58}) {  // the last is not canonical
    const Observation observation =
        ExecuteMain(absl::StrCat(kCopy, "  call void @store(ptr %out, i64 ", element, ", i32 0)\n", kReturnOut),
                    CaseReturning({kVector}));
    ASSERT_TRUE(observation.fault.has_value()) << Summarize(observation);
    EXPECT_EQ(observation.fault->region, kNobodysMemory);
    ExpectStillWorks();
  }
}

TEST_F(ExecutorTest, KeepsTheRunsBeforeASignal) {
  Case test_case = CaseReturning({kVector}, 3);
  test_case.runs[2][0].SetBits(0, 0);
  const Observation observation = ExecuteMain(
      absl::StrCat(kCopy, "  %q = udiv i32 1, %v0\n  call void @store(ptr %out, i64 0, i32 %q)\n", kReturnOut),
      test_case);
  EXPECT_EQ(observation.runs.size(), 2u);
  ExpectSignal(observation, SIGFPE);
}

using ExecutorDeathTest = ExecutorTest;

TEST_F(ExecutorDeathTest, LeavesSignalsOfTheHarnessAlone) {
  ExpectStillWorks();
  EXPECT_DEATH(std::abort(), "");
  EXPECT_DEATH(*static_cast<volatile int*>(nullptr) = 1, "");
}

// ---- Counting stores ----

TEST_F(ExecutorTest, FindsNothingWhereEachElementIsStoredOnce) {
  const RunObservation run = Counted(absl::StrCat(kCopy, kReturnOut));
  ASSERT_EQ(run.results.size(), 1u);
  EXPECT_TRUE(run.results[0].not_stored_once.empty());
  EXPECT_TRUE(run.uneven_stores.empty());
}

TEST_F(ExecutorTest, ReportsAnElementStoredTwice) {
  const RunObservation run = Counted(absl::StrCat(kCopy, "  call void @store(ptr %out, i64 2, i32 %v2)\n", kReturnOut));
  ASSERT_EQ(run.results.size(), 1u);
  EXPECT_EQ(run.results[0].not_stored_once, (std::vector<StoreCount>{{2, 2}}));
  EXPECT_EQ(run.results[0].tensor, TensorOf(ElementType::kI32, {4}, {5, 6, 7, 8}));
  EXPECT_EQ(run.uneven_stores, (std::vector<UnevenStores>{{"allocation 0", 16, 0, 4, 8, 2}}));
}

TEST_F(ExecutorTest, ReportsAnElementOfWhichAByteIsStoredTwice) {
  const RunObservation run = Counted(absl::StrCat(kCopy, R"(
  %byte = getelementptr i8, ptr %out, i64 13
  store i8 0, ptr %byte
)",
                                                  kReturnOut));
  ASSERT_EQ(run.results.size(), 1u);
  EXPECT_EQ(run.results[0].not_stored_once, (std::vector<StoreCount>{{3, 2}}));
  EXPECT_EQ(run.uneven_stores, (std::vector<UnevenStores>{{"allocation 0", 16, 0, 1, 13, 2}}));
}

TEST_F(ExecutorTest, ReportsAnElementThatIsNotOrPartlyStored) {
  const RunObservation run = Counted(absl::StrCat(R"(
  %out = call ptr @malloc(i64 16)
  store i64 0, ptr %out, align 4
  %half = getelementptr i8, ptr %out, i64 8
  store i16 0, ptr %half, align 2
)",
                                                  kReturnOut));
  ASSERT_EQ(run.results.size(), 1u);
  EXPECT_EQ(run.results[0].not_stored_once, (std::vector<StoreCount>{{2, 0}, {3, 0}}));
  EXPECT_EQ(run.uneven_stores, (std::vector<UnevenStores>{{"allocation 0", 16, 6, 0, -1, 1}}));
}

TEST_F(ExecutorTest, CountsWhatMemoryFunctionsStore) {
  for (const char* how : {"call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %in, i64 16, i1 false)",
                          "call void @llvm.memmove.p0.p0.i64(ptr %out, ptr %in, i64 16, i1 false)",
                          "call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 16, i1 false)",
                          "call void @llvm.memset.p0.i32(ptr %out, i8 0, i32 16, i1 false)",
                          "call ptr @memcpy(ptr %out, ptr %in, i64 16)"}) {
    const std::string once = absl::StrCat("  ", how, "\n");
    const auto counted = [&](const std::string& body) {
      Executor::Options options;
      options.counts_stores = true;
      const std::string declarations =
          "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
          "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n"
          "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
          "declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)\n"
          "declare ptr @memcpy(ptr, ptr, i64)\n";
      const std::string main = Main(absl::StrCat("  %out = call ptr @malloc(i64 16)\n", body, kReturnOut));
      const Observation observation = Execute(declarations + main, CaseReturning({kVector}), options);
      EXPECT_EQ(observation.outcome, Outcome::kCompleted) << how;
      return observation.runs.empty() ? std::vector<StoreCount>{{9, 9}}
                                      : observation.runs[0].results[0].not_stored_once;
    };
    EXPECT_TRUE(counted(once).empty()) << how;
    EXPECT_EQ(counted(once + once).size(), 4u) << how;
  }
}

// A copy between a memref of 2x2 and its transposed, as MLIR's C runtime does it: { allocated, aligned, offset, 2
// sizes, 2 strides } behind { rank, pointer }.
constexpr absl::string_view kTransposed = R"(
  %from = alloca [7 x i64]
  store [7 x i64] [i64 0, i64 0, i64 0, i64 2, i64 2, i64 2, i64 1], ptr %from
  %from_data = getelementptr i64, ptr %from, i64 1
  store ptr %in, ptr %from_data
  %to = alloca [7 x i64]
  store [7 x i64] [i64 0, i64 0, i64 0, i64 2, i64 2, i64 1, i64 2], ptr %to
  %to_data = getelementptr i64, ptr %to, i64 1
  store ptr %out, ptr %to_data
  %source = alloca {i64, ptr}
  store i64 2, ptr %source
  %source_at = getelementptr i64, ptr %source, i64 1
  store ptr %from, ptr %source_at
  %target = alloca {i64, ptr}
  store i64 2, ptr %target
  %target_at = getelementptr i64, ptr %target, i64 1
  store ptr %to, ptr %target_at
  call void @memrefCopy(i64 4, ptr %source, ptr %target)
)";

TEST_F(ExecutorTest, HasMlirsOwnAllocatorAndItsCopyOfStridedMemrefs) {
  constexpr absl::string_view kDeclarations =
      "declare ptr @_mlir_memref_to_llvm_alloc(i64)\ndeclare void @_mlir_memref_to_llvm_free(ptr)\n"
      "declare void @memrefCopy(i64, ptr, ptr)\ndeclare i32 @posix_memalign(ptr, i64, i64)\n";
  const std::string ir =
      absl::StrCat(kDeclarations, Main(absl::StrCat("  %other = alloca ptr\n"
                                                    "  call i32 @posix_memalign(ptr %other, i64 16, i64 8)\n"
                                                    "  %freed = load ptr, ptr %other\n"
                                                    "  call void @_mlir_memref_to_llvm_free(ptr %freed)\n"
                                                    "  %out = call ptr @_mlir_memref_to_llvm_alloc(i64 16)\n",
                                                    kTransposed, kReturnOut)));
  const Observation observation = Execute(ir, CaseReturning({kVector}), /*count_leaks=*/true);
  ASSERT_EQ(observation.runs.size(), 1u) << Summarize(observation);
  EXPECT_EQ(observation.runs[0].results[0].tensor, TensorOf(ElementType::kI32, {4}, {5, 7, 6, 8}));
  EXPECT_EQ(observation.runs[0].leaked_buffers, 0);
}

TEST_F(ExecutorTest, RefusesToCountStoresThatItDoesNotKnow) {
  for (const char* body : {"%old = atomicrmw add ptr %in, i32 1 seq_cst",
                           "call void @llvm.masked.store.v2i32.p0(<2 x i32> zeroinitializer, ptr %in, i32 4, <2 x i1> "
                           "<i1 true, i1 false>)"}) {
    const std::string declaration = "declare void @llvm.masked.store.v2i32.p0(<2 x i32>, ptr, i32, <2 x i1>)\n";
    const std::unique_ptr<llvm::Module> module = ParseIr(*jit_, declaration + Main(body));
    ASSERT_NE(module, nullptr);
    EXPECT_TRUE(absl::StrContains(CountStores(*module), "stores cannot be counted")) << body;
  }
}

TEST_F(ExecutorTest, CountsNothingUnlessAsked) {
  const Observation observation = ExecuteMain(
      absl::StrCat(kCopy, "  call void @store(ptr %out, i64 2, i32 %v2)\n", kReturnOut), CaseReturning({kVector}));
  ASSERT_EQ(observation.runs.size(), 1u);
  EXPECT_TRUE(observation.runs[0].results[0].not_stored_once.empty());
  EXPECT_TRUE(observation.runs[0].uneven_stores.empty());
}

// ---- The external library ----

// A function of the library, with the operand of the case as its only input, and what it computes.
Executor::Options WithLibrary(LibraryFunction function, bool is_copy = false) {
  const IndexingMap identity = {{MapResult::Kind::kLoop, 0}};
  Executor::Options options;
  options.library = {
      {.op = 0, .is_copy = is_copy, .views = {{ElementType::kI32, identity}, {ElementType::kI32, identity}}}};
  options.library_function = std::move(function);
  return options;
}

Tensor PlusOne(const Program&, const OpApplication&, absl::Span<const Tensor* const> operands,
               const std::vector<int64_t>& sizes) {
  Tensor result(ElementType::kI32, sizes);
  for (size_t i = 0; i < result.element_count(); ++i) {
    result.SetBits(i, operands[0]->Bits(BroadcastIndex(i, sizes, operands[0]->sizes())) + 1);
  }
  return result;
}

// Calls function 0 on views of the operand (size, stride) and of a fresh buffer of four elements (size, stride).
std::string CallsLibrary(int offset, int size, int stride, int result_size, int result_stride) {
  return absl::StrCat(
      "declare void @_mlir_ciface_tosaic_library_0(ptr, ptr)\n",
      Main(absl::StrCat("  %out = call ptr @malloc(i64 16)\n", "  %a = alloca [5 x i64]\n  %b = alloca [5 x i64]\n",
                        "  call void @describe(ptr %a, ptr %in, i64 ", offset, ", i64 ", size, ", i64 ", stride,
                        ")\n  call void @describe(ptr %b, ptr %out, i64 0, i64 ", result_size, ", i64 ", result_stride,
                        ")\n  call void @_mlir_ciface_tosaic_library_0(ptr %a, ptr %b)\n", kReturnOut)));
}

TEST_F(ExecutorTest, LibraryFunctionComputesFromViewsAndRecordsThem) {
  const Observation observation =
      Execute(CallsLibrary(1, 2, 2, 2, 3), CaseReturning({kVector}, 2), WithLibrary(PlusOne));
  ASSERT_EQ(observation.runs.size(), 2u) << Summarize(observation);
  for (const RunObservation& run : observation.runs) {
    ASSERT_EQ(run.library_calls.size(), 1u);
    const LibraryCall& call = run.library_calls[0];
    EXPECT_EQ(call.op, 0);
    EXPECT_FALSE(call.is_copy);
    EXPECT_TRUE(call.computed);
    const IndexingMap identity = {{MapResult::Kind::kLoop, 0}};
    EXPECT_EQ(call.operands, (std::vector<LibraryView>{{.tensor = TensorOf(ElementType::kI32, {2}, {6, 8}),
                                                        .map = identity,
                                                        .strides = {2},
                                                        .region = "operand 0",
                                                        .offset = 4,
                                                        .region_bytes = 16}}));
    EXPECT_EQ(call.result, (LibraryView{.tensor = TensorOf(ElementType::kI32, {2}, {7, 9}),
                                        .map = identity,
                                        .strides = {3},
                                        .region = "allocation 0",
                                        .offset = 0,
                                        .region_bytes = 16}));
    EXPECT_EQ(run.results[0].tensor.Bits(0), 7u);
    EXPECT_EQ(run.results[0].tensor.Bits(3), 9u);
    EXPECT_EQ(run.results[0].unwritten, (std::vector<uint64_t>{1, 2}));
  }
}

TEST_F(ExecutorTest, LibraryCopiesWithoutTheFunction) {
  const Observation observation =
      Execute(CallsLibrary(2, 1, 1, 4, 1), CaseReturning({kVector}), WithLibrary(nullptr, /*is_copy=*/true));
  ASSERT_EQ(observation.runs.size(), 1u) << Summarize(observation);
  EXPECT_EQ(observation.runs[0].results[0].tensor, TensorOf(ElementType::kI32, {4}, {7, 7, 7, 7}));
  EXPECT_TRUE(observation.runs[0].library_calls[0].computed);
}

TEST_F(ExecutorTest, LibraryComputesNothingFromViewsThatDoNotFit) {
  for (const auto& [size, result_size] : std::vector<std::pair<int, int>>{{2, 4}, {3, 2}, {-1, 4}, {2, 1 << 30}}) {
    const Observation observation =
        Execute(CallsLibrary(0, size, 1, result_size, 1), CaseReturning({kVector}), WithLibrary(PlusOne));
    ASSERT_EQ(observation.runs.size(), 1u) << Summarize(observation);
    EXPECT_FALSE(observation.runs[0].library_calls[0].computed) << size << " " << result_size;
    EXPECT_EQ(observation.runs[0].results[0].unwritten.size(), 4u);
  }
}

TEST_F(ExecutorTest, AViewPastItsBufferIsAMemoryFault) {
  const Observation observation = Execute(CallsLibrary(0, 4, 2, 4, 1), CaseReturning({kVector}), WithLibrary(PlusOne));
  ExpectFault(observation, {.is_write = false, .region = "operand 0", .offset = 16, .region_bytes = 16}, 0);
}

}  // namespace
}  // namespace tosaic
