// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic list-routes: every route with its pass pipelines, as text, JSON or Markdown (docs/routes.md).
#include <cstdio>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/codec.h"
#include "model/json.h"
#include "model/routes.h"
#include "tools/printed.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

// The pipelines of the versions that have the route.
std::map<std::string, std::string> Pipelines(absl::string_view name) {
  std::map<std::string, std::string> pipelines;
  for (const DialectInfo& dialect : AllDialects()) {
    for (const Route& route : RoutesOf(dialect.dialect)) {
      if (route.name == name) pipelines[absl::StrCat(dialect.version)] = std::string(route.pipeline);
    }
  }
  return pipelines;
}

}  // namespace

void Fields(Visitor& v, Route& route) {
  v.Derived("route", std::string(route.name));
  v.Derived("exercises", std::string(route.exercises));
  v("weight", route.weight);
  v.Derived("properties", Properties(route));
  v.Derived("pipelines", Pipelines(route.name));
}

namespace {

void PrintRoutes(ListForm form) {
  if (form == ListForm::kJson) {
    std::printf("%s\n", Dump(ToJson(std::vector(AllRoutes().begin(), AllRoutes().end())), 2).c_str());
    return;
  }
  std::string out = form == ListForm::kMarkdown ? "| route | what it exercises |\n|---|---|\n" : "";
  for (const Route& route : AllRoutes()) {
    if (form == ListForm::kMarkdown) {
      absl::StrAppend(&out, "| `", route.name, "` | ", route.exercises, " |\n");
    } else {
      const std::string properties = absl::StrJoin(Properties(route), ", ");
      absl::StrAppend(&out, route.name, ": ", route.exercises, "\n  weight ", route.weight,
                      properties.empty() ? "" : ", ", properties, "\n  ", route.pipeline, "\n");
    }
  }
  std::printf("%s", out.c_str());
}

}  // namespace

Json SchemaOfListRoutes() { return Schema<Route>(); }

void AddListRoutes(CLI::App& app, CommandLine& command_line) {
  AddListing(app, command_line, "list-routes", "print every route: its pass pipeline, and what it exercises",
             PrintRoutes);
}

}  // namespace tosaic
