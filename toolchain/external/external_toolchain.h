// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The toolchain of another MLIR: its mlir-opt verifies, infers and lowers, its mlir-translate makes LLVM IR, and that
// runs in this process's JIT and executor. LLVM IR of a newer LLVM goes through llc or mlir-runner of that version, and
// the object file runs. Where none of these is, all before the run is observed. Programs are written in the words of
// its dialect (model/dialect.h); what that cannot say, or a route that it does not have, it refuses to build.
//
// Many cases go into one call of a tool. A case in whose company the tool does not end as it should is asked again
// alone, so what is observed of a case is the same in any company.
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_EXTERNAL_TOOLCHAIN_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_EXTERNAL_TOOLCHAIN_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "toolchain/external/external_tools.h"
#include "toolchain/external/spoken_dialect.h"
#include "toolchain/route_limit.h"
#include "toolchain/toolchain.h"
#include "workers/tool_process.h"

namespace tosaic {

struct ExternalToolchainOptions {
  std::string pipeline;  // as in MlirToolchainOptions, and so are the plugins
  std::vector<std::string> plugins;
  ToolLimits limits;                                // of one call of a tool
  std::vector<Unspoken>* unspoken_found = nullptr;  // if set, takes what of the dialect the tools do not read
  std::vector<RouteLimit>* limits_found = nullptr;  // if set, takes the routes that they lack
};

// Errors: the tools speak no dialect that Tosaic writes, do not run, or do not take the plugins or the pipeline.
absl::StatusOr<std::unique_ptr<Toolchain>> CreateExternalToolchain(const ExternalTools& tools,
                                                                   const ExternalToolchainOptions& options = {});

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_EXTERNAL_TOOLCHAIN_H_
