// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NamedRoutes: a toolchain's routes by name, including kCustomRoute, whose pipeline the user gave.
#ifndef TOSAIC_TOOLCHAIN_NAMED_ROUTES_H_
#define TOSAIC_TOOLCHAIN_NAMED_ROUTES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/routes.h"

namespace tosaic {

class NamedRoutes {
 public:
  // The custom route is like `like` (null: like none) except for name and pipeline; without a pipeline there is none.
  // The arguments must outlive the object.
  NamedRoutes(absl::Span<const Route* const> routes, absl::string_view custom_pipeline, const Route* like)
      : routes_(routes), custom_(like != nullptr ? *like : Route()) {
    custom_.name = kCustomRoute;
    custom_.pipeline = custom_pipeline;
  }

  // The custom route, or what it would be.
  const Route& custom() const { return custom_; }
  // Null if there is none with that name.
  const Route* Find(absl::string_view name) const {
    return name == kCustomRoute && !custom_.pipeline.empty() ? &custom_ : FindRoute(routes_, name);
  }
  // The route with that name, or what the custom route would be.
  const Route& FindOrCustom(absl::string_view name) const {
    const Route* found = Find(name);
    return found != nullptr ? *found : custom_;
  }

 private:
  const absl::Span<const Route* const> routes_;
  Route custom_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_NAMED_ROUTES_H_
