// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts that routes.cpp composes routes of: the segments of `loops`, and how versions of MLIR and the other routes
// differ from it.
#ifndef TOSAIC_MODEL_ROUTE_ROWS_H_
#define TOSAIC_MODEL_ROUTE_ROWS_H_

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/dialect.h"
#include "model/routes.h"

namespace tosaic {

// Goes by way of named ops: a pass turns each into its category op.
inline constexpr absl::string_view kToCategory =
    "linalg-morph-ops{generic-to-named=true},linalg-morph-ops{named-to-category=true}";

// The passes of a route in order. Each segment is text; an empty segment has no passes.
struct Segments {
  std::string on_tosa;     // before anything is lowered
  std::string to_linalg;   // TOSA to linalg on tensors
  std::string on_tensors;  // on linalg on tensors
  std::string to_buffers;  // tensors to buffers
  std::string on_buffers;  // on linalg on buffers
  std::string to_loops;    // linalg to loops, and those to branches
  std::string on_loops;    // on scalar code
  std::string to_llvm;     // the rest to LLVM's dialect
};

// The segments that differ, with their text.
using Difference = std::pair<std::string Segments::*, std::string>;
using Differences = std::vector<Difference>;

// `loops` of the canonical dialect.
Segments Loops();

// How an MLIR's pipelines differ from those of its neighbour, the version nearer to the canonical dialect.
struct RoutesOfVersion {
  Dialect dialect;
  size_t alignment = 0;  // not 0: it aligns every allocation so, asked or not; guarded memory has canaries there
  Differences differs;
  std::map<absl::string_view, Differences> of_routes = {};  // by name: in which segments they differ besides
};

const std::vector<RoutesOfVersion>& Versions();

struct RouteRow {
  Route route;  // its pipeline is composed
  Differences differs = {};
  Dialect since = kCanonicalDialect;  // the oldest dialect that has it
};

const std::vector<RouteRow>& Rows();

}  // namespace tosaic

#endif  // TOSAIC_MODEL_ROUTE_ROWS_H_
