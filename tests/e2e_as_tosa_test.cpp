// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --as-tosa, as a user has it: passes that leave TOSA are judged by the program that they leave.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

constexpr char kCanonicalize[] = "--pipeline=builtin.module(canonicalize)";
const std::string kFolded = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/mul-zero-fold-infinity.json");
const std::string kBlocks =
    absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/cast-block-scaled-bf16-canonicalize.json");

TEST(E2eAsTosa, JudgesWhatThePassesLeave) {
  const Ran wrong = RunTosaic({"check", kFolded, kCanonicalize, "--as-tosa"});
  EXPECT_EQ(wrong.status, 1) << wrong.err;
  EXPECT_TRUE(absl::StrContains(wrong.out, "wrong-value [value.mul]")) << wrong.out;
  const Ran right = RunTosaic({"check", kFolded, "--pipeline=builtin.module(cse)", "--as-tosa"});
  EXPECT_EQ(right.status, 0) << right.out;
  // A campaign says in its provenance how its cases were judged, so that it can be done again.
  TemporaryDirectory temporary;
  const Ran campaign = RunTosaic({"fuzz", "--cases=40", "--seed=1", "--no-reduce", kCanonicalize, "--as-tosa",
                                  absl::StrCat("--out=", temporary / "out")});
  EXPECT_NE(campaign.status, 2) << campaign.err;
  const Json summary = Parsed(Slurp(temporary / "out/summary.json"));
  EXPECT_TRUE(absl::StrContains(summary["provenance"].dump(), "--as-tosa")) << summary["provenance"].dump();
}

TEST(E2eAsTosa, SaysWhatItNeeds) {
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } rows[] = {
      {{"check", kFolded, "--as-tosa"}, "--as-tosa requires --pipeline"},
      {{"check", kFolded, "--as-tosa", kCanonicalize, "--target=1.0,pro_fp,8k"}, "--as-tosa: --target lowers nothing"},
  };
  for (const auto& row : rows) {
    const Ran ran = RunTosaic(row.arguments);
    EXPECT_EQ(ran.status, 2) << row.says;
    EXPECT_TRUE(absl::StrContains(ran.err, row.says)) << ran.err;
  }
}

// Trunk's dialect decides, also for the commands that look for the pass.
TEST(E2eAsTosa, FindsThePassThatDeletesBlockScaledCasts) {
  const std::vector<std::string> flags = {kBlocks, "--toolchain=mlir-trunk", "--spec-version=1.1", kCanonicalize,
                                          "--as-tosa"};
  const auto with = [&](std::vector<std::string> command) {
    command.insert(command.end(), flags.begin(), flags.end());
    return RunTosaic(command);
  };
  const Ran bisected = with({"bisect-passes"});
  if (absl::StrContains(bisected.err, "mlir-trunk")) GTEST_SKIP() << "not tried: no trunk: " << bisected.err;
  EXPECT_TRUE(absl::StrContains(bisected.out, "\nfirst wrong: canonicalize (1)\n")) << bisected.out << bisected.err;
  const Ran blamed = with({"blame"});
  EXPECT_TRUE(absl::StrContains(blamed.out, "\npass:      canonicalize\n")) << blamed.out << blamed.err;
}

}  // namespace
}  // namespace tosaic
