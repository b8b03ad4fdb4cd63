// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of verifier, tosa-validate and lowering that trunk has otherwise than MLIR 22, a row each: what the oracle
// says for its dialect, and what trunk answers.
#include <memory>
#include <optional>
#include <string>

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
};

constexpr char kDynamic[] = "abs(tensor<?xf32>) -> tensor<?xf32>";
constexpr char kStatic[] = "abs(tensor<2xf32>) -> tensor<2xf32>";
constexpr char kRunTimeShift[] = "mul(tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>";
constexpr char kOtherSize[] = "mul(tensor<1xi16>, tensor<1xi16>) -> tensor<2xi32>";
constexpr char kInferredSize[] = "reshape(tensor<?xf32>) -> tensor<2x?xf32>";
constexpr char kFromTruth[] = "cast(tensor<2xi1>) -> tensor<2xf32>";
constexpr char kFromSmall[] = "cast(tensor<2xf8E4M3FN>) -> tensor<2xbf16>";

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
    EXPECT_EQ(judgement.verdict, Verdict::kAgree) << Name(judgement.rule) << ": " << judgement.actual;
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

}  // namespace
}  // namespace tosaic
