// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/patch_base.h"

#include "absl/strings/str_cat.h"
#include "model/routes.h"

namespace tosaic {

absl::StatusOr<PatchBase> PatchBase::OfEdit(Toolchain& toolchain) {
  const ToolchainDescription& description = toolchain.description();
  if (FindRoute(description.routes, description.custom_like) == nullptr) {
    return absl::InvalidArgumentError("no route is edited: --insert-before, --insert-after or --replace does that");
  }
  return PatchBase(toolchain, description.custom_like);
}

Case PatchBase::Without(Case test_case) const {
  if (!route_.empty() && test_case.route == kCustomRoute) test_case.route = route_;
  return test_case;
}

std::string PatchBase::Name() const {
  if (!route_.empty()) return absl::StrCat("the route ", route_, " as it is");
  return absl::StrCat(toolchain_->description().name, " (", toolchain_->description().version, ")");
}

}  // namespace tosaic
