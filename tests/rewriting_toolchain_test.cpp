// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that leave TOSA, judged by what the documents say of the program that is left: of the real MLIR's folds that
// are known to be wrong, and of trunk's canonicalization of block-scaled casts.
#include "diagnosis/rewriting_toolchain.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "checking/files.h"
#include "gtest/gtest.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/capi/capi_toolchain.h"
#include "toolchain/mlir/mlir_import.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/program_testing.h"

namespace tosaic {
namespace {

constexpr char kCanonicalize[] = "builtin.module(canonicalize)";

std::unique_ptr<Toolchain> Rewriting(std::unique_ptr<Toolchain> mlir, Dialect dialect = kCanonicalDialect) {
  Spelling spelling{.dialect = dialect};
  return CreateRewritingToolchain(std::move(mlir),
                                  [spelling](absl::string_view text) { return ReadWholeFunction(text, spelling); })
      .value();
}

std::unique_ptr<Toolchain> InProcess(const std::string& pipeline) {
  ToolchainOptions options;
  options.pipeline = pipeline;
  return Rewriting(CreateMlirToolchain(options).value());
}

Judgement Checked(Toolchain& toolchain, const Case& test_case, SpecVersion version = SpecVersion::k1_0_2) {
  JudgeOptions judge;
  judge.policies.spec_version = version;
  return CheckCase(toolchain, test_case, {}, judge).judgement;
}

Case Read(absl::string_view name) {
  return ReadCase(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/", name, ".json")).value();
}

TEST(RewritingToolchain, JudgesWhatTheCanonicalizerLeaves) {
  const std::unique_ptr<Toolchain> toolchain = InProcess(kCanonicalize);
  struct Row {
    const char* file;
    Verdict verdict;
    RuleId rule;
  };
  for (const Row& row : {Row{"mul-zero-fold-infinity", Verdict::kWrongValue, RuleId::kValueMulPlain},
                         Row{"cast-constant-true-f32", Verdict::kWrongValue, RuleId::kExtensionCast},
                         Row{"clamp-unranked-canonicalize-crash", Verdict::kCrash, RuleId::kRunSignal},
                         // IR that verifies, and whose types are untrue of a run: it was called illegal.
                         Row{"add-zero-fold-unwritten", Verdict::kWrongShape, RuleId::kRuntimeBroadcast},
                         Row{"mul-result-shape", Verdict::kFalseAccept, RuleId::kBcastVerifyDifferent}}) {
    const Judgement judgement = Checked(*toolchain, Read(row.file));
    EXPECT_EQ(judgement.verdict, row.verdict) << row.file << ": " << judgement.actual;
    EXPECT_EQ(Name(judgement.rule), Name(row.rule)) << row.file;
  }
  // Its lowering rounds twice, which no pass on TOSA does.
  const Judgement judgement = Checked(*toolchain, Read("cast-i32-bf16-double-rounding"));
  EXPECT_EQ(judgement.verdict, Verdict::kAgree) << judgement.actual;
  EXPECT_GT(judgement.compared, 0u);
}

TEST(RewritingToolchain, DoesNotJudgeWhatItCannotRead) {
  const Case test_case = CaseOf("abs(tensor<2xf32>) -> tensor<2xf32>", /*runs=*/true);
  const std::unique_ptr<Toolchain> toolchain = InProcess("builtin.module(func.func(tosa-to-linalg))");
  const Judgement judgement = Checked(*toolchain, test_case);
  EXPECT_EQ(judgement.verdict, Verdict::kUnsupported);
  EXPECT_EQ(judgement.rule, RuleId::kSupportNotBuilt);
  EXPECT_TRUE(absl::StrContains(judgement.actual, "what the passes leave is no case")) << judgement.actual;
}

// The case of another run is judged, and the run is not.
TEST(RewritingToolchain, LeavesRunsOpenWhoseSizesDoNotFit) {
  const std::unique_ptr<Toolchain> toolchain = InProcess(kCanonicalize);
  Case test_case = CaseOf("add(tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>", /*runs=*/false);
  const auto ones = [](int64_t size) { return Filled(ElementType::kI8, {size}, 1); };
  test_case.runs = {{ones(2), ones(3)}, {ones(2), ones(1)}};
  const Judgement judgement = Checked(*toolchain, test_case);
  EXPECT_EQ(judgement.verdict, Verdict::kAgree) << judgement.actual;
  EXPECT_EQ(judgement.compared, 2u);
}

// 32 elements of one value, cast to a float type and back, which canonicalize deletes.
Case RoundTrip(absl::string_view between, uint64_t bits) {
  Case test_case = Read("cast-block-scaled-bf16-canonicalize");
  test_case.program.ops[0].result.element_type = FindElementType(between).value();
  test_case.runs = {{Filled(ElementType::kBlockF8E5M2, {32}, bits)}};
  return test_case;
}

TEST(RewritingToolchain, LeavesPartsOfBlocksOpen) {
  const std::optional<CapiLibrary> library = FindTrunk();
  if (!library) GTEST_SKIP() << "not tried: no trunk (ci/install_trunk.sh fetches one)";
  const std::unique_ptr<Toolchain> trunk = Rewriting(
      CreateCapiToolchain(*library, {.pipeline = kCanonicalize, .worker = TOSAIC_CAPI_WORKER}).value(), Dialect::k24);
  Case test_case = CaseOf("cast(tensor<?xf32>) -> tensor<?x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:!tosa.mxint8>>",
                          /*runs=*/false);
  for (const int64_t size : {1, 33}) test_case.runs.push_back({Filled(ElementType::kF32, {size}, 0x3f800000)});
  const Judgement judgement = Checked(*trunk, test_case, SpecVersion::k1_1);
  EXPECT_EQ(Name(judgement.verdict), Name(Verdict::kUndefined)) << judgement.actual;
  EXPECT_EQ(judgement.compared, 0u);
}

// A new shape is a constant of its own, which is no op.
TEST(RewritingToolchain, JudgesReshapes) {
  Case test_case = CaseOf("reshape(tensor<2x3xi8>) -> tensor<3x2xi8>", /*runs=*/false);
  test_case.runs = {{Filled(ElementType::kI8, {2, 3}, 5)}};
  const Judgement judgement = Checked(*InProcess(kCanonicalize), test_case);
  EXPECT_EQ(judgement.verdict, Verdict::kAgree) << judgement.actual;
  EXPECT_EQ(judgement.compared, 6u);
}

TEST(RewritingToolchain, JudgesBlockScaledTypesOfTrunk) {
  const std::optional<CapiLibrary> library = FindTrunk();
  if (!library) GTEST_SKIP() << "not tried: no trunk (ci/install_trunk.sh fetches one)";
  const std::unique_ptr<Toolchain> trunk = Rewriting(
      CreateCapiToolchain(*library, {.pipeline = kCanonicalize, .worker = TOSAIC_CAPI_WORKER}).value(), Dialect::k24);
  struct Row {
    absl::string_view between;
    uint64_t bits;
    Verdict verdict;
  };
  for (const Row& row : {Row{"bf16", 0x0014, Verdict::kWrongValue},                                  // 2^-137 (D4)
                         Row{"f32", 0x0014, Verdict::kAgree}, Row{"bf16", 0x0024, Verdict::kAgree},  // 2^-133 is a bf16
                         Row{"bf16", 0x893c, Verdict::kAgree},                                       // 1 * 2^10
                         Row{"bf16", 0xfe7b, Verdict::kUndefined},  // 57344 * 2^127: any block is right
                         Row{"f16", 0x893c, Verdict::kAgree}}) {    // not deleted
    const Judgement judgement = Checked(*trunk, RoundTrip(row.between, row.bits), SpecVersion::k1_1);
    EXPECT_EQ(Name(judgement.verdict), Name(row.verdict)) << row.between << " " << row.bits << judgement.actual;
    if (row.verdict != Verdict::kWrongValue) continue;
    EXPECT_EQ(judgement.rule, RuleId::kValueCastToBlockScaled);
    EXPECT_EQ(judgement.expected, "0 of scale 2^-127");
  }
}

}  // namespace
}  // namespace tosaic
