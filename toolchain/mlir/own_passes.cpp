// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/own_passes.h"

#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "toolchain/execution/instrumentation.h"
#include "toolchain/mlir/lowered_ir_extraction.h"
#include "toolchain/mlir/mlir_builder.h"

namespace tosaic {
namespace {

#if LLVM_VERSION_MAJOR >= 21  // the routes that have them are those of the newest dialect
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

#endif

// On the module, as a list: {op, is_copy, types, maps} for each function of the library.
constexpr char kLibraryAttribute[] = "tosaic.library";

// Yields an input as it is, where the program's op has a payload of its own. (A TOSA op that does so is folded.)
bool IsCopy(mlir::linalg::GenericOp op) {
  mlir::Block& body = *op.getBody();
  return llvm::hasSingleElement(body) && op.getNumDpsInputs() == 1 &&
         body.getTerminator()->getOperand(0) == body.getArgument(0);
}

class CallLibrary : public mlir::PassWrapper<CallLibrary, mlir::OperationPass<mlir::ModuleOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CallLibrary)
  llvm::StringRef getArgument() const override { return "tosaic-call-library"; }
  llvm::StringRef getDescription() const override { return "a library_call for each linalg.generic"; }

  void runOnOperation() override {
    mlir::Builder builder(&getContext());
    llvm::SmallVector<mlir::Attribute> functions;
    getOperation().walk([&](mlir::linalg::GenericOp op) {
      op.setLibraryCall(LibraryFunctionName(static_cast<int>(functions.size())));
      llvm::SmallVector<mlir::Attribute> types;
      for (const mlir::Type type : op->getOperandTypes()) {
        types.push_back(mlir::TypeAttr::get(mlir::getElementTypeOrSelf(type)));
      }
      functions.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("op", builder.getI64IntegerAttr(OpAt(op.getLoc()).value_or(-1))),
           builder.getNamedAttr("is_copy", builder.getBoolAttr(IsCopy(op))),
           builder.getNamedAttr("types", builder.getArrayAttr(types)),
           builder.getNamedAttr("maps", op.getIndexingMaps())}));
    });
    getOperation()->setAttr(kLibraryAttribute, builder.getArrayAttr(functions));
  }
};

}  // namespace

std::vector<LibrarySignature> ReadLibrarySignatures(mlir::ModuleOp module) {
  std::vector<LibrarySignature> signatures;
  const auto functions = module->getAttrOfType<mlir::ArrayAttr>(kLibraryAttribute);
  if (!functions) return signatures;
  for (const auto function : functions.getAsRange<mlir::DictionaryAttr>()) {
    LibrarySignature signature;
    signature.op = static_cast<int>(function.getAs<mlir::IntegerAttr>("op").getInt());
    signature.is_copy = function.getAs<mlir::BoolAttr>("is_copy").getValue();
    const auto types = function.getAs<mlir::ArrayAttr>("types").getAsRange<mlir::TypeAttr>();
    const auto maps = function.getAs<mlir::ArrayAttr>("maps").getAsRange<mlir::AffineMapAttr>();
    for (const auto& [type, map] : llvm::zip_equal(types, maps)) {
      signature.views.push_back({ToElementType(type.getValue()), ToIndexingMap(map.getValue())});
    }
    signatures.push_back(std::move(signature));
  }
  return signatures;
}

void RegisterOwnPasses() {
#if LLVM_VERSION_MAJOR >= 21
  mlir::PassRegistration<VectorizeLinalg>();
  mlir::PassRegistration<PolynomialMath>();
#endif
  mlir::PassRegistration<CallLibrary>();
}

}  // namespace tosaic
