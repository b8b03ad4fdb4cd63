// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/signature.h"

#include "gtest/gtest.h"
#include "tests/example_signatures.h"

namespace tosaic {
namespace {

TEST(SignatureTest, EveryTextIsReadAndGivenBack) {
  for (const char* text : kExampleSignatures) {
    const FindingSignature signature = ParseFindingSignature(text);
    EXPECT_EQ(ToString(signature), text);
    EXPECT_TRUE(signature.verdict && IsSignedOp(signature.op)) << text;
    EXPECT_TRUE(!signature.rule.empty() || IsOfForeignMemory(signature.detail)) << text;
  }
}

TEST(SignatureTest, APartStandsWhereItBelongs) {
  EXPECT_EQ(ParseFindingSignature("wrong-value/tanh/bf16/loops/value.tanh/number-for-nan"),
            (FindingSignature{.verdict = Verdict::kWrongValue,
                              .op = "tanh",
                              .types = "bf16",
                              .route = "loops",
                              .rule = "value.tanh",
                              .detail = "number-for-nan"}));
  EXPECT_EQ(ParseFindingSignature("lowering-failed/several-ops/fused/lower.legal-ir/cse/a b"),
            (FindingSignature{.verdict = Verdict::kLoweringFailed,
                              .op = "several-ops",
                              .route = "fused",
                              .rule = "lower.legal-ir",
                              .detail = "cse/a b"}));
  EXPECT_EQ(
      ParseFindingSignature("false-accept/mul/validate.profile/none,strict"),
      (FindingSignature{
          .verdict = Verdict::kFalseAccept, .op = "mul", .rule = "validate.profile", .strictness = "none,strict"}));
  EXPECT_EQ(
      ParseFindingSignature("false-accept/broadcastable/bcast.verify.rank/vector"),
      (FindingSignature{
          .verdict = Verdict::kFalseAccept, .op = "broadcastable", .rule = "bcast.verify.rank", .detail = "vector"}));
  EXPECT_EQ(ParseFindingSignature("leak/add/beyond-spec/loops/run.leak").types, kBeyondSpecTypes);
  EXPECT_EQ(ParseFindingSignature("crash/mul/loops/special-operand-at-run-time"),
            (FindingSignature{
                .verdict = Verdict::kCrash, .op = "mul", .route = "loops", .detail = std::string(kSpecialOperand)}));
}

TEST(SignatureTest, SeveralOpsMayHaveAPattern) {
  EXPECT_EQ(ParseFindingSignature("lowering-failed/several-ops/fused/lower.legal-ir/cse/a/abs(abs(x)) and add(x, 0)"),
            (FindingSignature{.verdict = Verdict::kLoweringFailed,
                              .op = "several-ops",
                              .route = "fused",
                              .rule = "lower.legal-ir",
                              .detail = "cse/a",
                              .ops = "abs(abs(x)) and add(x, 0)"}));
  for (const char* none : {"lowering-failed/several-ops/fused/lower.legal-ir/cse/what (x)",
                           "lowering-failed/several-ops/fused/lower.legal-ir/cse/abs",
                           "lowering-failed/abs/i8/fused/lower.legal-ir/cse/abs(x)"}) {
    EXPECT_EQ(ParseFindingSignature(none).ops, "");
    EXPECT_EQ(ToString(ParseFindingSignature(none)), none);
  }
}

TEST(SignatureTest, WhatIsNoSignatureIsKeptWhole) {
  for (const char* text : {"a", "a/b", "crash", "crash/no-op/run.signal", "crash//run.signal", "crash/add/run.signal/",
                           "/", "crash/add/\xff"}) {
    EXPECT_EQ(ToString(ParseFindingSignature(text)), text);
    EXPECT_FALSE(ParseFindingSignature(text).empty()) << text;
  }
  EXPECT_TRUE(ParseFindingSignature("").empty());
  EXPECT_TRUE(FindingSignature().empty());
  EXPECT_EQ(ToString(FindingSignature()), "");
}

TEST(SignatureTest, APatternLooksAtEachPartAlone) {
  const FindingSignature signature = ParseFindingSignature("lowering-failed/mul/i8-i32/loops/lower.legal-ir/cse/a/b");
  EXPECT_TRUE(SignaturePattern().Matches(signature));
  EXPECT_TRUE(SignaturePattern().Matches(ParseFindingSignature("crash/add/run.signal")));
  EXPECT_TRUE((SignaturePattern{.op = "mul", .types = "i8-*", .detail = "*/b"}.Matches(signature)));
  EXPECT_TRUE((SignaturePattern{.strictness = ""}.Matches(signature)));
  EXPECT_FALSE((SignaturePattern{.types = "i8"}.Matches(signature)));
  EXPECT_FALSE((SignaturePattern{.op = "mul/i8-i32"}.Matches(signature)));
  EXPECT_FALSE((SignaturePattern{.route = ""}.Matches(signature)));
  EXPECT_EQ(ToString(SignaturePattern{.op = "mul", .rule = "lower.*"}), "*/mul/*/*/lower.*/*/*");
}

}  // namespace
}  // namespace tosaic
