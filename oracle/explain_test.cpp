// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/explain.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/special_operands.h"
#include "oracle/legality.h"

namespace tosaic {
namespace {

Explanation ExplainOk(absl::string_view signature, const Policies& policies = {}) {
  absl::StatusOr<Explanation> explanation = Explain(signature, policies);
  EXPECT_TRUE(explanation.ok()) << explanation.status();
  return *std::move(explanation);
}

TEST(ExplainTest, SaysEveryStepOfALegalOp) {
  const Explanation explanation = ExplainOk("add(tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>");
  EXPECT_TRUE(explanation.legal);
  EXPECT_EQ(explanation.rule, RuleId::kBcastVerifyStaticDyn);
  EXPECT_EQ(ToString(*explanation.inferred), "tensor<2x?xf32>");
  EXPECT_EQ(explanation.steps, (std::vector<std::string>{
                                   "element types f32, f32 -> f32: PRO-FP [legal.element-type]",
                                   "every static dimension is at least 1 [legal.dimension]",
                                   "ranks 2, 2 -> 2: those known are equal [legal.rank]",
                                   "dimension 0: 2 and ? -> 2 [bcast.infer.dyn-n]",
                                   "dimension 1: ? and ? -> ? [bcast.infer.dyn-dyn]",
                                   "inferred type: tensor<2x?xf32> [bcast.operands.pairs]",
                                   "result dimension 0: inferred 2, declared ?: OK [bcast.verify.static-dyn]",
                                   "result dimension 1: inferred ?, declared ?: OK [bcast.verify.dyn-dyn]",
                                   "legal [bcast.verify.static-dyn]",
                               }));
}

// By the first dialect that has them, whichever is asked for.
TEST(ExplainTest, BlockScaledTypesAreDecidedWhereTheyExist) {
  const std::string blocks = "!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f8E4M3FN>";
  Policies draft;
  draft.spec_version = SpecVersion::k1_1;
  const auto cast = [&](int size) {
    return ExplainOk(absl::StrCat("cast(tensor<2x", size, "xbf16>) -> tensor<2x", size, "x", blocks, ">"), draft);
  };
  EXPECT_TRUE(cast(32).legal);
  EXPECT_EQ(cast(31).rule, RuleId::kLegalBlockScaled);
  EXPECT_FALSE(cast(32).beyond_spec);
  EXPECT_TRUE(ExplainOk(absl::StrCat("abs(tensor<32x", blocks, ">) -> tensor<32x", blocks, ">"), draft).beyond_spec);
}

TEST(ExplainTest, StopsAtTheRuleThatRefuses) {
  const Explanation explanation = ExplainOk("add(tensor<1x2xi64>, tensor<4x3xi64>) -> tensor<?x?xi64>");
  EXPECT_FALSE(explanation.legal);
  EXPECT_EQ(explanation.rule, RuleId::kBcastInferConflict);
  EXPECT_EQ(explanation.inferred, std::nullopt);
  EXPECT_TRUE(explanation.beyond_spec);
  EXPECT_EQ(explanation.steps,
            (std::vector<std::string>{
                "element types i64, i64 -> i64: beyond the specification, but the dialect accepts them "
                "[legal.element-type]",
                "every static dimension is at least 1 [legal.dimension]",
                "ranks 2, 2 -> 2: those known are equal [legal.rank]",
                "dimension 0: 1 and 4 -> 4 [bcast.infer.1-n]",
                "dimension 1: 2 and 3 are not broadcast-compatible [bcast.infer.conflict]",
                "illegal [bcast.infer.conflict]",
            }));
}

TEST(ExplainTest, SaysEveryStepOfTheTraitAlone) {
  const Explanation explanation =
      ExplainOk("broadcastable(tensor<4xi1>, tensor<*xi8>, tensor<2x3x?xi32>) -> tensor<2x3x4xi64>");
  EXPECT_TRUE(explanation.legal);
  EXPECT_EQ(ToString(*explanation.inferred), "tensor<2x3x4xi64>");
  EXPECT_EQ(explanation.steps, (std::vector<std::string>{
                                   "3 operands [bcast.property.operands]",
                                   "operands and result are tensors or vectors [bcast.property.container]",
                                   "operand 1 is unranked and takes no part [bcast.operands.unranked]",
                                   "ranks are equalized with 1s on the left: 1x1x4 and 2x3x? [bcast.expand-rank]",
                                   "dimension 0, with operand 2: 1 and 2 -> 2 [bcast.infer.1-n]",
                                   "dimension 1, with operand 2: 1 and 3 -> 3 [bcast.infer.1-n]",
                                   "dimension 2, with operand 2: 4 and ? -> 4 [bcast.infer.dyn-n]",
                                   "inferred type: tensor<2x3x4xi64> [bcast.operands.pairs]",
                                   "result dimension 0: inferred 2, declared 2: OK [bcast.verify.equal]",
                                   "result dimension 1: inferred 3, declared 3: OK [bcast.verify.equal]",
                                   "result dimension 2: inferred 4, declared 4: OK [bcast.verify.equal]",
                                   "legal [bcast.verify.equal]",
                               }));
}

TEST(ExplainTest, SaysWhichPropertyOfTheTraitIsBroken) {
  EXPECT_EQ(ExplainOk("broadcastable() -> tensor<1xi32>").steps,
            (std::vector<std::string>{"0 operands: at least one is needed [bcast.property.operands]",
                                      "illegal [bcast.property.operands]"}));
  EXPECT_EQ(ExplainOk("broadcastable(i32) -> tensor<1xi32>").steps,
            (std::vector<std::string>{"1 operand [bcast.property.operands]",
                                      "an operand or the result is neither tensor nor vector "
                                      "[bcast.property.container]",
                                      "illegal [bcast.property.container]"}));
  EXPECT_EQ(ExplainOk("broadcastable(tensor<3xi32>) -> tensor<1x3xi32>").steps.back(), "illegal [bcast.verify.rank]");
  const Explanation mixed = ExplainOk("broadcastable(vector<3xi32>) -> tensor<3xi32>");
  EXPECT_EQ(mixed.answer, Answer::kEither);
  EXPECT_EQ(mixed.steps.back(), "left open: may be accepted or refused [bcast.property.mixed]");
}

TEST(ExplainTest, SaysWhichPolicyMattered) {
  constexpr absl::string_view kSignature = "add(tensor<?xf32>, tensor<?xf32>) -> tensor<5xf32>";
  const Explanation lenient = ExplainOk(kSignature);
  EXPECT_TRUE(lenient.legal);
  EXPECT_TRUE(absl::StrContains(lenient.steps[5], "policy refuse_static_result_of_dynamic_inference is off"));
  const Explanation strict = ExplainOk(kSignature, {.refuse_static_result_of_dynamic_inference = true});
  EXPECT_FALSE(strict.legal);
  EXPECT_TRUE(absl::StrContains(strict.steps[5], "policy refuse_static_result_of_dynamic_inference is on"));
  EXPECT_EQ(ToString(*strict.inferred), "tensor<?xf32>");
}

TEST(ExplainTest, NamesTheThirdOperand) {
  const Explanation explanation = ExplainOk("select(tensor<1xi1>, tensor<*xf32>, tensor<3xf32>) -> tensor<3xf32>");
  EXPECT_EQ(explanation.steps[3], "operand 1 is unranked and takes no part [bcast.operands.unranked]");
  EXPECT_EQ(explanation.steps[4], "dimension 0, with operand 2: 1 and 3 -> 3 [bcast.infer.1-n]");
}

TEST(ExplainTest, InfersOperandByOperand) {
  const Explanation explanation = ExplainOk("select(tensor<1xi1>, tensor<?xf32>, tensor<3xf32>) -> tensor<3xf32>");
  EXPECT_EQ(explanation.steps[3], "dimension 0: 1 and ? -> ? [bcast.infer.dyn-1]");
  EXPECT_EQ(explanation.steps[4], "dimension 0, with operand 2: ? and 3 -> 3 [bcast.infer.dyn-n]");
  const Explanation conflict = ExplainOk("select(tensor<1xi1>, tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>");
  EXPECT_EQ(conflict.steps[4],
            "dimension 0, with operand 2: 2 and 3 are not broadcast-compatible [bcast.infer.conflict]");
}

TEST(ExplainTest, LeavesOpenWhatTheDocumentsLeaveOpen) {
  Program program = *ParseSignature("mul(tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>");
  program.constants[0].SetBits(0, 64);
  const Explanation explanation = Explain(program, program.ops[0], {});
  EXPECT_TRUE(explanation.legal);
  EXPECT_EQ(explanation.answer, Answer::kEither);
  EXPECT_EQ(explanation.steps.back(), "left open: may be accepted or refused [legal.shift]");
}

TEST(ExplainTest, LastStepNamesTheRuleAndTheStepBeforeARefusalToo) {
  Program bounds = *ParseSignature("clamp(tensor<2xi8>) -> tensor<2xi8>");
  std::swap(bounds.ops[0].attributes.min_val, bounds.ops[0].attributes.max_val);
  Program missing = *ParseSignature("arithmetic_right_shift(tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>");
  missing.ops[0].attributes = {};
  Program zero_point = *ParseSignature("negate(tensor<2xi32>) -> tensor<2xi32>");
  zero_point.constants[0].SetBits(0, 1);
  std::vector<Program> programs = {bounds, missing, zero_point};
  for (const char* signature : {
           "add(tensor<2xf32>, tensor<2xf16>) -> tensor<2xf32>",
           "abs(tensor<0xf32>) -> tensor<0xf32>",
           "mul(tensor<2xi32>, tensor<2xi32>, tensor<2xi8>) -> tensor<2xi32>",
           "add(tensor<2xf32>, tensor<1x2xf32>) -> tensor<*xf32>",
           "add(tensor<2xf32>, tensor<3xf32>) -> tensor<*xf32>",
           "abs(tensor<1xf32>) -> tensor<2xf32>",
       }) {
    programs.push_back(*ParseSignature(signature));
  }
  for (const Program& program : programs) {
    const Explanation explanation = Explain(program, program.ops[0], {});
    EXPECT_FALSE(explanation.legal);
    ASSERT_GE(explanation.steps.size(), 2u);
    EXPECT_EQ(explanation.steps.back(), absl::StrCat("illegal [", Name(explanation.rule), "]"));
    EXPECT_TRUE(
        absl::EndsWith(explanation.steps[explanation.steps.size() - 2], absl::StrCat("[", Name(explanation.rule), "]")))
        << explanation.steps[explanation.steps.size() - 2];
  }
}

// The words and the decision come from one place, but by different ways.
TEST(ExplainTest, AgreesWithJudgeLegalityOnEveryOpAndShape) {
  for (const OpInfo& op : AllOps()) {
    for (const char* shape : {"tensor<f32>", "tensor<?x1xf32>", "tensor<2x3xf32>", "tensor<*xf32>", "tensor<0xf32>"}) {
      Program program;
      OpApplication application;
      application.op = op.kind;
      for (OperandRole role : op.operands) {
        TensorType type = *ParseTensorType(shape);
        if (IsSpecial(role)) {
          const auto [input, output, profile] = op.spec_types[0];
          type.shape = Shape::OfSizes(PlainParameter(role, input, output, {}).sizes());
        }
        type.element_type = TypeOfOperand(role, op.spec_types[0].input, op.spec_types[0].result);
        application.operands.push_back({ValueRef::Kind::kArgument, static_cast<int>(program.arguments.size())});
        program.arguments.push_back(type);
      }
      for (const char* result : {"tensor<f32>", "tensor<2x3xf32>", "tensor<?x?xf32>", "tensor<*xf32>"}) {
        application.result = {ParseTensorType(result)->shape, op.spec_types[0].result};
        program.ops = {application};
        const Legality legality = JudgeLegality(program, program.ops[0], {});
        const Explanation explanation = Explain(program, program.ops[0], {});
        EXPECT_EQ(explanation.legal, legality.answer != Answer::kRefuse);
        EXPECT_EQ(explanation.rule, legality.rule);
        const std::string conclusion =
            absl::StrCat(explanation.legal ? "legal" : "illegal", " [", Name(legality.rule), "]");
        EXPECT_EQ(explanation.steps.back(), conclusion);
      }
    }
  }
}

TEST(ParseSignatureTest, SpecialOperandsMayBeLeftOut) {
  const Program mul = *ParseSignature("mul(tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>");
  EXPECT_EQ(mul.arguments.size(), 2u);
  ASSERT_EQ(mul.constants.size(), 1u);
  EXPECT_EQ(mul.constants[0], Tensor(ElementType::kI8, {1}));
  EXPECT_EQ(ToString(mul.ops[0].operands[2]), "%cst0");
  const Program negate = *ParseSignature("negate(tensor<2xi16>) -> tensor<2xi16>");
  ASSERT_EQ(negate.constants.size(), 2u);
  EXPECT_EQ(negate.constants[1], Tensor(ElementType::kI16, {1}));
  const Program given = *ParseSignature("mul(tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>");
  EXPECT_EQ(given.arguments.size(), 3u);
  EXPECT_TRUE(given.constants.empty());
}

TEST(ParseSignatureTest, ReadsWhatSignatureWritesAndToleratesBlanks) {
  constexpr absl::string_view kSignature = "select(tensor<*xi1>, tensor<2x?xf32>, tensor<f32>) -> tensor<?x3xf32>";
  const Program program = *ParseSignature(kSignature);
  EXPECT_EQ(Signature(program, program.ops[0]), kSignature);
  EXPECT_EQ(*ParseSignature("  tosa.select ( tensor<*xi1>,tensor<2x?xf32> , tensor<f32> )->tensor<?x3xf32> "), program);
  EXPECT_TRUE(CheckWellFormed({.program = program, .runs = {}, .origin = {}}).ok());
}

TEST(ParseSignatureTest, GivesLegalAttributes) {
  for (const ElementTypeInfo& type : AllElementTypes()) {
    const std::string tensor = absl::StrCat("tensor<2x", type.name, ">");
    const Program program = *ParseSignature(absl::StrCat("clamp(", tensor, ") -> ", tensor));
    const TypedBits& max = *program.ops[0].attributes.max_val;
    EXPECT_EQ(max.type, type.type);
    EXPECT_EQ(ElementToDouble(max.type, max.bits), type.bits == 1 && type.name != "i1" ? 0 : 1) << type.name;
  }
  EXPECT_EQ(ParseSignature("arithmetic_right_shift(tensor<i8>, tensor<i8>) -> tensor<i8>")->ops[0].attributes.round,
            false);
}

TEST(ParseSignatureTest, ErrorsSayWhatWhereAndWhatWouldBeRight) {
  struct Row {
    const char *signature, *message;
  };
  constexpr Row kRows[] = {
      {"ad(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>", "unknown op 'ad'; 'tosaic list-ops' prints them all"},
      {"add() -> tensor<2xf32>", "add has 2 operands, not 0"},
      {"add(tensor<2xf32>) -> tensor<2xf32>", "add has 2 operands, not 1"},
      {"negate(tensor<2xi8>, tensor<1xi8>) -> tensor<2xi8>", "negate has 3 operands (or 1, the rest being 0), not 2"},
      {"add(vector<2xf32>, tensor<2xf32>) -> tensor<2xf32>", "TOSA's operands and results are tensors"},
      {"abs(tensor<2xf32>) -> f32", "TOSA's operands and results are tensors"},
  };
  for (const Row& row : kRows) {
    const absl::Status status = ParseSignature(row.signature).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.signature;
    EXPECT_TRUE(absl::StrContains(status.message(), row.message)) << status;
    EXPECT_TRUE(absl::StrContains(status.message(), absl::StrCat("'", row.signature, "'"))) << status;
    EXPECT_FALSE(absl::StrContains(status.message(), "\n")) << status;
    EXPECT_EQ(Explain(row.signature, {}).status(), status);
  }
  EXPECT_TRUE(absl::StrContains(ParseSignature("add(tensor<2xf33>) -> i1").status().message(), "at column 14"));
}

}  // namespace
}  // namespace tosaic
