// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/own_passes.h"

#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "toolchain/mlir/mlir_builder.h"

namespace tosaic {
namespace {

mlir::DialectRegistry AllDialects() {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  return registry;
}

std::string TextOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text;
}

// The module after builtin.module(PASSES); null if anything failed.
mlir::OwningOpRef<mlir::ModuleOp> AfterPasses(const std::string& pipeline, const std::string& text,
                                              mlir::MLIRContext* context) {
  static const bool registered = [] {
    RegisterOwnPasses();
    return true;
  }();
  (void)registered;
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, context);
  mlir::PassManager passes(context);
  if (!module || mlir::failed(mlir::parsePassPipeline(pipeline, passes)) || mlir::failed(passes.run(*module))) {
    return nullptr;
  }
  return module;
}

// The module in text after func.func(PASS).
std::string After(const std::string& pass, const std::string& text) {
  mlir::MLIRContext context(AllDialects(), mlir::MLIRContext::Threading::DISABLED);
  const mlir::OwningOpRef<mlir::ModuleOp> module = AfterPasses("func.func(" + pass + ")", text, &context);
  return module ? TextOf(*module) : "no module";
}

bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string NegationOf(const std::string& type) {
  return "func.func @main(%in: " + type + ", %out: " + type + ") -> " + type +
         " {\n%0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], "
         "iterator_types = [\"parallel\"]} ins(%in : " +
         type + ") outs(%out : " + type +
         ") {\n^bb0(%a: f32, %b: f32):\n%n = arith.negf %a : f32\nlinalg.yield %n : f32\n} -> " + type +
         "\nreturn %0 : " + type + "\n}";
}

TEST(OwnPasses, SmallStaticOpsBecomeVectors) {
  const std::string after = After("tosaic-vectorize-linalg", NegationOf("tensor<5xf32>"));
  EXPECT_TRUE(Has(after, ": vector<5xf32>")) << after;
  EXPECT_FALSE(Has(after, "linalg.generic")) << after;
}

TEST(OwnPasses, DynamicAndLargeOpsStay) {
  for (const char* type : {"tensor<?xf32>", "tensor<65xf32>"}) {
    const std::string after = After("tosaic-vectorize-linalg", NegationOf(type));
    EXPECT_TRUE(Has(after, "linalg.generic")) << after;
    EXPECT_FALSE(Has(after, "vector<")) << after;
  }
}

TEST(OwnPasses, MathBecomesPolynomials) {
  const std::string after =
      After("tosaic-polynomial-math", "func.func @main(%x: f32) -> f32 {\n%0 = math.tanh %x : f32\nreturn %0 : f32\n}");
  EXPECT_TRUE(Has(after, "math.fma")) << after;
  EXPECT_FALSE(Has(after, "math.tanh")) << after;
}

constexpr char kNegationAndCopy[] = R"(
func.func @main(%in: tensor<?x1xf32>, %out: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%in : tensor<?x1xf32>) outs(%out : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?x4xf32> loc("%7")
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%0 : tensor<?x4xf32>) outs(%out : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?x4xf32>
})";

TEST(OwnPasses, ArgumentsAreTransposedThereAndBack) {
  const auto after = [](const std::string& type, const std::string& operand) {
    return After("tosaic-transpose-operands",
                 "func.func @main(%a: " + type + ") -> " + type + " {\n%c = \"tosa.const\"() <{values = dense<1> : " +
                     "tensor<2x3x4xi32>}> : () -> tensor<2x3x4xi32>\n%0 = tosa.abs " + operand + " : (" + type +
                     ") -> " + type + "\nreturn %0 : " + type + "\n}");
  };
  const std::string text = after("tensor<2x3x4xi32>", "%a");
  const std::string there =
      "tosa.transpose %arg0 {perms = array<i32: 1, 2, 0>} : (tensor<2x3x4xi32>) -> tensor<3x4x2xi32>";
  const std::string back = "{perms = array<i32: 2, 0, 1>} : (tensor<3x4x2xi32>) -> tensor<2x3x4xi32>";
  EXPECT_TRUE(Has(text, there)) << text;
  EXPECT_TRUE(Has(text, back)) << text;
  EXPECT_TRUE(Has(after("tensor<?x3xi32>", "%a"), "(tensor<3x?xi32>) -> tensor<?x3xi32>"));
  EXPECT_FALSE(Has(after("tensor<2x3x4xi32>", "%c"), "tosa.transpose")) << "a constant";
  EXPECT_FALSE(Has(after("tensor<3xi32>", "%a"), "tosa.transpose")) << "of rank 1";
  EXPECT_FALSE(Has(after("tensor<*xi32>", "%a"), "tosa.transpose")) << "without a rank";
}

TEST(OwnPasses, EachGenericGetsALibraryCallThatTheModuleDescribes) {
  mlir::MLIRContext context(AllDialects(), mlir::MLIRContext::Threading::DISABLED);
  const mlir::OwningOpRef<mlir::ModuleOp> module = AfterPasses("tosaic-call-library", kNegationAndCopy, &context);
  ASSERT_TRUE(module);
  const std::string after = TextOf(*module);
  EXPECT_TRUE(Has(after, "library_call = \"tosaic_library_0\"")) << after;
  EXPECT_TRUE(Has(after, "library_call = \"tosaic_library_1\"")) << after;
  const std::vector<LibrarySignature> signatures = ReadLibrarySignatures(*module);
  ASSERT_EQ(signatures.size(), 2u);
  EXPECT_EQ(signatures[0].op, 7);
  EXPECT_TRUE(signatures[0].is_copy);
  ASSERT_EQ(signatures[0].views.size(), 2u);
  EXPECT_EQ(ToString(signatures[0].views[0].map), "(d0, 0)");
  EXPECT_EQ(ToString(signatures[0].views[1].map), "(d0, d1)");
  EXPECT_EQ(signatures[0].views[0].element_type, ElementType::kF32);
  EXPECT_EQ(signatures[1].op, -1);
  EXPECT_FALSE(signatures[1].is_copy);
  EXPECT_TRUE(AreOfUnknownOps(signatures)) << "only a copy says where it comes from";
  EXPECT_FALSE(AreOfUnknownOps({}));
}

TEST(OwnPasses, AnOpIsKnownByALocationWithinAnother) {
  mlir::MLIRContext context;
  const auto named = [&](const char* name) { return mlir::NameLoc::get(mlir::StringAttr::get(&context, name)); };
  const mlir::Location other = mlir::UnknownLoc::get(&context), op = named("%12");
  EXPECT_EQ(OpAt(op), 12);
  EXPECT_EQ(OpAt(mlir::FusedLoc::get(&context, {other, op, op})), 12);
  EXPECT_EQ(OpAt(mlir::FusedLoc::get(&context, {op, named("%3")})), std::nullopt) << "of two";
  EXPECT_EQ(OpAt(named("x")), std::nullopt);
}

TEST(OwnPasses, WithoutThePassThereIsNoLibrary) {
  mlir::MLIRContext context(AllDialects(), mlir::MLIRContext::Threading::DISABLED);
  const mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(kNegationAndCopy, &context);
  ASSERT_TRUE(module);
  EXPECT_TRUE(ReadLibrarySignatures(*module).empty());
}

}  // namespace
}  // namespace tosaic
