// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/provenance.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

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
  v.Optional("policies", provenance.policies,
             "the flags by which the documents are read otherwise than by default: `--strict-values`");
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

std::string CpuNameOf(const Provenance& provenance) { return provenance.cpu.substr(0, provenance.cpu.find(' ')); }

absl::Status CheckSamePolicies(const Provenance& base, const Provenance& patch) {
  if (base.policies == patch.policies) return absl::OkStatus();
  const auto flags = [](const Provenance& of) {
    return of.policies.empty() ? "none of these flags" : absl::StrJoin(of.policies, " ");
  };
  return absl::InvalidArgumentError(absl::StrCat("the documents are not read alike: the base's command has ",
                                                 flags(base), ", the patch's ", flags(patch),
                                                 "; run both with the same"));
}

absl::Status CheckReplayedAlike(const Provenance& first, const Provenance& other) {
  const auto flags = [](const Provenance& of) {
    std::vector<std::string> flags = {absl::StrCat("--toolchain=", of.toolchain)};
    if (!of.cpu.empty()) flags.push_back(absl::StrCat("--cpu=", CpuNameOf(of)));
    flags.insert(flags.end(), of.policies.begin(), of.policies.end());
    flags.insert(flags.end(), of.custom_flags.begin(), of.custom_flags.end());
    return absl::StrJoin(flags, " ");
  };
  if (flags(first) == flags(other)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("its findings are replayed with ", flags(other),
                                                 ", those of the first with ", flags(first), ": merge them apart"));
}

}  // namespace tosaic
