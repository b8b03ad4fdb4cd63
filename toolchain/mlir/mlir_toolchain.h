// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The MLIR that Tosaic is linked to, as a toolchain in this process.
#ifndef TOSAIC_TOOLCHAIN_MLIR_MLIR_TOOLCHAIN_H_
#define TOSAIC_TOOLCHAIN_MLIR_MLIR_TOOLCHAIN_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/dialect.h"
#include "model/validation_target.h"
#include "toolchain/execution/cpu_client.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// The MLIR that Tosaic is linked to: its name ("mlir-22"), and its dialect.
const std::string& NameInProcess();
Dialect DialectInProcess();
// Its routes, in the order of AllRoutes.
std::vector<const Route*> RoutesInProcess();

// The passes and pass pipelines among these names that this MLIR does not have, or does not have before a plugin is
// loaded.
std::vector<std::string> PassesUnknownInProcess(const std::vector<std::string>& names);

struct MlirToolchainOptions {
  // If not empty, the pipeline of the route kCustomRoute; an error if it does not parse.
  std::string pipeline;
  std::vector<std::string> custom_flags;  // for the description
  // Not empty: the route that kCustomRoute is like in all but the pipeline.
  std::string custom_like;
  // Files of pass plugins (mlir/Tools/Plugins/PassPlugin.h), loaded before any pipeline is parsed; an error if one
  // does not load.
  std::vector<std::string> plugins;
  // If set, Observe only asks the second verifier: ObserveValidation for this target.
  std::optional<ValidationTarget> validation;
  // If it is not set, cases on a route that calls a library end with kToolFailure.
  LibraryFunction library_function;
  CpuSettings cpu;  // where programs run
};

// The MLIR that Tosaic is linked to, in this process: one context, one pass manager per route, one target machine
// (plain x86-64) and one JIT, all reused.
absl::StatusOr<std::unique_ptr<Toolchain>> CreateMlirToolchain(const MlirToolchainOptions& options = {});

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_MLIR_TOOLCHAIN_H_
