#include "campaign/provenance.h"

namespace tosaic {

Json Versions(const Toolchain& toolchain, const std::string& route) {
  return Json{{"tosaic_revision", TOSAIC_REVISION},
              {"toolchain", toolchain.name()},
              {"toolchain_version", toolchain.version()},
              {"pipeline", toolchain.PipelineOf(route)},
              {"runtime", RuntimeDescription()}};
}

Json Provenance(const std::string& command_line, const Toolchain& toolchain, const std::string& route) {
  Json json = Versions(toolchain, route);
  json["command_line"] = command_line;
  return json;
}

}  // namespace tosaic
