// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out before the first case what tools can do, and whether they accept what a user gives.
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_TOOL_SETUP_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_TOOL_SETUP_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/routes.h"
#include "toolchain/external/tool_calls.h"
#include "toolchain/external/tool_walk.h"

namespace tosaic {

// Has mlir-opt load these files from now on. Returns a line about each, or what is wrong with one.
absl::StatusOr<std::vector<std::string>> LoadPlugins(const std::vector<std::string>& files, ToolCalls* calls);

// Whether the tools take a pass pipeline.
absl::Status CheckPipeline(const std::string& pipeline, const ToolCalls& calls);

// The routes whose passes and options the tools have. If there are none, it returns all, and *limits says that nothing
// is lowered.
std::vector<const Route*> RoutesThatParse(std::vector<const Route*> routes, const ToolCalls& calls,
                                          ToolLimitsFound* limits);

// Checks that mlir-opt refuses what no MLIR accepts, and folds what every MLIR folds. A program that only returned its
// input would otherwise look like a toolchain that accepts everything.
absl::Status CheckThatItDecides(const ToolCalls& calls);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_TOOL_SETUP_H_
