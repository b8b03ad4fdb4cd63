// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How what another MLIR's tools lower comes to run, or does not: LLVM IR that our reader is too old for, object files
// of llc and mlir-runner of the same version, an mlir-opt alone. Tools of 22 play those of a later version.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "gtest/gtest.h"
#include "model/pass_sequence.h"
#include "model/signature_program.h"
#include "tests/fake_tools.h"
#include "toolchain/external/external_toolchain.h"

namespace tosaic {
namespace {

// A case of one op on arguments; with a run of two elements each that are 1, or without any.
Case CaseOf(absl::string_view signature, bool runs = true) {
  Case test_case;
  test_case.program = ParseSignature(signature).value();
  if (!runs) return test_case;
  Run run;
  for (const TensorType& type : test_case.program.arguments) {
    Tensor tensor(type.element_type, {2});
    for (size_t i = 0; i < 2; ++i) tensor.SetBits(i, type.element_type == ElementType::kF32 ? 0x3f800000 : 1);
    run.push_back(std::move(tensor));
  }
  test_case.runs = {std::move(run)};
  return test_case;
}

constexpr char kAdd[] = "add(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>";
constexpr char kSin[] = "sin(tensor<2xf32>) -> tensor<2xf32>";

// Tools of version 22 that say another version, so that our reader is too old for them; `names` says which.
class OtherVersion {
 public:
  OtherVersion(const std::string& version, const std::vector<std::string>& names) {
    const std::string bin = FindTools("/usr/lib/llvm-22/bin").value().directory;
    std::filesystem::create_directory(directory_ / "bin");
    std::filesystem::create_directory_symlink(bin + "/../lib", directory_ / "lib");  // what programs may call
    for (const std::string& name : names) Write(version, name, absl::StrCat("exec ", bin, "/", name, " \"$@\""));
  }
  void Write(const std::string& version, const std::string& name, const std::string& body) {
    WriteTool(absl::StrCat(tools(), "/", name), Versioned(version, body));
  }
  std::unique_ptr<Toolchain> Create() const { return CreateExternalToolchain(FindTools(tools()).value()).value(); }
  std::string running() const { return FindTools(tools()).value().running(); }

 private:
  std::string tools() const { return directory_ / "bin"; }

  TemporaryDirectory directory_;
};

constexpr char kTooNew[] = "printf '; ModuleID = \"x\"\\ndefine newer @main() {\\n  ret newer +qnan\\n}\\n'";

// The spelling of floats of LLVM 24 is read (llvm_ir_text.h), a new type is not.
TEST(ExternalToolchain, IsNotBlamedForLlvmIrThatIsTooNewForOurReader) {
  for (const auto& [version, stage] : {std::pair("99.0.0", Stage::kExecute), std::pair("22.1.8", Stage::kTranslate)}) {
    OtherVersion tools(version, {"mlir-opt"});
    tools.Write(version, "mlir-translate", kTooNew);
    const Observation observation = tools.Create()->Observe(CaseOf(kAdd));
    EXPECT_EQ(observation.stage, stage) << version << ": " << Summarize(observation);
    EXPECT_EQ(observation.outcome, stage == Stage::kExecute ? Outcome::kRefused : Outcome::kIllegalIr);
    EXPECT_TRUE(absl::StrContains(observation.diagnostics.at(0), "does not read the LLVM IR"))
        << observation.diagnostics[0];
    EXPECT_EQ(absl::StrContains(observation.diagnostics[0], "put llc or mlir-runner of LLVM 99 beside mlir-opt"),
              stage == Stage::kExecute);
  }
}

// Code that a newer LLVM lowered is compiled by its own llc or mlir-runner.
TEST(ExternalToolchain, ObjectFilesOfItsOwnVersionRun) {
  for (const std::vector<std::string>& names : {std::vector<std::string>{"mlir-opt", "mlir-translate", "llc"},
                                                {"mlir-opt", "mlir-translate", "mlir-runner"},
                                                {"mlir-opt", "mlir-runner"},
                                                {"mlir-opt", "mlir-translate", "llc", "mlir-runner"}}) {
    const OtherVersion tools("99.0.0", names);
    SCOPED_TRACE(tools.running());
    EXPECT_TRUE(absl::StartsWith(tools.running(), "object files of its ")) << tools.running();
    const std::unique_ptr<Toolchain> toolchain = tools.Create();
    for (const char* route : {"loops", "optimized"}) {
      std::vector<Case> cases = {CaseOf(kAdd), CaseOf(kSin), CaseOf("cast(tensor<2xf32>) -> tensor<2xbf16>")};
      for (Case& test_case : cases) test_case.route = route;
      toolchain->Prepare(cases);
      for (const Case& test_case : cases) {
        const Observation observation = toolchain->Observe(test_case);
        ASSERT_EQ(observation.outcome, Outcome::kCompleted) << route << ": " << Summarize(observation);
        const CheckedCase checked = CheckCase(*toolchain, test_case, {}, {});
        EXPECT_EQ(checked.judgement.verdict, Verdict::kAgree) << checked.judgement.actual;
        EXPECT_EQ(observation.poison_unseen.empty(), absl::c_linear_search(names, "mlir-translate"))
            << "poison is searched for in the LLVM IR of mlir-translate";
      }
    }
  }
}

TEST(ExternalToolchain, ToolsOfAnotherVersionMakeNoObjectFiles) {
  OtherVersion tools("99.0.0", {"mlir-opt"});
  tools.Write("99.0.0", "mlir-translate", kTooNew);
  tools.Write("98.0.0", "llc", "echo wrong");
  tools.Write("98.0.0", "mlir-runner", "echo wrong");
  EXPECT_TRUE(absl::StrContains(tools.running(), "put llc or mlir-runner beside mlir-opt")) << tools.running();
}

TEST(ExternalToolchain, ALlcThatMisbehavesIsTheToolsFailureOrItsCrash) {
  for (const auto& [body, outcome] :
       {std::pair("echo no object", Outcome::kToolFailure), std::pair("exit 3", Outcome::kToolFailure),
        std::pair("kill -SEGV $$", Outcome::kSignal),
        std::pair("echo 'llc: error: what is that?' >&2; exit 1", Outcome::kIllegalIr)}) {
    OtherVersion tools("99.0.0", {"mlir-opt", "mlir-translate"});
    tools.Write("99.0.0", "llc", body);
    const Observation observation = tools.Create()->Observe(CaseOf(kAdd));
    EXPECT_EQ(Name(observation.outcome), Name(outcome)) << body << ": " << Summarize(observation);
  }
}

// An mlir-opt 22 that does not know a pass.
std::unique_ptr<Toolchain> Without(const std::string& pass, const TemporaryDirectory& directory,
                                   const std::string& pipeline = "") {
  const std::string real = FindTools("mlir-22-tools").value().opt;
  WriteTool(directory / "mlir-opt", Versioned("22.1.8", absl::StrCat("case \"$*\" in *", pass, "*) exec ", real,
                                                                     " --pass-pipeline='builtin.module(", pass,
                                                                     "-is-gone)';; esac\nexec ", real, " \"$@\"")));
  return CreateExternalToolchain(FindTools(directory.path()).value(), {.pipeline = pipeline}).value();
}

// The tools are asked for their passes.
TEST(ExternalToolchain, LacksTheRoutesWhosePassesAreNotThere) {
  const TemporaryDirectory directory;
  const std::unique_ptr<Toolchain> toolchain = Without("linalg-fold-unit-extent-dims", directory);
  const std::vector<RouteLimit>& limits = toolchain->description().limits;
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_EQ(limits[0].route, "unit-dims");
  EXPECT_EQ(limits[1].route, kSequenceRoute) << "its table has the pass";
  for (const RouteLimit& limit : limits) EXPECT_EQ(limit.why, "not there: pass linalg-fold-unit-extent-dims-is-gone");
  Case test_case = CaseOf(kAdd);
  test_case.route = "unit-dims";
  const Observation observation = toolchain->Observe(test_case);
  EXPECT_EQ(observation.stage, Stage::kBuild);
  EXPECT_EQ(observation.diagnostics.at(0), "mlir-22-tools has no route 'unit-dims': " + limits[0].why);
  EXPECT_EQ(toolchain->Observe(CaseOf("add(tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>")).outcome,
            Outcome::kRefused);
}

// As the tool of a project of its own may be: it decides.
TEST(ExternalToolchain, AnMlirOptWithoutTosasPassesIsJudgedUpToLowering) {
  const TemporaryDirectory directory;
  const std::unique_ptr<Toolchain> toolchain = Without("tosa-infer-shapes", directory);
  EXPECT_GE(toolchain->description().limits.size(), toolchain->description().routes.size());
  const auto verdict = [&](const Case& test_case) { return CheckCase(*toolchain, test_case, {}, {}).judgement; };
  const Judgement lowered = verdict(CaseOf(kAdd));
  EXPECT_EQ(lowered.verdict, Verdict::kUnsupported) << lowered.actual;
  EXPECT_TRUE(
      absl::StrContains(lowered.actual,
                        "mlir-22-tools lowers nothing: not there: pass tosa-infer-shapes-is-gone (take an mlir-opt "
                        "with all of MLIR's passes, or a library with its C API: --toolchain=FILE.so)"))
      << lowered.actual;
  EXPECT_EQ(verdict(CaseOf("mul(tensor<1xi16>, tensor<1xi16>, tensor<1xi8>) -> tensor<2xi32>", false)).verdict,
            Verdict::kFalseAccept)
      << "F1";
}

// The user gives the pipeline, so no route has to exist.
TEST(ExternalToolchain, APipelineOfTheUsersNeedsNoRoute) {
  const TemporaryDirectory directory;
  const std::unique_ptr<Toolchain> toolchain = Without("tosa-infer-shapes", directory, "builtin.module(canonicalize)");
  EXPECT_FALSE(toolchain->description().limits.empty());
  Case test_case = CaseOf(kAdd);
  test_case.route = std::string(kCustomRoute);
  const Observation observation = toolchain->Observe(test_case);
  EXPECT_EQ(observation.stage, Stage::kExecute);
  EXPECT_EQ(observation.diagnostics.at(0),
            "mlir-22-tools runs nothing; put mlir-translate or mlir-runner beside mlir-opt");
}

TEST(ExternalToolchain, AToolThatHangsHasNotSaidThatItLacksAPass) {
  const TemporaryDirectory directory;
  const std::string real = FindTools("mlir-22-tools").value().opt;
  WriteTool(directory / "mlir-opt",
            Versioned("22.1.8", absl::StrCat("case \"$*\" in *linalg-fold-unit-extent-dims*) sleep 1000;; esac\nexec ",
                                             real, " \"$@\"")));
  const std::unique_ptr<Toolchain> toolchain =
      CreateExternalToolchain(FindTools(directory.path()).value(), {.limits = {.cpu_seconds = 5, .wall_seconds = 2}})
          .value();
  EXPECT_TRUE(toolchain->description().limits.empty());
  EXPECT_NE(FindRoute(toolchain->description().routes, "unit-dims"), nullptr);
}

// Decisions, inference and lowering need no more.
TEST(ExternalToolchain, AnMlirOptAloneIsJudgedUpToTheRun) {
  for (const char* version : {"22.1.8", "99.0.0"}) {
    const OtherVersion tools(version, {"mlir-opt"});
    const std::unique_ptr<Toolchain> toolchain = tools.Create();
    const auto verdict = [&](const Case& test_case) { return CheckCase(*toolchain, test_case, {}, {}).judgement; };
    const Judgement lowered = verdict(CaseOf(kAdd));
    EXPECT_EQ(lowered.verdict, Verdict::kUnsupported);
    EXPECT_TRUE(absl::StrContains(lowered.actual, "put mlir-translate or mlir-runner beside mlir-opt"))
        << lowered.actual;
    EXPECT_EQ(verdict(CaseOf(kAdd, false)).verdict, Verdict::kAgree);
    EXPECT_EQ(verdict(CaseOf("add(tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>", false)).verdict, Verdict::kAgree);
    EXPECT_EQ(verdict(CaseOf("mul(tensor<1xi16>, tensor<1xi16>, tensor<1xi8>) -> tensor<2xi32>", false)).verdict,
              Verdict::kFalseAccept)
        << "F1";
    EXPECT_FALSE(toolchain->lowering()->LowerText("module {}", "builtin.module()", true).ok());
  }
}

}  // namespace
}  // namespace tosaic
