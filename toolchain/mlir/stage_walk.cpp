// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/stage_walk.h"

#include <utility>

#include "toolchain/diagnostic_category.h"
#include "toolchain/progress.h"

namespace tosaic {

StageWalk::StageWalk(mlir::MLIRContext* context)
    : handler_(context, [this](mlir::Diagnostic& diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) errors_.push_back(diagnostic.str());
        return mlir::success();
      }) {}

void StageWalk::Enter(Stage stage) { EnterStage(stage, &observation); }

bool StageWalk::End(Outcome outcome) {
  observation.outcome = outcome;
  observation.diagnostics = std::move(errors_);
  if (outcome == Outcome::kRefused && observation.stage <= Stage::kVerify) {
    observation.category = CategoryOf(observation.diagnostics.empty() ? "" : observation.diagnostics.front());
  }
  return false;
}

bool StageWalk::End(Outcome outcome, std::string why) {
  errors_.push_back(std::move(why));
  return End(outcome);
}

}  // namespace tosaic
