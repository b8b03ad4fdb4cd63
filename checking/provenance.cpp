// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/provenance.h"

#include "absl/strings/str_cat.h"
#include "toolchain/execution/compiled_program.h"
#include "toolchain/features.h"
#include "tosaic_revision.h"

namespace tosaic {

absl::string_view Revision() { return TOSAIC_REVISION; }

std::vector<std::string> FlagsOf(const Policies& policies) {
  const auto& [strict_static_result, spec_version, strict_values, dialect] = policies;
  std::vector<std::string> flags;
  if (strict_static_result) flags.emplace_back("--strict-static-result");
  if (strict_values) flags.emplace_back("--strict-values");
  if (spec_version != Policies().spec_version) flags.push_back(absl::StrCat("--spec-version=", Name(spec_version)));
  return flags;
}

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
                        const std::vector<std::string>& routes, const Policies& policies) {
  return WithCommandLine(VersionsOf(toolchain, routes), command_line, toolchain, policies);
}

Provenance WithCommandLine(Provenance versions, const std::string& command_line, const Toolchain& toolchain,
                           const Policies& policies) {
  versions.custom_flags = toolchain.description().custom_flags;
  versions.policies = FlagsOf(policies);
  versions.command_line = command_line;
  return versions;
}

}  // namespace tosaic
