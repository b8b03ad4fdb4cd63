// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages from build to execute in this process: each route's passes, the translation to LLVM IR, and running the
// result.
#ifndef TOSAIC_TOOLCHAIN_MLIR_MLIR_LOWERING_H_
#define TOSAIC_TOOLCHAIN_MLIR_MLIR_LOWERING_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mlir/IR/MLIRContext.h"
#include "toolchain/capabilities.h"
#include "toolchain/execution/code_runner.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/mlir/pass_runner.h"
#include "toolchain/mlir/stage_walk.h"
#include "toolchain/named_routes.h"

namespace tosaic {

class MlirLowering : public Lowering {
 public:
  // The objects that it points to and the options must outlive it.
  MlirLowering(mlir::MLIRContext* context, PassRunner* passes, const ToolchainOptions& options);
  // Prepares what every route needs; other pipelines and JITs are prepared for their first case. What the CPU lacks is
  // taken out of the description. Errors: the custom pipeline does not parse, or the CPU's server does not start.
  absl::Status Prepare(ToolchainDescription* description);

  // Toolchain::Observe.
  Observation Observe(const Case& test_case);
  Observation ObserveThrough(const Case& test_case, absl::string_view pipeline) override;
  absl::StatusOr<std::string> LowerText(absl::string_view mlir, absl::string_view pipeline, bool to_llvm_ir) override;
  absl::StatusOr<std::string> LowerTextHere(absl::string_view mlir, absl::string_view pipeline,
                                            bool to_llvm_ir) override;

 private:
  Observation ObserveOn(const Route& route, const Case& test_case);
  // The result of the route for the case; nothing if the case ends there.
  std::optional<CompiledProgram> Lower(const Route& route, const Case& test_case, StageWalk& walk);

  mlir::MLIRContext* const context_;
  PassRunner* const passes_;
  const std::vector<const Route*> in_process_;
  const NamedRoutes routes_;
  LibraryFunction library_function_;
  CodeRunner code_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_MLIR_LOWERING_H_
