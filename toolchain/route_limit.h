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

// In the message about a pipeline that does not parse: what comes before the reason.
inline constexpr absl::string_view kDoesNotParse = "' does not parse: ";

// Why a route is missing, from the message about its pipeline: "not there: pass cse".
std::string WhyMissing(absl::string_view message);

// What a case is told whose route the toolchain does not have.
std::string NoRoute(absl::string_view toolchain, absl::string_view route, const std::vector<RouteLimit>& limits);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_ROUTE_LIMIT_H_
