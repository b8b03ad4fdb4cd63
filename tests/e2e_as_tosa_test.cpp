// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --as-tosa, as a user has it: passes that leave TOSA are judged by the program that they leave.
#include <cstdlib>
#include <map>
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

// What is left is lowered, so that stock tools run it.
TEST(E2eAsTosa, AReproducerRunsWhatThePassesLeave) {
  TemporaryDirectory temporary;
  const std::string file = temporary / "clamps.mlir", out = temporary / "reproducer";
  Spill(file, R"(
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.clamp %x {min_val = 0 : i32, max_val = 1 : i32} : (tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.clamp %x {min_val = 2 : i32, max_val = 3 : i32} : (tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.add %0, %1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %2 : tensor<4xi32>
}
)");
  const Ran ran =
      RunTosaic({"reproduce", file, kPluginFlag, "--as-tosa",
                 "--pipeline=builtin.module(func.func(tosaic-break{what=merge-clamps}))", absl::StrCat("--out=", out)});
  EXPECT_EQ(ran.status, 1) << ran.err;
  const std::string shown = temporary / "shown";
  const int status =
      std::system(absl::StrCat("PASS_PLUGIN=", TOSAIC_PLUGIN, " bash ", out, "/repro.sh > ", shown, " 2>&1").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1) << Slurp(shown);
  EXPECT_TRUE(absl::StrContains(Slurp(shown), "\ndiverges: wrong-value")) << Slurp(shown);
}

// mlir-opt's verifier takes what is left; "does not verify" and "stock tools do not show it" were both untrue.
TEST(E2eAsTosa, TypesThatAreUntrueOfARunAreAWrongShape) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "reproducer";
  const std::string file = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/sub-zero-fold-illegal-ir.json");
  EXPECT_EQ(RunTosaic({"reproduce", file, "--as-tosa", kCanonicalize, absl::StrCat("--out=", out)}).status, 1);
  EXPECT_EQ(WEXITSTATUS(std::system(absl::StrCat("bash ", out, "/repro.sh > /dev/null").c_str())), 1);
  const std::string issue = Slurp(out + "/issue.md");
  EXPECT_TRUE(absl::StrContains(issue, "gives a result of the wrong size")) << issue;
  EXPECT_TRUE(absl::StrContains(issue, "its sizes contradict negate")) << issue;
  EXPECT_FALSE(absl::StrContains(issue, "does not verify")) << issue;
}

TEST(E2eAsTosa, SaysWhatItNeeds) {
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } rows[] = {
      {{"check", kFolded, "--as-tosa"}, "--as-tosa requires --pipeline"},
      {{"check", kFolded, "--as-tosa", kCanonicalize, "--target=1.0,pro_fp,8k"}, "--pipeline has no place beside it"},
  };
  for (const auto& row : rows) {
    const Ran ran = RunTosaic(row.arguments);
    EXPECT_EQ(ran.status, 2) << row.says;
    EXPECT_TRUE(absl::StrContains(ran.err, row.says)) << ran.err;
  }
}

// No dialect is asked for, and that of MLIR 22 has no word for such types.
TEST(E2eAsTosa, EvalDecidesBlockScaledTypesByADialectThatHasThem) {
  const Ran eval = RunTosaic({"eval", kBlocks, "--spec-version=1.1"});
  EXPECT_EQ(eval.status, 0) << eval.err;
  EXPECT_TRUE(absl::StartsWith(eval.out, "decision: accept [")) << eval.out;
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

// Campaigns draw block-scaled types where the toolchain knows them, and find by themselves what is wrong with them.
class E2eBlocks : public testing::Test {
 protected:
  // The signatures of what a campaign finds, each with the program that it is reduced to.
  std::map<std::string, std::string> Found(const std::vector<std::string>& flags) {
    std::vector<std::string> command = {"fuzz", "--toolchain=mlir-trunk", "--spec-version=1.1", "--known=none",
                                        absl::StrCat("--out=", temporary_ / "out")};
    command.insert(command.end(), flags.begin(), flags.end());
    const Ran ran = RunTosaic(command);
    is_there_ = !absl::StrContains(ran.err, "mlir-trunk");
    std::map<std::string, std::string> found;
    if (!is_there_) return found;
    EXPECT_EQ(ran.status, 1) << ran.err;
    const Json summary = Parsed(Slurp(temporary_ / "out/summary.json"));
    for (const Json& finding : summary["findings"]) {
      found[finding["signature"].get<std::string>()] =
          Slurp(temporary_ / absl::StrCat("out/", finding["reduced"].get<std::string>()));
    }
    return found;
  }

  TemporaryDirectory temporary_;
  bool is_there_ = true;
};

TEST_F(E2eBlocks, ACampaignFindsThatCanonicalizeDeletesCasts) {
  const auto found = Found(
      {"--seed=4", "--cases=600", "--ops=cast", "--types=bf16", "--illegal-percent=0", "--as-tosa", kCanonicalize});
  if (!is_there_) GTEST_SKIP() << "not tried: no trunk (ci/install_trunk.sh fetches one)";
  ASSERT_EQ(found.size(), 2u) << "f8E4M3FN and f8E5M2";
  for (const auto& [signature, reduced] : found) {
    EXPECT_TRUE(absl::StartsWith(signature, "wrong-value/cast/bf16-!tosa.block_scaled<")) << signature;
    EXPECT_TRUE(absl::StrContains(signature, "value.cast.to-block-scaled")) << signature;
    const Case test_case = CaseFromText(reduced).value();
    EXPECT_EQ(test_case.program.ops.size(), 2u);
    ASSERT_EQ(test_case.runs.size(), 1u);
    const Tensor& block = test_case.runs[0].at(0);
    EXPECT_EQ(block.sizes(), std::vector<int64_t>{32});
    int numbers = 0;
    for (size_t i = 0; i < 32; ++i) numbers += (block.Bits(i) & 0xff) != 0 ? 1 : 0;
    EXPECT_EQ(numbers, 1) << DataToHex(block);
  }
}

TEST_F(E2eBlocks, ConstantsOfAFileAreThoseThatItStates) {
  constexpr char kType[] = "tensor<32x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f8E5M2>>";
  const auto through_bf16 = [&](absl::string_view scale) {
    return absl::StrCat("func.func @of() -> ", kType, " {\n  %0 = \"tosa.const\"() <{values = dense<tensor<32x",
                        "!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f8E5M2, {", scale,
                        "}>> : 0x14 : f8E5M2>}> : () -> ", kType, "\n  %1 = tosa.cast %0 : (", kType,
                        ") -> tensor<32xbf16>\n  %2 = tosa.cast %1 : (tensor<32xbf16>) -> ", kType,
                        "\n  return %2 : ", kType, "\n}\n");
  };
  const struct {
    const char *scale, *says;
  } rows[] = {{"5.877470e-39", ": wrong-value [value.cast.to-block-scaled]"},  // 2^-137: D4
              {"1.0", ": agree "},
              {"0xFF", ": undefined "},  // NaN, of which any block may be made; trunk would read 2^-127
              {"3.0", ": skipped: a constant does not parse: a scale is 3.0, no power of 2"}};
  for (const auto& row : rows) {
    Spill(temporary_ / "of.mlir", through_bf16(row.scale));
    const Ran ran = RunTosaic(
        {"check", temporary_ / "of.mlir", "--toolchain=mlir-trunk", "--spec-version=1.1", kCanonicalize, "--as-tosa"});
    if (absl::StrContains(ran.err, "mlir-trunk")) GTEST_SKIP() << "not tried: no trunk: " << ran.err;
    EXPECT_TRUE(absl::StrContains(ran.out, row.says)) << ran.out << ran.err;
  }
}

TEST_F(E2eBlocks, ACampaignFindsThatTosaValidateRefusesIdentity) {
  const auto found = Found({"--seed=1", "--cases=300", "--ops=identity", "--illegal-percent=0",
                            "--target=1.1.draft,pro_int+pro_fp+bf16+fp8e4m3+fp8e5m2+int64+int4+int16+mx_common+"
                            "mx_fp8e4m3+mx_fp8e5m2+mx_fp6e3m2+mx_fp6e2m3+mx_fp4e2m1+mx_int8,8k,strict"});
  if (!is_there_) GTEST_SKIP() << "not tried: no trunk (ci/install_trunk.sh fetches one)";
  ASSERT_EQ(found.size(), 1u);
  const auto& [signature, reduced] = *found.begin();
  EXPECT_TRUE(absl::StartsWith(signature, "false-reject/identity/legal.result-shape/8k,strict/")) << signature;
  const Case test_case = CaseFromText(reduced).value();
  EXPECT_EQ(Signature(test_case.program, test_case.program.ops.at(0)),
            "identity(tensor<32x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f8E4M3FN>>) -> "
            "tensor<32x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f8E4M3FN>>");
}

}  // namespace
}  // namespace tosaic
