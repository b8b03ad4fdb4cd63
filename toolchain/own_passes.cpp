#include "toolchain/own_passes.h"

#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tosaic {
namespace {

// A vector is unrolled in the end: a tensor of thousands of elements would take seconds to compile.
constexpr int64_t kMostVectorElements = 64;

class VectorizeLinalg : public mlir::PassWrapper<VectorizeLinalg, mlir::OperationPass<mlir::func::FuncOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VectorizeLinalg)
  llvm::StringRef getArgument() const override { return "tosaic-vectorize-linalg"; }
  llvm::StringRef getDescription() const override { return "linalg ops of static shape as one vector each"; }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::vector::VectorDialect>();
  }

  void runOnOperation() override {
    llvm::SmallVector<mlir::linalg::LinalgOp> ops;
    getOperation().walk([&](mlir::linalg::LinalgOp op) {
      int64_t elements = 1;
      for (const int64_t extent : op.getStaticLoopRanges()) {
        if (mlir::ShapedType::isDynamic(extent) || extent > kMostVectorElements) return;
        elements *= extent;
      }
      if (elements <= kMostVectorElements) ops.push_back(op);
    });
    mlir::IRRewriter rewriter(&getContext());
    for (mlir::linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      const mlir::FailureOr<mlir::linalg::VectorizationResult> result = mlir::linalg::vectorize(rewriter, op);
      if (mlir::succeeded(result)) rewriter.replaceOp(op, result->replacements);
    }
  }
};

class PolynomialMath : public mlir::PassWrapper<PolynomialMath, mlir::OperationPass<mlir::func::FuncOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PolynomialMath)
  llvm::StringRef getArgument() const override { return "tosaic-polynomial-math"; }
  llvm::StringRef getDescription() const override { return "polynomial approximations of math ops"; }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::vector::VectorDialect>();
  }

  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    const auto all = [](llvm::StringRef) { return true; };
    mlir::populateMathF32ExpansionPatterns(patterns, all);
    mlir::populateMathPolynomialApproximationPatterns(patterns, all);
    if (mlir::failed(mlir::applyPatternsGreedily(getOperation(), std::move(patterns)))) signalPassFailure();
  }
};

}  // namespace

void RegisterOwnPasses() {
  mlir::PassRegistration<VectorizeLinalg>();
  mlir::PassRegistration<PolynomialMath>();
}

}  // namespace tosaic
