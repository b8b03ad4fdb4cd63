// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows, branches and examples of docs/tosa-semantics.md: Trait. A test's name contains the label it is about, with
// '.' and '-' written '_'.
#include "oracle/broadcast.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

constexpr Dim kDyn = Dim::Dynamic();
constexpr Dim N(int64_t size) { return Dim::Static(size); }

// "2x?" -> a shape; "*" unranked, "" rank 0.
Shape ShapeOf(absl::string_view text) {
  return ParseTensorType(absl::StrCat("tensor<", text, text.empty() ? "" : "x", "f32>"))->shape;
}

ShapeInference Infer(const std::vector<Shape>& shapes) {
  std::vector<const Shape*> operands;
  for (const Shape& shape : shapes) operands.push_back(&shape);
  return InferResultShape(operands);
}

ShapeInference Infer(const std::vector<std::string>& texts) {
  std::vector<Shape> shapes;
  for (const std::string& text : texts) shapes.push_back(ShapeOf(text));
  return Infer(shapes);
}

Decision Verify(const std::vector<std::string>& operands, absl::string_view result, const Policies& policies = {}) {
  return VerifyResult(Infer(operands), ShapeOf(result), policies);
}

constexpr Policies kStrict = {.refuse_static_result_of_dynamic_inference = true};

std::string TestName(absl::string_view label) { return absl::StrReplaceAll(label, {{".", "_"}, {"-", "_"}}); }

// ---- Dimension inference: the table, both orders ----

struct InferRow {
  RuleId rule;
  Dim dim0;
  Dim dim1;
  std::optional<Dim> inferred;
};
class DimensionInference : public testing::TestWithParam<InferRow> {};

TEST_P(DimensionInference, IsTheTablesInBothOrders) {
  const InferRow& row = GetParam();
  const DimInference expected = {row.inferred, row.rule};
  EXPECT_EQ(InferDim(row.dim0, row.dim1), expected);
  EXPECT_EQ(InferDim(row.dim1, row.dim0), expected);
}

constexpr InferRow kInferRows[] = {
    {RuleId::kBcastInferDynDyn, kDyn, kDyn, kDyn},
    {RuleId::kBcastInferDyn1, kDyn, N(1), kDyn},
    {RuleId::kBcastInferDynN, kDyn, N(5), N(5)},
    {RuleId::kBcastInfer11, N(1), N(1), N(1)},
    {RuleId::kBcastInfer1N, N(1), N(5), N(5)},
    {RuleId::kBcastInferNN, N(5), N(5), N(5)},
    {RuleId::kBcastInferConflict, N(5), N(4), std::nullopt},
};
INSTANTIATE_TEST_SUITE_P(Rows, DimensionInference, testing::ValuesIn(kInferRows),
                         [](const auto& info) { return TestName(Name(info.param.rule)); });

TEST(DimensionInferenceTest, EveryPairOfSmallDimensionsHasARowAndIsSymmetric) {
  const Dim dims[] = {kDyn, N(1), N(2), N(3), N(int64_t{1} << 40)};
  for (Dim dim0 : dims) {
    for (Dim dim1 : dims) {
      const DimInference inference = InferDim(dim0, dim1);
      EXPECT_NE(inference.rule, RuleId::kNone);
      EXPECT_EQ(inference, InferDim(dim1, dim0));
    }
  }
}

// ---- Shape inference ----

TEST(ExpandRankTest, PrependsOnes) {
  Shape shape = ShapeOf("2x?");
  ExpandRank(4, &shape);
  EXPECT_EQ(shape, ShapeOf("1x1x2x?"));
  ExpandRank(2, &shape);
  EXPECT_EQ(shape, ShapeOf("1x1x2x?"));
  Shape scalar;
  ExpandRank(6, &scalar);
  EXPECT_EQ(scalar, ShapeOf("1x1x1x1x1x1"));
}

ShapeInference InferShape(const Shape& shape0, const Shape& shape1) {
  const Shape* const operands[] = {&shape0, &shape1};
  return InferResultShape(operands);
}

TEST(InferShapeTest, EqualizesRanksInBothOrders) {
  struct {
    const char *a, *b, *inferred;
  } const rows[] = {
      {"4", "2x3x4", "2x3x4"}, {"", "2x?", "2x?"}, {"?", "3x1", "3x?"}, {"1x5", "?", "1x5"}, {"", "", ""}};
  for (const auto& [a, b, inferred] : rows) {
    EXPECT_EQ(InferShape(ShapeOf(a), ShapeOf(b)).shape, ShapeOf(inferred)) << a << " and " << b;
    EXPECT_EQ(InferShape(ShapeOf(b), ShapeOf(a)).shape, ShapeOf(inferred)) << b << " and " << a;
  }
}

TEST(InferShapeTest, ConflictNamesTheDimensionOfTheEqualizedRank) {
  const ShapeInference expected = {false, std::nullopt, RuleId::kBcastInferConflict, 1};
  EXPECT_EQ(InferShape(ShapeOf("3"), ShapeOf("2x4")), expected);
  EXPECT_EQ(InferShape(ShapeOf("2x4"), ShapeOf("3")), expected);
}

TEST(InferShapeTest, WorksDimensionByDimensionAtRanks0To6) {
  // All pairs of rows of the table meet in one shape: the inferred shape is the row's, dimension by dimension.
  for (size_t rank = 0; rank <= 6; ++rank) {
    std::vector<Dim> dims0, dims1, inferred;
    for (size_t i = 0; i < rank; ++i) {
      const InferRow& row = kInferRows[i];  // the conflict is the seventh row
      dims0.push_back(i % 2 == 0 ? row.dim0 : row.dim1);
      dims1.push_back(i % 2 == 0 ? row.dim1 : row.dim0);
      inferred.push_back(*row.inferred);
    }
    const ShapeInference inference = InferShape(Shape(dims0), Shape(dims1));
    EXPECT_TRUE(inference.ok);
    EXPECT_EQ(inference.shape, Shape(inferred));
  }
}

TEST(InferResultShapeTest, bcast_operands_unranked) {
  for (size_t count = 0; count <= 6; ++count) {
    const ShapeInference expected = {true, std::nullopt, RuleId::kBcastOperandsUnranked, -1};
    EXPECT_EQ(Infer(std::vector<std::string>(count, "*")), expected);
  }
}

TEST(InferResultShapeTest, bcast_operands_one) {
  const ShapeInference expected = {true, ShapeOf("?x1x3"), RuleId::kBcastOperandsOne, -1};
  EXPECT_EQ(Infer({std::string("?x1x3")}), expected);
  EXPECT_EQ(Infer({std::string("*"), "?x1x3", "*"}), expected);
}

TEST(InferResultShapeTest, bcast_operands_pairs) {
  const ShapeInference expected = {true, ShapeOf("2x3"), RuleId::kBcastOperandsPairs, -1};
  EXPECT_EQ(Infer({std::string("2x1"), "*", "1x3"}), expected);
}

TEST(InferResultShapeTest, OneToSixOperandsInAnyOrder) {
  std::vector<std::string> operands = {"?x1x1", "1x?x1", "1x1x1", "2x1x1", "1x1x4", "*"};
  const char* const inferred[] = {"?x1x1", "?x?x1", "?x?x1", "2x?x1", "2x?x4", "2x?x4"};
  for (size_t count = 1; count <= operands.size(); ++count) {
    std::vector<std::string> some(operands.begin(), operands.begin() + count);
    std::sort(some.begin(), some.end());
    do {
      EXPECT_EQ(Infer(some).shape, ShapeOf(inferred[count - 1])) << absl::StrCat(count, " operands");
    } while (std::next_permutation(some.begin(), some.end()));
  }
}

TEST(InferResultShapeTest, bcast_infer_conflict_IsFoundWithAnyOperand) {
  const ShapeInference expected = {false, std::nullopt, RuleId::kBcastInferConflict, 1};
  EXPECT_EQ(Infer({std::string("2x?"), "?x3", "2x1", "1x4"}), expected);
  EXPECT_EQ(Infer({std::string("1x4"), "2x1", "*", "2x?", "?x3"}), expected);
}

// ---- Verification ----

TEST(VerifyResultTest, bcast_infer_conflict_Refuses) {
  const Decision expected = {Answer::kRefuse, RuleId::kBcastInferConflict, 0};
  EXPECT_EQ(Verify({"3", "2"}, "?"), expected);
  EXPECT_EQ(Verify({"3", "2"}, "*"), expected) << "inference fails before the result is looked at";
}

TEST(VerifyResultTest, bcast_verify_unranked_result) {
  EXPECT_EQ(Verify({"2x?", "2x?"}, "*"), (Decision{Answer::kAccept, RuleId::kBcastVerifyUnrankedResult}));
  EXPECT_EQ(Verify({"*", "*"}, "*"), (Decision{Answer::kAccept, RuleId::kBcastVerifyUnrankedResult}));
}

TEST(VerifyResultTest, bcast_verify_unranked_operands) {
  EXPECT_EQ(Verify({"*", "*"}, "2x?"), (Decision{Answer::kAccept, RuleId::kBcastVerifyUnrankedOperands}));
}

TEST(VerifyResultTest, bcast_verify_rank) {
  EXPECT_EQ(Verify({"3", "3"}, "1x3"), (Decision{Answer::kRefuse, RuleId::kBcastVerifyRank}));
  EXPECT_EQ(Verify({"1x3", "*"}, "3"), (Decision{Answer::kRefuse, RuleId::kBcastVerifyRank}));
  EXPECT_EQ(Verify({"3", "1x3"}, "1x3").answer, Answer::kAccept) << "operands are expanded, results are not";
}

struct VerifyRow {
  RuleId rule;
  Dim inferred;
  Dim actual;
  Answer answer;
  Answer strict;
};
class ResultVerification : public testing::TestWithParam<VerifyRow> {};

TEST_P(ResultVerification, IsTheTables) {
  const VerifyRow& row = GetParam();
  EXPECT_EQ(VerifyDim(row.inferred, row.actual, {}), (Decision{row.answer, row.rule}));
  EXPECT_EQ(VerifyDim(row.inferred, row.actual, kStrict), (Decision{row.strict, row.rule}));
  // The same as dimension 1 of a shape.
  const ShapeInference inference = {true, Shape({N(2), row.inferred}), RuleId::kBcastOperandsOne, -1};
  const Decision decision = VerifyResult(inference, Shape({N(2), row.actual}), {});
  EXPECT_EQ(decision.answer, row.answer);
  EXPECT_EQ(decision.rule, row.rule);
}

constexpr VerifyRow kVerifyRows[] = {
    {RuleId::kBcastVerifyDynDyn, kDyn, kDyn, Answer::kAccept, Answer::kAccept},
    {RuleId::kBcastVerifyDynStatic, kDyn, N(4), Answer::kAccept, Answer::kRefuse},
    {RuleId::kBcastVerifyStaticDyn, N(4), kDyn, Answer::kAccept, Answer::kAccept},
    {RuleId::kBcastVerifyEqual, N(4), N(4), Answer::kAccept, Answer::kAccept},
    {RuleId::kBcastVerifyDifferent, N(2), N(4), Answer::kRefuse, Answer::kRefuse},
};
INSTANTIATE_TEST_SUITE_P(Rows, ResultVerification, testing::ValuesIn(kVerifyRows),
                         [](const auto& info) { return TestName(Name(info.param.rule)); });

TEST(VerifyResultTest, bcast_verify_different_IncludesAnInferred1) {
  // RFC modification 1; and the other direction.
  EXPECT_EQ(Verify({"1", "1"}, "5"), (Decision{Answer::kRefuse, RuleId::kBcastVerifyDifferent, 0}));
  EXPECT_EQ(Verify({"5", "1"}, "1"), (Decision{Answer::kRefuse, RuleId::kBcastVerifyDifferent, 0}));
  EXPECT_EQ(Verify({"2x1"}, "2x4"), (Decision{Answer::kRefuse, RuleId::kBcastVerifyDifferent, 1}));
}

TEST(VerifyResultTest, AcceptanceNamesTheMostLenientRow) {
  EXPECT_EQ(Verify({"2x?x?x3"}, "2x?x4x?"), (Decision{Answer::kAccept, RuleId::kBcastVerifyDynStatic, 2}));
  EXPECT_EQ(Verify({"2x?x3"}, "2x?x?"), (Decision{Answer::kAccept, RuleId::kBcastVerifyStaticDyn, 2}));
  EXPECT_EQ(Verify({"2x?x3"}, "2x?x3"), (Decision{Answer::kAccept, RuleId::kBcastVerifyDynDyn, 1}));
  EXPECT_EQ(Verify({"2x3"}, "2x3"), (Decision{Answer::kAccept, RuleId::kBcastVerifyEqual, 0}));
  EXPECT_EQ(Verify({""}, ""), (Decision{Answer::kAccept, RuleId::kBcastVerifyEqual, -1}));
}

TEST(VerifyResultTest, RefusalNamesTheFirstDimension) {
  EXPECT_EQ(Verify({"?x2x3"}, "?x4x4"), (Decision{Answer::kRefuse, RuleId::kBcastVerifyDifferent, 1}));
  EXPECT_EQ(Verify({"?x2"}, "5x4", kStrict), (Decision{Answer::kRefuse, RuleId::kBcastVerifyDynStatic, 0}));
  EXPECT_EQ(Verify({"?x2"}, "5x4"), (Decision{Answer::kRefuse, RuleId::kBcastVerifyDifferent, 1}));
}

// The pseudo-code of Verify, taken literally, is the strict policy.
TEST(VerifyResultTest, StrictPolicyIsThePseudoCode) {
  const Dim dims[] = {kDyn, N(1), N(2), N(3)};
  for (Dim inferred : dims) {
    for (Dim actual : dims) {
      const bool error = actual.IsStatic() && inferred != actual;
      EXPECT_EQ(VerifyDim(inferred, actual, kStrict).answer == Answer::kRefuse, error)
          << ToString(inferred) << " " << ToString(actual);
    }
  }
}

// ---- Examples: the 13 of the document, for the trait alone ----

struct DocumentExample {
  const char* label;
  std::vector<std::string> operands;
  const char* result;
  Answer answer;
  RuleId rule;
};
class TraitExample : public testing::TestWithParam<DocumentExample> {};

TEST_P(TraitExample, IsDecidedAsTheDocumentSays) {
  const DocumentExample& example = GetParam();
  // The one example that contradicts the document's table is decided by policy.
  const bool by_policy = example.rule == RuleId::kBcastVerifyDynStatic;
  const Decision decision = Verify(example.operands, example.result, by_policy ? kStrict : Policies{});
  EXPECT_EQ(decision.answer, example.answer);
  EXPECT_EQ(decision.rule, example.rule);
  if (by_policy) {
    EXPECT_EQ(Verify(example.operands, example.result).answer, Answer::kAccept);
  }
}

const DocumentExample kDocumentExamples[] = {
    {"bcast.example.exact-match", {"1x2", "1x2"}, "1x2", Answer::kAccept, RuleId::kBcastVerifyEqual},
    {"bcast.example.dynamic-match", {"?", "?"}, "?", Answer::kAccept, RuleId::kBcastVerifyDynDyn},
    {"bcast.example.broadcast-1-4", {"1", "4"}, "4", Answer::kAccept, RuleId::kBcastVerifyEqual},
    {"bcast.example.relaxed-result", {"4"}, "?", Answer::kAccept, RuleId::kBcastVerifyStaticDyn},
    {"bcast.example.rank-expansion", {"4", "2x3x4"}, "2x3x4", Answer::kAccept, RuleId::kBcastVerifyEqual},
    {"bcast.example.element-types", {"2", "2"}, "2", Answer::kAccept, RuleId::kBcastVerifyEqual},
    {"bcast.example.unranked-result", {"2"}, "*", Answer::kAccept, RuleId::kBcastVerifyUnrankedResult},
    {"bcast.example.unranked-operands", {"*", "*"}, "2", Answer::kAccept, RuleId::kBcastVerifyUnrankedOperands},
    {"bcast.example.operands-differ", {"3", "2"}, "?", Answer::kRefuse, RuleId::kBcastInferConflict},
    {"bcast.example.result-rank", {"3", "3"}, "1x3", Answer::kRefuse, RuleId::kBcastVerifyRank},
    {"bcast.example.static-result", {"?", "?"}, "4", Answer::kRefuse, RuleId::kBcastVerifyDynStatic},
    {"bcast.example.result-differs", {"2", "2"}, "4", Answer::kRefuse, RuleId::kBcastVerifyDifferent},
    {"bcast.example.result-broadcast", {"1", "1"}, "4", Answer::kRefuse, RuleId::kBcastVerifyDifferent},
};
INSTANTIATE_TEST_SUITE_P(Examples, TraitExample, testing::ValuesIn(kDocumentExamples),
                         [](const auto& info) { return TestName(info.param.label); });

TEST(GradeInferenceTest, WhatIsSaidMustBeTrue) {
  const Shape expected({Dim::Static(2), Dim::Dynamic()});
  using enum InferenceGrade;
  auto grade = [](const std::optional<Shape>& expected, const std::optional<Shape>& actual) {
    using Type = std::optional<TensorType>;
    return GradeInference(expected, ElementType::kF16, actual ? Type({*actual, ElementType::kF16}) : std::nullopt);
  };
  EXPECT_EQ(grade(expected, expected), kEqual);
  EXPECT_EQ(grade(expected, std::nullopt), kLessPrecise);
  EXPECT_EQ(grade(expected, Shape::Unranked()), kLessPrecise);
  EXPECT_EQ(grade(expected, Shape({Dim::Dynamic(), Dim::Dynamic()})), kLessPrecise);
  EXPECT_EQ(grade(expected, Shape({Dim::Dynamic(), Dim::Static(3)})), kWrong);
  EXPECT_EQ(grade(expected, Shape({Dim::Static(1), Dim::Dynamic()})), kWrong);
  EXPECT_EQ(grade(expected, Shape({Dim::Static(2)})), kWrong);
  EXPECT_EQ(grade(std::nullopt, Shape::Unranked()), kEqual);
  EXPECT_EQ(grade(std::nullopt, std::nullopt), kEqual);
  EXPECT_EQ(grade(std::nullopt, Shape()), kWrong);
  EXPECT_EQ(grade(Shape(), Shape()), kEqual);
  // Another element type matters less than a shape.
  const auto of_other_type = [&](const std::optional<Shape>& implied, const Shape& inferred) {
    return GradeInference(implied, ElementType::kF16, TensorType{inferred, ElementType::kBF16});
  };
  EXPECT_EQ(of_other_type(expected, expected), InferenceGrade::kOtherElementType);
  EXPECT_EQ(of_other_type(std::nullopt, Shape::Unranked()), InferenceGrade::kOtherElementType);
  EXPECT_EQ(of_other_type(std::nullopt, Shape()), kWrong);
}

}  // namespace
}  // namespace tosaic
