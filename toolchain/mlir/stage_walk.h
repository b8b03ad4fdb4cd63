// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StageWalk: a program on its way through the stages in this process, with its observation and the errors that MLIR
// emits meanwhile.
#ifndef TOSAIC_TOOLCHAIN_MLIR_STAGE_WALK_H_
#define TOSAIC_TOOLCHAIN_MLIR_STAGE_WALK_H_

#include <string>
#include <vector>

#include "mlir/IR/Diagnostics.h"
#include "model/observation.h"

namespace tosaic {

class StageWalk {
 public:
  explicit StageWalk(mlir::MLIRContext* context);

  void Enter(Stage stage);
  // Ends the walk at its current stage, with the errors so far. Returns false.
  bool End(Outcome outcome);
  // The same, with an additional message of Tosaic's.
  bool End(Outcome outcome, std::string why);

  std::vector<std::string>& errors() { return errors_; }
  Observation observation;

 private:
  std::vector<std::string> errors_;
  mlir::ScopedDiagnosticHandler handler_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_STAGE_WALK_H_
