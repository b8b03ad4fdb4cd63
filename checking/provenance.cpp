// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/provenance.h"

#include "absl/strings/str_cat.h"
#include "toolchain/execution/runtime_description.h"
#include "toolchain/features.h"
#include "tosaic_revision.h"

namespace tosaic {

absl::string_view Revision() { return TOSAIC_REVISION; }

Provenance VersionsOf(const Toolchain& toolchain, const std::vector<std::string>& routes) {
  const ToolchainDescription& description = toolchain.description();
  Provenance versions = {.tosaic_revision = std::string(Revision()),
                         .toolchain = description.name,
                         .toolchain_version = description.version,
                         .pipeline = routes.empty() ? "" : description.PipelineOf(routes.front()),
                         .runtime = RuntimeDescription(),
                         .toolchain_directory = description.directory,
                         .features = FeatureNamesOf(toolchain),
                         .plugins = description.plugins};
  if (!description.cpu.empty()) versions.cpu = absl::StrCat(description.cpu, " (", description.cpu_runtime, ")");
  for (size_t i = 1; i < routes.size(); ++i)
    versions.other_pipelines.emplace_back(routes[i], description.PipelineOf(routes[i]));
  return versions;
}

Provenance ProvenanceOf(const std::string& command_line, const Toolchain& toolchain,
                        const std::vector<std::string>& routes) {
  return WithCommandLine(VersionsOf(toolchain, routes), command_line, toolchain);
}

Provenance WithCommandLine(Provenance versions, const std::string& command_line, const Toolchain& toolchain) {
  versions.custom_flags = toolchain.description().custom_flags;
  versions.command_line = command_line;
  return versions;
}

}  // namespace tosaic
