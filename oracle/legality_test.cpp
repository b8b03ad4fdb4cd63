// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every rule of legality.h with vectors that keep and break it, and whole programs. A test's name contains the rule's
// label, with '.' and '-' written '_'. Loops over all ops stand in legality_all_ops_test.cpp.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "oracle/category.h"
#include "oracle/legality_testing.h"

namespace tosaic {
namespace {

using E = ElementType;

TEST(LegalityTest, legal_element_type) {
  EXPECT_EQ(Judge("add(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>").answer, Answer::kAccept);
  for (const char* signature : {
           "add(tensor<2xf32>, tensor<2xf16>) -> tensor<2xf32>",
           "add(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf16>",
           "equal(tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>",
           "logical_and(tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>",
           "select(tensor<2xi8>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>",
           "select(tensor<2xi1>, tensor<2xf32>, tensor<2xf16>) -> tensor<2xf32>",
           "mul(tensor<2xi32>, tensor<2xi32>) -> tensor<2xi16>",
           "sin(tensor<2xi32>) -> tensor<2xi32>",
           "intdiv(tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>",
       }) {
    ExpectRefused(Judge(signature), RuleId::kLegalElementType, signature);
  }
}

TEST(LegalityTest, legal_special_operand_type) {
  for (const char* signature : {
           "mul(tensor<2xi32>, tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>",
           "negate(tensor<2xi8>, tensor<1xi8>, tensor<1xi16>) -> tensor<2xi8>",
           "negate(tensor<2xf32>, tensor<1xi8>, tensor<1xf32>) -> tensor<2xf32>",
       }) {
    ExpectRefused(Judge(signature), RuleId::kLegalSpecialOperandType, signature);
  }
}

TEST(LegalityTest, WhatIsBeyondTheSpecificationIsAMatterOfItsVersion) {
  for (const char* signature : {
           "add(tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>",
           "greater(tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>",
           "cast(tensor<2xf32>) -> tensor<2xi1>",
           "cast(tensor<2xi64>) -> tensor<2xi32>",
       }) {
    EXPECT_TRUE(Judge(signature, {.spec_version = SpecVersion::k1_0_2}).beyond_spec) << signature;
    EXPECT_FALSE(Judge(signature, {.spec_version = SpecVersion::k1_1}).beyond_spec) << signature;
  }
  EXPECT_TRUE(Judge("cast(tensor<2xf16>) -> tensor<2xi1>", {.spec_version = SpecVersion::k1_1}).beyond_spec);
  EXPECT_TRUE(Judge("cast(tensor<2xi64>) -> tensor<2xi8>", {.spec_version = SpecVersion::k1_1}).beyond_spec);
}

TEST(LegalityTest, BeyondSpecIsJudgedByTheDialectsColumn) {
  for (const char* signature : {
           "add(tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>",
           "add(tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>",
           "mul(tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>",
           "clamp(tensor<2xi32>) -> tensor<2xi32>",
           "cast(tensor<2xf32>) -> tensor<2xi1>",
       }) {
    ExpectDecision(Judge(signature), Answer::kAccept, RuleId::kBcastVerifyEqual, signature);
    EXPECT_TRUE(Judge(signature).beyond_spec) << signature;
  }
  const Legality refused = Judge("add(tensor<2xi64>, tensor<3xi64>) -> tensor<2xi64>");
  EXPECT_EQ(refused.answer, Answer::kRefuse);
  EXPECT_TRUE(refused.beyond_spec);
}

TEST(LegalityTest, legal_dimension) {
  EXPECT_EQ(Judge("add(tensor<1x?xf32>, tensor<1x1xf32>) -> tensor<1x?xf32>").answer, Answer::kAccept);
  for (const char* signature : {
           "add(tensor<1x0xf32>, tensor<1x0xf32>) -> tensor<1x0xf32>",
           "add(tensor<1x?xf32>, tensor<1x0xf32>) -> tensor<1x?xf32>",
           "add(tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x0xf32>",
           "add(tensor<*xf32>, tensor<*xf32>) -> tensor<1x0xf32>",
       }) {
    ExpectRefused(Judge(signature), RuleId::kLegalDimension, signature);
    EXPECT_EQ(Judge(signature).dim, 1) << signature;
  }
  ExpectRefused(Judge("mul(tensor<2xi32>, tensor<2xi32>, tensor<0xi8>) -> tensor<2xi32>"), RuleId::kLegalDimension,
                "shift");
}

TEST(LegalityTest, legal_special_operand) {
  auto mul = [](absl::string_view shift) {
    return absl::StrCat("mul(tensor<2xi32>, tensor<2xi32>, ", shift, ") -> tensor<2xi32>");
  };
  auto negate = [](absl::string_view zero_point) {
    return absl::StrCat("negate(tensor<2xi8>, tensor<1xi8>, ", zero_point, ") -> tensor<2xi8>");
  };
  for (const std::string& signature : {mul("tensor<1xi8>"), negate("tensor<1xi8>")}) {
    ExpectDecision(Judge(signature), Answer::kAccept, RuleId::kBcastVerifyEqual, signature);
  }
  for (const char* type : {"tensor<2xi8>", "tensor<1x1xi8>", "tensor<i8>", "tensor<?x?xi8>"}) {
    ExpectRefused(Judge(mul(type)), RuleId::kLegalSpecialOperand, type);
    ExpectRefused(Judge(negate(type)), RuleId::kLegalSpecialOperand, type);
  }
  for (const char* type : {"tensor<?xi8>", "tensor<*xi8>"}) {
    ExpectDecision(Judge(mul(type)), Answer::kEither, RuleId::kLegalSpecialOperand, type);
    ExpectDecision(Judge(negate(type)), Answer::kEither, RuleId::kLegalSpecialOperand, type);
  }
  ExpectRefused(Judge("mul(tensor<3xi32>, tensor<2xi32>, tensor<?xi8>) -> tensor<2xi32>"), RuleId::kBcastInferConflict,
                "a refusal decides over an earlier either");
}

TEST(LegalityTest, SpecialOperandsDoNotBroadcast) {
  ExpectDecision(Judge("mul(tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>"), Answer::kAccept,
                 RuleId::kBcastVerifyEqual, "");
  ExpectDecision(Judge("mul(tensor<i32>, tensor<i32>) -> tensor<i32>"), Answer::kAccept, RuleId::kBcastVerifyEqual,
                 "rank 0 beside a shift of rank 1");
  ExpectDecision(Judge("negate(tensor<*xi8>) -> tensor<2x3xi8>"), Answer::kAccept, RuleId::kBcastVerifyUnrankedOperands,
                 "");
}

TEST(LegalityTest, legal_rank) {
  ExpectRefused(Judge("add(tensor<3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>"), RuleId::kLegalRank, "RFC");
  ExpectRefused(Judge("add(tensor<f32>, tensor<1xf32>) -> tensor<1xf32>"), RuleId::kLegalRank, "rank 0");
  ExpectRefused(Judge("add(tensor<*xf32>, tensor<1xf32>) -> tensor<1x1xf32>"), RuleId::kLegalRank, "with unranked");
  ExpectRefused(Judge("select(tensor<1xi1>, tensor<*xf32>, tensor<1x1xf32>) -> tensor<*xf32>"), RuleId::kLegalRank,
                "operands around an unranked one");
  EXPECT_EQ(Judge("add(tensor<*xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>").answer, Answer::kAccept);
  EXPECT_EQ(Judge("add(tensor<3xf32>, tensor<3xf32>) -> tensor<*xf32>").answer, Answer::kAccept);
}

TEST(LegalityTest, bcast_verify_dyn_static_IsDecidedByPolicy) {
  constexpr absl::string_view kSignature = "add(tensor<?xf32>, tensor<?xf32>) -> tensor<5xf32>";
  ExpectDecision(Judge(kSignature), Answer::kAccept, RuleId::kBcastVerifyDynStatic, "default");
  const Policies strict = {.refuse_static_result_of_dynamic_inference = true};
  ExpectRefused(Judge(kSignature, strict), RuleId::kBcastVerifyDynStatic, "strict");
  EXPECT_EQ(Judge("add(tensor<5xf32>, tensor<?xf32>) -> tensor<5xf32>", strict).answer, Answer::kAccept);
}

TEST(LegalityTest, InferredIsWhatTheTraitInfers) {
  EXPECT_EQ(ToString(*Judge("add(tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>").inferred), "2x3");
  EXPECT_EQ(Judge("add(tensor<*xf32>, tensor<*xf32>) -> tensor<?xf32>").inferred, std::nullopt);
  EXPECT_EQ(Judge("add(tensor<2xf32>, tensor<3xf32>) -> tensor<?xf32>").inferred, std::nullopt);
  EXPECT_EQ(ToString(*Judge("add(tensor<1xf32>, tensor<1xf32>) -> tensor<5xf32>").inferred), "1");
}

TEST(LegalityTest, legal_attribute_missing) {
  Program clamp = Parse("clamp(tensor<2xf32>) -> tensor<2xf32>");
  EXPECT_EQ(clamp.ops[0].attributes.nan_mode, std::nullopt);
  EXPECT_EQ(Judge(clamp).answer, Answer::kAccept) << "nan_mode is optional";
  Program without = clamp;
  without.ops[0].attributes.min_val.reset();
  ExpectRefused(Judge(without), RuleId::kLegalAttributeMissing, "min_val");
  without = clamp;
  without.ops[0].attributes.max_val.reset();
  ExpectRefused(Judge(without), RuleId::kLegalAttributeMissing, "max_val");
  Program shift = Parse("arithmetic_right_shift(tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>");
  EXPECT_EQ(Judge(shift).answer, Answer::kAccept);
  shift.ops[0].attributes.round.reset();
  ExpectRefused(Judge(shift), RuleId::kLegalAttributeMissing, "round");
}

TEST(LegalityTest, RescaleOfMlir20MayLackItsAttributesForUnsignedNumbers) {
  Program rescale = Parse("rescale(tensor<2xi8>) -> tensor<2xi8>");
  rescale.ops[0].attributes.input_unsigned.reset();
  EXPECT_EQ(Judge(rescale, {.dialect = Dialect::k20}).answer, Answer::kAccept);
  ExpectRefused(Judge(rescale, {.dialect = Dialect::k21}), RuleId::kLegalAttributeMissing, "since MLIR 21");
  rescale.ops[0].attributes.scale32.reset();
  ExpectRefused(Judge(rescale, {.dialect = Dialect::k20}), RuleId::kLegalAttributeMissing, "scale32");
}

struct Bounds {
  E type;
  uint64_t min, max;
  bool legal;
};
TEST(LegalityTest, legal_attribute_bounds) {
  constexpr Bounds kVectors[] = {
      {E::kI8, 0x80, 0x7f, true},   // -128, 127
      {E::kI8, 0x7f, 0x80, false},  // 127, -128
      {E::kI8, 0x05, 0x05, true},
      {E::kI16, 0xffff, 0x0000, true},  // -1, 0
      {E::kI16, 0x0001, 0x0000, false},
      {E::kI1, 0, 1, true},  // beyond: a truth value, not -1
      {E::kI1, 1, 0, false},
      {E::kI4, 0x8, 0x7, true},                 // beyond: -8, 7
      {E::kI32, 0xffffffff, 0x00000000, true},  // beyond: -1, 0
      {E::kUi8, 0x00, 0xff, true},              // beyond: 0, 255
      {E::kUi8, 0xff, 0x00, false},
      {E::kI64, uint64_t{1} << 53, (uint64_t{1} << 53) + 1, true},
      {E::kI64, (uint64_t{1} << 53) + 1, uint64_t{1} << 53, false},  // equal as doubles
      {E::kF32, 0xbf800000, 0x3f800000, true},                       // -1, 1
      {E::kF32, 0x3f800000, 0xbf800000, false},
      {E::kF32, 0x00000000, 0x80000000, true},  // 0, -0: equal
      {E::kF32, 0xff800000, 0x7f800000, true},  // -inf, inf
      {E::kF32, 0x7f800000, 0xff800000, false},
      {E::kF32, 0x7fc00000, 0x3f800000, false},  // NaN
      {E::kF32, 0x3f800000, 0xffc00001, false},
      {E::kF16, 0xbc00, 0x3c00, true},
      {E::kF16, 0x3c00, 0x7e00, false},  // NaN
      {E::kBF16, 0xbf80, 0x3f80, true},
      {E::kBF16, 0x3f80, 0xbf80, false},
      {E::kF8E4M3FN, 0x00, 0x7f, false},  // beyond: its only NaN
      {E::kF8E4M3FN, 0x00, 0x7e, true},   // beyond: 448
  };
  for (const Bounds& bounds : kVectors) {
    Program program = PlainProgram(Info(OpKind::kClamp), bounds.type, bounds.type, "2", "2");
    program.ops[0].attributes.min_val = TypedBits{bounds.type, bounds.min};
    program.ops[0].attributes.max_val = TypedBits{bounds.type, bounds.max};
    ExpectDecision(Judge(program), bounds.legal ? Answer::kAccept : Answer::kRefuse,
                   bounds.legal ? RuleId::kBcastVerifyEqual : RuleId::kLegalAttributeBounds,
                   absl::StrCat(Name(bounds.type), " ", ElementToString(bounds.type, bounds.min), " ",
                                ElementToString(bounds.type, bounds.max)));
  }
}

TEST(LegalityTest, legal_attribute_bounds_HaveTheInputsType) {
  Program program = Parse("clamp(tensor<2xf32>) -> tensor<2xf32>");
  program.ops[0].attributes.min_val->type = E::kI32;
  ExpectRefused(Judge(program), RuleId::kLegalAttributeBounds, "min_val");
  program = Parse("clamp(tensor<2xi8>) -> tensor<2xi8>");
  program.ops[0].attributes.max_val->type = E::kI16;
  ExpectRefused(Judge(program), RuleId::kLegalAttributeBounds, "max_val");
}

TEST(LegalityTest, legal_zero_point) {
  ForEverySpecTuple([](const OpInfo& op, const TypeTuple& tuple) {
    if (op.kind != OpKind::kNegate) return;
    for (size_t i = 0; i < 2; ++i) {
      Program program = PlainProgram(op, tuple.input, tuple.result, "2", "2");
      program.constants[i].SetBits(0, 1);
      const bool is_i8 = tuple.input == E::kI8;
      ExpectDecision(Judge(program), is_i8 ? Answer::kAccept : Answer::kRefuse,
                     is_i8 ? RuleId::kBcastVerifyEqual : RuleId::kLegalZeroPoint, absl::StrCat("zero point ", i));
    }
  });
  Program minus_zero = Parse("negate(tensor<2xf32>) -> tensor<2xf32>");
  minus_zero.constants[0].SetBits(0, 0x80000000);
  EXPECT_EQ(Judge(minus_zero).answer, Answer::kAccept);
  EXPECT_EQ(Judge("negate(tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>").answer, Answer::kAccept)
      << "only tosa-validate refuses a zero point that is no constant";
}

TEST(LegalityTest, legal_shift) {
  struct Row {
    const char* type;
    int8_t shift;
    Answer answer;
  };
  constexpr Row kRows[] = {
      {"i32", 0, Answer::kAccept},  {"i32", 1, Answer::kAccept},  {"i32", 63, Answer::kAccept},
      {"i32", 64, Answer::kEither}, {"i32", -1, Answer::kEither}, {"i32", -128, Answer::kEither},
      {"i16", 0, Answer::kAccept},  {"i16", 1, Answer::kEither},  {"i8", 1, Answer::kEither},
      {"f32", 0, Answer::kAccept},  {"f32", 1, Answer::kEither},
  };
  for (const Row& row : kRows) {
    const absl::string_view result = row.type[0] == 'i' ? "i32" : row.type;
    Program program =
        Parse(absl::StrCat("mul(tensor<2x", row.type, ">, tensor<2x", row.type, ">) -> tensor<2x", result, ">"));
    program.constants[0].SetBits(0, static_cast<uint8_t>(row.shift));
    ExpectDecision(Judge(program), row.answer,
                   row.answer == Answer::kAccept ? RuleId::kBcastVerifyEqual : RuleId::kLegalShift,
                   absl::StrCat(row.type, " ", static_cast<int>(row.shift)));
  }
  EXPECT_EQ(Judge("mul(tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>").answer, Answer::kAccept)
      << "only tosa-validate refuses a shift that is no constant";
}

TEST(LegalityTest, TheFirstBrokenRuleDecides) {
  // From the last to the first, each signature breaks one more rule.
  ExpectRefused(Judge("clamp(tensor<2xf32>) -> tensor<3xf32>"), RuleId::kBcastVerifyDifferent, "");
  ExpectRefused(Judge("clamp(tensor<2xf32>) -> tensor<1x3xf32>"), RuleId::kLegalRank, "");
  ExpectRefused(Judge("mul(tensor<2xi32>, tensor<2x2xi32>, tensor<3xi8>) -> tensor<3xi32>"),
                RuleId::kLegalSpecialOperand, "");
  ExpectRefused(Judge("mul(tensor<0xi32>, tensor<2x2xi32>, tensor<3xi8>) -> tensor<3xi32>"), RuleId::kLegalDimension,
                "");
  ExpectRefused(Judge("mul(tensor<0xi32>, tensor<2x2xi8>, tensor<3xi8>) -> tensor<3xi32>"), RuleId::kLegalElementType,
                "");
}

TEST(LegalityTest, ConstantsAreOperandsLikeOthers) {
  Program program = Parse("add(tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>");
  program.constants.push_back(Tensor(E::kF32, {1, 3}));
  program.ops[0].operands[1] = {ValueRef::Kind::kConstant, 0};
  ExpectDecision(Judge(program), Answer::kAccept, RuleId::kBcastVerifyEqual, "");
  program.ops[0].operands[0] = {ValueRef::Kind::kConstant, 0};
  ExpectRefused(Judge(program), RuleId::kBcastVerifyDifferent, "");
}

// ---- Whole programs ----

// %0 = <signature>; %1 = abs(%0) with the given result.
Program Chain(absl::string_view signature, absl::string_view abs_result) {
  Program program = Parse(signature);
  OpApplication abs;
  abs.op = OpKind::kAbs;
  abs.operands = {{ValueRef::Kind::kOp, 0}};
  abs.result = *ParseTensorType(abs_result);
  program.ops.push_back(abs);
  return program;
}

// The policies under which the verifier of an older dialect is judged.
Policies In(Dialect dialect) {
  Policies policies;
  policies.dialect = dialect;
  return policies;
}

TEST(LegalityTest, EqualRankIsARuleOfTheDialectsThatHaveIt) {
  const char* signature = "add(tensor<4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>";
  ExpectRefused(Judge(signature, In(Dialect::k22)), RuleId::kLegalRank, signature);
  for (const Dialect dialect : {Dialect::k16, Dialect::k19}) {
    EXPECT_EQ(Judge(signature, In(dialect)).answer, Answer::kAccept);
    const char* result = "add(tensor<3xf32>, tensor<3xf32>) -> tensor<1x3xf32>";
    ExpectRefused(Judge(result, In(dialect)), RuleId::kBcastVerifyRank, "the trait's own rule stays");
    EXPECT_TRUE(BrokenRules(Parse(signature), Parse(signature).ops[0], In(dialect)).empty() ||
                BrokenRules(Parse(signature), Parse(signature).ops[0], In(dialect)).front() != RuleId::kLegalRank);
  }
}

TEST(LegalityTest, ElementTypesAreTheDialectsColumn) {
  const char* mixed = "add(tensor<2xf32>, tensor<2xi8>) -> tensor<2xi32>";
  ExpectRefused(Judge(mixed, In(Dialect::k19)), RuleId::kLegalElementType, mixed);
  EXPECT_EQ(Judge(mixed, In(Dialect::k16)).answer, Answer::kAccept);
  EXPECT_TRUE(Judge(mixed, In(Dialect::k16)).beyond_spec);
  const char* mixed_inputs = "add(tensor<2xf32>, tensor<2xi8>) -> tensor<2xf32>";
  EXPECT_TRUE(Judge(mixed_inputs, In(Dialect::k16)).beyond_spec) << "although f32 to f32 alone is not";
  const char* unknown = "add(tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>";
  ExpectRefused(Judge(unknown, In(Dialect::k16)), RuleId::kLegalElementType, "16 has no f64, wherever it stands");
}

TEST(ProgramLegalityTest, FirstRefusedOpDecides) {
  const Legality first =
      JudgeLegality(Chain("add(tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>", "tensor<9xf32>"), {});
  ExpectRefused(first, RuleId::kBcastInferConflict, "");
  EXPECT_EQ(first.op_index, 0);
  const Legality second =
      JudgeLegality(Chain("add(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>", "tensor<9xf32>"), {});
  ExpectRefused(second, RuleId::kBcastVerifyDifferent, "");
  EXPECT_EQ(second.op_index, 1);
}

TEST(ProgramLegalityTest, AcceptedProgramsNameTheLastOp) {
  const Legality legality =
      JudgeLegality(Chain("add(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>", "tensor<?xf32>"), {});
  ExpectDecision(legality, Answer::kAccept, RuleId::kBcastVerifyStaticDyn, "");
  EXPECT_EQ(legality.op_index, 1);
  EXPECT_FALSE(legality.beyond_spec);
}

TEST(ProgramLegalityTest, EitherTaintsUnlessAnOpIsRefused) {
  Program program = Chain("mul(tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>", "tensor<2xi32>");
  program.constants[0].SetBits(0, 64);
  const Legality either = JudgeLegality(program, {});
  ExpectDecision(either, Answer::kEither, RuleId::kLegalShift, "");
  EXPECT_EQ(either.op_index, 0);
  program.ops[1].result.shape = Shape();
  ExpectRefused(JudgeLegality(program, {}), RuleId::kLegalRank, "");
}

TEST(ProgramLegalityTest, AConstantWithoutElementsIsRefusedThoughNoOpUsesIt) {
  Program program = Parse("abs(tensor<2xf32>) -> tensor<2xf32>");
  program.constants.push_back(Tensor(ElementType::kF32, {1}));
  EXPECT_EQ(JudgeLegality(program, {}).answer, Answer::kAccept);
  program.constants.push_back(Tensor(ElementType::kF32, {2, 0}));
  ExpectRefused(JudgeLegality(program, {}), RuleId::kLegalDimension, "");
  EXPECT_EQ(BrokenCategories(program, {}), std::vector{Category::kDimensionSize});
}

TEST(ProgramLegalityTest, BeyondSpecIsOfTheRefusedOpOrOfAny) {
  Program program = Chain("mul(tensor<2xi8>, tensor<2xi8>) -> tensor<2xi32>", "tensor<2xi32>");
  EXPECT_FALSE(JudgeLegality(program, {}).beyond_spec);
  program = Chain("add(tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>", "tensor<2xi64>");
  EXPECT_TRUE(JudgeLegality(program, {}).beyond_spec);
  program = Chain("cast(tensor<2xf64>) -> tensor<2xf32>", "tensor<2xf32>");
  EXPECT_TRUE(JudgeLegality(program, {}).beyond_spec) << "the first op's";
  program.ops[1].result.shape = Shape();
  EXPECT_FALSE(JudgeLegality(program, {}).beyond_spec) << "the refused op is inside the specification";
}

// MLIR 24's dialect has block-scaled types for whatever takes a number; the draft has them for three of these ops.
TEST(LegalityTest, legal_block_scaled) {
  struct Row {
    const char* signature;  // B: the type
    Answer answer;
    RuleId rule;
    bool beyond_spec = false;
  };
  constexpr RuleId kTypes = RuleId::kLegalElementType, kBlocks = RuleId::kLegalBlockScaled;
  const Row rows[] = {
      {"cast(tensor<32xf32>) -> tensor<32xB>", Answer::kAccept, RuleId::kBcastVerifyEqual},
      {"cast(tensor<2x64xB>) -> tensor<2x64xf8E5M2>", Answer::kAccept, RuleId::kBcastVerifyEqual},
      {"cast(tensor<2x64xB>) -> tensor<2x64xf64>", Answer::kAccept, RuleId::kBcastVerifyEqual, true},
      {"identity(tensor<32xB>) -> tensor<32xB>", Answer::kAccept, RuleId::kLegalResultShape},
      {"reshape(tensor<64xB>) -> tensor<2x32xB>", Answer::kAccept, RuleId::kLegalReshape},
      {"abs(tensor<32xB>) -> tensor<32xB>", Answer::kAccept, RuleId::kBcastVerifyEqual, true},
      {"cast(tensor<?xf32>) -> tensor<?xB>", Answer::kAccept, RuleId::kBcastVerifyDynDyn},
      {"cast(tensor<*xf32>) -> tensor<*xB>", Answer::kAccept, RuleId::kBcastVerifyUnrankedResult},
      {"cast(tensor<f32>) -> tensor<B>", Answer::kRefuse, kBlocks},
      {"cast(tensor<31xf32>) -> tensor<31xB>", Answer::kRefuse, kBlocks},
      {"cast(tensor<33xB>) -> tensor<33xf32>", Answer::kRefuse, kBlocks},
      {"identity(tensor<32x1xB>) -> tensor<32x1xB>", Answer::kRefuse, kBlocks},
      {"reshape(tensor<64xB>) -> tensor<4x16xB>", Answer::kRefuse, kBlocks},
      {"cast(tensor<32xB>) -> tensor<32xB>", Answer::kRefuse, kTypes},
      {"cast(tensor<32xi8>) -> tensor<32xB>", Answer::kRefuse, kTypes},
      {"cast(tensor<32xB>) -> tensor<32xi1>", Answer::kRefuse, kTypes},
      {"sin(tensor<32xB>) -> tensor<32xB>", Answer::kRefuse, kTypes},
      {"logical_not(tensor<32xB>) -> tensor<32xB>", Answer::kRefuse, kTypes},
  };
  Policies policies;
  policies.spec_version = SpecVersion::k1_1;
  policies.dialect = Dialect::k24;
  for (const ElementTypeInfo& type : BlockScaledTypes()) {
    for (const Row& row : rows) {
      const std::string signature = absl::StrReplaceAll(
          row.signature, {{"xB", absl::StrCat("x", type.name)}, {"<B", absl::StrCat("<", type.name)}});
      SCOPED_TRACE(signature);
      const Program program = ParseSignature(signature).value();
      const Legality legality = JudgeLegality(program, policies);
      EXPECT_EQ(Name(legality.answer), Name(row.answer));
      EXPECT_EQ(Name(legality.rule), Name(row.rule));
      EXPECT_EQ(legality.beyond_spec, row.beyond_spec);
      EXPECT_EQ(JudgeLegality(program, {}).rule, kTypes) << "MLIR 22 has no such type";
    }
  }
}

}  // namespace
}  // namespace tosaic
