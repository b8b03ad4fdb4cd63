// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/dated_build.h"

#include <cstdlib>
#include <filesystem>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/signature_program.h"
#include "tests/fake_tools.h"
#include "toolchain/external/external_tools.h"
#include "toolchain/external/tool_calls.h"

namespace tosaic {
namespace {

TEST(DatedBuild, ListsThoseOfTheCacheDirectoryByDay) {
  TemporaryDirectory cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  EXPECT_TRUE(ListDatedBuilds().empty());
  const std::string versions = cache / "tosaic/versions/";
  for (const char* name : {"iree-9", "iree-10", "tosa-tools-1", "python", "broken"})
    std::filesystem::create_directories(versions + name);
  Spill(versions + "iree-10/build.json", R"({"source": "iree-base-compiler 10", "date": "2026-02-03"})");
  Spill(versions + "iree-9/build.json", R"({"source": "iree-base-compiler 9", "date": "2026-01-02"})");
  Spill(versions + "tosa-tools-1/build.json",
        R"({"source": "tosa-tools 1", "date": "2026-03-04", "program": "tosa-opt", "is_latest_day": true})");
  Spill(versions + "broken/build.json", R"({"source": "iree-)");
  const std::vector<DatedBuild> builds = ListDatedBuilds();
  unsetenv("XDG_CACHE_HOME");
  ASSERT_EQ(builds.size(), 3u);
  EXPECT_EQ(builds[0].name, "iree-9");
  EXPECT_EQ(builds[0].date, "2026-01-02");
  EXPECT_EQ(builds[1].source, "iree-base-compiler 10");
  EXPECT_EQ(builds[1].opt, versions + "iree-10/iree-opt");
  EXPECT_EQ(builds[2].opt, versions + "tosa-tools-1/tosa-opt");
  EXPECT_TRUE(builds[2].is_latest_day);
  EXPECT_FALSE(builds[1].is_latest_day);
}

TEST(DatedBuild, ReadsWhichPassesThereAre) {
  TemporaryDirectory directory;
  const std::string opt = directory / "iree-opt";
  WriteTool(opt,
            "echo '    Compiler passes to run'; echo '      --cse          -   Eliminate common sub-expressions'; "
            "echo '      --one-shot-bufferize={x}  - Y'");
  EXPECT_EQ(PassesOf({.opt = opt}).value(), (PassNames{"cse", "one-shot-bufferize"}));
  const std::string other = directory / "other/iree-opt";
  std::filesystem::create_directories(directory / "other");
  WriteTool(other, "echo 'no such option' >&2; exit 1");
  EXPECT_FALSE(PassesOf({.opt = other}).ok());
}

TEST(DatedBuild, SplitsAPipelineAtBuffers) {
  const PassNames passes = {"canonicalize", "tosa-to-linalg"};
  const Halves halves =
      SplitAtBuffers(
          "builtin.module(func.func(tosa-infer-shapes,canonicalize{x=1},tosa-to-linalg),one-shot-bufferize{a=b},"
          "func.func(convert-linalg-to-loops))",
          passes)
          .value();
  EXPECT_EQ(halves.first, "builtin.module(func.func(canonicalize{x=1},tosa-to-linalg))");
  EXPECT_EQ(halves.second, "builtin.module(one-shot-bufferize{a=b},func.func(convert-linalg-to-loops))");
  EXPECT_EQ(halves.lost, std::vector<std::string>{"tosa-infer-shapes"});
  EXPECT_EQ(
      JoinHalves(halves),
      "builtin.module(func.func(canonicalize{x=1},tosa-to-linalg),one-shot-bufferize{a=b},func.func(convert-linalg-"
      "to-loops))");
  const Halves first_alone = SplitAtBuffers("builtin.module(func.func(canonicalize))", passes).value();
  EXPECT_EQ(first_alone.second, "");
  EXPECT_EQ(JoinHalves(first_alone), "builtin.module(func.func(canonicalize))");
  const Halves nothing_left = SplitAtBuffers("builtin.module(cse,one-shot-bufferize)", passes).value();
  EXPECT_EQ(JoinHalves(nothing_left), "builtin.module(one-shot-bufferize)");
  EXPECT_FALSE(SplitAtBuffers("func.func(", passes).ok());
}

// The second half is another version's, which reads neither the same hexadecimal digits nor the same spelling.
TEST(DatedBuild, TheFirstHalfPrintsWhatEveryVersionReads) {
  ExternalTools tools{.opt = "iree-opt", .version = "24.0.0git", .second_opt = "mlir-opt"};
  EXPECT_EQ(tools.version_text(), "LLVM 24.0.0git");
  tools.dated = DatedBuild{.source = "iree-base-compiler 3.13.0", .date = "2026-10-16"};
  EXPECT_EQ(tools.version_text(), "LLVM 24.0.0git of 2026-10-16 (iree-base-compiler 3.13.0)");
  ToolCalls calls(tools, {});
  calls.SetPasses({"tosa-to-linalg"});
  const ToolQuestion question = calls.Passes("builtin.module(func.func(tosa-to-linalg),one-shot-bufferize)");
  const auto has = [](const std::vector<std::string>& arguments, absl::string_view flag) {
    return absl::c_linear_search(arguments, flag);
  };
  EXPECT_EQ(question.then.front(), "mlir-opt");
  for (const char* flag : {"--mlir-print-op-generic", "--mlir-print-elementsattrs-with-hex-if-larger=-1"}) {
    EXPECT_TRUE(has(question.arguments, flag)) << flag;
    EXPECT_FALSE(has(question.then, flag)) << flag;
  }
}

// A build was blamed for words that the second half does not know any more.
TEST(DatedBuild, WhatTheSecondHalfDoesNotReadIsToldFromWhatItRefuses) {
  TemporaryDirectory directory;
  const std::string build = directory / "iree-opt", second = directory / "mlir-opt";
  const std::string refuse = "cat > /dev/null; echo '<stdin>:1:1: error: no' >&2; exit 1";
  const auto unread = [&](const std::string& own_reading, const std::string& others_reading) {
    const auto write = [](const std::string& tool, const std::string& passes, const std::string& reading) {
      WriteTool(tool, absl::StrCat("case \"$*\" in *--pass-pipeline*) ", passes, ";; *) ", reading, ";; esac"));
    };
    write(build, "cat > /dev/null; echo 'func old'", own_reading);
    write(second, refuse, others_reading);
    ExternalTools tools{.opt = build, .second_opt = second};
    tools.dated = DatedBuild{.name = "iree-1"};
    ToolCalls calls(tools, {});
    calls.SetPasses({"tosa-to-linalg"});
    const ToolAnswer answer =
        calls.AskAlone(calls.Passes("builtin.module(func.func(tosa-to-linalg),one-shot-bufferize)"), "func new\n");
    EXPECT_EQ(answer.how, Outcome::kRefused);
    return answer.unread;
  };
  EXPECT_EQ(unread("cat", "cat"), "") << "a pass of the second half refuses";
  EXPECT_EQ(unread(refuse, refuse), "") << "the build left what is illegal there as well";
  EXPECT_TRUE(absl::EndsWith(unread("cat", refuse), ", does not read what iree-1 leaves: no"));
  EXPECT_TRUE(absl::EndsWith(unread("cat", "kill -SEGV $$"), ", does not read what iree-1 leaves: it dies"));
}

TEST(DatedBuild, PlainShapesAreStaticAndOfOneRank) {
  const auto is_plain = [](absl::string_view signature) { return HasPlainShapes(ParseSignature(signature).value()); };
  EXPECT_TRUE(is_plain("add(tensor<4x1xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>"));
  EXPECT_TRUE(is_plain("mul(tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>")) << "the shift has one element";
  EXPECT_FALSE(is_plain("add(tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>"));
  EXPECT_FALSE(is_plain("add(tensor<?xf32>, tensor<2xf32>) -> tensor<2xf32>"));
  EXPECT_FALSE(is_plain("abs(tensor<2xf32>) -> tensor<*xf32>"));
}

}  // namespace
}  // namespace tosaic
