// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic toolchains: what this machine has to test, and what each can do.
#include <cstdio>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/escape.h"
#include "model/json.h"
#include "toolchain/capi/capi_toolchain.h"
#include "toolchain/external/dated_build.h"
#include "toolchain/external/external_toolchain.h"
#include "toolchain/features.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "tools/printed.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

struct Listed {
  std::string name;
  std::string version;
  std::string directory;  // empty: in this process
  std::string running;    // of tools: how the lowered code is executed
  std::string problem;    // not empty: it cannot be used, and nothing below is known
  int dialect = 0;
  size_t ops = 0;
  std::vector<std::string> routes;
  std::vector<std::string> features;  // what it has of what the dialect got since MLIR 22
  std::vector<Unspoken> unspoken;     // which parts of the dialect it does not read
  std::vector<RouteLimit> limits;     // of an MLIR that was asked: what its routes cannot do
};

// Why routes cannot be used, or not as others can, by their names.
using WhyByRoute = nlohmann::ordered_map<std::string, std::string>;

WhyByRoute Limits(const Listed& listed, bool is_missing) {
  WhyByRoute why;
  for (const RouteLimit& limit : listed.limits) {
    if (limit.is_missing == is_missing) why[limit.route] = limit.why;
  }
  return why;
}

// The same for people: each reason once, with all routes that have it.
nlohmann::ordered_map<std::string, std::vector<std::string>> RoutesByLimit(const Listed& listed) {
  nlohmann::ordered_map<std::string, std::vector<std::string>> routes;
  for (const RouteLimit& limit : listed.limits) {
    routes[absl::StrCat(limit.is_missing ? "" : "for static shapes alone: ", limit.why)].push_back(limit.route);
  }
  return routes;
}

std::vector<std::string> Texts(const std::vector<Unspoken>& unspoken) {
  std::vector<std::string> texts;
  for (const Unspoken& unspoken_name : unspoken) texts.push_back(ToString(unspoken_name));
  return texts;
}

void Fields(Visitor& v, Listed& listed) {
  const bool is_usable = listed.problem.empty();
  v("name", listed.name, "its name, as --toolchain takes it");
  v("version", listed.version);
  v("directory", listed.directory, "the directory of the tools; empty if MLIR is in this process");
  v.Optional("problem", listed.problem, "why it cannot be used; all further keys are absent then");
  v.DerivedIf(is_usable, "dialect", listed.dialect, "the version of MLIR whose dialect it has");
  v.DerivedIf(is_usable, "ops", listed.ops, "how many ops of the catalogue it has");
  v.Optional("runs", listed.running, "of tools: how the lowered code is executed");
  v.DerivedIf(is_usable, "routes", listed.routes);
  v.Optional("features", listed.features,
             "what it has of what the dialect got since MLIR 22: each was tried (toolchain/features.def)");
  v.Optional("not_in_dialect", Texts(listed.unspoken), "which ops and attributes of the dialect it does not read");
  v.Optional("missing_routes", Limits(listed, true), "of an MLIR that was asked: why these routes are missing");
  v.Optional("static_routes", Limits(listed, false),
             "of a library with MLIR's C API: why these routes take static shapes only");
}

void Describe(const Toolchain& toolchain, Listed* listed) {
  const ToolchainDescription& description = toolchain.description();
  listed->dialect = Info(description.dialect).version;
  listed->unspoken = description.unspoken;
  listed->limits = description.limits;
  listed->features = FeatureNamesOf(toolchain);
  for (const OpInfo& op : AllOps()) {
    listed->ops += NameIn(op, description.dialect).empty() || IsUnspoken(op.kind, description.unspoken) ? 0 : 1;
  }
  for (const Route* route : description.routes) listed->routes.emplace_back(route->name);
}

void ListLibrary(const CapiLibrary& library, std::vector<Listed>* all) {
  Listed listed = {.name = library.name, .version = library.package, .directory = library.file};
  const absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = CreateCapiToolchain(library);
  if (toolchain.ok()) {
    listed.version = (*toolchain)->description().version;
    Describe(**toolchain, &listed);
  } else {
    listed.problem = std::string(toolchain.status().message());
  }
  all->push_back(std::move(listed));
}

absl::StatusOr<std::vector<Listed>> ListAll() {
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> in_process, CreateMlirToolchain());
  std::vector<Listed> all;
  const ToolchainDescription& own = in_process->description();
  all.push_back({.name = own.name, .version = own.version});
  Describe(*in_process, &all.back());
  for (const ExternalTools& tools : ListTools()) {
    all.push_back({.name = tools.name(),
                   .version = absl::StrCat("LLVM ", tools.version),
                   .directory = tools.directory,
                   .running = tools.running()});
    const absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = CreateExternalToolchain(tools);
    if (toolchain.ok()) {
      Describe(**toolchain, &all.back());
      const WhyByRoute missing = Limits(all.back(), true);
      std::erase_if(all.back().routes, [&](const std::string& route) { return missing.count(route) > 0; });
    } else {
      all.back().problem = std::string(toolchain.status().message());
    }
  }
  for (const CapiLibrary& archived : ListArchivedTrunks()) ListLibrary(archived, &all);
  if (const std::optional<CapiLibrary> trunk = FindTrunk()) ListLibrary(*trunk, &all);
  return all;
}

absl::StatusOr<int> RunToolchains(bool as_json) {
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<Listed> all, ListAll());
  if (as_json) {
    std::printf("%s\n", Dump(ToJson(all), 2).c_str());
    return kExitAgree;
  }
  for (const Listed& listed : all) {
    const std::string where = listed.directory.empty() ? "in this process" : listed.directory;
    std::printf("%-15s %-12s %s\n", listed.name.c_str(), OneLine(listed.version).c_str(), OneLine(where).c_str());
    if (!listed.problem.empty()) {
      std::printf("  cannot be used: %s\n", OneLine(listed.problem).c_str());
      continue;
    }
    std::printf("  dialect of MLIR %d: %zu of %zu ops\n  routes: %s\n", listed.dialect, listed.ops, AllOps().size(),
                listed.routes.empty() ? "none" : absl::StrJoin(listed.routes, ", ").c_str());
    if (!listed.features.empty()) {
      std::printf("  newer than MLIR 22: %s\n", absl::StrJoin(listed.features, ", ").c_str());
    }
    for (const Unspoken& unspoken_name : listed.unspoken)
      std::printf("  not in this dialect: %s\n", ToString(unspoken_name).c_str());
    if (!listed.running.empty()) std::printf("  runs: %s\n", listed.running.c_str());
    for (const auto& [why, routes] : RoutesByLimit(listed)) {
      std::printf("  %s %s: %s\n", routes.size() == 1 ? "route" : "routes", absl::StrJoin(routes, ", ").c_str(),
                  why.c_str());
    }
  }
  if (const std::vector<DatedBuild> dated = ListDatedBuilds(); !dated.empty()) {
    std::printf("%-15s %s to %s: dated builds, for 'tosaic history'; by name:\n ",
                absl::StrCat(dated.size(), " of PyPI").c_str(), dated.front().date.c_str(), dated.back().date.c_str());
    for (const DatedBuild& build : dated) std::printf(" %s", build.name.c_str());
    std::printf("\n");
  }
  return kExitAgree;
}

}  // namespace

Json SchemaOfToolchains() { return Schema<Listed>(); }

void AddToolchains(CLI::App& app, CommandLine& command_line) {
  CLI::App* toolchains = app.add_subcommand("toolchains", "list the MLIRs of this machine that --toolchain can name");
  auto json = std::make_shared<bool>(false);
  toolchains->add_flag("--json", *json, "as JSON");
  toolchains->callback([json, &command_line] { command_line.action = [json] { return RunToolchains(*json); }; });
}

}  // namespace tosaic
