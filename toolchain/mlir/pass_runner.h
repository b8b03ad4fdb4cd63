// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PassRunner: runs the pass pipelines of routes in one context, with a pass manager for each, and tells which pass
// failed or left IR that does not verify.
#ifndef TOSAIC_TOOLCHAIN_MLIR_PASS_RUNNER_H_
#define TOSAIC_TOOLCHAIN_MLIR_PASS_RUNNER_H_

#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "model/routes.h"
#include "toolchain/mlir/stage_walk.h"

namespace tosaic {

class PassWatch;

class PassRunner {
 public:
  explicit PassRunner(mlir::MLIRContext* context) : context_(context) {}

  // An error if the route's pipeline does not parse.
  absl::Status Parse(const Route& route) { return PipelineFor(route).status(); }
  // Runs a route's pipeline at the current stage. False if the case ends there.
  bool Run(mlir::ModuleOp module, const Route& route, StageWalk& walk);
  // The same for a pipeline without a route; it is cached by its text.
  bool Run(mlir::ModuleOp module, const std::string& pipeline, StageWalk& walk) {
    return Run(module, Route{.name = pipeline, .pipeline = pipeline, .exercises = ""}, walk);
  }

  // Calls `use` with a route that has this pipeline and is otherwise like another route. Then it discards the pipeline,
  // because there may be hundreds.
  template <typename Use>
  auto WithPipeline(absl::string_view pipeline, Route like, Use use) {
    const std::string name = absl::StrCat("through ", pipeline);
    like.name = name;
    like.pipeline = pipeline;
    auto result = use(like);
    pipelines_.erase(name);
    return result;
  }

 private:
  struct Pipeline {
    std::unique_ptr<mlir::PassManager> passes;
    PassWatch* watch = nullptr;  // owned by the pass manager
  };
  absl::StatusOr<Pipeline*> PipelineFor(const Route& route);

  mlir::MLIRContext* const context_;
  std::map<std::string, Pipeline> pipelines_;  // by name of a route
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_PASS_RUNNER_H_
