// What a toolchain says of what it has not.
#include "toolchain/toolchain.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tosaic {
namespace {

Observation Lacks(const Toolchain& toolchain, absl::string_view pass) {
  Observation observation;
  observation.outcome = Outcome::kToolFailure;
  observation.diagnostics = {absl::StrCat(toolchain.name(), " has no ", pass)};
  return observation;
}

}  // namespace

Observation Toolchain::ObserveThrough(const Case&, absl::string_view) {
  return Lacks(*this, "pass pipelines but its routes'");
}

absl::StatusOr<std::string> Toolchain::LowerText(absl::string_view, absl::string_view, bool) {
  return absl::UnimplementedError(absl::StrCat(name(), " gives no text of its IR"));
}

std::vector<const Route*> Toolchain::Routes() const {
  std::vector<const Route*> routes;
  for (const Route& route : AllRoutes()) routes.push_back(&route);
  return routes;
}

void Toolchain::WatchPatterns(std::function<void(absl::string_view)>) {}

Observation Toolchain::ObserveValidation(const Program&, const ValidationTarget&) {
  return Lacks(*this, "tosa-validate");
}

Observation Toolchain::ObserveRefinement(const Program&) { return Lacks(*this, "tosa-infer-shapes"); }

}  // namespace tosaic
