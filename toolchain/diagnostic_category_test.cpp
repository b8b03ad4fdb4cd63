// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/diagnostic_category.h"

#include <string>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(DiagnosticCategoryTest, TheTypeThatAConstraintGotDecides) {
  constexpr char kConstraint[] = "'tosa.add' op operand #0 must be tosa-conformant tensor of number values, but got ";
  auto category = [&](const std::string& type) { return Name(CategoryOf(kConstraint + ("'" + type + "'"))); };
  EXPECT_EQ(category("tensor<0xf32>"), "dimension-size");
  EXPECT_EQ(category("tensor<10x?x0xf32>"), "dimension-size");
  EXPECT_EQ(category("tensor<10x20xsi32>"), "element-type");
  EXPECT_EQ(category("tensor<si32>"), "element-type");
}

TEST(DiagnosticCategoryTest, KnowsTheWordsOfOlderVersions) {
  EXPECT_EQ(CategoryOf("'tosa.exp' op result #0 must be tensor of number values, but got 'tensor<2xsi32>'"),
            Category::kElementType);
  EXPECT_EQ(CategoryOf("'tosa.clamp' op input/output element types are incompatible."), Category::kElementType);
  EXPECT_EQ(CategoryOf("'tosa.equal' op inferred type(s) 'tensor<1xi1>' are incompatible with return type(s) of "
                       "operation 'tensor<?xi1>'"),
            Category::kResultIncompatible);
  EXPECT_EQ(CategoryOf("'tosa.clamp' op min/max attributes types are incompatible with input/output element types."),
            Category::kAttribute);
}

TEST(DiagnosticCategoryTest, KnowsAWrongNumberOfOperandsOrResults) {
  for (const char* words : {"'tosa.add' op expected 2 operands, but found 1", "'tosa.abs' op requires a single operand",
                            "'tosa.abs' op requires one result"}) {
    EXPECT_EQ(CategoryOf(words), Category::kOperandCount) << words;
  }
  EXPECT_EQ(CategoryOf("'builtin.module' op requires one region"), Category::kUnknown);
}

TEST(DiagnosticCategoryTest, KnowsTheWordsOfTables) {
  const std::string constraint = "'tosa.table' op operand #1 must be 1-d tosa-conformant tensor, but got ";
  EXPECT_EQ(CategoryOf(constraint + "'tensor<1x256xi8>'"), Category::kSpecialOperand);
  EXPECT_EQ(CategoryOf(constraint + "'tensor<i8>'"), Category::kSpecialOperand);
  EXPECT_EQ(CategoryOf(constraint + "'tensor<0xi8>'"), Category::kDimensionSize);
}

TEST(DiagnosticCategoryTest, KnowsTheWordsOfTrunk) {
  EXPECT_EQ(CategoryOf("'tosa.mul' op expected output shape 3 to be compatible with inferred shape 2"),
            Category::kResultIncompatible);
  EXPECT_EQ(CategoryOf("'tosa.table' op input rank (1) does not match result rank (2)"), Category::kResultIncompatible);
  EXPECT_EQ(CategoryOf("'tosa.rescale' op operand #1 must be 1D tosa-conformant tensor of 16-bit signless integer or "
                       "32-bit signless integer values, but got 'tensor<1xi8>'"),
            Category::kSpecialOperand);
  constexpr char kRequires[] = "'tosa.cast' op illegal: requires ";
  constexpr char kEnd[] = " to be specified in the target environment";
  const std::string version = "specification version compatible with 1.1.draft (got 1.0)";
  const std::string profile = "any of [pro_fp] profiles/extensions";
  EXPECT_EQ(CategoryOf(kRequires + version + kEnd), Category::kSpecificationVersion);
  EXPECT_EQ(CategoryOf(kRequires + version + " and requires " + profile + kEnd), Category::kSpecificationVersion);
  EXPECT_EQ(CategoryOf(kRequires + profile + kEnd), Category::kProfile);
}

TEST(DiagnosticCategoryTest, KnowsEachErrorIfOfRescale) {
  for (const char* words :
       {"input and output cannot be both unsigned.", "i32 output type is not allowed with unsigned input.",
        "i48 input type is not allowed with unsigned output.", "i48 input type cannot be unsigned.",
        "i32 output type cannot be unsigned.", "scale32 is not allowed with 48-bit input.",
        "DOUBLE_ROUND is only allowed with scale32=true."}) {
    EXPECT_EQ(CategoryOf(std::string("'tosa.rescale' op ") + words), Category::kAttribute) << words;
  }
}

TEST(DiagnosticCategoryTest, PiecesInOrder) {
  EXPECT_EQ(CategoryOf("result type '2' not broadcast compatible with broadcasted operands's shapes '3'"),
            Category::kResultIncompatible);
  EXPECT_EQ(CategoryOf("failed level check: operand shape dimension cannot be dynamic when targeting"),
            Category::kDynamic);
  EXPECT_EQ(CategoryOf("failed level check: operand rank(shape) <= MAX_RANK"), Category::kLevel);
}

TEST(DiagnosticCategoryTest, WhatNoRowKnowsIsUnknown) {
  for (const char* text : {"", "'tosa.add' op is not to my taste", "broadcast compatible with broadcasted operands"}) {
    EXPECT_EQ(CategoryOf(text), Category::kUnknown) << text;
  }
}

}  // namespace
}  // namespace tosaic
