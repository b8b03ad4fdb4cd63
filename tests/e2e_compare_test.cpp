// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tosaic compare` of two toolchains, and ci/pull_request.sh, as the author and the reviewer of a patch have them: what
// changed in the IR, and a report that can be posted.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "results/conformance.h"
#include "tests/fake_tools.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

Comparison ComparisonIn(const std::string& path) {
  absl::StatusOr<Comparison> comparison = FromText<Comparison>(Slurp(path));
  EXPECT_TRUE(comparison.ok()) << comparison.status();
  return comparison.ok() ? *std::move(comparison) : Comparison();
}

// Of two toolchains, on one op.
Ran Compared(const std::string& out, std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"compare", "--quiet", "--format=json", absl::StrCat("--out=", out)});
  if (absl::StartsWith(flags.back(), "--")) flags.push_back("--no-reduce");  // two reports end in a file
  return RunTosaic(flags);
}

TEST(E2eCompareIr, SaysWhatAPluginsPassChanges) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "comparison.json", saved = temporary / "saved";
  const Ran ran = Compared(
      out, {"--base=mlir-22", "--patch=mlir-22", "--ops=add", "--profile=pro-int", kPluginFlag,
            "--insert-after=tosa-to-linalg:tosaic-break{what=minimum-extent}", absl::StrCat("--save=", saved)});
  EXPECT_EQ(ran.status, 1) << ran.err;
  const Comparison comparison = ComparisonIn(out);
  for (const CaseChange& change : comparison.cases) {
    EXPECT_EQ(change.change, Change::kRegressed)
        << change.base.name << ": both sides take the edited route, the corpus too";
  }
  ASSERT_TRUE(comparison.ir.has_value());
  const IrChange& ir = *comparison.ir;
  EXPECT_GT(ir.tensors.differ, 0u);
  EXPECT_LT(ir.tensors.differ, ir.tensors.compared);
  EXPECT_EQ(ir.tensors.differ, ir.lowered.differ);
  ASSERT_EQ(ir.tensors.groups.size(), 1u);
  EXPECT_EQ(OpsInWords(ir.tensors.groups[0].ops), "arith.maxui -> arith.minui");
  EXPECT_EQ(ir.tensors.ops.at("arith.minui"), (std::pair<uint64_t, uint64_t>(0, ir.tensors.differ)));
  EXPECT_EQ(ir.code.compared, ir.lowered.compared);
  EXPECT_GT(ir.code.base_bytes, 100 * ir.code.compared);
  ASSERT_FALSE(ir.samples.empty());
  EXPECT_TRUE(absl::StrContains(ir.samples[0].diff, "= arith.maxui %")) << ir.samples[0].diff;
  EXPECT_TRUE(absl::StrContains(ir.samples[0].diff, "= arith.minui %")) << ir.samples[0].diff;

  const std::string markdown = RunTosaic({"report", out, "--format=markdown"}).out;
  EXPECT_TRUE(absl::StrContains(markdown, "`arith.maxui -> arith.minui`")) << markdown;
  EXPECT_TRUE(absl::StrContains(markdown, "patch runs `tosaic-break{what=minimum-extent}`")) << markdown;
  EXPECT_TRUE(absl::StrContains(
      markdown, absl::StrCat("\ntosaic check --load-pass-plugin='", TOSAIC_PLUGIN,
                             "' --insert-after='tosa-to-linalg:tosaic-break{what=minimum-extent}' case.json\n")))
      << markdown;

  // The reports that were left say the same without running anything, but have no samples.
  const std::string again = temporary / "again.json";
  EXPECT_EQ(Compared(again, {saved + "/base.json", saved + "/patch.json"}).status, 1);
  Comparison read = ComparisonIn(again);
  ASSERT_TRUE(read.ir.has_value());
  EXPECT_TRUE(read.ir->samples.empty());
  read.ir->samples = ir.samples;
  EXPECT_EQ(ToJson(*read.ir), ToJson(ir));
}

TEST(E2eCompareIr, TheSameMlirInProcessAndByItsToolsMakesTheSame) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "comparison.json";
  Compared(out, {"--base=mlir-22", "--patch=mlir-22-tools", "--ops=clz", "--route=loops"});
  const Comparison comparison = ComparisonIn(out);
  ASSERT_TRUE(comparison.ir.has_value());
  EXPECT_GT(comparison.ir->tensors.compared, 20u);
  EXPECT_EQ(comparison.ir->tensors.differ, 0u);
  EXPECT_EQ(comparison.ir->lowered.differ, 0u);
  EXPECT_EQ(comparison.ir->code.compared, comparison.ir->lowered.compared);
  EXPECT_EQ(comparison.ir->code.base_bytes, comparison.ir->code.patch_bytes);
  EXPECT_TRUE(comparison.ir->samples.empty());
}

TEST(E2eCompareIr, AnotherVersionMakesOtherIr) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "comparison.json";
  Compared(out, {"--base=mlir-19-tools", "--patch=mlir-22", "--ops=clz", "--route=loops"});
  const Comparison comparison = ComparisonIn(out);
  ASSERT_TRUE(comparison.ir.has_value());
  EXPECT_GT(comparison.ir->lowered.differ, 0u);
  EXPECT_FALSE(comparison.ir->samples.empty());
}

TEST(E2eCompareIr, OnlyWhereItIsAskedFor) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "comparison.json";
  Compared(out, {"--base=mlir-22", "--patch=mlir-22", "--ops=clz", "--no-ir"});
  EXPECT_FALSE(ComparisonIn(out).ir.has_value());
  const std::string plain = temporary / "plain.json", with = temporary / "with.json";
  RunTosaic({"conform", "--ops=clz", absl::StrCat("--out=", plain)});
  RunTosaic({"conform", "--ops=clz", "--ir", absl::StrCat("--out=", with)});
  absl::StatusOr<ConformanceReport> without_ir = ConformanceFromText(Slurp(plain));
  absl::StatusOr<ConformanceReport> with_ir = ConformanceFromText(Slurp(with));
  ASSERT_TRUE(without_ir.ok() && with_ir.ok());
  size_t lowered = 0;
  for (SuiteCase& suite_case : with_ir->cases) {
    ASSERT_TRUE(suite_case.ir.has_value()) << suite_case.name;
    lowered += suite_case.ir->code_bytes.has_value();
    EXPECT_EQ(suite_case.ir->code_bytes.has_value(), suite_case.ir->missing.empty()) << suite_case.name;
    suite_case.ir.reset();
  }
  EXPECT_GT(lowered, 20u);
  EXPECT_EQ(without_ir->cases, with_ir->cases) << "it changes no verdict";
}

// Two builds of MLIR as docs/patch.md makes them, one without mlir-translate.
TEST(E2eCompareIr, SaysWhatAToolchainDoesNotGive) {
  TemporaryDirectory temporary;
  const std::string tools = temporary / "bin", out = temporary / "comparison.json";
  fs::create_directory(tools);
  for (const char* name : {"mlir-opt", "mlir-runner"}) {
    fs::create_symlink(absl::StrCat(TOSAIC_LLVM_TOOLS, "/", name), absl::StrCat(tools, "/", name));
  }
  Compared(out, {"--base=mlir-22", absl::StrCat("--patch=", tools), "--ops=clz", "--route=loops"});
  const Comparison comparison = ComparisonIn(out);
  ASSERT_TRUE(comparison.ir.has_value());
  EXPECT_EQ(comparison.ir->lowered.differ, 0u);
  EXPECT_EQ(comparison.ir->code.compared, 0u);
  EXPECT_EQ(comparison.ir->patch_missing.at("no size of code: mlir-22-tools has no mlir-translate"),
            comparison.ir->lowered.compared);
  const std::string text = RunTosaic({"report", out, "--format=text"}).out;
  EXPECT_TRUE(absl::StrContains(text, "no case has a size on both sides")) << text;
}

TEST(PullRequest, WrongUsageIsSaidBeforeAnythingIsInstalled) {
  TemporaryDirectory temporary;
  const std::string script = absl::StrCat(TOSAIC_SOURCE_DIR, "/ci/pull_request.sh");
  const std::string err = temporary / "err";
  for (const char* flags :
       {"", "--out=x", "--out=x --base=mlir-22", "--out=x --base-ref=HEAD --replace=a:b", "--nonsense",
        "--out=x --base-ref=HEAD --tosaic=/bin/true", "--out=x --base=a --patch=b --tosaic=/no/tosaic"}) {
    const int status =
        std::system(absl::StrCat("cd ", temporary / "", " && ", script, " ", flags, " 2> ", err).c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2) << flags;
    EXPECT_TRUE(absl::StrContains(Slurp(err), "--help says more")) << Slurp(err);
  }
}

// Else the next ctest would find no tests.
TEST(PullRequest, WhatIsConfiguredWithTestsIsNotConfiguredAnewWithout) {
  TemporaryDirectory temporary;
  fs::create_directories(temporary / "ci");
  fs::copy(absl::StrCat(TOSAIC_SOURCE_DIR, "/ci/build.sh"), temporary / "ci");
  WriteTool(temporary / "cmake", absl::StrCat("echo \"$@\" >> ", temporary / "calls"));
  const auto calls = [&](const std::string& preset) {
    Spill(temporary / "calls", "");
    const std::string command =
        absl::StrCat("PATH=", temporary / "", ":$PATH ", temporary / "ci/build.sh", " ", preset);
    EXPECT_EQ(std::system(command.c_str()), 0);
    return Slurp(temporary / "calls");
  };
  EXPECT_EQ(calls("tosaic"), "--preset tosaic\n--build --preset tosaic\n");
  fs::create_directories(temporary / "build/release");
  Spill(temporary / "build/release/build.ninja", "");
  EXPECT_EQ(calls("tosaic"), "--build --preset tosaic\n");
  EXPECT_EQ(calls("release"), "--preset release\n--build --preset release\n");
}

// The script that the author of a plugin calls, and its report.
TEST(PullRequest, APluginThatBreaksAnOp) {
  TemporaryDirectory temporary;
  const std::string command = absl::StrCat("cd ", temporary / "", " && ", TOSAIC_SOURCE_DIR,
                                           "/ci/pull_request.sh --tosaic=", TOSAIC_BINARY, " ", kPluginFlag,
                                           " '--insert-after=tosa-to-linalg:tosaic-break{what=floor-division}' "
                                           "--ops=intdiv --out=out --minutes=0.1 --seeds=tests "
                                           "> log 2>&1");
  fs::create_directories(temporary / "tests");
  Spill(temporary / "tests/division.mlir",
        "func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {\n"
        "  %0 = tosa.intdiv %a, %b : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>\n"
        "  return %0 : tensor<4xi32>\n}\n");
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1) << Slurp(temporary / "log");
  const std::string markdown = Slurp(temporary / "out/comparison.md");
  EXPECT_TRUE(absl::StartsWith(markdown, "### Tosaic: ")) << markdown;
  for (const char* wanted :
       {"- base: `mlir-22, LLVM ", "plugins `", "patch runs `tosaic-break{what=floor-division}`",
        "- rule: `value.intdiv`", "- inputs: `-1, 2`", "- expected: `0`", "- actual: `-1`",
        "tosaic check --load-pass-plugin=", "`arith.divsi -> arith.floordivsi`", "+      %2 = arith.floordivsi"}) {
    EXPECT_TRUE(absl::StrContains(markdown, wanted)) << wanted << "\n" << markdown;
  }
  EXPECT_FALSE(absl::StrContains(markdown, "0x7f"));
  EXPECT_FALSE(fs::is_empty(temporary / "out/seeds"));
  for (const char* file : {"base.json", "patch.json", "comparison.json", "comparison.html", "campaign/summary.json"}) {
    EXPECT_TRUE(fs::exists(temporary / absl::StrCat("out/", file))) << file;
  }
}

}  // namespace
}  // namespace tosaic
