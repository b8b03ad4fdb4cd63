// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/category.h"

#include <vector>

#include "oracle/legality_testing.h"

namespace tosaic {
namespace {

using C = Category;

std::vector<Category> Broken(absl::string_view signature, const Policies& policies = {}) {
  return BrokenCategories(Parse(signature), policies);
}

TEST(CategoryTest, OfRulesThatNeverRefuse) {
  for (const RuleId rule :
       {RuleId::kBcastVerifyEqual, RuleId::kBcastInferDyn1, RuleId::kValueAddPlain, RuleId::kNone}) {
    EXPECT_EQ(Info(rule).refusal, std::nullopt) << Name(rule);
  }
}

TEST(CategoryTest, OneBrokenRule) {
  const struct {
    const char* signature;
    Category category;
  } cases[] = {
      {"add(tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>", C::kElementType},
      {"mul(tensor<2xi32>, tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>", C::kSpecialOperand},
      {"abs(tensor<0xf32>) -> tensor<0xf32>", C::kDimensionSize},
      {"negate(tensor<2xi8>, tensor<2xi8>, tensor<1xi8>) -> tensor<2xi8>", C::kSpecialOperand},
      {"add(tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>", C::kNotBroadcastable},
      {"add(tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>", C::kResultIncompatible},
  };
  for (const auto& test : cases) EXPECT_EQ(Broken(test.signature), std::vector{test.category}) << test.signature;
  EXPECT_EQ(Broken("add(tensor<2xf32>, tensor<?xf32>) -> tensor<?xf32>"), std::vector<Category>());
}

TEST(CategoryTest, TheStrictReadingOfAStaticResult) {
  constexpr char kSignature[] = "abs(tensor<?xf32>) -> tensor<3xf32>";
  EXPECT_EQ(Broken(kSignature), std::vector<Category>());
  EXPECT_EQ(Broken(kSignature, {.refuse_static_result_of_dynamic_inference = true}),
            std::vector{C::kResultIncompatible});
}

// Whichever of them a verifier names, it is right.
TEST(CategoryTest, SeveralBrokenRules) {
  EXPECT_EQ(Broken("add(tensor<2x0xf32>, tensor<3xi32>) -> tensor<2xf32>"),
            (std::vector{C::kElementType, C::kDimensionSize, C::kRank, C::kNotBroadcastable}));
  // Operands of rank 1 and 2 expand to rank 2, which the result has not.
  EXPECT_EQ(Broken("add(tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>"),
            (std::vector{C::kRank, C::kResultIncompatible}));
  EXPECT_EQ(Broken("add(tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"), std::vector{C::kRank});
}

TEST(CategoryTest, AttributesZeroPointsAndShifts) {
  Program clamp = Parse("clamp(tensor<2xf32>) -> tensor<2xf32>");
  clamp.ops[0].attributes.min_val->bits = 0x7fc00000;
  EXPECT_EQ(BrokenCategories(clamp, {}), std::vector{C::kAttribute});
  clamp.ops[0].attributes.min_val.reset();
  EXPECT_EQ(BrokenCategories(clamp, {}), std::vector{C::kAttribute});
  Program negate = Parse("negate(tensor<2xi32>) -> tensor<2xi32>");
  negate.constants[1].SetBits(0, 1);
  EXPECT_EQ(BrokenCategories(negate, {}), std::vector{C::kZeroPoint});
  Program mul = Parse("mul(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>");
  mul.constants[0].SetBits(0, 1);
  EXPECT_EQ(BrokenCategories(mul, {}), std::vector{C::kShift});
  mul.constants[0] = Tensor(ElementType::kI8, {0});
  EXPECT_EQ(BrokenCategories(mul, {}), (std::vector{C::kDimensionSize, C::kSpecialOperand}));
}

TEST(CategoryTest, OfAWholeProgram) {
  Program program = Parse("abs(tensor<0xf32>) -> tensor<0xf32>");
  OpApplication second = program.ops[0];
  second.operands[0] = {ValueRef::Kind::kOp, 0};
  second.result = {Shape(), ElementType::kF32};
  program.ops.push_back(second);
  EXPECT_EQ(BrokenCategories(program, {}), (std::vector{C::kDimensionSize, C::kRank, C::kResultIncompatible}));
}

TEST(CategoryTest, OfTheTraitAlone) {
  auto broken = [](absl::string_view text) { return BrokenCategories(*ParseOpSignature(text), {}); };
  EXPECT_EQ(broken("broadcastable(tensor<2xi8>) -> tensor<2xi8>"), std::vector<Category>());
  EXPECT_EQ(broken("broadcastable() -> tensor<2xi8>"), std::vector{C::kOperandCount});
  EXPECT_EQ(broken("broadcastable(tensor<2xi8>) -> tensor<3xi8>"), std::vector{C::kResultIncompatible});
  EXPECT_EQ(broken("broadcastable(vector<2xi8>, tensor<3xi8>) -> tensor<3xi8>"),
            (std::vector{C::kNotBroadcastable, C::kContainer}));
  // Without the scalar the operands still differ.
  EXPECT_EQ(broken("broadcastable(tensor<2xi8>, i8, tensor<3xi8>) -> tensor<3xi8>"),
            (std::vector{C::kContainer, C::kNotBroadcastable}));
  EXPECT_EQ(broken("broadcastable(i8) -> tensor<3xi8>"), std::vector{C::kContainer});
}

}  // namespace
}  // namespace tosaic
