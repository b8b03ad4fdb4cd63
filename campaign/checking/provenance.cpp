#include "campaign/checking/provenance.h"

#include "toolchain/execution/runtime_description.h"

namespace tosaic {

Json Versions(const Toolchain& toolchain, const std::vector<std::string>& routes) {
  Json json{{"tosaic_revision", TOSAIC_REVISION},
            {"toolchain", toolchain.name()},
            {"toolchain_version", toolchain.version()},
            {"pipeline", toolchain.PipelineOf(routes.front())},
            {"runtime", RuntimeDescription()}};
  if (!toolchain.directory().empty()) json["toolchain_directory"] = toolchain.directory();
  for (size_t i = 1; i < routes.size(); ++i) json["other_pipelines"][routes[i]] = toolchain.PipelineOf(routes[i]);
  if (!toolchain.plugins().empty()) json["plugins"] = toolchain.plugins();
  return json;
}

Json Provenance(const std::string& command_line, const Toolchain& toolchain, const std::vector<std::string>& routes) {
  Json json = Versions(toolchain, routes);
  json["command_line"] = command_line;
  return json;
}

}  // namespace tosaic
