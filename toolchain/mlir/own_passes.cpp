// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/own_passes.h"

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "model/op_catalogue.h"
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

// The first dimension behind all others.
llvm::SmallVector<int32_t> Rotation(int64_t rank) {
  llvm::SmallVector<int32_t> permutation = llvm::to_vector(llvm::seq<int32_t>(1, static_cast<int32_t>(rank)));
  permutation.push_back(0);
  return permutation;
}

class TransposeOperands : public mlir::PassWrapper<TransposeOperands, mlir::OperationPass<mlir::func::FuncOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TransposeOperands)
  llvm::StringRef getArgument() const override { return "tosaic-transpose-operands"; }
  llvm::StringRef getDescription() const override { return "first operands transposed, and back"; }

  void runOnOperation() override {
    llvm::SmallVector<mlir::Operation*> ops;
    getOperation().walk([&](mlir::Operation* op) {
      llvm::StringRef name = op->getName().getStringRef();
      if (!name.consume_front("tosa.") || op->getNumOperands() == 0) return;
      const std::optional<OpKind> kind = FindOp(absl::string_view(name.data(), name.size()));
      if (kind && !MovesElements(Info(*kind))) ops.push_back(op);
    });
    for (mlir::Operation* op : ops) TransposeThereAndBack(op);
  }

 private:
  static void TransposeThereAndBack(mlir::Operation* op) {
    const auto type = mlir::dyn_cast<mlir::RankedTensorType>(op->getOperand(0).getType());
    // A transpose of a constant, or of an op that is folded to one, may be folded by itself.
    if (!type || type.getRank() < 2 || !mlir::isa<mlir::BlockArgument>(op->getOperand(0))) return;
    const llvm::SmallVector<int32_t> there = Rotation(type.getRank());
    llvm::SmallVector<int32_t> back(there.size());
    llvm::SmallVector<int64_t> sizes;
    for (size_t d = 0; d < there.size(); ++d) {
      back[static_cast<size_t>(there[d])] = static_cast<int32_t>(d);
      sizes.push_back(type.getDimSize(there[d]));
    }
    mlir::OpBuilder builder(op);
    const mlir::Location location = mlir::NameLoc::get(builder.getStringAttr(kNeighbour));
    const auto transpose = [&](mlir::Value of, mlir::Type result, llvm::ArrayRef<int32_t> permutation) -> mlir::Value {
      return mlir::tosa::TransposeOp::create(builder, location, result, of, builder.getDenseI32ArrayAttr(permutation));
    };
    const mlir::Value away = transpose(op->getOperand(0), type.clone(sizes), there);
    op->setOperand(0, transpose(away, type, back));
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
  mlir::PassRegistration<TransposeOperands>();
#endif
  mlir::PassRegistration<CallLibrary>();
}

}  // namespace tosaic
