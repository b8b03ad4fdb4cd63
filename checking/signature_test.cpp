// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/signature.h"

#include <csignal>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "oracle/explain.h"
#include "oracle/judge.h"

namespace tosaic {
namespace {

TEST(SignatureOfTest, DiagnosticsLoseTypesNumbersAndTails) {
  EXPECT_EQ(NormalizeDiagnostic("'tosa.add' op result type 'tensor<2x?xf32>' is wrong"),
            "'tosa.add' op result type 'tensor<>' is wrong");
  EXPECT_EQ(NormalizeDiagnostic("'tensor<?x7xf16>' vs 'memref<5xi8, strided<[1], offset: 3>>'"),
            "'tensor<>' vs 'memref<>'");
  EXPECT_EQ(NormalizeDiagnostic("dimension 17 of operand %12"), "dimension N of operand %N");
  EXPECT_EQ(NormalizeDiagnostic("first line\nsecond line"), "first line");
  EXPECT_EQ(NormalizeDiagnostic("(f32) -> i8 < no end"), "(fN) -> iN ");
  EXPECT_EQ(NormalizeDiagnostic("a -> b > c"), "a -> b > c");
  EXPECT_EQ(NormalizeDiagnostic(""), "");
  EXPECT_LE(NormalizeDiagnostic(std::string(1000, 'x')).size(), 80u);
}

TEST(SignatureOfTest, TheLengthOfANumberDoesNotShow) {
  for (const char* diagnostic : {"size 7 is bad", "size 65 is bad", "size 4096 is bad"}) {
    EXPECT_EQ(NormalizeDiagnostic(diagnostic), "size N is bad");
  }
}

// max(a, b) of equal sizes, with the observation of a toolchain that always writes 0.
std::string SignatureOfZeros(int64_t size, const std::string& type, ElementType element, uint64_t bits) {
  Case test_case;
  test_case.program = ParseSignature(absl::StrCat("maximum(", type, ", ", type, ") -> ", type)).value();
  Tensor operand(element, {size});
  for (size_t i = 0; i < operand.element_count(); ++i) operand.SetBits(i, bits);
  test_case.runs = {{operand, operand}};
  Observation observation;
  observation.runs = {{{{Tensor(element, {size}), {}}}}};
  return ToString(SignatureOf(test_case, observation, Judge(test_case, observation)));
}

TEST(SignatureOfTest, SurvivesShrinking) {
  const std::string big = SignatureOfZeros(65, "tensor<?xf32>", ElementType::kF32, 0x42424242);
  EXPECT_EQ(big, "wrong-value/maximum/f32/loops/value.maximum/number-for-number");
  EXPECT_EQ(SignatureOfZeros(2, "tensor<?xf32>", ElementType::kF32, 0x42424242), big);
  EXPECT_EQ(SignatureOfZeros(1, "tensor<1xf32>", ElementType::kF32, 0x3f800000), big);
}

TEST(SignatureOfTest, TellsElementTypesAndKindsOfDifferenceApart) {
  EXPECT_EQ(SignatureOfZeros(1, "tensor<1xf16>", ElementType::kF16, 0x7e00),
            "wrong-value/maximum/f16/loops/value.maximum/zero-for-nan");
  EXPECT_EQ(SignatureOfZeros(1, "tensor<1xf16>", ElementType::kF16, 0x7c00),
            "wrong-value/maximum/f16/loops/value.maximum/zero-for-inf");
  EXPECT_EQ(SignatureOfZeros(1, "tensor<1xi32>", ElementType::kI32, 5),
            "wrong-value/maximum/i32/loops/value.maximum/number-for-number");
}

// The detail of a wrong value of that op under a rule.
std::string DetailOf(const char* op, RuleId rule, const char* expected, const char* actual, double ulp_distance) {
  Judgement judgement;
  judgement.verdict = Verdict::kWrongValue;
  judgement.rule = rule;
  judgement.mismatch = ElementMismatch{.expected = expected, .actual = actual, .ulp_distance = ulp_distance};
  Case test_case;
  test_case.program = ParseSignature(op).value();
  return SignatureOf(test_case, {}, judgement).detail;
}

TEST(SignatureOfTest, OneMistakeAmongNumbersIsOneFinding) {
  const auto detail = [](const char* expected, const char* actual) {
    return DetailOf("add(tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>", RuleId::kValueAddPlain, expected, actual, 0);
  };
  EXPECT_EQ(detail("1", "2"), "number-for-number");
  EXPECT_EQ(detail("0", "2"), "number-for-number");
  EXPECT_EQ(detail("1", "-0"), "number-for-number");
  EXPECT_EQ(detail("0", "-0"), "zero-for-zero") << "a sign";
  EXPECT_EQ(detail("nan", "0"), "zero-for-nan");
  EXPECT_EQ(detail("inf", "0"), "zero-for-inf");
}

// F4 rounds twice: a sign that is lost is another cause.
TEST(SignatureOfTest, CastToFloatTellsRoundingFromOtherNumbers) {
  const auto detail = [](RuleId rule, const char* actual, double ulp_distance) {
    return DetailOf("cast(tensor<1xi32>) -> tensor<1xbf16>", rule, "257", actual, ulp_distance);
  };
  EXPECT_EQ(detail(RuleId::kValueCastIntegerToFloat, "258", 0.501), "number-for-number");
  EXPECT_EQ(detail(RuleId::kValueCastIntegerToFloat, "256", 0.51), "far-number-for-number") << "cut off";
  EXPECT_EQ(detail(RuleId::kValueCastIntegerToFloat, "260", 1.5), "far-number-for-number");
  EXPECT_EQ(detail(RuleId::kValueCastIntegerToFloat, "0", 128), "far-number-for-number");
  EXPECT_EQ(detail(RuleId::kExtensionCast, "260", 2), "far-number-for-number");
  EXPECT_EQ(detail(RuleId::kValueCastIntegerToFloat, "inf", 1000), "inf-for-number");
  EXPECT_EQ(detail(RuleId::kValueAddPlain, "260", 2), "number-for-number");
}

// F7 leaves out a clip: -128 for -127. A negation that is left out is another cause.
TEST(SignatureOfTest, NegateTellsTheLimitFromOtherNumbers) {
  const auto detail = [](RuleId rule, const char* expected, const char* actual, double ulp_distance = 0) {
    return DetailOf("clz(tensor<1xi32>) -> tensor<1xi32>", rule, expected, actual, ulp_distance);
  };
  EXPECT_EQ(detail(RuleId::kValueNegatePlain, "-127", "-128"), "number-for-number");
  EXPECT_EQ(detail(RuleId::kValueNegatePlain, "-126", "-128"), "far-number-for-number");
  EXPECT_EQ(detail(RuleId::kValueNegatePlain, "5", "-5"), "far-number-for-number");
  EXPECT_EQ(detail(RuleId::kValueNegatePlain, "0", "5"), "far-number-for-number");
  EXPECT_EQ(detail(RuleId::kValueAddPlain, "5", "-5"), "number-for-number");
  EXPECT_EQ(detail(RuleId::kValueCastFloatToInteger, "0", "1"), "number-for-number");
  EXPECT_EQ(detail(RuleId::kValueCastFloatToInteger, "1", "102"), "far-number-for-number");
  EXPECT_EQ(detail(RuleId::kValueNegatePlain, "5", "-5", 2e7), "number-for-number") << "of floats";
}

// R4 loses what a 64-bit integer does not hold: 3 for 2 is another cause.
TEST(SignatureOfTest, CeilTellsLargeNumbersFromOthers) {
  const auto detail = [](const char* expected, const char* actual) {
    return DetailOf("ceil(tensor<1xf32>) -> tensor<1xf32>", RuleId::kValueCeilPlain, expected, actual, 1e7);
  };
  EXPECT_EQ(detail("8.3e+34", "9.22337204e+18"), "number-for-number");
  EXPECT_EQ(detail("9.22337204e+18", "-9.22337204e+18"), "number-for-number");
  EXPECT_EQ(detail("[8.2e+34, 8.4e+34]", "9.22337204e+18"), "number-for-number");
  EXPECT_EQ(detail("2", "3"), "far-number-for-number");
  EXPECT_EQ(detail("[1.99999988, 2.00000012]", "3"), "far-number-for-number");
  EXPECT_EQ(detail("0", "1"), "far-number-for-number");
  EXPECT_EQ(detail("-0", "0"), "zero-for-zero");
}

Case SumOf(const std::string& type) {
  Case test_case;
  test_case.program = ParseSignature(absl::StrCat("add(", type, ", ", type, ") -> ", type)).value();
  test_case.route = "loops";
  return test_case;
}

struct EndRow {
  Verdict verdict;
  Outcome outcome;
  Stage stage;
  const char* signature;
};

TEST(SignatureOfTest, AnApproximatingRouteSaysWhatKindOfWrongValueItIs) {
  Judgement judgement;
  judgement.verdict = Verdict::kWrongValue;
  judgement.rule = RuleId::kLegalRank;
  judgement.mismatch = ElementMismatch{.expected = "1", .actual = "inf"};
  Case test_case = SumOf("tensor<1xf32>");
  EXPECT_EQ(ToString(SignatureOf(test_case, {}, judgement)), "wrong-value/add/f32/loops/legal.rank/inf-for-number");
  test_case.route = "math-polynomial";
  EXPECT_EQ(ToString(SignatureOf(test_case, {}, judgement)),
            "wrong-value/add/f32/math-polynomial/legal.rank/inf-for-number");
}

TEST(SignatureOfTest, WhatTheValidatorLeavesOutTellsItsFindingsApart) {
  Judgement judgement;
  judgement.verdict = Verdict::kFalseAccept;
  judgement.stage = Stage::kVerify;
  judgement.rule = RuleId::kLegalRank;
  judgement.strictness = "none,strict";
  EXPECT_EQ(ToString(SignatureOf(SumOf("tensor<1xf32>"), {}, judgement)), "false-accept/add/legal.rank/none,strict");
}

TEST(SignatureOfTest, APartForEachThingThatTellsCausesApart) {
  Observation observation;
  observation.pass = "tosa-to-linalg";
  observation.diagnostics = {"failed to legalize operation 'tosa.add' of 3 operands"};
  observation.signal = SIGSEGV;
  observation.fault = MemoryFault{.is_write = true, .region = "operand 1", .offset = 4096, .region_bytes = 24};
  const EndRow rows[] = {
      {Verdict::kFalseReject, Outcome::kRefused, Stage::kVerify,
       "false-reject/add/legal.rank/failed to legalize operation 'tosa.add' of N operands"},
      {Verdict::kFalseAccept, Outcome::kCompleted, Stage::kInfer, "false-accept/add/legal.rank"},
      {Verdict::kLoweringFailed, Outcome::kIllegalIr, Stage::kLower,
       "lowering-failed/add/f32/loops/legal.rank/tosa-to-linalg/failed to legalize operation 'tosa.add' of N operands"},
      {Verdict::kCrash, Outcome::kSignal, Stage::kLower, "crash/add/f32/loops/legal.rank/tosa-to-linalg/signal-11"},
      {Verdict::kTimeout, Outcome::kDeadline, Stage::kExecute,
       "timeout/add/f32/loops/legal.rank/tosa-to-linalg/signal-11"},
      {Verdict::kMemoryFault, Outcome::kMemoryFault, Stage::kExecute,
       "memory-fault/add/f32/loops/legal.rank/write/operand"},
      {Verdict::kLeak, Outcome::kCompleted, Stage::kExecute, "leak/add/f32/loops/legal.rank"},
      {Verdict::kContractViolation, Outcome::kCompleted, Stage::kLower, "contract-violation/add/loops/legal.rank"},
  };
  for (const EndRow& row : rows) {
    Judgement judgement;
    judgement.verdict = row.verdict;
    judgement.stage = row.stage;
    judgement.rule = RuleId::kLegalRank;
    observation.outcome = row.outcome;
    observation.stage = row.stage;
    for (const char* type : {"tensor<?x3xf32>", "tensor<f32>", "tensor<65x17xf32>"}) {
      EXPECT_EQ(ToString(SignatureOf(SumOf(type), observation, judgement)), row.signature);
    }
  }
}

TEST(SignatureOfTest, WithoutAPassTheStageStandsForIt) {
  Judgement judgement;
  judgement.verdict = Verdict::kCrash;
  judgement.rule = RuleId::kRunSignal;
  judgement.stage = Stage::kCompile;
  Observation observation;
  observation.stage = Stage::kCompile;
  observation.signal = SIGABRT;
  EXPECT_EQ(ToString(SignatureOf(SumOf("tensor<1xf32>"), observation, judgement)),
            "crash/add/f32/loops/run.signal/compile/signal-6");
}

TEST(SignatureOfTest, BeyondTheSpecificationTypesAreOneClass) {
  Judgement judgement;
  judgement.verdict = Verdict::kLeak;
  judgement.rule = RuleId::kRunLeak;
  judgement.beyond_spec = true;
  EXPECT_EQ(ToString(SignatureOf(SumOf("tensor<1xf64>"), {}, judgement)), "leak/add/beyond-spec/loops/run.leak");
  EXPECT_EQ(ToString(SignatureOf(SumOf("tensor<1xi4>"), {}, judgement)), "leak/add/beyond-spec/loops/run.leak");
}

TEST(SignatureOfTest, AShiftThatIsNoConstantIsACauseOfItsOwn) {
  Case test_case;
  test_case.program = ParseSignature("mul(tensor<1x1xi32>, tensor<1x1xi32>, tensor<1xi8>) -> tensor<1x1xi32>").value();
  Judgement judgement;
  judgement.verdict = Verdict::kCrash;
  judgement.rule = RuleId::kRunSignal;
  judgement.stage = Stage::kLower;
  EXPECT_EQ(ToString(SignatureOf(test_case, {}, judgement)), "crash/mul/loops/special-operand-at-run-time");
  judgement.verdict = Verdict::kWrongValue;
  judgement.rule = ValueRule(OpKind::kMul, {});
  EXPECT_EQ(ToString(SignatureOf(test_case, {}, judgement)), "wrong-value/mul/i32/loops/value.mul") << "another cause";
  judgement.verdict = Verdict::kFalseReject;
  judgement.rule = RuleId::kRunSignal;
  judgement.stage = Stage::kVerify;
  EXPECT_EQ(ToString(SignatureOf(test_case, {}, judgement)), "false-reject/mul/run.signal");
}

// The lowering is right then.
TEST(SignatureOfTest, AShiftOfTheResultsRankIsNone) {
  Case test_case;
  test_case.program = ParseSignature("mul(tensor<1xi32>, tensor<1xi32>, tensor<1xi8>) -> tensor<1xi32>").value();
  Judgement judgement;
  judgement.verdict = Verdict::kWrongValue;
  judgement.rule = RuleId::kRunSignal;
  judgement.stage = Stage::kExecute;
  EXPECT_EQ(ToString(SignatureOf(test_case, {}, judgement)), "wrong-value/mul/i32/loops/run.signal");
}

TEST(SignatureOfTest, AReshapeOfAnUnrankedTensorIsACauseOfItsOwn) {
  Case test_case;
  test_case.program = ParseSignature("reshape(tensor<*xf32>) -> tensor<2xf32>").value();
  Judgement judgement;
  judgement.verdict = Verdict::kTimeout;
  judgement.rule = RuleId::kRunDeadline;
  judgement.stage = Stage::kLower;
  EXPECT_EQ(ToString(SignatureOf(test_case, {}, judgement)), "timeout/reshape/loops/unranked-operand");
  test_case.program.arguments[0].shape = Shape::OfSizes({2});
  EXPECT_EQ(ToString(SignatureOf(test_case, {}, judgement)), "timeout/reshape/f32/loops/run.deadline/execute");
}

TEST(SignatureOfTest, ARescaleOfAnUnrankedTensorIsThatWhateverItsOtherOperandsAre) {
  Case test_case;
  test_case.program =
      ParseSignature("rescale(tensor<*xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<i8>")
          .value();
  Judgement judgement;
  judgement.verdict = Verdict::kCrash;
  judgement.rule = RuleId::kRunSignal;
  judgement.stage = Stage::kLower;
  EXPECT_EQ(ToString(SignatureOf(test_case, {}, judgement)), "crash/rescale/loops/unranked-operand");
  test_case.program.arguments[0].shape = Shape::OfSizes({2});
  EXPECT_EQ(ToString(SignatureOf(test_case, {}, judgement)), "crash/rescale/i8/loops/run.signal/execute");
}

TEST(SignatureOfTest, AProgramOfSeveralOpsNamesNoneAndOneOpShowsItToo) {
  Case test_case;
  test_case.program = ParseSignature("exp(tensor<2xf32>) -> tensor<2xf32>").value();
  Case two = test_case;
  two.program.ops.push_back(test_case.program.ops[0]);
  two.program.ops[1].operands = {{ValueRef::Kind::kOp, 0}};
  Observation observation;
  Judgement judgement;
  judgement.verdict = Verdict::kWrongShape;
  judgement.rule = RuleId::kRuntimeBroadcast;
  const FindingSignature several = SignatureOf(two, observation, judgement);
  EXPECT_EQ(ToString(several), "wrong-shape/several-ops/loops/runtime.broadcast");
  EXPECT_TRUE(ShowsFinding(several, two, observation, judgement));
  EXPECT_TRUE(ShowsFinding(several, test_case, observation, judgement));
  const FindingSignature single = SignatureOf(test_case, observation, judgement);
  EXPECT_EQ(ToString(single), "wrong-shape/exp/f32/loops/runtime.broadcast");
  EXPECT_TRUE(ShowsFinding(single, test_case, observation, judgement));
  EXPECT_FALSE(ShowsFinding(single, two, observation, judgement));
  judgement.rule = RuleId::kRuntimeEqual;
  EXPECT_FALSE(ShowsFinding(several, test_case, observation, judgement));
}

TEST(SignatureOfTest, InAGraphTheOpThatDiffersGivesTheName) {
  Case test_case = SumOf("tensor<1xf32>");
  test_case.program.ops.push_back(test_case.program.ops[0]);
  test_case.program.ops[1].op = OpKind::kSub;
  Judgement judgement;
  judgement.verdict = Verdict::kWrongValue;
  judgement.rule = RuleId::kValueAddPlain;
  judgement.mismatch.emplace();
  judgement.mismatch->expected = "1";
  judgement.mismatch->actual = "-inf";
  EXPECT_EQ(ToString(SignatureOf(test_case, {}, judgement)), "wrong-value/add/f32/loops/value.add/inf-for-number");
}

}  // namespace
}  // namespace tosaic
