// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/checking/provenance.h"

#include "toolchain/execution/runtime_description.h"
#include "tosaic_revision.h"

namespace tosaic {

absl::string_view Revision() { return TOSAIC_REVISION; }

Json Versions(const Toolchain& toolchain, const std::vector<std::string>& routes) {
  const ToolchainDescription& is = toolchain.description();
  Json json{{"tosaic_revision", Revision()},
            {"toolchain", is.name},
            {"toolchain_version", is.version},
            {"pipeline", is.PipelineOf(routes.front())},
            {"runtime", RuntimeDescription()}};
  if (!is.directory.empty()) json["toolchain_directory"] = is.directory;
  for (size_t i = 1; i < routes.size(); ++i) json["other_pipelines"][routes[i]] = is.PipelineOf(routes[i]);
  if (!is.plugins.empty()) json["plugins"] = is.plugins;
  return json;
}

Json Provenance(const std::string& command_line, const Toolchain& toolchain, const std::vector<std::string>& routes) {
  Json json = Versions(toolchain, routes);
  json["command_line"] = command_line;
  return json;
}

}  // namespace tosaic
