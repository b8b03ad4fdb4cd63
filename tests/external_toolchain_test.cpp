// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The toolchains of MLIR 16, 19 and 22 as Debian packages them (mlir-NN-tools), and tools that misbehave: wrappers
// around a real one, which do something else when a program has a tosa.sin.
#include "toolchain/external/external_toolchain.h"

#include <signal.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "codec/codec.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/mlir_text.h"
#include "oracle/explain.h"
#include "tests/fake_tools.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/program_testing.h"

namespace tosaic {
namespace {

std::unique_ptr<Toolchain> Create(const std::string& where, const ToolchainOptions& options = {}) {
  const absl::StatusOr<ExternalTools> tools = FindTools(where);
  EXPECT_TRUE(tools.ok()) << tools.status();
  absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = CreateExternalToolchain(*tools, options);
  EXPECT_TRUE(toolchain.ok()) << toolchain.status();
  return *std::move(toolchain);
}

constexpr char kAdd[] = "add(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>";
constexpr char kSin[] = "sin(tensor<2xf32>) -> tensor<2xf32>";

class ExternalToolchainTest : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Toolchain> toolchain_ = Create(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Versions, ExternalToolchainTest,
                         testing::Values("mlir-16-tools", "mlir-19-tools", "mlir-22-tools"),
                         [](const auto& info) { return std::string(info.param).substr(5, 2); });

TEST_P(ExternalToolchainTest, SaysWhatItIs) {
  EXPECT_EQ(toolchain_->description().name, GetParam());
  EXPECT_TRUE(absl::StartsWith(toolchain_->description().version,
                               absl::StrCat("LLVM ", toolchain_->description().mlir_version, ".")));
  EXPECT_FALSE(toolchain_->description().directory.empty());
  EXPECT_EQ(Info(toolchain_->description().dialect).version, toolchain_->description().mlir_version)
      << "described from this very version";
  EXPECT_NE(toolchain_->description().PipelineOf("loops"), "");
  EXPECT_EQ(toolchain_->description().PipelineOf("contract"), "") << "needs eyes in this process";
}

TEST_P(ExternalToolchainTest, RunsACaseInGuardedMemory) {
  const Observation observation = toolchain_->Observe(CaseOf(kAdd));
  ASSERT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  ASSERT_EQ(observation.runs.size(), 1u);
  EXPECT_EQ(DataToHex(observation.runs[0].results[0].tensor), "40000000 40000000");
  ASSERT_EQ(observation.inferred.size(), 1u);
  EXPECT_TRUE(observation.inferred[0].has_value());
  // Extents that do not fit are read beyond the smaller operand's end.
  Case misfit = CaseOf("add(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>");
  misfit.runs[0][0] = Tensor(ElementType::kF32, {70000});
  EXPECT_EQ(toolchain_->Observe(misfit).outcome, Outcome::kMemoryFault);
}

TEST_P(ExternalToolchainTest, RefusesAtTheStageThatItIs) {
  const Observation verify = toolchain_->Observe(CaseOf("add(tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>", false));
  EXPECT_EQ(verify.outcome, Outcome::kRefused);
  EXPECT_EQ(verify.stage, Stage::kVerify);
  ASSERT_FALSE(verify.diagnostics.empty());
  EXPECT_TRUE(absl::StrContains(verify.diagnostics[0], "'tosa.add' op")) << verify.diagnostics[0];
  EXPECT_EQ(verify.category, Category::kNotBroadcastable);

  const Observation lower = toolchain_->Observe(CaseOf("abs(tensor<*xf32>) -> tensor<*xf32>"));
  EXPECT_EQ(lower.stage, Stage::kLower) << Summarize(lower);
  EXPECT_EQ(lower.pass, "tosa-to-linalg");
  // 16 leaves a linalg.generic on an unranked tensor.
  EXPECT_EQ(lower.outcome, toolchain_->description().dialect == Dialect::k16 ? Outcome::kIllegalIr : Outcome::kRefused);

  // A folder leaves a constant of dynamic type, which passes behind it choke on: it is to blame, not they.
  if (toolchain_->description().dialect != Dialect::k16) {
    Case folded = CaseOf("equal(tensor<2xf32>, tensor<2xf32>) -> tensor<?xi1>");
    folded.route = "canonicalized";
    folded.program.arguments.clear();
    folded.program.constants = {folded.runs[0][0]};
    folded.program.ops[0].operands.assign(2, {ValueRef::Kind::kConstant, 0});
    folded.runs = {{}};
    const Observation loose = toolchain_->Observe(folded);
    EXPECT_EQ(loose.outcome, Outcome::kIllegalIr) << Summarize(loose);
    EXPECT_FALSE(loose.diagnostics.empty() || loose.diagnostics[0] != kLooseConstant) << Summarize(loose);
  }

  Case no_route = CaseOf(kAdd);
  no_route.route = "contract";
  const Observation build = toolchain_->Observe(no_route);
  EXPECT_EQ(build.outcome, Outcome::kRefused);
  EXPECT_EQ(build.stage, Stage::kBuild);
}

TEST_P(ExternalToolchainTest, WithoutRunsOnlyTheDecisionIsAskedFor) {
  const Observation observation = toolchain_->Observe(CaseOf("abs(tensor<*xf32>) -> tensor<*xf32>", false));
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << "it would not lower";
  Case decision;
  decision.program = CaseOf("abs(tensor<*xf32>) -> tensor<*xf32>").program;
  EXPECT_EQ(ToJson(observation), ToJson(toolchain_->Observe(decision)));
}

TEST_P(ExternalToolchainTest, LacksWhatNeedsMlirInThisProcess) {
  EXPECT_EQ(toolchain_->verifier(), nullptr);
  EXPECT_EQ(toolchain_->deciders(), nullptr);
  EXPECT_EQ(toolchain_->patterns(), nullptr);
  EXPECT_NE(toolchain_->lowering(), nullptr);
}

// Each op with the words of its version's dialect: attributes, shift, zero points.
TEST_P(ExternalToolchainTest, HasWordsForEveryOpThatItHas) {
  std::vector<Case> cases;
  std::vector<absl::string_view> ops;
  for (const OpInfo& op : AllOps()) {
    if (NameIn(op, toolchain_->description().dialect).empty()) continue;
    const TypeTuple& types = op.spec_types.front();
    std::string operands;
    for (const OperandRole role : op.operands.first(BroadcastOperandCount(op))) {
      absl::StrAppend(&operands, operands.empty() ? "" : ", ", "tensor<2x",
                      role == OperandRole::kCondition ? "i1" : Name(types.input), ">");
    }
    cases.push_back(CaseOf(absl::StrCat(op.name, "(", operands, ") -> tensor<2x", Name(types.result), ">"), false));
    ops.push_back(op.name);
  }
  toolchain_->Prepare(cases);
  for (size_t i = 0; i < cases.size(); ++i) {
    const Observation observation = toolchain_->Observe(cases[i]);
    EXPECT_EQ(observation.outcome, Outcome::kCompleted) << ops[i] << ": " << Summarize(observation);
  }
}

// A campaign's mixture: legal, illegal, beyond the specification, several routes, several ops. What is said of each
// must not depend on its company. Addresses are not compared: MLIR prints memory that it never wrote.
TEST_P(ExternalToolchainTest, WhatIsObservedInCompanyIsWhatIsObservedAlone) {
  GeneratorOptions options;
  options.misfit_percent = 5;
  options.illegal_percent = 15;
  options.beyond_spec_percent = 15;
  options.routes = {{"loops", 2}, {"canonicalized", 1}, {"fused", 1}};
  std::vector<Case> cases;
  for (uint64_t number = 0; number < 50; ++number) cases.push_back(GenerateCase(/*seed=*/11, number, options));
  toolchain_->Prepare(cases);
  const WorkerLimits limits;
  for (size_t i = 0; i < cases.size(); ++i) {
    const CheckedCase together = CheckCase(*toolchain_, cases[i], limits, {});  // takes what was prepared
    const CheckedCase alone = CheckCase(*toolchain_, cases[i], limits, {});
    SCOPED_TRACE(absl::StrCat("case ", i, ": ", Summarize(alone.observation)));
    EXPECT_EQ(Name(together.judgement.verdict), Name(alone.judgement.verdict)) << Summarize(together.observation);
    EXPECT_EQ(together.signature, alone.signature);
    EXPECT_EQ(Name(together.observation.stage), Name(alone.observation.stage));
    EXPECT_EQ(together.observation.pass, alone.observation.pass);
    EXPECT_EQ(together.observation.diagnostics.size(), alone.observation.diagnostics.size());
    EXPECT_EQ(together.observation.inferred, alone.observation.inferred);
    EXPECT_EQ(together.observation.runs, alone.observation.runs);
    EXPECT_NE(Name(alone.judgement.verdict), Name(Verdict::kHarnessFault));
  }
}

// The same MLIR through its tools and in this process.
TEST(ExternalToolchain22Test, SaysWhatTheOneInThisProcessSays) {
  const std::unique_ptr<Toolchain> tools = Create("mlir-22-tools");
  const absl::StatusOr<std::unique_ptr<Toolchain>> in_process = CreateMlirToolchain();
  ASSERT_TRUE(in_process.ok());
  GeneratorOptions options;
  options.illegal_percent = 20;
  options.routes = {{"loops", 1}, {"canonicalized", 1}, {"affine-vectorized", 1}, {"loops-dealloc", 1}};
  std::vector<Case> cases;
  for (uint64_t number = 0; number < 40; ++number) cases.push_back(GenerateCase(/*seed=*/7, number, options));
  tools->Prepare(cases);
  for (const Case& test_case : cases) {
    const CheckedCase outside = CheckCase(*tools, test_case, {}, {});
    const CheckedCase inside = CheckCase(**in_process, test_case, {}, {});
    SCOPED_TRACE(Summarize(inside.observation));
    EXPECT_EQ(Name(outside.judgement.verdict), Name(inside.judgement.verdict)) << Summarize(outside.observation);
    EXPECT_EQ(outside.signature, inside.signature);
    EXPECT_EQ(outside.observation.runs, inside.observation.runs);
    EXPECT_EQ(outside.observation.category, inside.observation.category);
  }
}

// A directory with a mlir-opt that does `body` where a program has a tosa.sin; ARGUMENTS are its own, REAL the real
// one.
class Misbehaving {
 public:
  explicit Misbehaving(const std::string& opt_body, const std::string& translate_body = ":") {
    const ExternalTools real = FindTools("mlir-22-tools").value();
    const auto wrap = [&](const std::string& name, const std::string& tool, const std::string& body) {
      WriteTool(directory_ / name,
                absl::StrCat("REAL=", tool, "\ncase \"$1\" in --version) exec $REAL --version;; esac\n",
                             "input=$(cat; echo x); input=${input%x}\n", "case \"$input\" in *tosa.sin*|*intr.sin*)\n",
                             body, "\n;; esac\nprintf '%s' \"$input\" | $REAL \"$@\"\n"));
    };
    wrap("mlir-opt", real.opt, opt_body);
    wrap("mlir-translate", real.translate, translate_body);
    toolchain_ = Create(directory_.path(), {.limits = {.cpu_seconds = 5, .wall_seconds = 2}, .output_bytes = 1 << 20});
  }
  Toolchain& toolchain() { return *toolchain_; }

  // Observes a sin between two adds, prepared together; the adds must not suffer.
  Observation ObserveSin() {
    const std::vector<Case> cases = {CaseOf(kAdd), CaseOf(kSin),
                                     CaseOf("sub(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>")};
    toolchain_->Prepare(cases);
    EXPECT_EQ(toolchain_->Observe(cases[0]).outcome, Outcome::kCompleted);
    EXPECT_EQ(toolchain_->Observe(cases[2]).outcome, Outcome::kCompleted);
    Observation together = toolchain_->Observe(cases[1]);
    const Observation alone = toolchain_->Observe(cases[1]);
    EXPECT_EQ(ToJson(together), ToJson(alone));
    return together;
  }

 private:
  TemporaryDirectory directory_;
  std::unique_ptr<Toolchain> toolchain_;
};

constexpr char kWhenLowering[] = "case \"$*\" in *tosa-to-linalg*) ";

TEST(MisbehavingToolsTest, TheWrapperAloneChangesNothing) {
  EXPECT_EQ(Misbehaving(":").ObserveSin().outcome, Outcome::kCompleted);
}

TEST(MisbehavingToolsTest, ACrashIsItsCasesAndItsPasss) {
  const Observation verify = Misbehaving("kill -SEGV $$").ObserveSin();
  EXPECT_EQ(verify.outcome, Outcome::kSignal);
  EXPECT_EQ(verify.stage, Stage::kVerify);
  EXPECT_EQ(verify.signal, SIGSEGV);
  const Observation lower =
      Misbehaving(absl::StrCat(kWhenLowering,
                               "echo '// -----// IR Dump Before One (one) //----- //\n"
                               "// -----// IR Dump Before Two (two) //----- //' >&2; kill -ABRT $$;; esac"))
          .ObserveSin();
  EXPECT_EQ(lower.outcome, Outcome::kSignal);
  EXPECT_EQ(lower.stage, Stage::kLower);
  EXPECT_EQ(lower.signal, SIGABRT);
  EXPECT_EQ(lower.pass, "two");
  const Observation translate = Misbehaving(":", "kill -SEGV $$").ObserveSin();
  EXPECT_EQ(translate.outcome, Outcome::kSignal);
  EXPECT_EQ(translate.stage, Stage::kTranslate);
}

TEST(MisbehavingToolsTest, AToolThatHangsMeetsTheDeadline) {
  const Observation observation = Misbehaving(absl::StrCat(kWhenLowering, "sleep 1000;; esac")).ObserveSin();
  EXPECT_EQ(observation.outcome, Outcome::kDeadline);
  EXPECT_EQ(observation.stage, Stage::kLower);
}

TEST(MisbehavingToolsTest, WhatIsNoAnswerIsTheToolsFailure) {
  for (const char* body :
       {"echo garbage; exit 0", "exit 0", "exit 1", "exit 77", "echo '<stdin>:1:1: error: x' >&2; exit 0",
        "echo module; exit 1", "exec yes", "echo 'tool: Unknown argument' >&2; exit 1"}) {
    const Observation observation = Misbehaving(body).ObserveSin();
    EXPECT_EQ(Name(observation.outcome), Name(Outcome::kToolFailure)) << body;
    EXPECT_FALSE(observation.diagnostics.empty()) << body;
  }
  const Observation translate = Misbehaving(":", "echo garbage; exit 0").ObserveSin();
  EXPECT_EQ(translate.outcome, Outcome::kToolFailure);
  EXPECT_EQ(translate.stage, Stage::kTranslate);
}

// As linalg-specialize-generic-ops of 2025-02-06 does with a minimum of f16.
TEST(MisbehavingToolsTest, APassThatFailsWithoutAWordRefuses) {
  const Observation observation =
      Misbehaving(absl::StrCat(kWhenLowering,
                               "case \"$*\" in *print-ir-after*) echo '// -----// IR Dump After One Failed (one) "
                               "//----- //' >&2;; esac; exit 1;; esac"))
          .ObserveSin();
  EXPECT_EQ(Name(observation.outcome), Name(Outcome::kRefused));
  EXPECT_EQ(observation.stage, Stage::kLower);
  EXPECT_EQ(observation.pass, "one");
  EXPECT_EQ(observation.diagnostics, std::vector<std::string>{"the pass one fails and does not say why"});
}

TEST(MisbehavingToolsTest, LlvmIrThatCannotBeReadIsIllegal) {
  const Observation observation = Misbehaving(":", "printf '; ModuleID = 1\\ndefine garbage\\n'; exit 0").ObserveSin();
  EXPECT_EQ(observation.outcome, Outcome::kIllegalIr);
  EXPECT_EQ(observation.stage, Stage::kTranslate);
}

TEST(MisbehavingToolsTest, ToolsThatSpeakNoKnownDialectAreRefused) {
  TemporaryDirectory directory;
  WriteTool(directory / "mlir-opt", Versioned("9.0.0", "echo '<stdin>:1:1: error: unknown dialect' >&2; exit 1"));
  WriteTool(directory / "mlir-translate", Versioned("9.0.0", ""));
  const absl::StatusOr<std::unique_ptr<Toolchain>> toolchain =
      CreateExternalToolchain(FindTools(directory.path()).value());
  ASSERT_FALSE(toolchain.ok());
  EXPECT_TRUE(absl::StrContains(toolchain.status().message(), "takes none of the TOSA dialects that Tosaic writes"));
  EXPECT_TRUE(absl::StrContains(toolchain.status().message(), "unknown dialect"));
}

// A build of someone's own may say another version than that whose dialect it speaks.
TEST(MisbehavingToolsTest, TheDialectIsWhatTheToolsTake) {
  TemporaryDirectory directory;
  const ExternalTools real = FindTools("mlir-16-tools").value();
  WriteTool(directory / "mlir-opt", Versioned("99.0.0git", absl::StrCat("exec ", real.opt, " \"$@\"")));
  WriteTool(directory / "mlir-translate", Versioned("99.0.0git", absl::StrCat("exec ", real.translate, " \"$@\"")));
  const std::unique_ptr<Toolchain> toolchain = Create(directory.path());
  EXPECT_EQ(toolchain->description().dialect, Dialect::k16);
  EXPECT_EQ(toolchain->description().mlir_version, 99);
  EXPECT_EQ(toolchain->Observe(CaseOf(kAdd)).outcome, Outcome::kCompleted);
}

TEST(ExternalPipelineTest, APipelineOfTheUsersTakesTheRoutesPlace) {
  const std::string loops = Create("mlir-19-tools")->description().PipelineOf("loops");
  const std::unique_ptr<Toolchain> toolchain = Create("mlir-19-tools", {.pipeline = loops});
  Case test_case = CaseOf(kAdd);
  test_case.route = std::string(kCustomRoute);
  EXPECT_EQ(toolchain->Observe(test_case).outcome, Outcome::kCompleted);
  EXPECT_EQ(toolchain->description().PipelineOf(kCustomRoute), loops);
  test_case.route = "loops";
  EXPECT_EQ(toolchain->lowering()->ObserveThrough(test_case, loops).outcome, Outcome::kCompleted);
  const Observation unlowered =
      toolchain->lowering()->ObserveThrough(test_case, "builtin.module(func.func(tosa-to-linalg))");
  EXPECT_EQ(unlowered.outcome, Outcome::kRefused);
  EXPECT_EQ(unlowered.stage, Stage::kTranslate);
  EXPECT_EQ(toolchain->lowering()->ObserveThrough(test_case, "builtin.module(no-such-pass)").outcome,
            Outcome::kToolFailure);
  const std::string add = ToMlir(test_case.program, Dialect::k19);
  const absl::StatusOr<std::string> linalg =
      toolchain->lowering()->LowerText(add, "builtin.module(func.func(tosa-to-linalg))", false);
  ASSERT_TRUE(linalg.ok()) << linalg.status();
  EXPECT_TRUE(absl::StrContains(*linalg, "linalg.generic")) << *linalg;
  const absl::StatusOr<std::string> llvm_ir = toolchain->lowering()->LowerText(add, loops, true);
  ASSERT_TRUE(llvm_ir.ok()) << llvm_ir.status();
  EXPECT_TRUE(absl::StrContains(*llvm_ir, "define ")) << *llvm_ir;
  EXPECT_FALSE(toolchain->lowering()->LowerText("garbage", loops, false).ok());
  const auto error = [](const std::string& pipeline) {
    return std::string(
        CreateExternalToolchain(FindTools("mlir-19-tools").value(), {.pipeline = pipeline}).status().message());
  };
  EXPECT_TRUE(absl::StrContains(error("func.func(canonicalize)"), "does not parse: it must be builtin.module(...)"));
  EXPECT_TRUE(absl::StrContains(error("builtin.module(no-such-pass)"), "does not parse: "))
      << error("builtin.module(no-such-pass)");
}

}  // namespace
}  // namespace tosaic
