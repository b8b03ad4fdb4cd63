// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Composes each route's pipeline of segments: those of `loops`, unless its row (route_rows.cpp) has others.
#include "model/routes.h"

#include <deque>
#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "model/pass_pipeline.h"
#include "model/pass_sequence.h"
#include "model/route_rows.h"

namespace tosaic {
namespace {

std::string PipelineOf(const Segments& s) {
  return ChainPipelines(
      {s.on_tosa, s.to_linalg, s.on_tensors, s.to_buffers, s.on_buffers, s.to_loops, s.on_loops, s.to_llvm});
}

void Apply(const Differences& differences, Segments* segments) {
  for (const auto& [segment, passes] : differences) segments->*segment = passes;
}

// The routes of one version of MLIR, and the texts that they point to.
struct Composed {
  Segments loops = Loops();
  std::map<absl::string_view, Differences> of_routes;
  size_t alignment = 0;
  std::deque<std::string> pipelines;
  std::vector<Route> routes;
  std::string stages;                                   // the pipeline of sequences, with places for their passes
  std::map<std::string, Route, std::less<>> sequences;  // by text: those that were asked for
};

// `row` with the passes of a sequence.
Route SequenceOf(Route row, const PassSequence& sequence, Dialect dialect, Composed* composed) {
  std::string pipeline = FilledTemplate(composed->stages, sequence);
  if (dialect < Dialect::k24) absl::StrReplaceAll({{kMorphToCategory, kToCategory}}, &pipeline);
  row.pipeline = composed->pipelines.emplace_back(std::move(pipeline));
  row.deallocates =
      absl::c_any_of(sequence, [](const SequencedPass& pass) { return pass.text == "buffer-deallocation-pipeline"; });
  return row;
}

Composed Compose(Dialect dialect) {
  Composed composed;
  for (const Dialect step : FromCanonical(dialect)) {
    const auto version =
        absl::c_find_if(Versions(), [&](const RoutesOfVersion& routes) { return routes.dialect == step; });
    if (version == Versions().end()) continue;
    Apply(version->differs, &composed.loops);
    composed.alignment = version->alignment;
    composed.of_routes = version->of_routes;
  }
  for (const RouteRow& row : Rows()) {
    if (row.since > dialect) continue;
    Segments segments = composed.loops;
    Apply(row.differs, &segments);
    Apply(composed.of_routes[row.route.name], &segments);
    Route& route = composed.routes.emplace_back(row.route);
    route.pipeline = composed.pipelines.emplace_back(PipelineOf(segments));
    if (composed.alignment > 0) route.alignment = composed.alignment;
    if (route.name != kSequenceRoute) continue;
    composed.stages = std::string(route.pipeline);
    route = SequenceOf(route, *ParseSequence(kSequenceRoute), dialect, &composed);
  }
  return composed;
}

Composed& ComposedFor(Dialect dialect) {
  static auto& all = *[] {
    auto* composed = new std::deque<Composed>();  // a deque never moves its elements
    for (const DialectInfo& info : AllDialects()) composed->push_back(Compose(info.dialect));
    return composed;
  }();
  return all[static_cast<size_t>(dialect)];
}

// The route of a sequence's text, for the MLIR whose table has the row; null if it cannot be read.
const Route* FindSequence(const Route& row, absl::string_view text) {
  const absl::StatusOr<PassSequence> sequence = ParseSequence(text);
  if (!sequence.ok()) return nullptr;
  for (const DialectInfo& info : AllDialects()) {
    Composed& composed = ComposedFor(info.dialect);
    if (composed.routes.empty() || &composed.routes.back() < &row || &row < composed.routes.data()) continue;
    const auto known = composed.sequences.find(text);
    if (known != composed.sequences.end()) return &known->second;
    return &composed.sequences.emplace(text, SequenceOf(row, *sequence, info.dialect, &composed)).first->second;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> Properties(const Route& route) {
  constexpr std::pair<absl::string_view, bool Route::*> kProperties[] = {
      {"extracts", &Route::extracts},           {"makes-graph", &Route::makes_graph},
      {"verifies", &Route::verifies},           {"deallocates", &Route::deallocates},
      {"calls-library", &Route::calls_library}, {"counts-stores", &Route::counts_stores},
      {"approximates", &Route::approximates},   {"optimized", &Route::optimized},
      {"host-cpu", &Route::host_cpu},           {"in-process", &Route::in_process},
  };
  std::vector<std::string> properties;
  for (const auto& [name, property] : kProperties) {
    if (route.*property) properties.emplace_back(name);
  }
  if (route.alignment > 0) properties.push_back(absl::StrCat("alignment=", route.alignment));
  return properties;
}

absl::Span<const Route> RoutesOf(Dialect dialect) { return ComposedFor(dialect).routes; }

absl::Span<const Route> AllRoutes() { return RoutesOf(kCanonicalDialect); }

const Route* FindRoute(absl::string_view name) {
  std::vector<const Route*> all;
  for (const Route& route : AllRoutes()) all.push_back(&route);
  const Route* found = FindRoute(all, name);
  if (found != nullptr) return found;
  for (const Route& route : RoutesOf(AllDialects().back().dialect)) {
    if (route.name == name) return &route;
  }
  return nullptr;
}

const Route* FindRoute(absl::Span<const Route* const> routes, absl::string_view name) {
  const absl::string_view listed = RouteName(name);
  const auto found = absl::c_find_if(routes, [&](const Route* route) { return route->name == listed; });
  if (found == routes.end()) return nullptr;
  return listed == name ? *found : FindSequence(**found, name);
}

std::vector<const Route*> RoutesOfTools(Dialect dialect) {
  std::vector<const Route*> routes;
  for (const Route& route : RoutesOf(dialect)) {
    if (!route.in_process) routes.push_back(&route);
  }
  return routes;
}

bool IsForOtherShapes(absl::string_view pass) {
  // The last one lowers ops that Tosaic does not make.
  return pass == "tosa-infer-shapes" || pass == "tosa-make-broadcastable" || pass == "tosa-to-linalg-named";
}

}  // namespace tosaic
