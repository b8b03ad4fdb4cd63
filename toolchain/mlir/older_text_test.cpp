// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/older_text.h"

#include <gtest/gtest.h>

namespace tosaic {
namespace {

struct Row {
  absl::string_view text, expected;
};

TEST(OlderText, PropertiesOfTosaOpsBecomeAttributes) {
  const Row rows[] = {
      {R"(%c = "tosa.const"() <{value = dense<2> : tensor<3xi8>}> : () -> tensor<3xi8>)",
       R"(%c = "tosa.const"() {value = dense<2> : tensor<3xi8>} : () -> tensor<3xi8>)"},
      {R"("tosa.mul"(%a, %b)<{shift = 0 : i8}>: (i8) -> i8)", R"("tosa.mul"(%a, %b){shift = 0 : i8}: (i8) -> i8)"},
      {R"("tosa.a"() <{a = {b = 1}}> {c = "}>"} : ())", R"("tosa.a"() {a = {b = 1}, c = "}>"} : ())"},
      {R"("tosa.a"() <{}> {c} : ())", R"("tosa.a"() { c} : ())"},
      {R"("tosa.a"() <{a}> {} : ())", R"("tosa.a"() {a } : ())"},
      {"\"tosa.a\"()\n<{a}>\n{b}\n", "\"tosa.a\"()\n{a,\nb}\n"},
      // Regions stand between the two; other dialects' ops are as this parser knows them.
      {R"("tosa.cond_if"(%a) <{a}> ({}) : ())", R"("tosa.cond_if"(%a) <{a}> ({}) : ())"},
      {R"("arith.constant"() <{value = 1 : i8}> : () -> i8)", R"("arith.constant"() <{value = 1 : i8}> : () -> i8)"},
      {R"(// "tosa.a"() <{a}> : ())", R"(// "tosa.a"() <{a}> : ())"},
      {R"("tosa.a"() <{a)", R"("tosa.a"() <{a)"},
      {R"("tosa.a"() <{a}> {)", R"("tosa.a"() {a, )"},
      {"<{", "<{"},
      {")<{}>", ")<{}>"},
  };
  for (const Row& row : rows) EXPECT_EQ(PropertiesAsAttributes(row.text), row.expected);
}

TEST(OlderText, AttributesThatNoParserKnowsBecomeStrings) {
  const Row rows[] = {
      {"{quantization_info = #tosa.unary_quant<input_zp = 1, output_zp = -1>}",
       R"({quantization_info = "#tosa.unary_quant<input_zp = 1, output_zp = -1>"})"},
      {"#q = #tosa.conv_quant<a = 1>\n#tosa.nan_mode<IGNORE>",
       "#q = \"#tosa.conv_quant<a = 1>\"\n#tosa.nan_mode<IGNORE>"},
      {R"("#tosa.unary_quant<>" // #tosa.unary_quant<>)", R"("#tosa.unary_quant<>" // #tosa.unary_quant<>)"},
      {"#tosa.unary_quant<a", "#tosa.unary_quant<a"},
  };
  for (const Row& row : rows) EXPECT_EQ(OldAttributesAsStrings(row.text), row.expected);
}

TEST(OlderText, EnumsThatWereStringsBecomeEnums) {
  EXPECT_EQ(QuotedNamesAsEnums(R"({nan_mode = "IGNORE", rounding_mode = "SINGLE_ROUND", x = "IGNORE"})"),
            R"({nan_mode = #tosa.nan_mode<IGNORE>, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, x = "IGNORE"})");
}

TEST(OlderText, ConstantsThatBeginWithATypeBecomeStrings) {
  const Row rows[] = {
      {"{values = dense<tensor<32x!t<a, {2.0}>> : 1.0 : f4E2M1FN>}",
       R"({values = dense<"dense<tensor<32x!t<a, {2.0}>> : 1.0 : f4E2M1FN>"> : tensor<1x!tosaic.text>})"},
      {"dense<tensor<1x!t<a>> :\n 1.0 : i8>\n",
       "dense<\"dense<tensor<1x!t<a>> :  1.0 : i8>\"> : tensor<1x!tosaic.text>\n\n"},
      {"dense<1> : tensor<3xi8>", "dense<1> : tensor<3xi8>"},
      {"dense<tensor<1x!t<a>> : // 1\n 1.0 : i8>", "dense<tensor<1x!t<a>> : // 1\n 1.0 : i8>"},
      {R"("dense<tensor<1xi8>> : 1 : i8>")", R"("dense<tensor<1xi8>> : 1 : i8>")"},
      {"dense<tensor<1x", "dense<tensor<1x"},
  };
  for (const Row& row : rows) EXPECT_EQ(BlockConstantsAsStrings(row.text), row.expected);
}

TEST(OlderText, ClausesBecomeAttributes) {
  const Row rows[] = {
      {"%0 = tosa.cast %a input_unsigned(true) : (tensor<4xi8>) -> tensor<4xi32>",
       R"(%0 = "tosa.cast"(%a) {input_unsigned = true} : (tensor<4xi8>) -> tensor<4xi32>)"},
      {"%1 = tosa.clamp %b min_val(0.0 : f32) max_val(1.0 : f32) nan_mode<IGNORE> {x = 1} : (f) -> f",
       R"(%1 = "tosa.clamp"(%b) {min_val = 0.0 : f32, max_val = 1.0 : f32, nan_mode = #tosa.nan_mode<IGNORE>, x = 1} : (f) -> f)"},
      {"%4 = tosa.const  values(dense<[1, 2]> : tensor<2xi32>) : () -> tensor<2xi32>",
       R"(%4 = "tosa.const"() {values = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>)"},
      {"%2 = tosa.maximum %a, %b#1 nan_mode<IGNORE> : (f, f) -> f",
       R"(%2 = "tosa.maximum"(%a, %b#1) {nan_mode = #tosa.nan_mode<IGNORE>} : (f, f) -> f)"},
      // Ops that are not judged keep their operands and types.
      {"%7 = tosa.transpose %6 perms([1, 0]) : (t) -> t", R"(%7 = "tosa.transpose"(%6) : (t) -> t)"},
      // Text without clauses does not change.
      {"%0 = tosa.add %a, %b : (f, f) -> f", "%0 = tosa.add %a, %b : (f, f) -> f"},
      {"%0 = tosa.clamp %a {min_val = 0 : i8} : (f) -> f", "%0 = tosa.clamp %a {min_val = 0 : i8} : (f) -> f"},
      {"// tosa.cast %a input_unsigned(true) : (a) -> b", "// tosa.cast %a input_unsigned(true) : (a) -> b"},
      {"tosa.cond_if %a (%b) { x } : (a)", "tosa.cond_if %a (%b) { x } : (a)"},
      {"tosa.cast %a input_unsigned(", "tosa.cast %a input_unsigned("},
  };
  for (const Row& row : rows) EXPECT_EQ(ClausesAsAttributes(row.text), row.expected);
}

}  // namespace
}  // namespace tosaic
