// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A limit of a route of Tosaic with a certain MLIR.
#ifndef TOSAIC_TOOLCHAIN_ROUTE_LIMIT_H_
#define TOSAIC_TOOLCHAIN_ROUTE_LIMIT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tosaic {

struct RouteLimit {
  std::string route;
  bool is_missing = true;  // else it takes only programs of static shapes
  std::string why;
};

// The message for a pipeline that does not parse. The reason comes first, because a pipeline is long. `why`: MLIR's
// message.
std::string DoesNotParse(absl::string_view pipeline, absl::string_view why);

// Why a route is missing, from that message: "not there: pass cse".
std::string WhyMissing(absl::string_view message);

// The message for a case on a route that the toolchain does not have.
std::string NoRoute(absl::string_view toolchain, absl::string_view route, const std::vector<RouteLimit>& limits);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_ROUTE_LIMIT_H_
