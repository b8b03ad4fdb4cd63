// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/mlir_text.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

TensorType Type(absl::string_view text) { return ParseTensorType(text).value(); }

TEST(ToMlir, WritesOneOp) {
  Program program;
  program.arguments = {Type("tensor<2x?xf32>"), Type("tensor<*xf32>")};
  program.ops = {{OpKind::kAdd, {{Kind::kArgument, 0}, {Kind::kArgument, 1}}, {}, Type("tensor<2x?xf32>")}};
  program.results = {{Kind::kOp, 0}};
  EXPECT_EQ(
      ToMlir(program),
      R"(func.func @main(%arg0: tensor<2x?xf32>, %arg1: tensor<*xf32>) -> (tensor<2x?xf32>) attributes {llvm.emit_c_interface} {
  %0 = "tosa.add"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
)");
}

TEST(ToMlir, WritesConstantsAsBitPatternsAndIntegers) {
  Program program;
  program.constants = {TensorFromHex(ElementType::kF32, {1, 2}, "7fc00001 3f800000").value(),
                       TensorFromHex(ElementType::kI8, {1}, "80").value(),
                       TensorFromHex(ElementType::kI1, {}, "1").value()};
  program.ops = {
      {OpKind::kMul, {{Kind::kConstant, 0}, {Kind::kConstant, 0}, {Kind::kConstant, 1}}, {}, Type("tensor<1x2xf32>")}};
  program.results = {{Kind::kOp, 0}, {Kind::kConstant, 2}};
  EXPECT_EQ(ToMlir(program), R"(func.func @main() -> (tensor<1x2xf32>, tensor<i1>) attributes {llvm.emit_c_interface} {
  %cst0 = "tosa.const"() {values = dense<[[0x7fc00001, 0x3f800000]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %cst1 = "tosa.const"() {values = dense<[-128]> : tensor<1xi8>} : () -> tensor<1xi8>
  %cst2 = "tosa.const"() {values = dense<true> : tensor<i1>} : () -> tensor<i1>
  %0 = "tosa.mul"(%cst0, %cst0, %cst1) : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1xi8>) -> tensor<1x2xf32>
  return %0, %cst2 : tensor<1x2xf32>, tensor<i1>
}
)");
}

TEST(ToMlir, WritesAttributes) {
  Program program;
  program.arguments = {Type("tensor<f16>"), Type("tensor<i8>")};
  Attributes clamp;
  clamp.min_val = TypedBits{ElementType::kF16, 0xbc00};
  clamp.max_val = TypedBits{ElementType::kF16, 0x3c00};
  clamp.nan_mode = NanMode::kIgnore;
  Attributes shift;
  shift.round = false;
  program.ops = {
      {OpKind::kClamp, {{Kind::kArgument, 0}}, clamp, Type("tensor<f16>")},
      {OpKind::kArithmeticRightShift, {{Kind::kArgument, 1}, {Kind::kArgument, 1}}, shift, Type("tensor<i8>")}};
  program.results = {{Kind::kOp, 0}};
  EXPECT_EQ(
      ToMlir(program),
      R"(func.func @main(%arg0: tensor<f16>, %arg1: tensor<i8>) -> (tensor<f16>) attributes {llvm.emit_c_interface} {
  %0 = "tosa.clamp"(%arg0) {min_val = 0xbc00 : f16, max_val = 0x3c00 : f16, nan_mode = #tosa.nan_mode<IGNORE>} : (tensor<f16>) -> tensor<f16>
  %1 = "tosa.arithmetic_right_shift"(%arg1, %arg1) {round = false} : (tensor<i8>, tensor<i8>) -> tensor<i8>
  return %0 : tensor<f16>
}
)");
}

// mul of i32 by a constant with a shift, negate of i8 with zero points, clamp, maximum and intdiv: what each version of
// the dialect spells in its own way.
Program SpelledDifferently() {
  Program program;
  program.arguments = {Type("tensor<2xi32>"), Type("tensor<2xi8>"), Type("tensor<2xf16>")};
  program.constants = {TensorFromHex(ElementType::kI8, {1}, "03").value(),
                       TensorFromHex(ElementType::kI32, {1}, "00000005").value()};
  Attributes bounds;
  bounds.min_val = TypedBits{ElementType::kF16, 0xbc00};
  bounds.max_val = TypedBits{ElementType::kF16, 0x7c00};
  bounds.nan_mode = NanMode::kPropagate;
  Attributes integer_bounds;
  integer_bounds.min_val = TypedBits{ElementType::kI8, 0x80};
  integer_bounds.max_val = TypedBits{ElementType::kI8, 0x05};
  program.ops = {
      {OpKind::kMul, {{Kind::kArgument, 0}, {Kind::kConstant, 1}, {Kind::kConstant, 0}}, {}, Type("tensor<2xi32>")},
      {OpKind::kIntdiv, {{Kind::kOp, 0}, {Kind::kConstant, 1}}, {}, Type("tensor<2xi32>")},
      {OpKind::kNegate, {{Kind::kArgument, 1}, {Kind::kConstant, 0}, {Kind::kConstant, 0}}, {}, Type("tensor<2xi8>")},
      {OpKind::kClamp, {{Kind::kArgument, 2}}, bounds, Type("tensor<2xf16>")},
      {OpKind::kClamp, {{Kind::kOp, 2}}, integer_bounds, Type("tensor<2xi8>")}};
  program.results = {{Kind::kOp, 4}};
  return program;
}

TEST(ToMlir, SpeaksTheDialectOfMlir16) {
  EXPECT_EQ(
      ToMlir(SpelledDifferently(), Dialect::k16),
      R"(func.func @main(%arg0: tensor<2xi32>, %arg1: tensor<2xi8>, %arg2: tensor<2xf16>) -> (tensor<2xi8>) attributes {llvm.emit_c_interface} {
  %cst1 = "tosa.const"() {value = dense<[5]> : tensor<1xi32>} : () -> tensor<1xi32>
  %0 = "tosa.mul"(%arg0, %cst1) {shift = 3 : i32} : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
  %1 = "tosa.div"(%0, %cst1) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
  %2 = "tosa.negate"(%arg1) {quantization_info = #tosa.unary_quant<input_zp = 3, output_zp = 3>} : (tensor<2xi8>) -> tensor<2xi8>
  %3 = "tosa.clamp"(%arg2) {min_int = 0 : i64, min_fp = 0xbf800000 : f32, max_int = 0 : i64, max_fp = 0x7f800000 : f32} : (tensor<2xf16>) -> tensor<2xf16>
  %4 = "tosa.clamp"(%2) {min_int = -128 : i64, min_fp = 0x00000000 : f32, max_int = 5 : i64, max_fp = 0x00000000 : f32} : (tensor<2xi8>) -> tensor<2xi8>
  return %4 : tensor<2xi8>
}
)");
}

TEST(ToMlir, SpeaksTheDialectOfMlir19) {
  const std::string text = ToMlir(SpelledDifferently(), Dialect::k19);
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.mul"(%arg0, %cst1) {shift = 3 : i8} : )")) << text;
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.int_div"(%0, %cst1) : )")) << text;
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.const"() {value = )")) << text;
}

// rescale and cast, whose attributes differ from version to version.
Program RescaledAndCast() {
  Program program;
  program.arguments = {Type("tensor<2xi8>")};
  program.constants = {TensorFromHex(ElementType::kI32, {2}, "40000000 40000001").value(),
                       TensorFromHex(ElementType::kI8, {2}, "1e 1f").value(),
                       TensorFromHex(ElementType::kI8, {1}, "fe").value(),
                       TensorFromHex(ElementType::kI32, {1}, "00000000").value()};
  Attributes rescale = {.scale32 = true, .rounding_mode = RoundingMode::kDoubleRound, .per_channel = true};
  rescale.input_unsigned = rescale.output_unsigned = false;
  const std::vector<ValueRef> operands = {
      {Kind::kArgument, 0}, {Kind::kConstant, 0}, {Kind::kConstant, 1}, {Kind::kConstant, 2}, {Kind::kConstant, 3}};
  program.ops = {{OpKind::kRescale, operands, rescale, Type("tensor<2xi32>")},
                 {OpKind::kCast, {{Kind::kOp, 0}}, {.input_unsigned = true}, Type("tensor<2xf32>")}};
  program.results = {{Kind::kOp, 1}};
  return program;
}

TEST(ToMlir, SpeaksTheDialectsOfMlir20And21) {
  std::string text = ToMlir(SpelledDifferently(), Dialect::k20);
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.mul"(%arg0, %cst1, %cst0) : )")) << text;
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.int_div"(%0, %cst1) : )")) << text;
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.const"() {value = )")) << text;
  EXPECT_TRUE(absl::StrContains(text, R"(max_fp = 0x7f800000 : f32, nan_mode = "PROPAGATE"})")) << text;
  text = ToMlir(RescaledAndCast(), Dialect::k20);
  EXPECT_TRUE(absl::StrContains(text, "input_unsigned = false, output_unsigned = false, multiplier = array<")) << text;
  text = ToMlir(SpelledDifferently(), Dialect::k21);
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.intdiv"(%0, %cst1) : )")) << text;
  EXPECT_TRUE(absl::StrContains(text, R"(max_val = 0x7c00 : f16, nan_mode = "PROPAGATE"})")) << text;
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.const"() {values = )")) << text;
  text = ToMlir(RescaledAndCast(), Dialect::k21);
  EXPECT_TRUE(absl::StrContains(text, R"({scale32 = true, rounding_mode = "DOUBLE_ROUND", per_channel = true, )"))
      << text;
}

TEST(ToMlir, SpeaksTheDialectOfMlir18) {
  const std::string text = ToMlir(SpelledDifferently(), Dialect::k18);
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.mul"(%arg0, %cst1) {shift = 3 : i8} : )")) << text;
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.div"(%0, %cst1) : )")) << text;
  const std::string before = ToMlir(SpelledDifferently(), Dialect::k17);
  EXPECT_TRUE(absl::StrContains(before, R"("tosa.mul"(%arg0, %cst1) {shift = 3 : i32} : )")) << before;
}

TEST(ToMlir, SpeaksTheDialectOfMlir22) {
  const std::string text = ToMlir(SpelledDifferently(), Dialect::k22);
  EXPECT_EQ(text, ToMlir(SpelledDifferently())) << "the default";
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.mul"(%arg0, %cst1, %cst0) : )")) << text;
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.intdiv"(%0, %cst1) : )")) << text;
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.negate"(%arg1, %cst0, %cst0) : )")) << text;
  EXPECT_TRUE(
      absl::StrContains(text, "min_val = 0xbc00 : f16, max_val = 0x7c00 : f16, nan_mode = #tosa.nan_mode<PROPAGATE>"))
      << text;
  EXPECT_TRUE(absl::StrContains(text, R"("tosa.const"() {values = )")) << text;
}

TEST(ToMlir, RescaleHasNumbersForOperandsInOlderDialects) {
  constexpr absl::string_view kFlags = R"({scale32 = true, double_round = true, per_channel = true, )";
  constexpr absl::string_view kMultiplier = "multiplier = array<i32: 1073741824, 1073741825>, ";
  for (const Dialect dialect : {Dialect::k19, Dialect::k18, Dialect::k17, Dialect::k16}) {
    const std::string text = ToMlir(RescaledAndCast(), dialect);
    const absl::string_view shifts =
        dialect >= Dialect::k19 ? "shift = array<i8: 30, 31>, " : "shift = array<i32: 30, 31>, ";
    EXPECT_TRUE(absl::StrContains(text, absl::StrCat("\"tosa.rescale\"(%arg0) ", kFlags, kMultiplier, shifts,
                                                     "input_zp = -2 : i32, output_zp = 0 : i32} : (")))
        << text;
    EXPECT_TRUE(absl::StrContains(text, "\"tosa.cast\"(%0) : (")) << text;
  }
}

TEST(ToMlir, TheNewestDialectHasProperties) {
  const std::string text = ToMlir(RescaledAndCast(), Dialect::k24);
  EXPECT_TRUE(absl::StrContains(text, "\"tosa.cast\"(%0) <{input_unsigned = true}> : (")) << text;
  EXPECT_TRUE(absl::StrContains(text, "<{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, ")) << text;
}

TEST(ToMlir, AConstantThatIsAnAttributeIsStillWrittenWhereItIsReturned) {
  Program program = SpelledDifferently();
  program.results.push_back({Kind::kConstant, 0});
  EXPECT_TRUE(absl::StrContains(ToMlir(program, Dialect::k16), "%cst0 = "));
  EXPECT_FALSE(absl::StrContains(ToMlir(SpelledDifferently(), Dialect::k16), "%cst0 = "));
}

TEST(ToMlir, WritesAnOpWithAnyNumberOfOperandsAndResults) {
  const TensorType type{Shape({Dim::Static(2)}), ElementType::kF32};
  LooseOp op = {.op = OpKind::kClamp};
  op.attributes.min_val = {ElementType::kF32, 0};
  op.attributes.max_val = {ElementType::kF32, 0x3f800000};
  EXPECT_EQ(ToMlir(op, Dialect::k24),
            "func.func @main() {\n"
            "  \"tosa.clamp\"() <{min_val = 0x00000000 : f32, max_val = 0x3f800000 : f32}> : () -> ()\n"
            "  return\n}\n");
  op = {.op = OpKind::kAbs, .operands = {type, type}, .results = {type}};
  EXPECT_EQ(ToMlir(op),
            "func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) {\n"
            "  %0 = \"tosa.abs\"(%arg0, %arg1) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>)\n"
            "  return\n}\n");
  op = {.op = OpKind::kAbs, .operands = {type}, .results = {type, type}};
  EXPECT_TRUE(absl::StrContains(ToMlir(op),
                                "  %0:2 = \"tosa.abs\"(%arg0) : (tensor<2xf32>) -> (tensor<2xf32>, "
                                "tensor<2xf32>)\n"))
      << ToMlir(op);
}

TEST(ToMlir, NamesTheFunction) {
  EXPECT_TRUE(absl::StrContains(ToMlir(SpelledDifferently(), Dialect::k22, "op3"), "func.func @op3("));
}

}  // namespace
}  // namespace tosaic
