// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/provenance.h"

#include "absl/strings/str_cat.h"

namespace tosaic {

void Fields(Visitor& v, Provenance& provenance) {
  auto& pipelines = provenance.other_pipelines;
  nlohmann::ordered_map<std::string, std::string> by_route(pipelines.begin(), pipelines.end());
  v.Type("provenance");
  v.MayLack("tosaic_revision", provenance.tosaic_revision, "the commit; `unknown` if it was not built from a clone");
  v.MayLack("toolchain", provenance.toolchain);
  v.MayLack("toolchain_version", provenance.toolchain_version);
  v.MayLack("pipeline", provenance.pipeline, "the pass pipeline of the first route");
  v.MayLack("runtime", provenance.runtime, "the versions that are linked");
  v.Optional("toolchain_directory", provenance.toolchain_directory,
             "the directory of a toolchain outside this process");
  v.Optional("other_pipelines", by_route, "the pass pipelines by route, if there are several");
  v.Optional("features", provenance.features,
             "what the toolchain has of what the dialect got since MLIR 22: each was tried (toolchain/features.def)");
  v.Optional("plugins", provenance.plugins, "pass plugins that are loaded: file, name, version and MD5 of each");
  v.Optional("cpu", provenance.cpu,
             "the CPU that runs the programs, if it is not the machine's: `--cpu`, and what they run on");
  v.Optional("custom_flags", provenance.custom_flags, "the flags that give the route `custom`, with full paths");
  v.Optional("command_line", provenance.command_line);
  if (v.IsReading()) pipelines.assign(by_route.begin(), by_route.end());
}

std::vector<std::string> CustomFlagsOf(const Provenance& provenance) {
  if (!provenance.custom_flags.empty() || provenance.pipeline.empty()) return provenance.custom_flags;
  std::vector<std::string> flags;
  for (const std::string& plugin : provenance.plugins) {
    flags.push_back(absl::StrCat("--load-pass-plugin=", plugin.substr(0, plugin.rfind(" ("))));
  }
  flags.push_back(absl::StrCat("--pipeline=", provenance.pipeline));
  return flags;
}

}  // namespace tosaic
