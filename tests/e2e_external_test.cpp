// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other MLIRs as toolchains, as a user has them: by name and by directory, with the same case files.
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/fake_tools.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

const std::string kRegressions = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions");

// The toolchains that `tosaic toolchains` lists, by name.
std::map<std::string, Json> Toolchains() {
  const Ran ran = RunTosaic({"toolchains", "--json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::map<std::string, Json> toolchains;
  for (const Json& entry : Parsed(ran.out)) toolchains[entry["name"].get<std::string>()] = entry;
  return toolchains;
}

TEST(E2eExternal, ToolchainsListsWhatTheMachineHas) {
  const std::map<std::string, Json> toolchains = Toolchains();
  for (const char* name : {"mlir-22", "mlir-16-tools", "mlir-19-tools", "mlir-22-tools"}) {
    ASSERT_TRUE(toolchains.contains(name)) << name;
  }
  EXPECT_EQ(toolchains.at("mlir-22")["directory"], "");
  EXPECT_NE(toolchains.at("mlir-22-tools")["directory"], "");
  EXPECT_EQ(toolchains.at("mlir-16-tools")["dialect"], 16);
  EXPECT_EQ(toolchains.at("mlir-16-tools")["ops"], 39);
  EXPECT_EQ(toolchains.at("mlir-19-tools")["ops"], 42);
  EXPECT_EQ(toolchains.at("mlir-19-tools")["routes"][0], "loops");
  const Ran text = RunTosaic({"toolchains"});
  EXPECT_TRUE(absl::StrContains(text.out, "39 of 42 ops")) << text.out;
}

// A file is read in the spelling of the toolchain.
TEST(E2eExternal, MlirFilesAreInTheToolchainsOwnSpelling) {
  TemporaryDirectory temporary;
  const std::string path = temporary / "old.mlir";
  Spill(path, R"(
func.func @f(%a: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %c = "tosa.const"() <{value = dense<2> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
  %0 = tosa.mul %a, %c {shift = 1 : i8} : (tensor<2x3xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  %1 = tosa.int_div %0, %c : (tensor<2x3xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  return %1 : tensor<2x3xi32>
}
// -----
func.func @g(%a: tensor<2xi8>) -> tensor<2xi8> {
  %0 = tosa.negate %a {quantization_info = #tosa.unary_quant<input_zp = 1, output_zp = -1>} : (tensor<2xi8>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}
// -----
func.func @ranks(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.add %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
func.func @refused(%a: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{result type}}
  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
)");
  const Ran ran = RunTosaic({"check", "--json", "--split-input-file", "--runs=4", "--toolchain=mlir-19", path});
  EXPECT_EQ(ran.status, 0) << ran.err << ran.out;
  const Json results = Parsed(ran.out);
  ASSERT_EQ(results.size(), 4u) << ran.out;
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(results[i]["runs"], 4) << results[i].dump();
    // No document says what values operands of different rank give: that is no agreement.
    EXPECT_EQ(results[i]["judgement"]["verdict"], i == 2 ? "undefined" : "agree") << results[i].dump();
  }
  EXPECT_EQ(results[3]["judgement"]["verdict"], "agree") << results[3].dump();
}

// Whatever a version makes of them, Tosaic must be able to say it. Every third will do: KnownCausesOfTools has those
// that show something of these versions, and OneMlir does it for the tools of 22.
TEST(E2eExternal, TheSameCaseFilesServeOtherVersions) {
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(kRegressions)) files.insert(entry.path());
  for (const char* name : {"mlir-16", "mlir-19"}) {
    std::vector<std::string> arguments = {"check", "--json", absl::StrCat("--toolchain=", name)};
    for (auto [file, i] = std::pair(files.begin(), 0); file != files.end(); ++file, ++i) {
      if (i % 3 == 0) arguments.push_back(*file);
    }
    const Ran ran = RunTosaic(arguments);
    EXPECT_EQ(ran.status, 1) << name << ran.err;
    const Json results = Parsed(ran.out);
    EXPECT_GT(results.size(), 40u);
    size_t unsupported = 0;
    for (const Json& result : results) {
      EXPECT_NE(result["judgement"]["verdict"], "harness-fault") << name << ": " << result["file"];
      unsupported += result["judgement"]["verdict"] == "unsupported" ? 1 : 0;
    }
    EXPECT_LT(unsupported, results.size() * 2 / 3) << name;
  }
}

TEST(E2eExternal, ADirectoryIsAsGoodAsAName) {
  TemporaryDirectory directory;
  for (const char* tool : {"mlir-opt", "mlir-translate"}) {
    const std::string real = absl::StrCat(Toolchains().at("mlir-19-tools")["directory"].get<std::string>(), "/", tool);
    const std::string path = fs::exists(real) && !fs::exists(real + "-19") ? real : real + "-19";
    fs::create_symlink(path, directory / tool);
  }
  const Ran ran = RunTosaic({"check", absl::StrCat("--toolchain=", directory.path()), kGoodCase});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "agree")) << ran.out;
}

std::vector<std::string> Fuzz(const std::string& toolchain, const std::string& out, const std::string& jobs) {
  return {"fuzz",
          absl::StrCat("--toolchain=", toolchain),
          "--cases=24",
          "--seed=2",
          "--no-reduce",
          "--jobs=" + jobs,
          absl::StrCat("--out=", out)};
}

TEST(E2eExternal, ACampaignGivesTheSameVerdictsWithAnyNumberOfWorkers) {
  TemporaryDirectory temporary;
  std::map<std::string, Json> summaries;
  for (const char* jobs : {"1", "3"}) {
    const Ran ran = RunTosaic(Fuzz("mlir-19", temporary / jobs, jobs));
    EXPECT_NE(ran.status, 3) << ran.out << ran.err;
    summaries[jobs] = Parsed(Slurp(temporary / (std::string(jobs) + "/summary.json")));
  }
  EXPECT_EQ(summaries["1"]["verdicts"], summaries["3"]["verdicts"]);
  EXPECT_EQ(summaries["1"]["by_op"], summaries["3"]["by_op"]);
  const Json& provenance = summaries["1"]["provenance"];
  EXPECT_EQ(provenance["toolchain"], "mlir-19-tools");
  EXPECT_TRUE(absl::StartsWith(provenance["toolchain_version"].get<std::string>(), "LLVM 19."));
  EXPECT_NE(provenance["toolchain_directory"], "");
  for (const Json& label : summaries["1"]["unused_support"]) {
    EXPECT_NE(label, "support.special-operand") << "a row of other versions";
  }
  // Another toolchain is another campaign.
  const Ran other = RunTosaic(Fuzz("mlir-16", temporary / "1", "1"));
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(absl::StrContains(other.err, "another campaign")) << other.err;
}

TEST(E2eExternal, NothingIsLeftBehind) {
  TemporaryDirectory temporary;
  setenv("TMPDIR", temporary.path().c_str(), 1);
  const Ran ran = RunTosaic({"check", "--toolchain=mlir-19", kGoodCase});
  unsetenv("TMPDIR");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  // RunTosaic's own directory has gone as well.
  EXPECT_TRUE(fs::is_empty(temporary.path()));
}

void ExpectRefused(std::vector<std::string> arguments, absl::string_view part) {
  SCOPED_TRACE(absl::StrJoin(arguments, " "));
  const Ran ran = RunTosaic(std::move(arguments));
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(absl::StartsWith(ran.err, "tosaic: ")) << ran.err;
  EXPECT_EQ(ran.err.find('\n'), ran.err.size() - 1) << "one line: " << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.err, part)) << ran.err;
}

TEST(E2eExternal, BadToolchainsAreOneClearLine) {
  TemporaryDirectory temporary;
  const auto with = [](const std::string& where) { return absl::StrCat("--toolchain=", where); };
  ExpectRefused({"check", with(temporary.path()), kGoodCase}, "has no mlir-opt");
  ExpectRefused({"check", with(temporary / "nowhere"), kGoodCase},
                "is neither a directory nor the name of a toolchain");
  ExpectRefused({"fuzz", with("mlir-9"), "--cases=1"}, "no toolchain is named 'mlir-9' here");
  Spill(temporary / "mlir-opt", "not a program");
  fs::permissions(temporary / "mlir-opt", fs::perms::owner_all);
  WriteTool(temporary / "mlir-translate", Versioned("16.0.6", ""));
  ExpectRefused({"check", with(temporary.path()), kGoodCase}, "mlir-opt does not run");
  WriteTool(temporary / "mlir-opt", "echo hello");
  ExpectRefused({"check", with(temporary.path()), kGoodCase}, "does not say an LLVM version");
  WriteTool(temporary / "mlir-opt", Versioned("16.0.6", "exit 1"));
  ExpectRefused({"check", with(temporary.path()), kGoodCase}, "takes none of the TOSA dialects");
}

// The library itself is toolchain/capi's to test; here that a user is told.
TEST(E2eExternal, BadLibrariesAreOneClearLine) {
  TemporaryDirectory temporary;
  const std::string text = temporary / "libText.so";
  Spill(text, "not a library");
  ExpectRefused({"check", absl::StrCat("--toolchain=", text), kGoodCase}, "cannot be used");
  ExpectRefused({"check", absl::StrCat("--toolchain=", temporary / "libNone.so"), kGoodCase}, "is no file");
  ExpectRefused({"fuzz", absl::StrCat("--toolchain=", TOSAIC_NOT_A_PLUGIN), "--cases=1"}, "it has no function mlir");
  ExpectRefused({"check", absl::StrCat("--toolchain=", text), "--load-pass-plugin=x.so", kGoodCase},
                "--load-pass-plugin");
}

TEST(E2eExternal, ChecksOnTrunkWhereItIs) {
  if (!Toolchains().contains("mlir-trunk")) GTEST_SKIP() << "not tried: no trunk (ci/install_trunk.sh fetches one)";
  const Ran ran = RunTosaic({"check", "--toolchain=mlir-trunk", "--known=none", kGoodCase});
  EXPECT_TRUE(ran.status == 0 || ran.status == 1) << ran.out << ran.err;
  EXPECT_EQ(ran.err, "");
}

TEST(E2eExternal, WhatAnExternalToolchainCannotDoIsOneClearLine) {
  ExpectRefused({"check", "--toolchain=mlir-16", "--route=verified", kGoodCase},
                "mlir-16-tools has no route 'verified' (loops,");
  ExpectRefused({"check", "--toolchain=mlir-22-tools", "--target=1.0,pro_int,8k", kGoodCase}, "--target");
  ExpectRefused({"sweep", "--toolchain=mlir-19"}, "a sweep of types asks the MLIR in this process, mlir-22");
  ExpectRefused({"check", "--toolchain=mlir-19", "--pipeline=builtin.module(no-such-pass)", kGoodCase},
                "does not parse");
}

TEST(E2eExternal, PluginsGoToMlirOpt) {
  TemporaryDirectory temporary;
  const std::string pipeline = absl::StrCat(
      "--pipeline=builtin.module(func.func(tosa-infer-shapes,tosa-make-broadcastable,tosa-to-linalg-named,tosa-to-"
      "linalg,"
      "tosaic-break{what=minimum-extent},tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-"
      "boundaries=true "
      "function-boundary-type-conversion=identity-layout-map "
      "buffer-alignment=0},func.func(convert-linalg-to-loops,lower-affine,"
      "convert-scf-to-cf,arith-expand),convert-math-to-llvm,expand-strided-metadata,lower-affine,convert-arith-to-llvm,"
      "finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)");
  const std::string tools = "--toolchain=mlir-22-tools", edit = "--insert-after=tosa-to-linalg:tosaic-break";
  const Ran broken = RunTosaic({"check", tools, kPluginFlag, pipeline, kGoodCase});
  EXPECT_EQ(broken.status, 1) << broken.out << broken.err;
  ExpectRefused({"check", tools, pipeline, kGoodCase}, "tosaic-break");
  ExpectRefused({"check", tools, absl::StrCat("--load-pass-plugin=", TOSAIC_NOT_A_PLUGIN), edit, kGoodCase},
                "does not load");
  ExpectRefused({"check", tools, absl::StrCat("--load-pass-plugin=", temporary / "none.so"), edit, kGoodCase},
                "does not load");
  // Its command line has no such flag yet.
  ExpectRefused({"check", "--toolchain=mlir-16", kPluginFlag, pipeline, kGoodCase}, "does not load");
}

}  // namespace
}  // namespace tosaic
