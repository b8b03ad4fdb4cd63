// tosaic list-routes: every route with its pass pipelines, as text, JSON or Markdown (README's table).
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/json.h"
#include "model/routes.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

// The pipelines of the versions that have the route.
Json Pipelines(absl::string_view name) {
  Json pipelines = Json::object();
  for (const DialectInfo& dialect : AllDialects()) {
    for (const Route& route : RoutesOf(dialect.dialect)) {
      if (route.name == name) pipelines[absl::StrCat(dialect.version)] = std::string(route.pipeline);
    }
  }
  return pipelines;
}

Json ToJson(const Route& route) {
  return Json{{"route", std::string(route.name)},
              {"exercises", std::string(route.exercises)},
              {"weight", route.weight},
              {"properties", Properties(route)},
              {"pipelines", Pipelines(route.name)}};
}

void PrintRoutes(ListForm form) {
  if (form == ListForm::kJson) {
    Json routes = Json::array();
    for (const Route& route : AllRoutes()) routes.push_back(ToJson(route));
    std::printf("%s\n", Dump(routes, 2).c_str());
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

void AddListRoutes(CLI::App& app, CommandLine& command_line) {
  AddListing(app, command_line, "list-routes", "every route: its pass pipeline, what it exercises", PrintRoutes);
}

}  // namespace tosaic
