// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tosaic coverage` as a user runs it, over the real MLIR.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

const std::string kMulCase = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/mul-zero-fold-infinity.json");

// The result file of a run.
Json ResultOf(std::vector<std::string> arguments) {
  TemporaryDirectory directory;
  const std::string out = directory / "coverage.json";
  arguments.insert(arguments.begin(), "coverage");
  arguments.push_back(absl::StrCat("--out=", out));
  const Ran ran = RunTosaic(arguments);
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  return ParseJson(Slurp(out)).value();
}

uint64_t Reached(const Json& result, const std::string& function) {
  for (const Json& entry : result["functions"]) {
    if (entry["name"] == function) return entry["reached"].get<uint64_t>();
  }
  ADD_FAILURE() << function << " is not watched";
  return 0;
}

TEST(E2eCoverage, AFileReachesTheFolderThatItIsAbout) {
  const Json result = ResultOf({kMulCase});
  EXPECT_EQ(result["kind"], "coverage");
  EXPECT_EQ(result["cases"], 1);
  EXPECT_GT(Reached(result, "mlir::tosa::MulOp::fold"), 0u);
  EXPECT_EQ(Reached(result, "mlir::tosa::CastOp::fold"), 0u);
  EXPECT_GT(result["totals"]["never_entered"], 0);
  EXPECT_EQ(result["functions"][0]["reached"], 0) << "never entered first";
}

TEST(E2eCoverage, OfACampaignDoesNotDependOnTheNumberOfWorkers) {
  Json one = ResultOf({"--cases=60", "--jobs=1"}), two = ResultOf({"--cases=60", "--jobs=2"});
  EXPECT_EQ(one["cases"], 60);
  EXPECT_EQ(one["totals"], two["totals"]);
  EXPECT_EQ(one["functions"], two["functions"]);
  EXPECT_GT(one["totals"]["reached"], ResultOf({kMulCase})["totals"]["reached"]);
}

TEST(E2eCoverage, WatchesWhatIsAskedFor) {
  const Json result =
      ResultOf({kMulCase, "--only-watched", "--watch=mlir::arith::MulFOp::fold*,mlir::arith::AddIOp::fold*"});
  for (const Json& entry : result["functions"]) {
    EXPECT_TRUE(absl::StartsWith(entry["name"].get<std::string>(), "mlir::arith::")) << entry;
    EXPECT_EQ(entry["group"], "asked for");
  }
  EXPECT_GT(result["functions"].size(), 1u);
}

TEST(E2eCoverage, PrintsWhatIsMissingAndAllFormatsTakeIt) {
  TemporaryDirectory directory;
  const std::string out = directory / "coverage.json";
  const Ran text = RunTosaic({"coverage", "--cases=20", "--all-blocks", absl::StrCat("--out=", out)});
  EXPECT_TRUE(absl::StartsWith(text.out, "seed 1, 20 cases: ")) << text.out;
  for (const char* part : {"\ngroup            functions  never entered", "\nnever entered\n", "\nreached in part\n"}) {
    EXPECT_TRUE(absl::StrContains(text.out, part)) << part;
  }
  // Such as "    0 of  208  mlir::tensor::CollapseShapeOp::verify".
  const size_t line = text.out.find("\nnever entered\n") + absl::string_view("\nnever entered\n").size();
  const std::string missing = text.out.substr(line, text.out.find('\n', line) - line);
  const std::string function = missing.substr(missing.rfind("  ") + 2);
  ASSERT_TRUE(absl::StrContains(function, "::")) << missing;
  for (const std::string format : {"text", "markdown", "html", "json", "junit", "sarif", "tap"}) {
    const Ran ran = RunTosaic({"report", out, absl::StrCat("--format=", format)});
    EXPECT_EQ(ran.status, 0) << format << ran.err;
    const bool shows = format != "junit" && format != "sarif" && format != "tap";
    if (shows) EXPECT_TRUE(absl::StrContains(ran.out, function)) << format;
  }
}

TEST(E2eCoverage, WhatCannotBeIsSaidInOneLine) {
  struct Row {
    std::vector<std::string> arguments;
    const char* part;
  };
  for (const Row& row : std::vector<Row>{{{"--toolchain=mlir-16"}, "coverage asks the MLIR in this process"},
                                         {{"--watch=nosuch*", kMulCase}, "--watch=nosuch*: no function of "},
                                         {{"--watch=[z"}, "coverage: '[z': "},
                                         {{"/no/such/file"}, "/no/such/file"},
                                         {{"--suite", "--seed=2"}, "--seed"}}) {
    std::vector<std::string> arguments = row.arguments;
    arguments.insert(arguments.begin(), "coverage");
    const Ran ran = RunTosaic(arguments);
    EXPECT_EQ(ran.status, 2) << row.part;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(absl::StrContains(ran.err, row.part)) << ran.err;
    EXPECT_EQ(ran.err.find('\n'), ran.err.size() - 1) << ran.err;
  }
}

}  // namespace
}  // namespace tosaic
