// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a route of Tosaic cannot do with an MLIR that has been asked for it.
#ifndef TOSAIC_TOOLCHAIN_ROUTE_LIMIT_H_
#define TOSAIC_TOOLCHAIN_ROUTE_LIMIT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tosaic {

struct RouteLimit {
  std::string route;
  bool is_missing = true;  // else it takes programs of static shapes alone
  std::string why;
};

// That a pipeline does not parse. The reason comes first, because a pipeline is long. `why`: in MLIR's words.
std::string DoesNotParse(absl::string_view pipeline, absl::string_view why);

// Why a route is missing, from that message: "not there: pass cse".
std::string WhyMissing(absl::string_view message);

// What a case is told whose route the toolchain does not have.
std::string NoRoute(absl::string_view toolchain, absl::string_view route, const std::vector<RouteLimit>& limits);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_ROUTE_LIMIT_H_
