// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/validation.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "model/observation.h"
#include "oracle/judge.h"
#include "oracle/legality_testing.h"

namespace tosaic {
namespace {

using C = Category;

Legality Validity(absl::string_view signature, absl::string_view target, Dialect dialect = kCanonicalDialect) {
  return JudgeValidity(Parse(signature), ParseValidationTarget(target).value(), {.dialect = dialect});
}

void ExpectRefusedFor(absl::string_view signature, absl::string_view target, RuleId rule) {
  ExpectRefused(Validity(signature, target), rule, absl::StrCat(signature, " for ", target));
}
void ExpectAccepted(absl::string_view signature, absl::string_view target) {
  EXPECT_EQ(Name(Validity(signature, target).answer), "accept") << signature << " for " << target;
}

constexpr char kAddF32[] = "add(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>";
constexpr char kAddI32[] = "add(tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>";
constexpr char kAddI64[] = "add(tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>";
constexpr char kAddI8[] = "add(tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>";
constexpr char kAddBf16[] = "add(tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>";

TEST(ValidationTest, ProfilesStrictOrNot) {
  for (const char* strict : {"", ",strict"}) {
    ExpectAccepted(kAddF32, absl::StrCat("1.0,pro_fp,8k", strict));
    ExpectAccepted(kAddI32, absl::StrCat("1.0,pro_fp,8k", strict));
    ExpectAccepted(kAddI32, absl::StrCat("1.0,pro_int,8k", strict));
    ExpectRefusedFor(kAddF32, absl::StrCat("1.0,pro_int,8k", strict), RuleId::kValidateProfile);
    ExpectRefusedFor(kAddI8, absl::StrCat("1.0,pro_int+pro_fp,8k", strict), RuleId::kValidateElementType);
  }
}

TEST(ValidationTest, AnExtensionNeedsItsProfile) {
  ExpectAccepted(kAddBf16, "1.0,pro_fp+bf16,8k");
  ExpectRefusedFor(kAddBf16, "1.0,pro_fp,8k", RuleId::kValidateProfile);
  ExpectRefusedFor(kAddBf16, "1.0,pro_int+bf16,8k", RuleId::kValidateProfile);
  constexpr char kCast[] = "cast(tensor<2xbf16>) -> tensor<2xf8E5M2>";
  ExpectAccepted(kCast, "1.0,pro_fp+bf16+fp8e5m2,8k");
  ExpectRefusedFor(kCast, "1.0,pro_fp+bf16+fp8e4m3,8k", RuleId::kValidateProfile);
  ExpectRefusedFor(kCast, "1.0,pro_fp+fp8e5m2,8k", RuleId::kValidateProfile);
}

TEST(ValidationTest, TheDraftsTypes) {
  ExpectAccepted(kAddI64, "1.1.draft,pro_int+int64,8k");
  ExpectRefusedFor(kAddI64, "1.1.draft,pro_int,8k", RuleId::kValidateProfile);
  ExpectRefusedFor(kAddI64, "1.0,pro_int,8k", RuleId::kValidateVersion);
  ExpectRefusedFor("cast(tensor<2xi64>) -> tensor<2xi8>", "1.1.draft,pro_int+int64,8k", RuleId::kValidateElementType);
}

// MLIR 22 took its tables before the draft had them.
TEST(ValidationTest, CastsOfTruthValuesThatTheDraftGotLaterMayBeRefused) {
  for (const char* cast : {"cast(tensor<2xi1>) -> tensor<2xf32>", "cast(tensor<2xf32>) -> tensor<2xi1>",
                           "cast(tensor<2xi64>) -> tensor<2xi1>", "cast(tensor<2xi1>) -> tensor<2xi64>"}) {
    EXPECT_EQ(Name(Validity(cast, "1.1.draft,pro_int+pro_fp+int64,8k").answer), "either") << cast;
    ExpectRefusedFor(cast, "1.0,pro_int+pro_fp,8k", RuleId::kValidateVersion);
    EXPECT_EQ(Validity(cast, "1.1.draft,pro_int+pro_fp+int64,8k", Dialect::k24).answer, Answer::kAccept) << cast;
  }
  constexpr char kCast[] = "cast(tensor<2xi1>) -> tensor<2xf32>";
  ExpectRefusedFor(kCast, "1.1.draft,pro_int,8k", RuleId::kValidateProfile);
  for (const char* target : {"1.0,pro_fp,8k", "1.1.draft,pro_fp,8k", "1.1.draft,pro_int,8k"}) {
    const std::vector<Category> reasons = BrokenCategories(Parse(kCast), ParseValidationTarget(target).value(), {});
    EXPECT_NE(std::find(reasons.begin(), reasons.end(), Category::kElementType), reasons.end()) << target;
  }
}

TEST(ValidationTest, Shapes) {
  constexpr char kDynamic[] = "abs(tensor<?xf32>) -> tensor<?xf32>";
  constexpr char kUnranked[] = "abs(tensor<*xf32>) -> tensor<2xf32>";
  ExpectAccepted(kDynamic, "1.1.draft,pro_fp,8k");
  for (const char* level : {"8k", "none"}) {
    ExpectRefusedFor(kDynamic, absl::StrCat("1.0,pro_fp,", level), RuleId::kValidateDynamic);
    ExpectRefusedFor(kUnranked, absl::StrCat("1.1.draft,pro_fp,", level), RuleId::kValidateUnranked);
  }
}

TEST(ValidationTest, Levels) {
  auto abs = [](absl::string_view shape) {
    return absl::StrCat("abs(tensor<", shape, "xf32>) -> tensor<", shape, "xf32>");
  };
  ExpectAccepted(abs("1x1x1x1x1x1"), "1.0,pro_fp,8k");
  ExpectRefusedFor(abs("1x1x1x1x1x1x1"), "1.0,pro_fp,8k", RuleId::kValidateLevelRank);
  std::string ones = "1";
  for (int i = 1; i < 32; ++i) ones += "x1";
  ExpectAccepted(abs(ones), "1.0,pro_fp,none");
  ExpectRefusedFor(abs(ones + "x1"), "1.0,pro_fp,none", RuleId::kValidateLevelRank);
  ExpectAccepted(abs("536870911"), "1.0,pro_fp,8k");
  ExpectRefusedFor(abs("536870912"), "1.0,pro_fp,8k", RuleId::kValidateLevelSize);
  ExpectAccepted(abs("536870912"), "1.0,pro_fp,none");
  ExpectRefusedFor(abs("4611686018427387904x4"), "1.0,pro_fp,none", RuleId::kValidateLevelSize);
}

// "The element size in bytes (which is taken to be 1 for elements smaller than a 8-bit)": six for i48, whatever memory
// compiled code gives it.
TEST(ValidationTest, TheSizeOfATensorCountsTheBytesOfTheElementType) {
  const struct {
    const char *type, *greatest, *too_large;  // 2^31 - 1 and 2^31 divided by the bytes
    const char* target;
  } kRows[] = {
      {"i1", "2147483647", "2147483648", "1.0,pro_int,8k"},
      {"i4", "2147483647", "2147483648", "1.0,pro_int+int4,8k"},
      {"i8", "2147483647", "2147483648", "1.0,pro_int,8k"},
      {"i16", "1073741823", "1073741824", "1.0,pro_int+int16,8k"},
      {"i48", "357913941", "357913942", "1.0,pro_int+int16,8k"},
      {"i48", "1537228672809129301", "1537228672809129302", "1.0,pro_int+int16,none"},
      {"i64", "268435455", "268435456", "1.1.draft,pro_int+int64,8k"},
  };
  for (const auto& row : kRows) {
    const auto identity = [&](const char* size) {
      return absl::StrCat("identity(tensor<", size, "x", row.type, ">) -> tensor<", size, "x", row.type, ">");
    };
    ExpectAccepted(identity(row.greatest), row.target);
    ExpectRefusedFor(identity(row.too_large), row.target, RuleId::kValidateLevelSize);
  }
  ExpectAccepted("identity(tensor<268435456xi48>) -> tensor<268435456xi48>", "1.0,pro_int+int16,8k");
}

TEST(ValidationTest, SpecialOperands) {
  ExpectRefusedFor("mul(tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>", "1.0,pro_int,8k",
                   RuleId::kValidateConstantOperand);
  Program mul = Parse("mul(tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>");
  ValidationTarget target;
  EXPECT_EQ(JudgeValidity(mul, target, {}).answer, Answer::kAccept);
  mul.constants[0].SetBits(0, 64);
  EXPECT_EQ(JudgeValidity(mul, target, {}).answer, Answer::kEither);
  target.strict = true;
  ExpectRefused(JudgeValidity(mul, target, {}), RuleId::kLegalShift, "64");
}

// EXT-DYNAMIC "removes all Compile Time Constant state", in 1.0 as in the draft.
TEST(ValidationTest, WithTheExtensionDynamicSpecialOperandsMayBeKnownAtRunTime) {
  constexpr char kMul[] = "mul(tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>";
  for (const char* target : {"1.0,pro_int+dynamic,8k", "1.1.draft,pro_int+dynamic,none,strict"}) {
    ExpectAccepted(kMul, target);
  }
  ExpectRefusedFor(kMul, "1.0,pro_int+inexactround,8k", RuleId::kValidateConstantOperand);
  ExpectRefusedFor("abs(tensor<?xf32>) -> tensor<?xf32>", "1.0,pro_fp+dynamic,8k", RuleId::kValidateDynamic);
}

// The draft's pseudo-code: ERROR_IF(round && !PRO-INT). EXT-INT64 extends PRO-FP too.
TEST(ValidationTest, ARoundingShiftNeedsTheIntegerProfileInTheDraft) {
  Program shift = Parse("arithmetic_right_shift(tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>");
  const auto of = [&](bool round, absl::string_view target) {
    shift.ops[0].attributes.round = round;
    return JudgeValidity(shift, ParseValidationTarget(target).value(), {});
  };
  EXPECT_EQ(of(false, "1.1.draft,pro_fp+int64,8k").answer, Answer::kAccept);
  EXPECT_EQ(of(true, "1.1.draft,pro_int+int64,8k").answer, Answer::kAccept);
  ExpectRefused(of(true, "1.1.draft,pro_fp+int64,8k"), RuleId::kValidateProfile, "round");
}

TEST(ValidationTest, TheSpecificationHasNoSizeThatIsInferred) {
  Program reshape = Parse("reshape(tensor<6xf32>) -> tensor<2x3xf32>");
  for (const char* target : {"1.0,pro_fp,8k", "1.1.draft,pro_fp,8k"}) {
    reshape.ops[0].attributes.new_shape = {2, 3};
    const std::string strictly = absl::StrCat(target, ",strict");
    const auto of = [&](absl::string_view text) {
      return JudgeValidity(reshape, ParseValidationTarget(text).value(), {});
    };
    EXPECT_EQ(of(strictly).answer, Answer::kAccept);
    reshape.ops[0].attributes.new_shape = {2, -1};
    EXPECT_EQ(of(target).answer, Answer::kEither);
    ExpectRefused(of(strictly), RuleId::kValidateNewShape, strictly);
  }
}

TEST(ValidationTest, TheOpVerifierComesFirst) {
  ExpectRefusedFor("add(tensor<2xi8>, tensor<3xi8>) -> tensor<2xi8>", "1.0,pro_int,8k", RuleId::kBcastInferConflict);
}

TEST(ValidationTest, AnyBrokenRuleIsARightReason) {
  const Program program = Parse("add(tensor<?xf32>, tensor<*xf32>) -> tensor<?xf32>");
  EXPECT_EQ(BrokenCategories(program, ParseValidationTarget("1.0,pro_int,8k").value(), {}),
            (std::vector{C::kProfile, C::kUnranked, C::kDynamic}));
  EXPECT_EQ(BrokenCategories(program, ParseValidationTarget("1.1.draft,pro_fp,8k").value(), {}),
            std::vector{C::kUnranked});
}

// --- What the judge makes of it ------------------------------------------------------------------------------------

Judgement JudgeFor(absl::string_view target, Outcome outcome, std::optional<Category> category = {}) {
  Case test_case;
  test_case.program = Parse(kAddF32);
  test_case.runs = {{Tensor(ElementType::kF32, {2}), Tensor(ElementType::kF32, {2})}};  // have no part in it
  Observation observation;
  observation.outcome = outcome;
  observation.stage = Stage::kVerify;
  observation.category = category;
  JudgeOptions options;
  options.validation = ParseValidationTarget(target).value();
  return Judge(test_case, observation, options);
}

TEST(ValidationJudgementTest, Decisions) {
  EXPECT_EQ(JudgeFor("1.0,pro_fp,8k", Outcome::kCompleted).verdict, Verdict::kAgree);
  EXPECT_EQ(JudgeFor("1.0,pro_fp,8k", Outcome::kRefused).verdict, Verdict::kFalseReject);
  EXPECT_EQ(JudgeFor("1.0,pro_int,8k", Outcome::kCompleted).verdict, Verdict::kFalseAccept);
  EXPECT_EQ(JudgeFor("1.0,pro_fp,8k", Outcome::kIllegalIr).verdict, Verdict::kLoweringFailed);
  EXPECT_EQ(JudgeFor("1.0,pro_fp,8k", Outcome::kSignal).verdict, Verdict::kCrash);
}

TEST(ValidationJudgementTest, AWrongReasonIsNoted) {
  EXPECT_EQ(JudgeFor("1.0,pro_int,8k", Outcome::kRefused, C::kProfile).notes, std::vector<std::string>());
  const Judgement wrong = JudgeFor("1.0,pro_int,8k", Outcome::kRefused, C::kUnknown);
  EXPECT_EQ(wrong.verdict, Verdict::kAgree);
  EXPECT_EQ(wrong.notes, std::vector<std::string>{"refused.wrong-reason: unknown, expected profile"});
}

}  // namespace
}  // namespace tosaic
