// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MlirVerifier as the factory of deciders.
#include <memory>
#include <vector>

#include "mlir/IR/Block.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "toolchain/diagnostic_category.h"
#include "toolchain/mlir/mlir_builder.h"
#include "toolchain/mlir/mlir_verifier.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

class MlirDecider : public Decider {
 public:
  MlirDecider(mlir::MLIRContext* context, const Program* prototype, absl::Span<const ValueType> types)
      : handler_(context, [this](mlir::Diagnostic& diagnostic) {
          if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error || !answer_.diagnostic.empty()) return;
          answer_.diagnostic = diagnostic.str();
        }) {
    for (const ValueType& type : types) {
      types_.push_back(ToMlirType(context, type));
      block_.addArgument(types_.back(), mlir::UnknownLoc::get(context));
    }
    if (prototype == nullptr) {
      op_ = BuildProbe(&block_, context, {}, types_.front());
      return;
    }
    op_ = BuildOps(&block_, context, *prototype).ops.front();
    for (const mlir::Value operand : op_->getOperands()) {
      if (!mlir::isa<mlir::BlockArgument>(operand)) constants_.push_back(operand);
    }
  }

  // REQUIRES: the program's constants are the op's last operands.
  const Answer& Decide(absl::Span<const size_t> operands, size_t result) override {
    llvm::SmallVector<mlir::Value, 8> values;
    for (const size_t operand : operands) values.push_back(block_.getArgument(static_cast<unsigned>(operand)));
    values.append(constants_);
    op_->setOperands(values);
    op_->getResult(0).setType(types_[result]);
    EnterStage(Stage::kVerify);
    answer_.diagnostic.clear();
    answer_.inferred.reset();
    answer_.accepted = mlir::succeeded(mlir::verify(op_));
    answer_.category.reset();
    if (!answer_.accepted) {
      answer_.category = CategoryOf(answer_.diagnostic);
    } else {
      answer_.inferred = InferType(op_);
      answer_.diagnostic.clear();  // an inference that finds nothing may say why; that is no refusal
    }
    return answer_;
  }

 private:
  Answer answer_;
  mlir::ScopedDiagnosticHandler handler_;
  std::vector<mlir::Type> types_;
  mlir::Block block_;  // an argument per type, the constants, the op
  mlir::Operation* op_ = nullptr;
  llvm::SmallVector<mlir::Value> constants_;
};

}  // namespace

std::unique_ptr<Decider> MlirVerifier::CreateDecider(const Program* prototype, absl::Span<const ValueType> types) {
  return std::make_unique<MlirDecider>(context_, prototype, types);
}

}  // namespace tosaic
