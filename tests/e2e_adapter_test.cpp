// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adapters as toolchains, as a user has them: the example that vendors fill in, and one that misbehaves.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "model/npy.h"
#include "model/signature_program.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

const std::string kExample = absl::StrCat("python3 ", TOSAIC_SOURCE_DIR, "/adapters/example.py");
const std::string kBad = absl::StrCat("python3 ", TOSAIC_SOURCE_DIR, "/toolchain/adapter/bad_adapters/bad_adapter.py ");

std::string Toolchain(const std::string& command) { return absl::StrCat("--toolchain=adapter:", command); }

TEST(E2eAdapter, TheExampleConforms) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "report.json";
  const Ran ran =
      RunTosaic({"conform", Toolchain(kExample), "--ops=abs", "--profile=pro-fp",
                 absl::StrCat("--corpus=", TOSAIC_SOURCE_DIR, "/corpus/spec/rfc.case.add-1d-all-dynamic.json"),
                 absl::StrCat("--out=", out)});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "0 findings")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "conforms")) << ran.out;
}

// A failure says nothing of the implementation: neither that it regressed nor that it is as it was.
TEST(E2eAdapter, OneThatFailsIsComparedWithNothing) {
  TemporaryDirectory temporary;
  const std::string fails = "adapter:" + kBad + "few-failed", saved = temporary / "saved";
  const std::vector<std::string> suite = {
      "--ops=abs", "--profile=pro-fp",
      absl::StrCat("--corpus=", TOSAIC_SOURCE_DIR, "/corpus/spec/rfc.case.add-1d-all-dynamic.json")};
  std::vector<std::string> command = {"compare", "--base=adapter:" + kExample, "--patch=" + fails, "--save=" + saved};
  command.insert(command.end(), suite.begin(), suite.end());
  const Ran ran = RunTosaic(command);
  EXPECT_EQ(ran.status, 3) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "regressed         0         0\n")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "x agree [bcast.verify.equal] -> harness-fault [harness.toolchain: "))
      << ran.out;
  const std::string failed = saved + "/patch.json";
  EXPECT_EQ(RunTosaic({"compare", failed, failed}).status, 3);
  const Ran markdown = RunTosaic({"compare", failed, failed, "--format=markdown"});
  EXPECT_EQ(markdown.status, 3);
  EXPECT_TRUE(absl::StrContains(markdown.out, "not compared, ")) << markdown.out;
  EXPECT_TRUE(absl::StrContains(markdown.out, "- harness fault: `base: abs/f32/")) << markdown.out;
  const std::string conformance = RunTosaic({"report", failed, "--format=markdown"}).out;
  EXPECT_TRUE(absl::StrContains(conformance, "| op | harness-fault |")) << conformance;
}

TEST(E2eAdapter, AdapterTestFindsNothingWrongWithTheExample) {
  const Ran ran = RunTosaic({"adapter-test", kExample});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "0 faults; of the ops, 1 agree")) << ran.out;
}

TEST(E2eAdapter, AdapterTestSaysWhatIsWrong) {
  for (const auto& [how, says] : std::vector<std::pair<std::string, std::string>>{
           {"few-short", "data: it has 3 bytes instead of 8"},
           {"few", "a module that is no MLIR: answer 0 is 'completed' instead of refused or failed"}}) {
    const Ran ran = RunTosaic({"adapter-test", kBad + how, "--cpu-limit=20"});
    EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
    EXPECT_TRUE(absl::StrContains(ran.out, says)) << how << ": " << ran.out;
  }
}

// The reproducer of an implementation that is no MLIR is its own command line.
TEST(E2eAdapter, ReproduceGivesTheImplementationsOwnCommand) {
  TemporaryDirectory temporary;
  const std::string file = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/mul-zero-fold-infinity.json");
  const Ran ran = RunTosaic({"reproduce", file, Toolchain(kBad + "well"), absl::StrCat("--out=", temporary / "out")});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(Slurp(temporary / "out/repro.sh"), "./bad \"$program\" \"$@\"")) << ran.out;
  EXPECT_TRUE(absl::StrContains(Slurp(temporary / "out/issue.md"), "# [bad 1] mul("));
  EXPECT_FALSE(Slurp(temporary / "out/0.npy").empty());
}

// Markdown without its code, in which nothing is acted upon.
std::string WithoutCode(std::string text) {
  for (size_t begin = text.find('`'); begin != text.npos; begin = text.find('`', begin)) {
    const size_t open = text.find_first_not_of('`', begin);
    const std::string fence = text.substr(begin, open - begin);
    size_t end = text.find(fence, open);
    while (end != text.npos && text.find_first_not_of('`', end) - end > fence.size()) {
      end = text.find(fence, text.find_first_not_of('`', end));
    }
    text.erase(begin, end == text.npos ? 1 : end + fence.size() - begin);
  }
  return text;
}

// Terminals, pages and Markdown files must not act upon the text of others.
TEST(E2eAdapter, ItsNameIsTextInEveryFormat) {
  const auto expect_tame = [](const std::string& subject, const std::string& text) {
    EXPECT_EQ(text.find_first_of("\x1b\x07"), std::string::npos) << subject;
    const bool is_page = absl::EndsWith(subject, "html"), is_markdown = absl::EndsWith(subject, "markdown");
    const std::string prose = is_markdown || absl::EndsWith(subject, ".md") ? WithoutCode(text) : is_page ? text : "";
    EXPECT_FALSE(absl::StrContains(prose, "<img")) << subject;
    EXPECT_FALSE(!is_page && absl::StrContains(prose, "[a](b)")) << subject;
  };
  TemporaryDirectory temporary;
  const std::string toolchain = Toolchain(kBad + "hostile"), work = temporary / "work";
  const std::string file = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/mul-zero-fold-infinity.json");
  Spill(temporary / "abs.mlir",
        "func.func @f(%a: tensor<1xf32>) -> tensor<1xf32> {\n  %0 = tosa.abs %a : "
        "(tensor<1xf32>) -> tensor<1xf32>\n  return %0 : tensor<1xf32>\n}\n");
  Spill(temporary / "one.npy", ToNpy(Tensor(ElementType::kF32, {1})));
  std::vector<std::vector<std::string>> commands = {
      {"fuzz", toolchain, "--cases=15", "--seed=1", absl::StrCat("--out=", work)},
      {"check", file, toolchain},
      {"check", temporary / "abs.mlir", toolchain, "--inputs=" + (temporary / "one.npy")},
      {"reduce", file, toolchain},
      {"reproduce", file, toolchain, absl::StrCat("--out=", temporary / "reproducer")},
      {"adapter-test", kBad + "hostile"}};
  for (const char* format : {"csv", "html", "json", "junit", "sarif", "tap", "markdown", "text"}) {
    commands.push_back({"report", work, absl::StrCat("--format=", format)});
  }
  for (const std::vector<std::string>& command : commands) {
    const Ran ran = RunTosaic(command);
    EXPECT_NE(ran.status, 2) << command[0] << ran.err;
    expect_tame(absl::StrCat(command[0], " ", command.back()), ran.out);
    expect_tame(command[0], ran.err);
  }
  const std::map<std::string, std::string> files = FilesBelow(temporary.path());
  EXPECT_GT(files.size(), 20u);
  for (const auto& [name, text] : files) {
    if (!absl::EndsWith(name, ".npy")) expect_tame(name, text);
  }
}

// The command of an adapter in adapters/ with the packages of ci/install_witnesses.sh; empty if it does not start.
std::string Witness(absl::string_view file) {
  const char* home = std::getenv("HOME");
  const std::string command = absl::StrCat(home == nullptr ? "" : home, "/.cache/tosaic/witnesses/bin/python ",
                                           TOSAIC_SOURCE_DIR, "/adapters/", file);
  return std::system((command + " < /dev/null > /dev/null 2>&1").c_str()) == 0 ? command : "";
}

// The model's Python function takes no i4 and no i48, and its program wants results by the names of the flatbuffer.
TEST(E2eAdapter, ArmsModelIsAskedByItsProgramWhereItsFunctionWillNotDo) {
  const std::string adapter = Witness("arm_reference_model.py");
  if (adapter.empty()) GTEST_SKIP() << "not tried: no model (ci/install_witnesses.sh fetches it)";
  TemporaryDirectory temporary;
  const std::string file = temporary / "identity.mlir";
  Spill(file, R"(
    func.func @arguments(%a: tensor<2xi4>, %b: tensor<i48>, %c: tensor<3xf8E4M3FN>)
        -> (tensor<2xi4>, tensor<i48>, tensor<2xi4>, tensor<3xf8E4M3FN>, tensor<2xi4>) {
      %0 = tosa.identity %a : (tensor<2xi4>) -> tensor<2xi4>
      %1 = tosa.identity %b : (tensor<i48>) -> tensor<i48>
      %2 = tosa.identity %c : (tensor<3xf8E4M3FN>) -> tensor<3xf8E4M3FN>
      return %a, %1, %0, %2, %0 : tensor<2xi4>, tensor<i48>, tensor<2xi4>, tensor<3xf8E4M3FN>, tensor<2xi4>
    }
    func.func @constant() -> tensor<i48> {
      %0 = "tosa.const"() <{values = dense<-50984145830537> : tensor<i48>}> : () -> tensor<i48>
      %1 = tosa.identity %0 : (tensor<i48>) -> tensor<i48>
      return %1 : tensor<i48>
    }
    func.func @unpredictable(%a: tensor<2xf32>, %b: tensor<2xi4>) -> (tensor<2xf32>, tensor<2xi4>) {
      %0 = "tosa.const"() <{values = dense<0x7f800000> : tensor<2xf32>}> : () -> tensor<2xf32>
      %1 = tosa.pow %0, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %2 = tosa.identity %b : (tensor<2xi4>) -> tensor<2xi4>
      return %1, %2 : tensor<2xf32>, tensor<2xi4>
    })");
  const Ran ran = RunTosaic({"check", file, Toolchain(adapter), "--runs=2", "--cpu-limit=60"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "3 cases: agree 2 undefined 1")) << ran.out;
}

// A value beyond 2^(shift - 1) makes rescale unpredictable; the model leaves 0 in the elements behind it.
TEST(E2eAdapter, WhatArmsModelCallsUnpredictableIsNoValue) {
  const std::string adapter = Witness("arm_reference_model.py");
  if (adapter.empty()) GTEST_SKIP() << "not tried: no model (ci/install_witnesses.sh fetches it)";
  TemporaryDirectory temporary;
  Spill(temporary / "rescale.mlir", R"(func.func @f(%x: tensor<3xi32>) -> tensor<3xi8> {
    %m = "tosa.const"() {values = dense<1901608164> : tensor<1xi32>} : () -> tensor<1xi32>
    %s = "tosa.const"() {values = dense<31> : tensor<1xi8>} : () -> tensor<1xi8>
    %z = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %o = "tosa.const"() {values = dense<-15> : tensor<1xi8>} : () -> tensor<1xi8>
    %0 = "tosa.rescale"(%x, %m, %s, %z, %o) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>,
      per_channel = false, input_unsigned = false, output_unsigned = false}>
      : (tensor<3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<3xi8>
    return %0 : tensor<3xi8>
  })");
  Tensor input(ElementType::kI32, {3});
  input.SetBits(1, 0x7fffffff);
  Spill(temporary / "x.npy", ToNpy(input));
  const auto check = [&](const std::string& command) {
    return RunTosaic({"check", temporary / "rescale.mlir", Toolchain(command), "--inputs=" + (temporary / "x.npy")});
  };
  const Ran ran = check(adapter);
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "undefined [run.undefined]")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "the model calls this run unpredictable")) << ran.out;

  // A model that calls each run so, also one whose elements the oracle knows.
  std::filesystem::create_directory(temporary / "modules");
  Spill(temporary / "modules/tosa_reference_model.py",
        "def run(program, inputs, verbosity):\n  return [], 'GraphStatus.TOSA_UNPREDICTABLE'\n");
  Spill(temporary / "x.npy", ToNpy(Tensor(ElementType::kI32, {3})));
  const Ran disagrees = check(absl::StrCat("env PYTHONPATH=", temporary / "modules ", adapter));
  EXPECT_EQ(disagrees.status, 1) << disagrees.out << disagrees.err;
  EXPECT_TRUE(absl::StrContains(disagrees.out, "crash [")) << disagrees.out;
}

// IREE's code dies of a division by 0, which is undefined, in the second run alone.
TEST(E2eAdapter, IreeGivesTheRunsThatFinishedBeforeItsCodeDied) {
  const std::string adapter = Witness("iree.py");
  if (adapter.empty()) GTEST_SKIP() << "not tried: no IREE (ci/install_witnesses.sh fetches it)";
  Case test_case;
  test_case.program = ParseSignature("intdiv(tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>").value();
  const Tensor zero(ElementType::kI32, {1});
  Tensor six = zero;
  six.SetBits(0, 6);
  test_case.runs = {{six, six}, {six, zero}};
  TemporaryDirectory temporary;
  const std::string file = temporary / "case.json";
  Spill(file, CaseToText(test_case));
  const Ran ran = RunTosaic({"check", file, Toolchain(adapter), "--cpu-limit=60"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "1 case: undefined 1")) << ran.out;
}

TEST(E2eAdapter, OneThatCannotBeUsedIsAnErrorOfUsage) {
  const Ran ran = RunTosaic({"fuzz", "--cases=1", Toolchain(kBad + "leaves")});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(absl::StrContains(ran.err, "no greeting, but exit status 1; it printed: no licence")) << ran.err;
  const Ran piped = RunTosaic({"fuzz", "--cases=1", Toolchain(kExample), "--pipeline=builtin.module()"});
  EXPECT_EQ(piped.status, 2);
  EXPECT_TRUE(absl::StrContains(piped.err, "it takes no --pipeline")) << piped.err;
}

}  // namespace
}  // namespace tosaic
