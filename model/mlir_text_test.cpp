#include "model/mlir_text.h"

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

}  // namespace
}  // namespace tosaic
