// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosa-to-linalg-elementwise: TOSA's elementwise ops as linalg.elementwise, where it has a kind for the op. What is
// left is tosa-to-linalg's.
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

namespace {

using mlir::AffineMap;
using mlir::Value;
using Kind = mlir::linalg::ElementwiseKind;

// The kind that computes what the op does.
std::optional<Kind> KindOf(mlir::Operation* op) {
  using namespace mlir::tosa;
  const bool is_float = mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(op->getOperand(0)));
  if (is_float) {
    const auto of_floats = llvm::TypeSwitch<mlir::Operation*, std::optional<Kind>>(op)
                               .Case<AbsOp>([](auto) { return Kind::abs; })
                               .Case<CeilOp>([](auto) { return Kind::ceil; })
                               .Case<ErfOp>([](auto) { return Kind::erf; })
                               .Case<ExpOp>([](auto) { return Kind::exp; })
                               .Case<FloorOp>([](auto) { return Kind::floor; })
                               .Case<LogOp>([](auto) { return Kind::log; })
                               .Case<NegateOp>([](auto) { return Kind::negf; })
                               .Case<PowOp>([](auto) { return Kind::powf; })
                               .Case<ReciprocalOp>([](auto) { return Kind::reciprocal; })
                               .Case<RsqrtOp>([](auto) { return Kind::rsqrt; })
                               .Case<TanhOp>([](auto) { return Kind::tanh; })
                               .Default([](auto) { return std::nullopt; });
    if (of_floats) return of_floats;
  }
  return llvm::TypeSwitch<mlir::Operation*, std::optional<Kind>>(op)
      .Case<AddOp>([](auto) { return Kind::add; })
      .Case<IntDivOp>([](auto) { return Kind::div; })
      .Case<MaximumOp>([](auto) { return Kind::max_signed; })
      .Case<MinimumOp>([](auto) { return Kind::min_signed; })
      .Case<MulOp>([](auto) { return Kind::mul; })
      .Case<SelectOp>([](auto) { return Kind::select; })
      .Case<SubOp>([](auto) { return Kind::sub; })
      .Default([](auto) { return std::nullopt; });
}

// Without shifts and zero points.
size_t InputCount(mlir::Operation* op) {
  return mlir::isa<mlir::tosa::NegateOp>(op) ? 1 : mlir::isa<mlir::tosa::MulOp>(op) ? 2 : op->getNumOperands();
}

// The map that reads an operand: 0 where it is repeated.
AffineMap MapOf(mlir::RankedTensorType operand, mlir::RankedTensorType result) {
  mlir::MLIRContext* context = operand.getContext();
  llvm::SmallVector<mlir::AffineExpr> results;
  for (int64_t d = 0; d < result.getRank(); ++d) {
    const bool is_repeated = operand.getDimSize(d) == 1 && result.getDimSize(d) != 1;
    results.push_back(is_repeated ? mlir::getAffineConstantExpr(0, context) : mlir::getAffineDimExpr(d, context));
  }
  return AffineMap::get(result.getRank(), 0, results, context);
}

void Lower(mlir::Operation* op, Kind kind) {
  const auto result = mlir::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType());
  const llvm::SmallVector<Value> inputs(op->getOperands().take_front(InputCount(op)));
  const auto is_ranked = [](Value value) { return mlir::isa<mlir::RankedTensorType>(value.getType()); };
  if (!result || !llvm::all_of(inputs, is_ranked)) return;
  mlir::ImplicitLocOpBuilder builder(op->getLoc(), op);
  // A dynamic extent is that of the first operand that has one.
  llvm::SmallVector<Value> sizes;
  for (int64_t d = 0; d < result.getRank(); ++d) {
    if (!result.isDynamicDim(d)) continue;
    const auto* from = llvm::find_if(
        inputs, [&](Value input) { return mlir::cast<mlir::RankedTensorType>(input.getType()).isDynamicDim(d); });
    if (from == inputs.end()) return;
    sizes.push_back(mlir::tensor::DimOp::create(builder, *from, d));
  }
  llvm::SmallVector<AffineMap> maps;
  for (const Value input : inputs) maps.push_back(MapOf(mlir::cast<mlir::RankedTensorType>(input.getType()), result));
  maps.push_back(builder.getMultiDimIdentityMap(result.getRank()));
  const Value init = mlir::tensor::EmptyOp::create(builder, result.getShape(), result.getElementType(), sizes);
  auto lowered = mlir::linalg::ElementwiseOp::create(builder, inputs, mlir::ValueRange(init),
                                                     mlir::linalg::ElementwiseKindAttr::get(op->getContext(), kind),
                                                     builder.getAffineMapArrayAttr(maps));
  op->replaceAllUsesWith(lowered);
  op->erase();
}

class TosaToLinalgElementwise
    : public mlir::PassWrapper<TosaToLinalgElementwise, mlir::OperationPass<mlir::func::FuncOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TosaToLinalgElementwise)
  llvm::StringRef getArgument() const override { return "tosa-to-linalg-elementwise"; }
  llvm::StringRef getDescription() const override { return "TOSA's elementwise ops as linalg.elementwise"; }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::linalg::LinalgDialect, mlir::tensor::TensorDialect>();
  }

  void runOnOperation() override {
    llvm::SmallVector<std::pair<mlir::Operation*, Kind>> found;
    getOperation().walk([&](mlir::Operation* op) {
      if (op->getNumOperands() == 0) return;
      if (const std::optional<Kind> kind = KindOf(op)) found.emplace_back(op, *kind);
    });
    for (const auto& [op, kind] : found) Lower(op, kind);
  }
};

}  // namespace

extern "C" mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "elementwise-lowering", "1",
          [] { mlir::PassRegistration<TosaToLinalgElementwise>(); }};
}
