// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/untested_routes.h"

#include "absl/algorithm/container.h"
#include "model/routes.h"

namespace tosaic {
namespace {

// Why the toolchain does not have the route; empty if nobody misses it.
std::string WhyUntested(const Route& route, const std::vector<RouteLimit>& limits) {
  for (const RouteLimit& limit : limits) {
    if (limit.is_missing && limit.route == route.name) return limit.why;
  }
  if (route.weight == 0) return "";
  return route.in_process ? "needs MLIR in Tosaic's own process" : "not of this toolchain";
}

}  // namespace

std::vector<UntestedRoute> UntestedRoutes(const std::vector<std::pair<std::string, int>>& taken,
                                          const ToolchainDescription& toolchain) {
  const auto is_taken = [&](const Route* route) {
    return absl::c_any_of(taken, [&](const auto& entry) { return entry.first == route->name; });
  };
  const bool is_mix =
      absl::c_all_of(toolchain.routes, [&](const Route* route) { return route->weight == 0 || is_taken(route); });
  // A toolchain with one route, as an adapter is, mixes nothing.
  if (!is_mix || (toolchain.routes.size() < 2 && toolchain.limits.empty())) return {};
  std::vector<UntestedRoute> untested;
  for (const Route& route : RoutesOf(toolchain.dialect)) {
    if (FindRoute(toolchain.routes, route.name) != nullptr) continue;
    std::string why = WhyUntested(route, toolchain.limits);
    if (!why.empty()) untested.push_back({std::string(route.name), std::move(why)});
  }
  absl::c_sort(untested);
  return untested;
}

}  // namespace tosaic
