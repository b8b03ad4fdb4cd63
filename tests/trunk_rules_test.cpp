// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of verifier, tosa-validate and lowering that trunk has otherwise than MLIR 22, a row each: what the oracle
// says for its dialect, and what trunk answers.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/dialect.h"
#include "oracle/judge.h"
#include "oracle/validation.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/capi/capi_toolchain.h"
#include "toolchain/program_testing.h"

namespace tosaic {
namespace {

struct Row {
  const char* program;
  const char* target;
  std::optional<RuleId> broken;  // none: legal
  const char* finding = "";      // of docs/findings.md, where trunk refuses what is legal
};

constexpr char kDynamic[] = "abs(tensor<?xf32>) -> tensor<?xf32>";
constexpr char kStatic[] = "abs(tensor<2xf32>) -> tensor<2xf32>";
constexpr char kRunTimeShift[] = "mul(tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>";
constexpr char kOtherSize[] = "mul(tensor<1xi16>, tensor<1xi16>) -> tensor<2xi32>";
constexpr char kInferredSize[] = "reshape(tensor<?xf32>) -> tensor<2x?xf32>";
constexpr char kFromTruth[] = "cast(tensor<2xi1>) -> tensor<2xf32>";
constexpr char kFromSmall[] = "cast(tensor<2xf8E4M3FN>) -> tensor<2xbf16>";

#define TOSAIC_BLOCKS(value) "!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:" value ">"
constexpr char kToBlocks[] = "cast(tensor<4x32xf32>) -> tensor<4x32x" TOSAIC_BLOCKS("f8E4M3FN") ">";
constexpr char kFromBlocks[] = "cast(tensor<4x32x" TOSAIC_BLOCKS("f6E2M3FN") ">) -> tensor<4x32xbf16>";
constexpr char kSmallToBlocks[] = "cast(tensor<32xf8E5M2>) -> tensor<32x" TOSAIC_BLOCKS("!tosa.mxint8") ">";
constexpr char kSameBlocks[] =
    "identity(tensor<32x" TOSAIC_BLOCKS("f4E2M1FN") ">) -> tensor<32x" TOSAIC_BLOCKS("f4E2M1FN") ">";
constexpr char kReshapedBlocks[] =
    "reshape(tensor<64x" TOSAIC_BLOCKS("f4E2M1FN") ">) -> tensor<2x32x" TOSAIC_BLOCKS("f4E2M1FN") ">";
constexpr char kHalfBlocks[] = "cast(tensor<4x16xf32>) -> tensor<4x16x" TOSAIC_BLOCKS("f8E4M3FN") ">";
constexpr char kOneBlockedNumber[] = "cast(tensor<f32>) -> tensor<" TOSAIC_BLOCKS("f8E4M3FN") ">";
constexpr char kMagnitudes[] = "abs(tensor<32x" TOSAIC_BLOCKS("f8E5M2") ">) -> tensor<32x" TOSAIC_BLOCKS("f8E5M2") ">";
constexpr char kBlocksOfIntegers[] = "cast(tensor<32xi8>) -> tensor<32x" TOSAIC_BLOCKS("f8E4M3FN") ">";
#undef TOSAIC_BLOCKS

const Row kRows[] = {
    // Dynamic dimensions by version; the extension `dynamic` is about operands that are constants.
    {kDynamic, "1.0,pro_fp,8k,strict", RuleId::kValidateDynamic},
    {kDynamic, "1.0,pro_fp+dynamic,8k,strict", RuleId::kValidateDynamic},
    {kDynamic, "1.1.draft,pro_fp,8k,strict", {}},
    {kRunTimeShift, "1.0,pro_int,8k,strict", RuleId::kValidateConstantOperand},
    {kRunTimeShift, "1.0,pro_int+dynamic,8k,strict", {}},
    {kRunTimeShift, "1.1.draft,pro_int+dynamic,8k,strict", {}},
    // Extensions that no elementwise op needs let nothing through.
    {kRunTimeShift, "1.0,pro_int+doubleround+inexactround,8k,strict", RuleId::kValidateConstantOperand},
    {kRunTimeShift, "1.1.draft,pro_int+shape,8k,strict", RuleId::kValidateConstantOperand},
    {kStatic, "1.1.draft,pro_int+doubleround+inexactround+shape,8k,strict", RuleId::kValidateProfile},
    {kStatic, "1.1.draft,pro_fp+shape+mx_common+mx_fp4e2m1+mx_fp6e2m3+mx_fp6e3m2+mx_fp8e4m3+mx_fp8e5m2+mx_int8,8k", {}},
    {kFromSmall, "1.1.draft,pro_fp+bf16+mx_common+mx_fp8e4m3,8k,strict", RuleId::kValidateProfile},
    // The result of mul has the size that its operands give.
    {kOtherSize, "1.0,pro_int,8k,strict", RuleId::kBcastVerifyDifferent},
    // A new shape has no -1.
    {kInferredSize, "1.0,pro_fp,8k,strict", RuleId::kValidateNewShape},
    {kInferredSize, "1.1.draft,pro_fp,8k,strict", RuleId::kValidateNewShape},
    // Casts: of truth values since the draft of 1.1, of fp8 by both extensions.
    {kFromTruth, "1.0,pro_int+pro_fp,8k,strict", RuleId::kValidateVersion},
    {kFromTruth, "1.1.draft,pro_int,8k,strict", RuleId::kValidateProfile},
    {kFromTruth, "1.1.draft,pro_fp,8k,strict", {}},
    {kFromSmall, "1.0,pro_fp+bf16,8k,strict", RuleId::kValidateProfile},
    {kFromSmall, "1.0,pro_fp+bf16+fp8e4m3,8k,strict", {}},
    // Block-scaled types: by the extensions of all of the op's types, in the draft alone.
    {kToBlocks, "1.1.draft,pro_fp+mx_common+mx_fp8e4m3,8k,strict", {}},
    {kToBlocks, "1.1.draft,pro_fp+mx_common+mx_fp8e5m2,8k,strict", RuleId::kValidateProfile},
    {kToBlocks, "1.1.draft,pro_fp+mx_fp8e4m3,8k,strict", RuleId::kValidateProfile},
    {kToBlocks, "1.1.draft,pro_int+mx_common+mx_fp8e4m3,8k,strict", RuleId::kValidateProfile},
    {kToBlocks, "1.0,pro_fp,8k,strict", RuleId::kValidateVersion},
    {kFromBlocks, "1.1.draft,pro_fp+bf16+mx_common+mx_fp6e2m3,8k,strict", {}},
    {kFromBlocks, "1.1.draft,pro_fp+mx_common+mx_fp6e2m3,8k,strict", RuleId::kValidateProfile},
    {kSmallToBlocks, "1.1.draft,pro_fp+fp8e5m2+mx_common+mx_int8,8k,strict", {}},
    {kSmallToBlocks, "1.1.draft,pro_fp+mx_common+mx_int8,8k,strict", RuleId::kValidateProfile},
    {kSameBlocks, "1.1.draft,pro_fp+mx_common+mx_fp4e2m1,8k,strict", {}, "D3"},
    {kReshapedBlocks, "1.1.draft,pro_fp+mx_common+mx_fp4e2m1,8k,strict", {}},
    {kReshapedBlocks, "1.1.draft,pro_fp+mx_common,8k,strict", RuleId::kValidateProfile},
    {kHalfBlocks, "1.1.draft,pro_fp+mx_common+mx_fp8e4m3,8k,strict", RuleId::kLegalBlockScaled},
    {kOneBlockedNumber, "1.1.draft,pro_fp+mx_common+mx_fp8e4m3,8k,strict", RuleId::kLegalBlockScaled},
    {kMagnitudes, "1.1.draft,pro_fp+mx_common+mx_fp8e5m2,8k,strict", RuleId::kValidateElementType},
    {kBlocksOfIntegers, "1.1.draft,pro_fp+mx_common+mx_fp8e4m3,8k,strict", RuleId::kLegalElementType},
};

std::unique_ptr<Toolchain> Trunk() {
  const std::optional<CapiLibrary> trunk = FindTrunk();
  return trunk ? CreateCapiToolchain(*trunk, {.worker = TOSAIC_CAPI_WORKER}).value() : nullptr;
}

TEST(TrunkRules, ValidationIsWhatTheDocumentsSay) {
  const std::unique_ptr<Toolchain> trunk = Trunk();
  for (const Row& row : kRows) {
    SCOPED_TRACE(testing::Message() << row.program << " for " << row.target);
    Case test_case;
    test_case.program = CaseOf(row.program, /*runs=*/false).program;
    JudgeOptions options;
    options.policies.dialect = Dialect::k24;
    options.validation = ParseValidationTarget(row.target).value();
    const Legality legality = JudgeValidity(test_case.program, *options.validation, options.policies);
    EXPECT_EQ(Name(legality.answer), row.broken ? "refuse" : "accept");
    if (row.broken) EXPECT_EQ(Name(legality.rule), Name(*row.broken));
    if (trunk == nullptr) continue;
    const Observation observation = trunk->verifier()->ObserveValidation(test_case.program, *options.validation);
    const Judgement judgement = Judge(test_case, observation, options);
    const bool is_finding = *row.finding != '\0';
    EXPECT_EQ(judgement.verdict, is_finding ? Verdict::kFalseReject : Verdict::kAgree)
        << Name(judgement.rule) << ": " << judgement.actual;
    EXPECT_EQ(judgement.notes, std::vector<std::string>());
  }
  if (trunk == nullptr) GTEST_SKIP() << "not tried on trunk: none is here (ci/install_trunk.sh fetches one)";
}

// The default passes have no code for fp8; `apfloat` calls a library.
TEST(TrunkRules, CastsOfFp8AreLoweredOnOneRouteAlone) {
  const std::unique_ptr<Toolchain> trunk = Trunk();
  if (trunk == nullptr) GTEST_SKIP() << "not tried: no trunk (ci/install_trunk.sh fetches one)";
  for (const char* route : {"loops", "apfloat"}) {
    const Case test_case = CaseOf(kFromSmall, /*runs=*/true, route);
    JudgeOptions options;
    options.policies.dialect = Dialect::k24;
    const Judgement judgement = Judge(test_case, trunk->Observe(test_case), options);
    const bool is_lowered = test_case.route == "apfloat";
    EXPECT_EQ(judgement.verdict, is_lowered ? Verdict::kAgree : Verdict::kUnsupported) << judgement.actual;
    if (!is_lowered) EXPECT_EQ(judgement.rule, RuleId::kSupportFp8) << judgement.actual;
  }
}

// A message in other words than before must not look like a refusal for a wrong reason
// (toolchain/diagnostic_category.cpp).
TEST(TrunkRules, EachRefusalOfAVerifierIsOfAKnownCategory) {
  const std::unique_ptr<Toolchain> trunk = Trunk();
  if (trunk == nullptr) GTEST_SKIP() << "not tried: no trunk (ci/install_trunk.sh fetches one)";
  GeneratorOptions options;
  options.illegal_percent = 100;
  options.beyond_spec_percent = 0;
  options.runs = 0;
  int refused = 0;
  for (uint64_t number = 0; number < 3000; ++number) {
    const Case test_case = GenerateCase(1, number, options);
    // What ends the process there is a finding: F22.
    const auto& sizes = test_case.program.ops[0].attributes.new_shape;
    if (sizes && absl::c_linear_search(*sizes, 0)) continue;
    const Observation observation = trunk->verifier()->ObserveDecision(test_case.program);
    if (observation.outcome != Outcome::kRefused) continue;
    ++refused;
    EXPECT_NE(observation.category, Category::kUnknown) << Summarize(observation);
  }
  EXPECT_GT(refused, 2000);
}

Judgement JudgedToSpirv(Toolchain& trunk, Case test_case, Observation* observation = nullptr) {
  test_case.route = "to-spirv";
  JudgeOptions options;
  options.policies.dialect = Dialect::k24;
  const Observation observed = trunk.Observe(test_case);
  if (observation != nullptr) *observation = observed;
  return Judge(test_case, observed, options);
}

// Each op with each of its tuples in TOSA 1.0, which are those of SPIR-V's instruction set but for i4: the graph has
// its instruction with all of its attributes.
TEST(TrunkRules, EachOpOfTheInstructionSetIsInAGraph) {
  const std::unique_ptr<Toolchain> trunk = Trunk();
  if (trunk == nullptr) GTEST_SKIP() << "not tried: no trunk (ci/install_trunk.sh fetches one)";
  int graphs = 0;
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : op.spec_types) {
      SCOPED_TRACE(testing::Message() << op.name << " " << ToString(TypePair{tuple.input, tuple.result}));
      Case test_case = OnOnes(OneOp(op, tuple, Shape::OfSizes({2, 3})), {2, 3});
      OpApplication& application = test_case.program.ops[0];
      if (op.kind == OpKind::kReshape) {  // one to the same shape is folded
        application.attributes.new_shape = {3, 2};
        application.result.shape = Shape::OfSizes({3, 2});
      }
      Observation observation;
      const Judgement judgement = JudgedToSpirv(*trunk, test_case, &observation);
      const bool is_of_set = tuple.input != ElementType::kI4;
      EXPECT_EQ(Name(judgement.verdict), Name(is_of_set ? Verdict::kAgree : Verdict::kUnsupported)) << judgement.actual;
      for (const std::string& note : judgement.notes) EXPECT_FALSE(absl::StartsWith(note, "spirv.")) << note;
      ASSERT_TRUE(observation.graph) << Summarize(observation);
      if (op.kind == OpKind::kIdentity) continue;
      ++graphs;
      // Another op's graph is not this one's.
      observation.graph->values.back().name = op.kind == OpKind::kAbs ? "Ceil" : "Abs";
      EXPECT_EQ(Judge(test_case, observation, {}).rule, RuleId::kSpirvOp);
    }
  }
  EXPECT_EQ(graphs, 188);
}

TEST(TrunkRules, GraphsOfSpirvAreRefusedFoldedAndLeftUnfinished) {
  const std::unique_ptr<Toolchain> trunk = Trunk();
  if (trunk == nullptr) GTEST_SKIP() << "not tried: no trunk (ci/install_trunk.sh fetches one)";
  struct ToSpirvRow {
    const char* signature;
    Verdict verdict;
    RuleId rule;
    const char* actual;  // part of what is said
  };
  constexpr ToSpirvRow kToSpirv[] = {
      {"add(tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>", Verdict::kUnsupported, RuleId::kSupportSpirv,
       "'spirv.Tosa.Add' op operand #0 must be"},
      {"identity(tensor<2xi4>) -> tensor<2xi4>", Verdict::kUnsupported, RuleId::kSupportSpirv, "completed"},
      {"abs(tensor<?xf32>) -> tensor<2xf32>", Verdict::kUnsupported, RuleId::kSupportSpirv, "same type"},
      {"mul(tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>", Verdict::kUnsupported, RuleId::kSupportSpirv,
       "completed"},
      {"abs(tensor<?xf32>) -> tensor<?xf32>", Verdict::kAgree, RuleId::kBcastVerifyDynDyn, ""},
      {"identity(tensor<2xf32>) -> tensor<?xf32>", Verdict::kContractViolation, RuleId::kSpirvOp,
       "builtin.unrealized_conversion_cast"},
  };
  for (const ToSpirvRow& row : kToSpirv) {
    const Judgement judgement = JudgedToSpirv(*trunk, CaseOf(row.signature));
    EXPECT_EQ(Name(judgement.verdict), Name(row.verdict)) << row.signature;
    EXPECT_EQ(Name(judgement.rule), Name(row.rule)) << row.signature;
    EXPECT_TRUE(absl::StrContains(judgement.actual, row.actual)) << row.signature << ": " << judgement.actual;
  }
  // x * 0 is folded to 0 (F5), which is right unless x is no number.
  for (const uint64_t bits : {0x3f800000u, 0x7f800000u}) {
    Case times_0 = OnOnes(OneOp(Info(OpKind::kMul), ElementType::kF32, ElementType::kF32, Shape::OfSizes({2})), {2});
    times_0.program.ops[0].operands[1] = {ValueRef::Kind::kConstant, 1};
    times_0.program.constants.push_back(Filled(ElementType::kF32, {2}, 0));
    times_0.runs[0] = {Filled(ElementType::kF32, {2}, bits), Filled(ElementType::kF32, {2}, bits)};
    const Judgement judgement = JudgedToSpirv(*trunk, times_0);
    const bool is_number = bits == 0x3f800000;
    EXPECT_EQ(Name(judgement.verdict), Name(is_number ? Verdict::kAgree : Verdict::kContractViolation));
    if (!is_number) EXPECT_EQ(Name(judgement.rule), Name(RuleId::kSpirvValue));
    if (is_number) EXPECT_EQ(judgement.notes, std::vector<std::string>{"spirv.folded"});
  }
}

}  // namespace
}  // namespace tosaic
