// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A toolchain for another MLIR: its mlir-opt verifies, infers and lowers, its mlir-translate makes LLVM IR, which runs
// in this process's JIT and executor. LLVM IR of a newer LLVM goes through llc or mlir-runner of that version, and the
// object file runs. If these tools are missing, everything before the run is observed. Programs are written in that
// MLIR's version of the dialect (model/dialect.h). It refuses to build programs that the dialect cannot express, and
// cases on routes that it lacks.
//
// One call of a tool has many cases. If the tool does not end normally, each case is run again alone, so the
// observation of a case does not depend on the others.
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_EXTERNAL_TOOLCHAIN_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_EXTERNAL_TOOLCHAIN_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "toolchain/execution/cpu_client.h"
#include "toolchain/external/external_tools.h"
#include "toolchain/route_limit.h"
#include "toolchain/toolchain.h"
#include "workers/tool_process.h"

namespace tosaic {

struct ExternalToolchainOptions {
  std::string pipeline;  // as in MlirToolchainOptions, and so are the plugins
  std::vector<std::string> plugins;
  std::string custom_like;                          // the route that the pipeline is an edit of
  std::vector<std::string> custom_flags;            // for the description
  ToolLimits limits;                                // of one call of a tool
  CpuSettings cpu;                                  // where programs run
  std::vector<RouteLimit>* limits_found = nullptr;  // if set, gets the routes that they lack
};

// Errors: the tools make object files, and programs run on another CPU; or they speak no dialect that Tosaic writes, do
// not run, or do not take the plugins or the pipeline.
absl::StatusOr<std::unique_ptr<Toolchain>> CreateExternalToolchain(const ExternalTools& tools,
                                                                   const ExternalToolchainOptions& options = {});

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_EXTERNAL_TOOLCHAIN_H_
