// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of a toolchain of MLIR, whether that MLIR is in this process, in tools or in a library.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_TOOLCHAIN_OPTIONS_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_TOOLCHAIN_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/validation_target.h"
#include "toolchain/execution/cpu_client.h"
#include "toolchain/toolchain.h"
#include "workers/tool_process.h"
#include "workers/worker_pool.h"

namespace tosaic {

struct ToolchainOptions {
  // If not empty, the pipeline of the route kCustomRoute; an error if it does not parse.
  std::string pipeline;
  // Not empty: the route that the pipeline is an edit of. In this process, kCustomRoute is like it in all but that.
  std::string custom_like;
  std::vector<std::string> custom_flags;  // for the description
  // Files of pass plugins (mlir/Tools/Plugins/PassPlugin.h), loaded before any pipeline is parsed; an error if one
  // does not load. A library takes none.
  std::vector<std::string> plugins;
  // If set, Observe only asks the second verifier: ObserveValidation for this target. Tools take none.
  std::optional<ValidationTarget> validation;
  // If it is not set, cases on a route that calls a library end with kToolFailure. Tools have no such route.
  LibraryFunction library_function;
  WorkerLimits limits;  // of one call of a tool, or of one question to a library; of a tool's memory: ToolLimits
  uint64_t output_bytes = ToolLimits().output_bytes;  // of one call of a tool
  std::string worker;  // for a library: the program tosaic-capi-worker; empty: the one beside this program
  CpuSettings cpu;     // where programs run; a library makes code for this machine's alone
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_TOOLCHAIN_OPTIONS_H_
