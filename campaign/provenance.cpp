#include "campaign/provenance.h"

namespace tosaic {

Json Provenance(const std::string& command_line, const Toolchain& toolchain) {
  Json json;
  json["command_line"] = command_line;
  json["tosaic_revision"] = TOSAIC_REVISION;
  json["toolchain"] = toolchain.name();
  json["toolchain_version"] = toolchain.version();
  json["runtime"] = RuntimeDescription();
  return json;
}

}  // namespace tosaic
