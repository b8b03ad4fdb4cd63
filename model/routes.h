// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Routes: the named ways from TOSA to running code. Each has a row in route_rows.cpp. A pipeline is text, so nothing
// here depends on MLIR.
#ifndef TOSAIC_MODEL_ROUTES_H_
#define TOSAIC_MODEL_ROUTES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/dialect.h"

namespace tosaic {

// The name of the route whose pipeline the user gives (ToolchainOptions::pipeline). It is not in the table.
inline constexpr absl::string_view kCustomRoute = "custom";

// A pass pipeline, and how LLVM and the executor take it from there.
struct Route {
  absl::string_view name;
  absl::string_view pipeline;   // text that MLIR's pass pipeline parser takes
  absl::string_view exercises;  // the purpose of the route, for people
  int weight = 0;               // how often a campaign on mixed routes takes it; 0: only if it is asked for
  bool extracts = false;        // ends at lower with Observation::lowered; nothing is translated or executed
  bool makes_graph = false;     // ends at lower with Observation::graph; nothing is translated or executed
  bool verifies = false;        // generated code stops itself where run-time extents do not fit
  bool deallocates = false;     // generated code frees what it allocates: leaks are counted
  bool calls_library = false;   // each linalg.generic becomes a call of ToolchainOptions::library_function
  bool counts_stores = false;   // LLVM IR is instrumented to count the stores to each byte
  bool approximates = false;    // math is approximated, beyond TOSA's bounds at times
  size_t alignment = 0;         // generated code allocates this much more and aligns within it; 0: exact sizes
  bool optimized = false;       // LLVM at -O2, else -O0
  bool host_cpu = false;        // code for this machine's CPU, else for a plain one of its architecture
  bool in_process = false;      // needs passes of Tosaic's own, or a look at the IR in memory
};

// Whether it ends with IR, so that nothing is executed.
inline bool EndsWithIr(const Route& route) { return route.extracts || route.makes_graph; }

// The route's special properties, in words: "extracts", "alignment=64".
std::vector<std::string> Properties(const Route& route);

// The routes of MLIR 22, which has all but after-downgrade and to-spirv.
absl::Span<const Route> AllRoutes();
// The routes of the MLIR with this dialect, in the order of AllRoutes.
absl::Span<const Route> RoutesOf(Dialect dialect);
// Among AllRoutes, and then among those that a newer MLIR alone has.
const Route* FindRoute(absl::string_view name);
// Finds a route among `routes`; null if none has that name.
const Route* FindRoute(absl::Span<const Route* const> routes, absl::string_view name);
// The routes that the tools of an MLIR with this dialect can take, in the order of AllRoutes.
std::vector<const Route*> RoutesOfTools(Dialect dialect);

// The passes of TOSA that every route has, that dated builds lack (toolchain/external/dated_build.h), and that only
// fold constants where all shapes are plain.
bool IsForOtherShapes(absl::string_view pass);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_ROUTES_H_
