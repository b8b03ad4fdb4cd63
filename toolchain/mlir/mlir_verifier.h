// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages build, verify and infer in this process, and the passes of TOSA that judge a program.
#ifndef TOSAIC_TOOLCHAIN_MLIR_MLIR_VERIFIER_H_
#define TOSAIC_TOOLCHAIN_MLIR_MLIR_VERIFIER_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "model/program.h"
#include "model/validation_target.h"
#include "toolchain/capabilities.h"
#include "toolchain/mlir/mlir_builder.h"
#include "toolchain/mlir/pass_runner.h"
#include "toolchain/mlir/stage_walk.h"

namespace tosaic {

// Stages build and verify. False if they end the walk.
bool BuildAndVerify(mlir::MLIRContext* context, const Program& program, BuiltModule* built, StageWalk& walk);

// The type that the op's own shape inference gives.
std::optional<TensorType> InferType(mlir::Operation* op);
// Stage infer.
void Infer(const std::vector<mlir::Operation*>& ops, StageWalk& walk);

// The probe with these operands at the block's end.
mlir::Operation* BuildProbe(mlir::Block* block, mlir::MLIRContext* context, mlir::ValueRange operands,
                            mlir::Type result);

class MlirVerifier : public Verifier, public DeciderFactory {
 public:
  MlirVerifier(mlir::MLIRContext* context, PassRunner* passes) : context_(context), passes_(passes) {}
  Observation ObserveDecision(const Program& program) override;
  Observation ObserveProbe(const OpSignature& probe) override;
  Observation ObserveValidation(const Program& program, const ValidationTarget& target) override;
  std::unique_ptr<Decider> CreateDecider(const Program* prototype, absl::Span<const ValueType> types) override;

 private:
  mlir::MLIRContext* const context_;
  PassRunner* const passes_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_MLIR_VERIFIER_H_
