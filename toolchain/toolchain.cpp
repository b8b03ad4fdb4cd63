// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/toolchain.h"

namespace tosaic {

std::string ToolchainDescription::PipelineOf(absl::string_view route) const {
  if (!only_pipeline.empty()) return only_pipeline;
  if (route == kCustomRoute) return custom_pipeline;
  const Route* found = FindRoute(routes, route);
  return found == nullptr ? "" : std::string(found->pipeline);
}

}  // namespace tosaic
