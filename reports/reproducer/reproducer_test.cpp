// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/reproducer/reproducer.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

Reproduction Abs() {
  Reproduction reproduction;
  Case& test_case = reproduction.test_case;
  const TensorType type = ParseTensorType("tensor<?xf32>").value();
  test_case.program.arguments = {type};
  test_case.program.ops = {{OpKind::kAbs, {{ValueRef::Kind::kArgument, 0}}, {}, type}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  test_case.runs = {{Tensor(ElementType::kF32, {2})}};
  reproduction.program =
      "func.func @main(%arg0: tensor<?xf32>) -> (tensor<?xf32>) attributes "
      "{llvm.emit_c_interface} {\n  %0 = \"tosa.abs\"(%arg0)\n  return %0\n}\n";
  reproduction.pipeline = "builtin.module(a{x='1'})";
  reproduction.judgement.verdict = Verdict::kWrongValue;
  reproduction.judgement.rule = RuleId::kValueAbsPlain;
  reproduction.judgement.expected = "1";
  reproduction.judgement.actual = "2";
  reproduction.shown.sizes = {{2}};
  reproduction.shown.elements = {{{0x3f800000, 0x3f800000}}, {{0, 0}, {0x80000000, 0x80000000}}};
  reproduction.version = "LLVM 22.1.8";
  return reproduction;
}

TEST(Reproducer, EachVerdictHasAWayToBeShown) {
  for (const Verdict verdict : All<Verdict>()) {
    if (!IsDivergence(verdict)) continue;
    for (const Stage stage : {Stage::kVerify, Stage::kLower, Stage::kExecute}) {
      Reproduction reproduction = Abs();
      reproduction.judgement.verdict = verdict;
      reproduction.judgement.stage = stage;
      reproduction.showing = ShowingOf(reproduction.judgement);
      const std::map<std::string, std::string> files = ReproducerFiles(reproduction);
      for (const char* name : {"case.json", "repro.mlir", "repro.sh", "test.mlir", "issue.md"}) {
        EXPECT_TRUE(files.contains(name)) << Name(verdict) << ": " << name;
      }
      EXPECT_EQ(files.contains("driver.c"), reproduction.showing == Showing::kGuards);
      EXPECT_TRUE(absl::StrContains(files.at("test.mlir"), "// RUN: ")) << Name(verdict);
    }
  }
}

TEST(Reproducer, CodeThatDependsOnPoisonIsShownByIrThatShowsIt) {
  Reproduction reproduction = Abs();
  reproduction.judgement.rule = RuleId::kRunUndefinedBehaviour;
  reproduction.showing = ShowingOf(reproduction.judgement);
  EXPECT_EQ(reproduction.showing, Showing::kPoison);
  reproduction.lowered = "define i32 @f()\n";
  reproduction.shows_poison = "define i32 @shown()\n";
  reproduction.observation.runs.resize(1);
  reproduction.observation.runs[0].poison = {"%1 = shl i32 1, %0 where %0 = 40"};
  reproduction.blamed_pass = "canonicalize";
  const std::map<std::string, std::string> files = ReproducerFiles(reproduction);
  EXPECT_EQ(files.at("repro.ll"), reproduction.lowered);
  EXPECT_EQ(files.at("shown.ll"), reproduction.shows_poison);
  EXPECT_TRUE(absl::StrContains(files.at("driver.c"), "changes with what poison is taken for"));
  EXPECT_TRUE(absl::StrContains(files.at("issue.md"), reproduction.observation.runs[0].poison[0]));
  EXPECT_TRUE(absl::StrContains(
      files.at("issue.md"), "# [mlir][tosa] code lowered from tosa.abs (f32) depends on poison after canonicalize\n"));
}

// Each element alone is what some target computes, so that nothing of it may be called wrong.
TEST(Reproducer, AMixtureOfFlushingIsNoWrongElement) {
  Reproduction reproduction = Abs();
  reproduction.judgement.rule = RuleId::kValueFlushing;
  reproduction.judgement.expected = "all kept, as in run 1";
  reproduction.obstacle = "two elements";
  reproduction.shown.sizes = std::nullopt;
  const std::string issue = ReproducerFiles(reproduction).at("issue.md");
  EXPECT_TRUE(absl::StrContains(
      issue, "# [mlir][tosa] code lowered from tosa.abs (f32) flushes some subnormals and keeps others\n"))
      << issue;
  EXPECT_TRUE(absl::StrContains(issue, "**Expected:** all kept, as in run 1\n")) << issue;
  EXPECT_FALSE(absl::StrContains(issue, "instead of")) << issue;
  EXPECT_FALSE(absl::StrContains(issue, "Element 1 of")) << issue;
}

TEST(Reproducer, WhatTosaicsOwnPassMadeIsSaidToBe) {
  Reproduction reproduction = Abs();
  reproduction.prepared = "func.func @test() { vector.print }\n";
  reproduction.prepared_by = "tosaic-vectorize-linalg";
  std::map<std::string, std::string> files = ReproducerFiles(reproduction);
  EXPECT_TRUE(absl::StartsWith(files.at("issue.md"), "# [mlir] tosa.abs ")) << files.at("issue.md");
  EXPECT_TRUE(absl::StrContains(files.at("issue.md"), "no pass like Tosaic's `tosaic-vectorize-linalg`"));
  EXPECT_TRUE(absl::StrContains(files.at("issue.md"), SmallestModule(reproduction.program)));
  EXPECT_TRUE(absl::StrContains(files.at("repro.mlir"), reproduction.prepared));
}

// IR that is wrong by a rule is no matter of the values that its code would compute.
TEST(Reproducer, WhatIrShouldBeIsNoValue) {
  Reproduction reproduction = Abs();
  reproduction.judgement.rule = RuleId::kContractMap;
  reproduction.judgement.verdict = Verdict::kContractViolation;
  reproduction.judgement.expected = "another map";
  reproduction.showing = ShowingOf(reproduction.judgement);
  EXPECT_TRUE(absl::StrContains(ReproducerFiles(reproduction).at("repro.mlir"), "// Expected: another map\n"));
}

// A death that depends on memory that was never written does not come each time.
TEST(Reproducer, AnMlirThatDiesIsTriedAgain) {
  Reproduction reproduction = Abs();
  reproduction.judgement.verdict = Verdict::kCrash;
  reproduction.judgement.stage = Stage::kLower;
  reproduction.showing = ShowingOf(reproduction.judgement);
  reproduction.pipeline = "builtin.module(func.func(canonicalize))";
  TemporaryDirectory directory;
  for (const auto& [name, text] : ReproducerFiles(reproduction)) Spill(directory / name, text);
  // It asks about words, the program and the passes first, and then tries.
  const std::string count = directory / "count";
  Spill(directory / "mlir-opt",
        absl::StrCat("#!/bin/bash\necho >> ", count, "\n(( $(wc -l < ", count, ") != DIES )) || kill -SEGV $$\n"));
  const auto run = [&](int dies) {
    std::remove(count.c_str());
    return std::system(absl::StrCat("cd ", directory.path(), "; sed s/DIES/", dies,
                                    "/ mlir-opt > mlir; chmod +x mlir; ",
                                    "MLIR_OPT=./mlir bash repro.sh --bisect > said 2>&1")
                           .c_str());
  };
  EXPECT_EQ(WEXITSTATUS(run(4)), 1);
  EXPECT_EQ(WEXITSTATUS(run(13)), 1) << "the tenth time";
  EXPECT_EQ(WEXITSTATUS(run(14)), 0) << "often enough";
  EXPECT_EQ(Slurp(directory / "said"), "conforms\n");
}

TEST(Reproducer, AnMlirThatDiesMayRefuseWhatIsLeftOpen) {
  Reproduction reproduction = Abs();
  reproduction.judgement.verdict = Verdict::kCrash;
  reproduction.judgement.stage = Stage::kVerify;
  reproduction.showing = ShowingOf(reproduction.judgement);
  EXPECT_TRUE(absl::StrContains(ReproducerFiles(reproduction).at("issue.md"), "MLIR accepts the program.\n"));
  reproduction.may_be_illegal = true;
  std::map<std::string, std::string> files = ReproducerFiles(reproduction);
  EXPECT_TRUE(absl::StrContains(files.at("issue.md"), "MLIR accepts the program, or refuses it with an error.\n"));
  EXPECT_TRUE(absl::StrContains(files.at("test.mlir"), "MLIR may also refuse it")) << files.at("test.mlir");
  EXPECT_TRUE(absl::StrContains(files.at("repro.sh"), "(( status == 0 )) || conforms\n")) << files.at("repro.sh");
}

TEST(Reproducer, AnObstacleIsWhatTheScriptSays) {
  Reproduction reproduction = Abs();
  reproduction.obstacle = "nobody's fault";
  const std::map<std::string, std::string> files = ReproducerFiles(reproduction);
  EXPECT_TRUE(absl::StrContains(files.at("repro.sh"), "cannot_tell 'nobody'\\''s fault'\n"));
  EXPECT_FALSE(files.contains("test.mlir"));
  EXPECT_TRUE(absl::StrContains(files.at("issue.md"), "nobody's fault"));
}

// Whoever reads the issue sees five lines, a command of one pass and what it prints; the rest is for the script.
TEST(Reproducer, OnePassTakesThePlaceOfTheRunner) {
  Reproduction reproduction = Abs();
  reproduction.one_pass = {"builtin.module(func.func(canonicalize))", "module {\n  left\n}\n", "it returns -1"};
  std::map<std::string, std::string> files = ReproducerFiles(reproduction);
  EXPECT_FALSE(absl::StrContains(files.at("repro.mlir"), "@print")) << files.at("repro.mlir");
  EXPECT_FALSE(absl::StrContains(files.at("repro.mlir"), "llvm.emit_c_interface")) << files.at("repro.mlir");
  EXPECT_TRUE(absl::StrContains(files.at("run.mlir"), "@print")) << files.at("run.mlir");
  EXPECT_EQ(files.at("lowered.mlir"), reproduction.one_pass.left);
  for (const char* part : {"mlir-opt repro.mlir --canonicalize\n", "wrong already (it returns -1)", "  left\n"}) {
    EXPECT_TRUE(absl::StrContains(files.at("issue.md"), part)) << part << "\n" << files.at("issue.md");
  }
  EXPECT_FALSE(absl::StrContains(files.at("issue.md"), "mlir-runner")) << files.at("issue.md");
  EXPECT_TRUE(absl::StrContains(files.at("repro.sh"), "--pass-pipeline=\"$pipeline\" run.mlir"));
  // Not that the IR is another one, which a printer that has changed makes it, but that the result is right.
  EXPECT_FALSE(absl::StrContains(files.at("test.mlir"), "CHECK{LITERAL}")) << files.at("test.mlir");
  EXPECT_TRUE(absl::StrContains(files.at("test.mlir"), "// CHECK: ( 2 ), 1065353216, ")) << files.at("test.mlir");
  reproduction.one_pass.pipeline = "builtin.module(func.func(a{x=1}))";
  EXPECT_TRUE(absl::StrContains(ReproducerFiles(reproduction).at("issue.md"),
                                "mlir-opt repro.mlir --pass-pipeline='builtin.module(func.func(a{x=1}))'\n"));
  // A case that no stock tool can execute still has a reproducer of one pass.
  reproduction.obstacle = "nobody's fault";
  files = ReproducerFiles(reproduction);
  EXPECT_FALSE(files.contains("run.mlir"));
  EXPECT_TRUE(absl::StrContains(files.at("test.mlir"), "// CHECK{LITERAL}:   left\n")) << files.at("test.mlir");
  EXPECT_FALSE(absl::StrContains(files.at("issue.md"), "nobody's fault")) << files.at("issue.md");
  const std::string& script = files.at("repro.sh");
  EXPECT_LT(script.find("cat lowered.mlir"), script.find("cannot_tell 'nobody'\\''s fault'\n")) << script;
}

// Code must run to tell that its IR is wrong; the pass that makes it so is shown by itself, beside what runs.
TEST(Reproducer, ThePassToBlameStandsByItself) {
  Reproduction reproduction = Abs();
  reproduction.blamed_pass = "math-expand-ops";
  EXPECT_FALSE(ReproducerFiles(reproduction).contains("before.mlir"));
  reproduction.blamed_alone = {"builtin.module(func.func(math-expand-ops))", "module {\n  right\n}\n",
                               absl::StrCat("module {\n", std::string(50, '\n'), "  wrong\n}\n")};
  const std::map<std::string, std::string> files = ReproducerFiles(reproduction);
  EXPECT_EQ(files.at("before.mlir"), reproduction.blamed_alone.before);
  EXPECT_EQ(files.at("after.mlir"), reproduction.blamed_alone.after);
  for (const char* part : {"mlir-opt before.mlir --math-expand-ops\n", "\n`before.mlir`:\n", "  right\n",
                           "<details><summary><code>after.mlir</code></summary>", "  wrong\n", "mlir-runner"}) {
    EXPECT_TRUE(absl::StrContains(files.at("issue.md"), part)) << part << "\n" << files.at("issue.md");
  }
}

TEST(Reproducer, TheIssueHasEverythingToFileIt) {
  const std::string issue = ReproducerFiles(Abs()).at("issue.md");
  for (const char* part :
       {"# [mlir][tosa] tosa.abs (f32) gives a wrong value", "Found with Tosaic", "LLVM 22.1.8", "\"tosa.abs\"(%arg0)",
        "--pass-pipeline='builtin.module(", "`value.abs`", "TOSA specification 1.0, Elementwise unary operators: ABS",
        "**Expected:** a result of size 2: 0x3f800000 (1), ", "**Actual:** 2"}) {
    EXPECT_TRUE(absl::StrContains(issue, part)) << part << "\n" << issue;
  }
}

// A pass may take the sizes of a result from its static type, where those in memory are others: a cast and the question
// for a size never stand in one function.
// Whoever runs the command of the issue reads there what the issue says.
TEST(Reproducer, TheDiagnosticNamesTheFunctionOfTheFile) {
  Reproduction reproduction = Abs();
  reproduction.judgement.verdict = Verdict::kLoweringFailed;
  reproduction.judgement.stage = Stage::kLower;
  reproduction.showing = ShowingOf(reproduction.judgement);
  reproduction.observation.outcome = Outcome::kIllegalIr;
  reproduction.observation.diagnostics = {"type of return operand 0 doesn't match in function @main"};
  const std::string issue = ReproducerFiles(reproduction).at("issue.md");
  EXPECT_TRUE(absl::StrContains(issue, "match in function @test\n")) << issue;
  EXPECT_FALSE(absl::StrContains(issue, "function @main")) << issue;
}

TEST(Reproducer, SizesArePrintedOutOfReachOfStaticTypes) {
  Reproduction reproduction = Abs();
  const TensorType type = ParseTensorType("tensor<2xf32>").value();
  reproduction.test_case.program.ops[0].result = type;
  const std::string module = ReproducerFiles(reproduction).at("repro.mlir");
  const size_t print = module.find("func.func @print(%result: tensor<?xf32>)"), main = module.find("func.func @main()");
  ASSERT_LT(print, main) << module;
  ASSERT_NE(main, std::string::npos);
  EXPECT_LT(module.find("tensor.dim"), main);
  EXPECT_GT(module.find("tensor.cast %results#0 : tensor<2xf32> to tensor<?xf32>"), main);
  EXPECT_TRUE(absl::StrContains(module, "func.call @print(%result) : (tensor<?xf32>) -> ()"));
}

std::string TitleOf(const Reproduction& r) {
  const std::string issue = ReproducerFiles(r).at("issue.md");
  return issue.substr(0, issue.find('\n'));
}

TEST(Reproducer, TheTitleOfAChainSaysThatItIsOne) {
  Reproduction r = Abs();
  Program& program = r.test_case.program;
  OpApplication negate;
  negate.op = OpKind::kNegate;
  program.constants = {Tensor(ElementType::kI8, {1}), Tensor(ElementType::kI8, {1})};
  negate.operands = {{ValueRef::Kind::kOp, 0}, {ValueRef::Kind::kConstant, 0}, {ValueRef::Kind::kConstant, 1}};
  negate.result = program.ops[0].result;
  program.ops.push_back(negate);
  r.judgement.mismatch = ElementMismatch{.op = 1, .inputs = {"127", "0", "-1"}, .expected = "-127", .actual = "-128"};
  EXPECT_EQ(TitleOf(r),
            "# [mlir][tosa] negate(abs(...) = 127) in f32 with zero_point 0 and output_zero_point -1 gives -128 "
            "instead of -127");
}

TEST(Reproducer, TheTitleHasTheParametersOfTheOp) {
  Reproduction r = Abs();
  OpApplication& op = r.test_case.program.ops[0];
  op.op = OpKind::kRescale;
  op.result.element_type = ElementType::kI8;
  op.attributes = {.scale32 = true, .rounding_mode = RoundingMode::kSingleRound, .output_unsigned = true};
  op.operands.resize(5, {ValueRef::Kind::kConstant, 0});
  r.judgement.mismatch = ElementMismatch{.inputs = {"7", "2", "30", "0", "255"}, .expected = "255", .actual = "0"};
  EXPECT_EQ(TitleOf(r),
            "# [mlir][tosa] rescale(7) in f32 to i8 with multiplier 2, channel_shift 30, zero_point 0, "
            "output_zero_point 255, scale32 and output_unsigned gives 0 instead of 255");
  op.op = OpKind::kClamp;
  op.operands.resize(1);
  op.attributes = {.min_val = TypedBits{ElementType::kI8, 0xfd}, .max_val = TypedBits{ElementType::kI8, 4}};
  r.judgement.mismatch->inputs = {"7"};
  EXPECT_EQ(TitleOf(r), "# [mlir][tosa] clamp(7) in f32 with min_val -3 and max_val 4 gives 0 instead of 255");
}

TEST(Reproducer, TheTitleSaysWhatIsWrongWithWhichOpInWhichPass) {
  Reproduction r = Abs();
  r.judgement.mismatch = ElementMismatch{.inputs = {"-0"}, .expected = "0", .actual = "-0"};
  EXPECT_EQ(TitleOf(r), "# [mlir][tosa] abs(-0) in f32 gives -0 instead of 0");
  r.judgement.mismatch->expected = "[1, 2]";
  r.blamed_pass = "canonicalize{x=1}";
  EXPECT_EQ(TitleOf(r), "# [mlir][tosa] abs(-0) in f32 gives -0, which is not in [1, 2] after canonicalize");
  r.blamed_pass.clear();
  r.folded = true;
  EXPECT_EQ(TitleOf(r), "# [mlir][tosa] abs(-0) in f32 gives -0, which is not in [1, 2]") << "of an argument";
  r.blamed_function = "mlir::tosa::AbsOp::fold";
  EXPECT_EQ(TitleOf(r), "# [mlir][tosa] abs(-0) in f32 is folded to -0, which is not in [1, 2]");
  r = Abs();
  r.observation.pass = "canonicalize";
  r.judgement.stage = Stage::kLower;
  r.judgement.verdict = Verdict::kCrash;
  r.judgement.rule = RuleId::kRunSignal;
  r.showing = Showing::kLowers;
  r.observation.outcome = Outcome::kSignal;
  r.observation.signal = 11;
  EXPECT_EQ(TitleOf(r), "# [mlir][tosa] canonicalize crashes on tosa.abs (f32)");
  r.stack_trace = " #0 mlir::f()\n";
  const std::string issue = ReproducerFiles(r).at("issue.md");
  EXPECT_TRUE(absl::StrContains(issue, "`canonicalize` dies of SIGSEGV (signal 11):\n\n```\n #0 mlir::f()\n```\n"))
      << issue;
  EXPECT_TRUE(absl::StrContains(issue, "**Expected:** MLIR compiles the program, or refuses it with an error.\n"))
      << issue;
  r.observation.pass.clear();
  r.judgement.stage = Stage::kExecute;
  r.showing = Showing::kExecutes;
  EXPECT_EQ(TitleOf(r), "# [mlir][tosa] code lowered from tosa.abs (f32) dies of SIGSEGV");
  EXPECT_TRUE(absl::StrContains(ReproducerFiles(r).at("issue.md"), "**Expected:** The program runs to its end.\n"));
  r.judgement.verdict = Verdict::kLeak;
  r.judgement.actual = "run 0: 2 lost";
  const std::string leak = ReproducerFiles(r).at("issue.md");
  EXPECT_TRUE(absl::StrContains(leak, "**Expected:** The program frees or returns every buffer that it allocates.\n"))
      << leak;
  EXPECT_TRUE(absl::StrContains(leak, "**Actual:** It neither frees nor returns 2 of them.\n")) << leak;
  r.judgement.stage = Stage::kVerify;
  r.judgement.verdict = Verdict::kFalseAccept;
  r.judgement.rule = RuleId::kBcastVerifyDifferent;
  r.showing = Showing::kRefuses;
  r.pipeline.clear();
  EXPECT_EQ(TitleOf(r),
            "# [mlir][tosa] the verifier accepts invalid tosa.abs (f32): a static dimension of the result differs from "
            "the static one that is inferred");
}

TEST(Reproducer, WhatIsAllowedIsAPatternPerElement) {
  const std::map<std::string, std::string> files = ReproducerFiles(Abs());
  EXPECT_TRUE(absl::StrContains(files.at("test.mlir"), "// CHECK: ( 2 ), 1065353216, {{(0|2147483648)}}{{$}}\n"))
      << files.at("test.mlir");
  EXPECT_TRUE(absl::StrContains(files.at("repro.sh"), "2: 0x3f800000 (1), 0x00000000 (0) or 0x80000000 (-0)"));
}

// A pattern of all NaNs of f32 has 700 characters.
TEST(Reproducer, TheProgramItselfTellsNans) {
  const std::vector<BitRange> nans = {{0x7f800001, 0x7fffffff}, {0xff800001, 0xffffffff}};
  Reproduction r = Abs();
  r.shown.elements = {nans, {{0, 0}, {0x7f800000, 0x7fffffff}, {0xff800001, 0xffffffff}}};
  std::map<std::string, std::string> files = ReproducerFiles(r);
  EXPECT_TRUE(
      absl::StrContains(files.at("test.mlir"), "// CHECK: ( 2 ), 2143289344, {{(0|2139095040|2143289344)}}{{$}}\n"))
      << files.at("test.mlir");
  EXPECT_TRUE(absl::StrContains(files.at("test.mlir"), "%is_nan = arith.cmpf uno, %element, %element : f32\n"));
  EXPECT_TRUE(absl::StrContains(files.at("repro.mlir"), "arith.cmpf uno"));
  // Beside one that is to come back as it is, NaNs print as they are; so do numbers where none is allowed.
  r.shown.elements = {nans, {{0x7fc00001, 0x7fc00001}}};
  EXPECT_FALSE(absl::StrContains(ReproducerFiles(r).at("test.mlir"), "cmpf"));
  r.shown.elements = {{{0, 0xffffffff}}, {{0, 0x7f800000}}};
  EXPECT_FALSE(absl::StrContains(ReproducerFiles(r).at("test.mlir"), "cmpf"));
}

}  // namespace
}  // namespace tosaic
