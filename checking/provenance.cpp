// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/provenance.h"

#include <optional>

#include "codec/codec.h"
#include "toolchain/execution/runtime_description.h"
#include "tosaic_revision.h"

namespace tosaic {

absl::string_view Revision() { return TOSAIC_REVISION; }

namespace {

struct Origin {
  ToolchainDescription toolchain;
  std::vector<std::string> routes;
  std::optional<std::string> command_line;
};

void Fields(Visitor& v, Origin& origin) {
  ToolchainDescription& is = origin.toolchain;
  const auto& routes = origin.routes;
  nlohmann::ordered_map<std::string, std::string> others;
  for (size_t i = 1; i < routes.size(); ++i) others[routes[i]] = is.PipelineOf(routes[i]);
  v.Derived("tosaic_revision", std::string(Revision()), "the commit; `unknown` if it was not built from a clone");
  v.Derived("toolchain", is.name);
  v.Derived("toolchain_version", is.version);
  v.Derived("pipeline", routes.empty() ? "" : is.PipelineOf(routes.front()), "the pass pipeline of the first route");
  v.Derived("runtime", RuntimeDescription(), "the versions that are linked");
  v.Optional("toolchain_directory", is.directory, "the directory of a toolchain outside this process");
  v.Optional("other_pipelines", others, "the pass pipelines by route, if there are several");
  v.Optional("plugins", is.plugins, "pass plugins that are loaded");
  // Paths are of a machine, so they are no part of what decides verdicts.
  std::vector<std::string> flags = origin.command_line ? is.custom_flags : std::vector<std::string>();
  v.Optional("custom_flags", flags, "the flags that give the route `custom`, with full paths");
  v.Optional("command_line", origin.command_line);
}

}  // namespace

Json Versions(const Toolchain& toolchain, const std::vector<std::string>& routes) {
  return ToJson(Origin{toolchain.description(), routes, std::nullopt});
}

Json Provenance(const std::string& command_line, const Toolchain& toolchain, const std::vector<std::string>& routes) {
  return ToJson(Origin{toolchain.description(), routes, command_line});
}

Json SchemaOfProvenance() { return Schema<Origin>(); }

}  // namespace tosaic
