// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NamedRoutes: a toolchain's routes by name, among them kCustomRoute, whose pipeline the user gave.
#ifndef TOSAIC_TOOLCHAIN_NAMED_ROUTES_H_
#define TOSAIC_TOOLCHAIN_NAMED_ROUTES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/routes.h"

namespace tosaic {

class NamedRoutes {
 public:
  // The custom route is as `like` (null: as none) in all but name and pipeline; there is none without a pipeline.
  // What it is given must outlive it.
  NamedRoutes(absl::Span<const Route* const> routes, absl::string_view custom_pipeline, const Route* like)
      : routes_(routes), custom_(like != nullptr ? *like : Route()) {
    custom_.name = kCustomRoute;
    custom_.pipeline = custom_pipeline;
  }

  // What the custom route is, or would be.
  const Route& custom() const { return custom_; }
  // Null: there is none of that name.
  const Route* Find(absl::string_view name) const {
    return name == kCustomRoute && !custom_.pipeline.empty() ? &custom_ : FindRoute(routes_, name);
  }
  // The route of that name, or what the custom one would be.
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
