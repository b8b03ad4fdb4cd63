// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass plugin that is right: sin(x) becomes -sin(-x). Where MLIR's approximation of the sine is wrong for negative
// arguments, it then is for positive ones. With `wrong` it also makes a mistake of its own, between 1.1 and 1.3.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

namespace {

using mlir::Value;

class NegatedSine : public mlir::PassWrapper<NegatedSine, mlir::OperationPass<mlir::func::FuncOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NegatedSine)
  NegatedSine() = default;
  NegatedSine(const NegatedSine& other) : PassWrapper(other) {}
  llvm::StringRef getArgument() const override { return "tosaic-negated-sine"; }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::math::MathDialect>();
  }

  void runOnOperation() override {
    llvm::SmallVector<mlir::math::SinOp> sines;
    getOperation().walk([&](mlir::math::SinOp sine) { sines.push_back(sine); });
    for (mlir::math::SinOp sine : sines) {
      mlir::OpBuilder builder(sine);
      sine.replaceAllUsesWith(ResultOf(builder, sine.getLoc(), sine.getOperand()));
      sine.erase();
    }
  }

 private:
  Value ResultOf(mlir::OpBuilder& builder, mlir::Location where, Value x) {
    namespace arith = mlir::arith;
    const auto number = [&](double value) -> Value {
      return arith::ConstantOp::create(builder, where, builder.getFloatAttr(x.getType(), value));
    };
    const Value negated = arith::NegFOp::create(builder, where, x);
    Value result = arith::NegFOp::create(builder, where, mlir::math::SinOp::create(builder, where, negated));
    if (!wrong_) return result;
    const Value above = arith::CmpFOp::create(builder, where, arith::CmpFPredicate::OGT, x, number(1.1));
    const Value below = arith::CmpFOp::create(builder, where, arith::CmpFPredicate::OLT, x, number(1.3));
    const Value between = arith::AndIOp::create(builder, where, above, below);
    const Value off = arith::MulFOp::create(builder, where, result, number(1.01));
    return arith::SelectOp::create(builder, where, between, off, result);
  }

  Option<bool> wrong_{*this, "wrong", llvm::cl::desc("make a mistake"), llvm::cl::init(false)};
};

}  // namespace

extern "C" mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "tosaic-negated-sine", "1", [] { mlir::PassRegistration<NegatedSine>(); }};
}
