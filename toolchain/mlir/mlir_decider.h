// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deciders of the MLIR in this process.
#ifndef TOSAIC_TOOLCHAIN_MLIR_MLIR_DECIDER_H_
#define TOSAIC_TOOLCHAIN_MLIR_MLIR_DECIDER_H_

#include <memory>

#include "mlir/IR/MLIRContext.h"
#include "toolchain/capabilities.h"

namespace tosaic {

class MlirDeciders : public DeciderFactory {
 public:
  explicit MlirDeciders(mlir::MLIRContext* context) : context_(context) {}
  std::unique_ptr<Decider> CreateDecider(const Program* prototype, absl::Span<const ValueType> types) override;

 private:
  mlir::MLIRContext* const context_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_MLIR_DECIDER_H_
