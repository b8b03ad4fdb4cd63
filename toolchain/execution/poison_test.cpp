// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of a result depend on poison, and of which instruction: LLVM IR in, what the runs show out.
#include "toolchain/execution/poison.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "toolchain/execution/code_runner.h"
#include "toolchain/execution/ir_testing.h"
#include "toolchain/program_testing.h"
#include "workers/progress.h"

namespace tosaic {
namespace {

constexpr size_t kPoisonRuns = 3;  // the third is executed once where no poison is shown

// A function of a vector of i32 that returns one, on two elements.
Case CaseOfTwo(uint32_t first, uint32_t second) {
  const TensorType vector = {Dynamic(1), ElementType::kI32};
  Case test_case;
  test_case.program.arguments = {vector};
  test_case.program.ops = {
      {.op = OpKind::kAbs, .operands = {{ValueRef::Kind::kArgument, 0}}, .attributes = {}, .result = vector}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  for (size_t i = 0; i < kPoisonRuns; ++i) {
    test_case.runs.push_back({TensorOf(ElementType::kI32, {2}, {first, second})});
  }
  return test_case;
}

// Computes %y of %x for each of two elements.
std::string EachElement(const std::string& body) {
  std::string ir = absl::StrCat("define void @", kEntry, "(ptr %result, ptr %operand) {\n",
                                "  %in = call ptr @data(ptr %operand)\n  %out = call ptr @malloc(i64 8)\n");
  for (int i = 0; i < 2; ++i) {
    absl::StrAppend(&ir, "%x", i, " = call i32 @load(ptr %in, i64 ", i, ")\n", "%y", i, " = call i32 @element(i32 %x",
                    i, ")\ncall void @store(ptr %out, i64 ", i, ", i32 %y", i, ")\n");
  }
  return absl::StrCat(ir, "call void @describe(ptr %result, ptr %out, i64 0, i64 2, i64 1)\nret void\n}\n",
                      "define internal i32 @element(i32 %x) {\n", body, "\nret i32 %y\n}\n",
                      "declare i32 @llvm.ctlz.i32(i32, i1)\ndeclare i32 @llvm.abs.i32(i32, i1)\n",
                      "declare i32 @llvm.lrint.i32.f64(double)\ndeclare i32 @llvm.lround.i32.f64(double)\n");
}

class PoisonTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { runner_ = new CodeRunner(); }
  void TearDown() override { (void)TakeRetirement(); }

  static Observation Runs(const std::string& ir, uint32_t first, uint32_t second, bool optimized = false) {
    CompiledProgram program;
    program.generation.optimized = optimized;
    Jit& jit = **runner_->JitFor(program.generation);
    program.code = Owned(ParseIr(jit, ir));
    Observation observation;
    runner_->Run(std::move(program), CaseOfTwo(first, second), &observation);
    return observation;
  }

  // "0 1: %y = ... where %x = 5": the poisoned elements and what made poison, of the last run; empty if there are none.
  static std::string PoisonedInWords(const std::string& body, uint32_t first, uint32_t second) {
    const Observation observation = Runs(EachElement(body), first, second);
    if (observation.runs.size() != kPoisonRuns) return Summarize(observation);
    const RunObservation& run = observation.runs.back();
    if (run.results[0].poisoned.empty()) return absl::StrJoin(run.poison, "; ");
    return absl::StrCat(absl::StrJoin(run.results[0].poisoned, " "), ": ", absl::StrJoin(run.poison, "; "));
  }
  static std::string Poisoned(const std::string& body, uint32_t first, uint32_t second) {
    const std::string words = PoisonedInWords(body, first, second);
    return words.substr(0, words.find(" where "));
  }

  static CodeRunner* runner_;
};

CodeRunner* PoisonTest::runner_ = nullptr;

struct PoisonRow {
  std::string op;     // makes %y of %x
  uint32_t poisoned;  // an element of which it makes poison
  uint32_t plain;     // one of which it does not
};

// In either lane, and only where the condition holds.
TEST_F(PoisonTest, IsMadeWhereTheConditionHolds) {
  const PoisonRow rows[] = {
      {"%y = add nsw i32 %x, 1", 0x7fffffff, 0xffffffff},
      {"%y = add nuw i32 %x, 1", 0xffffffff, 0x7fffffff},
      {"%y = sub nsw i32 0, %x", 0x80000000, 5},
      {"%y = sub nuw i32 4, %x", 5, 4},
      {"%y = mul nsw i32 %x, 65536", 0x8000, 0x7fff},
      {"%y = mul nuw i32 %x, 65536", 0x10000, 0xffff},
      {"%y = shl i32 1, %x", 32, 31},
      {"%y = lshr i32 1, %x", 0xffffffff, 31},
      {"%y = ashr i32 -1, %x", 32, 0},
      {"%y = shl nsw i32 %x, 1", 0x40000000, 0xc0000000},
      {"%y = shl nuw i32 %x, 1", 0x80000000, 0x40000000},
      {"%y = ashr exact i32 %x, 1", 3, 2},
      {"%y = lshr exact i32 %x, 1", 0x80000001, 0x80000000},
      {"%y = sdiv exact i32 %x, 3", 4, 0xfffffffd},
      {"%y = udiv exact i32 %x, 3", 4, 3},
      {"%y = or disjoint i32 %x, 1", 3, 2},
      {"%y = call i32 @llvm.ctlz.i32(i32 %x, i1 true)", 0, 1},
      {"%y = call i32 @llvm.abs.i32(i32 %x, i1 true)", 0x80000000, 0xffffffff},
  };
  for (const PoisonRow& row : rows) {
    EXPECT_EQ(Poisoned(row.op, row.poisoned, row.plain), "0: " + row.op) << row.op;
    EXPECT_EQ(Poisoned(row.op, row.plain, row.poisoned), "1: " + row.op) << row.op;
    EXPECT_EQ(Poisoned(row.op, row.plain, row.plain), "") << row.op;
  }
}

TEST_F(PoisonTest, IsMadeByConversions) {
  const std::string to_signed = "%f = bitcast i32 %x to float\n%y = fptosi float %f to i32";
  const auto signed_of = [&](uint32_t bits) { return Poisoned(to_signed, bits, 0); };
  const std::string blamed = "0: %y = fptosi float %f to i32";
  EXPECT_EQ(signed_of(0x4f000000), blamed);  // 2^31
  EXPECT_EQ(signed_of(0x4effffff), "");
  EXPECT_EQ(signed_of(0xcf000000), "");  // -2^31
  EXPECT_EQ(signed_of(0xcf000001), blamed);
  EXPECT_EQ(signed_of(0x7fc00000), blamed);
  EXPECT_EQ(signed_of(0xff800000), blamed);
  // A tie goes to the even integer, or away from zero.
  const auto rounded = [](const std::string& how, uint32_t upper, uint32_t lower) {
    const std::string of_double = absl::StrReplaceAll(
        "%h = zext i32 %x to i64\n%u = shl i64 UPPER, 32\n%d = or i64 %u, %h\n%f = bitcast i64 %d to double\n"
        "%y = call i32 @llvm.HOW.i32.f64(double %f)",
        {{"UPPER", absl::StrCat(upper)}, {"HOW", how}});
    return Poisoned(of_double, lower, 0) != "";
  };
  constexpr uint32_t kHigh = 0x41dfffff, kLow = 0xc1e00000;
  EXPECT_TRUE(rounded("lrint", kHigh, 0xffe00000));  // 2^31 - 0.5
  EXPECT_FALSE(rounded("lrint", kHigh, 0xffdfffff));
  EXPECT_FALSE(rounded("lrint", kLow, 0x00100000));  // -2^31 - 0.5
  EXPECT_TRUE(rounded("lrint", kLow, 0x00100001));
  EXPECT_TRUE(rounded("lround", kHigh, 0xffe00000));
  EXPECT_FALSE(rounded("lround", kHigh, 0xffdfffff));
  EXPECT_TRUE(rounded("lround", kLow, 0x00100000));
  EXPECT_FALSE(rounded("lround", kLow, 0x000fffff));
  EXPECT_TRUE(rounded("lrint", 0x7ff80000, 0));
  const std::string to_i8 = "%f = bitcast i32 %x to float\n%i = fptoui float %f to i8\n%y = zext i8 %i to i32";
  EXPECT_EQ(Poisoned(to_i8, 0xbf7fffff, 0xbf800000), "1: %i = fptoui float %f to i8");  // above -1 truncates to 0
  EXPECT_EQ(Poisoned(to_i8, 0x437fffff, 0x43800000), "1: %i = fptoui float %f to i8");  // 256
  const std::string of_half = "%h = trunc i32 %x to i16\n%f = bitcast i16 %h to half\n%y = fptosi half %f to i32";
  EXPECT_EQ(Poisoned(of_half, 0x7bff, 0x7c00), "1: %y = fptosi half %f to i32");
  const std::string wide = "%i = trunc i32 %x to i8\n%y = zext nneg i8 %i to i32";
  EXPECT_EQ(Poisoned(wide, 0x7f, 0x80), "1: %y = zext nneg i8 %i to i32");
  const std::string narrow = "%i = trunc nsw i32 %x to i8\n%y = sext i8 %i to i32";
  EXPECT_EQ(Poisoned(narrow, 0xffffff80, 0x80), "1: %i = trunc nsw i32 %x to i8");
  const std::string to_float = "%f = uitofp nneg i32 %x to float\n%y = bitcast float %f to i32";
  EXPECT_EQ(Poisoned(to_float, 0x80000000, 1), "0: %f = uitofp nneg i32 %x to float");
}

TEST_F(PoisonTest, IsMadeByFastMath) {
  const auto added = [](const std::string& flags) {
    return absl::StrReplaceAll(
        "%f = bitcast i32 %x to float\n%g = fadd FLAGS float %f, 1.0\n"
        "%y = bitcast float %g to i32",
        {{"FLAGS", flags}});
  };
  EXPECT_EQ(Poisoned(added("nnan"), 0x7fc00000, 0x7f800000), "0: %g = fadd nnan float %f, 1.000000e+00");
  EXPECT_EQ(Poisoned(added("ninf"), 0x7fc00000, 0xff800000), "1: %g = fadd ninf float %f, 1.000000e+00");
  EXPECT_EQ(Poisoned(added("nsz"), 0x7fc00000, 0xff800000), "");
}

// The result alone breaks what the flags say. A function that is put into its caller is simplified on the way, by its
// flags too: of `fadd ninf` no result is infinite then, whatever was asked of it.
TEST_F(PoisonTest, IsMadeByTheResultOfAnInlinedFunction) {
  const auto inlined = [](const std::string& body) {
    return absl::StrCat("define void @", kEntry, "(ptr %result, ptr %operand) {\n",
                        "  %in = call ptr @data(ptr %operand)\n  %out = call ptr @malloc(i64 8)\n",
                        "  %x = call i32 @load(ptr %in, i64 0)\n  %y = call i32 @main(i32 %x)\n",
                        "  call void @store(ptr %out, i64 0, i32 %y)\n  call void @store(ptr %out, i64 1, i32 0)\n",
                        "  call void @describe(ptr %result, ptr %out, i64 0, i64 2, i64 1)\n  ret void\n}\n",
                        "define i32 @main(i32 %x) {\n", body, "\nret i32 %y\n}\n");
  };
  const auto of_floats = [&](const std::string& op) {
    return inlined("%f = bitcast i32 %x to float\n%g = " + op + "\n%y = bitcast float %g to i32");
  };
  const struct {
    std::string ir;
    uint32_t poisoned, plain;
  } rows[] = {
      {of_floats("fadd ninf float %f, %f"), 0x7f7fffff, 0x7effffff},
      {of_floats("fsub nnan float %f, %f"), 0x7f800000, 0x7f7fffff},
      {of_floats("select nnan i1 true, float %f, float 1.0"), 0x7fc00000, 0x7f800000},
      {inlined("%t = trunc nsw i32 %x to i8\n%y = sext i8 %t to i32"), 300, 100},
      {inlined("%t = trunc nuw i32 %x to i8\n%y = zext i8 %t to i32"), 256, 255},
      {inlined("%s = shl nuw i32 %x, 4\n%y = lshr i32 %s, 4"), 0x10000000, 0x0fffffff},
  };
  const auto poisoned = [](const std::string& ir, uint32_t x) {
    const Observation observation = Runs(ir, x, 0);
    EXPECT_EQ(observation.runs.size(), kPoisonRuns) << Summarize(observation);
    return observation.runs.empty() ? std::vector<uint64_t>() : observation.runs.back().results[0].poisoned;
  };
  for (const auto& row : rows) {
    EXPECT_EQ(poisoned(row.ir, row.poisoned), std::vector<uint64_t>{0}) << row.ir;
    EXPECT_EQ(poisoned(row.ir, row.plain), std::vector<uint64_t>{}) << row.ir;
  }
}

TEST_F(PoisonTest, SaysOfWhatItIsMadeAtFirst) {
  EXPECT_EQ(PoisonedInWords("%y = shl i32 1, %x", 40, 50), "0 1: %y = shl i32 1, %x where %x = 40");
  EXPECT_EQ(PoisonedInWords("%z = add i32 %x, 1\n%y = mul nsw i32 %x, %z", 7, 0x7fffffff),
            "1: %y = mul nsw i32 %x, %z where %x = 2147483647 and %z = -2147483648");
  EXPECT_EQ(PoisonedInWords("%f = bitcast i32 %x to float\n%y = fptosi float %f to i32", 0, 0xff800000),
            "1: %y = fptosi float %f to i32 where %f = -inf");
  EXPECT_EQ(PoisonedInWords("%h = lshr i32 %x, 8\n%y = udiv exact i32 %x, %h", 0x203, 0x200),
            "0: %y = udiv exact i32 %x, %h where %x = 515 and %h = 2");
  const std::string lanes =
      "%v = insertelement <2 x i32> <i32 1, i32 1>, i32 %x, i32 1\n%s = shl <2 x i32> <i32 3, i32 3>, %v\n"
      "%y = extractelement <2 x i32> %s, i32 1";
  EXPECT_EQ(PoisonedInWords(lanes, 1, 40), "1: %s = shl <2 x i32> splat (i32 3), %v where %v = 40");
  const std::string four =
      "%a = shl i32 1, %x\n%b = shl i32 2, %x\n%c = shl i32 4, %x\n%d = shl i32 8, %x\n"
      "%e = add i32 %a, %b\n%f = add i32 %c, %d\n%y = add i32 %e, %f";
  EXPECT_EQ(PoisonedInWords(four, 1, 32),
            "1: %a = shl i32 1, %x where %x = 32; %b = shl i32 2, %x where %x = 32; %c = shl i32 4, %x where %x = 32; "
            "1 instruction behind these");
}

TEST_F(PoisonTest, SaysWhatAnElementIsOtherwise) {
  const Observation observation = Runs(EachElement("%y = shl i32 1, %x"), 1, 33);
  ASSERT_EQ(observation.runs.size(), kPoisonRuns) << Summarize(observation);
  const ResultObservation& result = observation.runs[0].results[0];
  ASSERT_EQ(result.poisoned, std::vector<uint64_t>{1});
  ASSERT_EQ(result.poisoned_otherwise.size(), 1u);
  EXPECT_NE(result.poisoned_otherwise[0], result.tensor.RawBits(1));
}

// Which LLVM makes a negation of: only IR that is not optimized yet shows it.
TEST_F(PoisonTest, IsMadeByADivisionWithoutAQuotient) {
  const std::string division = "%y = sdiv i32 %x, -1";
  const Observation observation = Runs(EachElement(division), 5, 0x80000000, /*optimized=*/true);
  ASSERT_EQ(observation.runs.size(), kPoisonRuns) << Summarize(observation);
  EXPECT_EQ(observation.runs[2].results[0].poisoned, std::vector<uint64_t>{1});
  EXPECT_EQ(observation.runs[2].poison, std::vector<std::string>{division + " where %x = -2147483648"});
}

// %x says at which byte of memory that is aligned to 16 the number 5 lies.
TEST_F(PoisonTest, IsMadeByAnAlignmentThatAnAddressHasNot) {
  const std::string body =
      "%m = alloca [64 x i8], align 16\n%to = zext i32 %x to i64\n%p = getelementptr i8, ptr %m, i64 %to\n";
  const std::string aligned_load = "%y = load i32, ptr %p, align 16";
  const std::string load = absl::StrCat(body, "store i32 5, ptr %p, align 4\n", aligned_load);
  EXPECT_EQ(Poisoned(load, 4, 16), "0: " + aligned_load);
  EXPECT_EQ(Poisoned(load, 0, 32), "");
  const std::string aligned_store = "store i32 5, ptr %p, align 8";
  const std::string store = absl::StrCat(body, aligned_store, "\n%y = load i32, ptr %p, align 4");
  EXPECT_EQ(Poisoned(store, 8, 12), "1: " + aligned_store);
  EXPECT_EQ(Poisoned(store, 8, 16), "");
}

TEST_F(PoisonTest, IsOfNoConsequenceWhereItIsNotChosen) {
  const std::string chosen =
      "%z = call i32 @llvm.ctlz.i32(i32 %x, i1 true)\n%is = icmp eq i32 %x, 0\n"
      "%y = select i1 %is, i32 32, i32 %z";
  EXPECT_EQ(Poisoned(chosen, 0, 1), "");
  const std::string frozen = "%z = shl i32 1, %x\n%f = freeze i32 %z\n%b = and i32 %f, 0\n%y = add i32 %b, 7";
  EXPECT_EQ(Poisoned(frozen, 40, 1), "");
}

TEST_F(PoisonTest, IsHandedOnThroughMemoryBranchesAndLanes) {
  const std::string stored = "%m = alloca i32\n%z = shl i32 1, %x\nstore i32 %z, ptr %m\n%y = load i32, ptr %m";
  EXPECT_EQ(Poisoned(stored, 1, 32), "1: %z = shl i32 1, %x");
  const std::string branched =
      "%z = add nsw i32 %x, 1\n%is = icmp slt i32 %z, 0\nbr i1 %is, label %a, label %b\n"
      "a:\nbr label %b\nb:\n%y = phi i32 [ 1, %a ], [ 2, %0 ]";
  EXPECT_EQ(Poisoned(branched, 0x7fffffff, 1), "0: %z = add nsw i32 %x, 1");
  const std::string lanes =
      "%v = insertelement <2 x i32> <i32 1, i32 1>, i32 %x, i32 1\n%s = shl <2 x i32> %v, %v\n"
      "%y = extractelement <2 x i32> %s, i32 LANE";
  EXPECT_EQ(Poisoned(absl::StrReplaceAll(lanes, {{"LANE", "0"}}), 40, 1), "");
  EXPECT_EQ(Poisoned(absl::StrReplaceAll(lanes, {{"LANE", "1"}}), 40, 1), "0: %s = shl <2 x i32> %v, %v");
}

TEST_F(PoisonTest, IsAStaleLaneOrOneOutsideTheVector) {
  const std::string stale =
      "%v = insertelement <2 x i32> poison, i32 %x, i32 0\n"
      "%y = extractelement <2 x i32> %v, i32 1";
  EXPECT_EQ(Poisoned(stale, 1, 2), "0 1: a constant of %v = insertelement <2 x i32> poison, i32 %x, i32 0");
  const std::string outside = "%y = extractelement <2 x i32> <i32 3, i32 4>, i32 %x";
  EXPECT_EQ(Poisoned(outside, 1, 2), "1: " + outside);
  const std::string inserted =
      "%v = insertelement <2 x i32> <i32 3, i32 4>, i32 %x, i32 0\n%w = insertelement <2 x i32> %v, i32 5, i32 %x\n"
      "%y = extractelement <2 x i32> %w, i32 0";
  EXPECT_EQ(Poisoned(inserted, 1, 2), "1: %w = insertelement <2 x i32> %v, i32 5, i32 %x");
  const std::string nowhere =
      "%v = insertelement <2 x i32> <i32 1, i32 1>, i32 %x, i32 0\n"
      "%s = shufflevector <2 x i32> %v, <2 x i32> %v, <2 x i32> <i32 0, i32 poison>\n"
      "%y = extractelement <2 x i32> %s, i32 1";
  EXPECT_EQ(Poisoned(nowhere, 1, 2),
            "0 1: %s = shufflevector <2 x i32> %v, <2 x i32> %v, <2 x i32> <i32 0, i32 poison>");
}

// A run that ends because poison is an address depends on it as a whole.
TEST_F(PoisonTest, IsOfConsequenceAsAnIndex) {
  const std::string read =
      "%m = alloca [2 x i32]\nstore [2 x i32] [i32 1, i32 2], ptr %m\n%i = add nuw i32 %x, 1\n"
      "%w = zext i32 %i to i64\n%h = shl i64 %w, 40\n%a = getelementptr i32, ptr %m, i64 %h\n"
      "%y = load i32, ptr %a";
  const Observation observation = Runs(EachElement(read), 0xffffffff, 0xffffffff);
  ASSERT_EQ(observation.runs.size(), kPoisonRuns) << Summarize(observation);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted);
  EXPECT_EQ(observation.runs[0].results[0].poisoned, (std::vector<uint64_t>{0, 1}));
  EXPECT_EQ(observation.runs[0].poison, std::vector<std::string>{"%i = add nuw i32 %x, 1 where %x = -1"});
}

// On x86-64 a shift by 64 is one by 0, and the loop ends at once.
TEST_F(PoisonTest, IsOfConsequenceAsALoopsBound) {
  const std::string loop =
      "%w = zext i32 %x to i64\n%n = shl i64 1, %w\nbr label %head\nhead:\n"
      "%i = phi i64 [ 0, %0 ], [ %next, %head ]\n%next = add i64 %i, 1\n%ends = icmp uge i64 %next, %n\n"
      "br i1 %ends, label %out, label %head\nout:\n%y = trunc i64 %next to i32";
  const Observation observation = Runs(EachElement(loop), 2, 64);
  ASSERT_EQ(observation.runs.size(), kPoisonRuns) << Summarize(observation);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted);
  EXPECT_EQ(observation.runs[0].results[0].poisoned, (std::vector<uint64_t>{0, 1}));
  EXPECT_EQ(observation.runs[0].poison, std::vector<std::string>{"%n = shl i64 1, %w where %w = 64"});
  EXPECT_TRUE(observation.runs[1].results[0].poisoned.empty());
  EXPECT_EQ(observation.poison_unseen, std::vector<std::string>{"runs behind one that ends"});
}

TEST_F(PoisonTest, IsOfConsequenceAsASize) {
  const std::string sized = absl::StrCat(
      "define void @", kEntry, "(ptr %result, ptr %operand) {\n",
      "  %in = call ptr @data(ptr %operand)\n  %out = call ptr @malloc(i64 8)\n  %x = call i32 @load(ptr %in, i64 0)\n"
      "  %n = shl i32 2, %x\n  %s = and i32 %n, 3\n  %size = zext i32 %s to i64\n"
      "  call void @store(ptr %out, i64 0, i32 7)\n  call void @store(ptr %out, i64 1, i32 7)\n"
      "  call void @describe(ptr %result, ptr %out, i64 0, i64 %size, i64 1)\n  ret void\n}\n");
  const Observation observation = Runs(sized, 32, 0);
  ASSERT_EQ(observation.runs.size(), kPoisonRuns) << Summarize(observation);
  EXPECT_EQ(observation.runs[0].results[0].poisoned, (std::vector<uint64_t>{0, 1}));
  EXPECT_TRUE(observation.runs[0].results[0].poisoned_otherwise.empty());
}

TEST_F(PoisonTest, IsNotLookedForInWhatOnlyAddressesAreMadeOf) {
  Jit& jit = **runner_->JitFor(CodeGeneration());
  const auto module = ParseIr(jit, R"(define ptr @f(ptr %p, i64 %i, ptr %out) {
    %row = mul nuw nsw i64 %i, 5
    %at = add nuw nsw i64 %row, %i
    %a = getelementptr inbounds i32, ptr %p, i64 %at
    %kept = add nsw i64 %i, 1
    store i64 %kept, ptr %out
    ret ptr %a
  })");
  ASSERT_NE(module, nullptr);
  const std::vector<PoisonMaker> makers = ShowPoison(*module).instructions;
  ASSERT_EQ(makers.size(), 1u);
  EXPECT_EQ(makers[0].instruction, "%kept = add nsw i64 %i, 1");
}

// Nothing is executed again of what makes no poison.
TEST_F(PoisonTest, IsNotThereInOrdinaryCode) {
  Jit& jit = **runner_->JitFor(CodeGeneration());
  const auto module = ParseIr(jit, R"(define <4 x i32> @f(i32 %i, i32 %by) {
    %x = shl i32 %i, 31
    %y = sdiv i32 %x, 3
    %v = insertelement <4 x i32> poison, i32 %y, i32 0
    %s = shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> zeroinitializer
    ret <4 x i32> %s
  })");
  ASSERT_NE(module, nullptr);
  EXPECT_FALSE(HasPoisonToShow(*module));
  const auto loads = ParseIr(jit,
                             "define <4 x i32> @f(ptr %p, ptr %q) {\n%d = load ptr, ptr %p, align 8\n"
                             "store i48 1, ptr %d, align 8\n%v = load <4 x i32>, ptr %d, align 4\n"
                             "ret <4 x i32> %v\n}\n");
  ASSERT_NE(loads, nullptr);
  EXPECT_FALSE(HasPoisonToShow(*loads));
  const auto divides = ParseIr(jit, "define i32 @f(i32 %i, i32 %by) {\n%y = sdiv i32 %i, %by\nret i32 %y\n}\n");
  ASSERT_NE(divides, nullptr);
  EXPECT_TRUE(HasPoisonToShow(*divides));
}

TEST_F(PoisonTest, WhatIsNotUnderstoodIsCounted) {
  Jit& jit = **runner_->JitFor(CodeGeneration());
  const auto module = ParseIr(jit,
                              "define x86_fp80 @f(x86_fp80 %a) {\n%b = fadd nnan x86_fp80 %a, %a\n"
                              "%c = fptosi x86_fp80 %b to i32\n%d = shl i32 %c, 3\nret x86_fp80 %b\n}\n");
  ASSERT_NE(module, nullptr);
  const PoisonMakers makers = ShowPoison(*module);
  EXPECT_EQ(makers.not_understood, (std::set<std::string>{"fadd", "fptosi"}));
  EXPECT_TRUE(makers.instructions.empty());
  const std::string compared = "%is = icmp samesign ult i32 %x, 5\n%y = zext i1 %is to i32";
  const Observation observation = Runs(EachElement(compared), 1, 2);
  EXPECT_EQ(observation.poison_unseen, std::vector<std::string>{"icmp"});
  const std::string assumes = "%is = icmp sgt i32 %x, 5\ncall void @llvm.assume(i1 %is)\n%y = add i32 %x, 0";
  EXPECT_EQ(Runs(EachElement(assumes), 1, 2).poison_unseen, std::vector<std::string>{"llvm.assume"});
  const auto reads =
      ParseIr(jit, "@g = global [2 x i32] undef\ndefine i32 @f() {\n%y = load i32, ptr @g\nret i32 %y\n}\n");
  ASSERT_NE(reads, nullptr);
  EXPECT_TRUE(HasPoisonToShow(*reads));
  EXPECT_EQ(ShowPoison(*reads).not_understood, std::set<std::string>{"a global of undef"});
}

}  // namespace
}  // namespace tosaic
