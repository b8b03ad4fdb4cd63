#include "toolchain/own_passes.h"

#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace tosaic {
namespace {

// The module in text after func.func(PASS), or why that failed.
std::string After(const std::string& pass, const std::string& text) {
  static const bool registered = [] {
    RegisterOwnPasses();
    return true;
  }();
  (void)registered;
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) return "does not parse";
  mlir::PassManager passes(&context);
  if (mlir::failed(mlir::parsePassPipeline("func.func(" + pass + ")", passes))) return "no such pass";
  if (mlir::failed(passes.run(*module))) return "the pass failed";
  std::string after;
  llvm::raw_string_ostream stream(after);
  module->print(stream);
  return after;
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

}  // namespace
}  // namespace tosaic
