#include "toolchain/mlir/mlir_import.h"

#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "model/mlir_text.h"
#include "toolchain/program_testing.h"

namespace tosaic {
namespace {

ImportedFunction Only(absl::string_view text) {
  std::vector<ImportedFunction> functions = ImportMlir(text, /*split=*/false);
  EXPECT_EQ(functions.size(), 1u);
  return functions.empty() ? ImportedFunction() : functions[0];
}

TEST(MlirImport, TakesArgumentsConstantsAttributesAndResults) {
  const ImportedFunction function = Only(R"(
    func.func @f(%a: tensor<?x3xf16>, %b: tensor<*xf16>) -> (tensor<?x3xi1>, tensor<?x3xf16>) {
      %c = "tosa.const"() {values = dense<[1.0, -0.0, 0x7E01]> : tensor<3xf16>} : () -> tensor<3xf16>
      %0 = tosa.clamp %a {min_val = -1.0 : f16, max_val = 2.0 : f16, nan_mode = IGNORE} : (tensor<?x3xf16>) -> tensor<?x3xf16>
      %1 = "tosa.greater"(%0, %c) : (tensor<?x3xf16>, tensor<3xf16>) -> tensor<?x3xi1>
      return %1, %0 : tensor<?x3xi1>, tensor<?x3xf16>
    })");
  EXPECT_EQ(function.name, "@f");
  ASSERT_TRUE(function.program) << function.skipped;
  const Program& program = *function.program;
  ASSERT_EQ(program.arguments.size(), 2u);
  EXPECT_EQ(ToString(program.arguments[0]), "tensor<?x3xf16>");
  EXPECT_FALSE(program.arguments[1].shape.IsRanked());
  ASSERT_EQ(program.constants.size(), 1u);
  EXPECT_EQ(program.constants[0].Bits(1), 0x8000u);
  EXPECT_EQ(program.constants[0].Bits(2), 0x7e01u);
  ASSERT_EQ(program.ops.size(), 2u);
  EXPECT_EQ(program.ops[0].attributes.min_val->bits, 0xbc00u);
  EXPECT_EQ(program.ops[0].attributes.nan_mode, NanMode::kIgnore);
  EXPECT_EQ(program.results, (std::vector<ValueRef>{{ValueRef::Kind::kOp, 1}, {ValueRef::Kind::kOp, 0}}));
}

TEST(MlirImport, WhatIsPrintedComesBack) {
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : op.spec_types) {
      for (const Shape& shape : {Shape::OfSizes({}), Shape::OfSizes({2, 3}), Dynamic(2), Shape::Unranked()}) {
        const Program program = OneOp(op, tuple.input, tuple.result, shape);
        const ImportedFunction function = Only(ToMlir(program));
        ASSERT_TRUE(function.program) << function.skipped << ToMlir(program);
        EXPECT_EQ(*function.program, program) << ToMlir(program);
      }
    }
  }
}

TEST(MlirImport, SkipsWithTheReason) {
  const struct {
    absl::string_view text, why;
  } rows[] = {
      {"func.func private @f(tensor<2xf32>)", "a declaration"},
      {"func.func @f(%a: memref<2xf32>) { return }", "an argument is a memref<2xf32>"},
      {"func.func @f(%a: tensor<2xindex>) { return }", "an argument is a tensor<2xindex>"},
      {"func.func @f(%a: tensor<2xf32>) { return }", "has no elementwise TOSA op"},
      {"func.func @f(%a: tensor<2xf32>) { cf.br ^b\n^b:\n return }", "has several blocks"},
      {"func.func @f(%a: tensor<2xf32>) { %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<2xf32>) -> tensor<2xf32>\n "
       "return }",
       "uses tosa.reverse"},
      {"func.func @f(%a: tensor<2xf32>) { %0 = \"odd.op\"(%a) : (tensor<2xf32>) -> tensor<2xf32>\n return }",
       "uses odd.op"},
      {"func.func @f(%a: tensor<2xf32>) { %0 = \"tosa.abs\"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> "
       "tensor<2xf32>\n return }",
       "operands"},
      {"func.func @f(%a: tensor<2xf32, \"x\">) { return }", "an argument is a tensor<2xf32, \"x\">"},
      {"func.func @f(", "does not parse: line 1: "},
  };
  for (const auto& row : rows) {
    const ImportedFunction function = Only(row.text);
    EXPECT_FALSE(function.program) << row.text;
    EXPECT_TRUE(absl::StrContains(function.skipped, row.why)) << function.skipped << " for " << row.text;
  }
}

TEST(MlirImport, IllegalProgramsAreTakenAsTheyAre) {
  const ImportedFunction function = Only(R"(
    func.func @f(%a: tensor<2xf32>, %b: tensor<3xi8>) -> tensor<4xi1> {
      %0 = "tosa.add"(%a, %b) : (tensor<2xf32>, tensor<3xi8>) -> tensor<4xi1>
      return %0 : tensor<4xi1>
    })");
  ASSERT_TRUE(function.program) << function.skipped;
  EXPECT_EQ(Signature(*function.program, function.program->ops[0]), "add(tensor<2xf32>, tensor<3xi8>) -> tensor<4xi1>");
}

TEST(MlirImport, SplitsAndAttributesAnnotations) {
  constexpr absl::string_view kText = R"(
func.func @a(%a: tensor<2xf32>) {
  // expected-error@+1 {{bad}}
  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func @b(%a: tensor<2xf32>) {
  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// expected-error @below {{bad}}
func.func @c(%a: tensor<2xf32>) {
  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @d(%a tensor<2xf32>) {
)";
  const std::vector<ImportedFunction> functions = ImportMlir(kText, /*split=*/true);
  ASSERT_EQ(functions.size(), 4u);
  EXPECT_EQ(functions[0].name, "@a");
  EXPECT_TRUE(functions[0].expects_error);
  EXPECT_FALSE(functions[1].expects_error);
  EXPECT_TRUE(functions[2].expects_error);
  EXPECT_TRUE(functions[2].program);
  EXPECT_FALSE(functions[3].program);
  EXPECT_TRUE(absl::StrContains(functions[3].skipped, "line 18: ")) << functions[3].skipped;
  // In one piece the last part spoils the others.
  EXPECT_EQ(ImportMlir(kText, /*split=*/false).size(), 1u);
}

}  // namespace
}  // namespace tosaic
