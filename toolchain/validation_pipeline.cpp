// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/validation_pipeline.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace tosaic {

std::string ValidationPipeline(const ValidationTarget& target) {
  std::vector<absl::string_view> profiles, extensions;
  for (Capability capability : target.capabilities)
    (IsProfile(capability) ? profiles : extensions).push_back(Name(capability));
  std::string options =
      absl::StrCat("specification_version=", target.version == ValidationTarget::Version::k1_0 ? "1.0" : "1.1.draft",
                   " level=", target.level == ValidationTarget::Level::k8K ? "8k" : "none");
  if (!profiles.empty()) absl::StrAppend(&options, " profiles=", absl::StrJoin(profiles, ","));
  if (!extensions.empty()) absl::StrAppend(&options, " extensions=", absl::StrJoin(extensions, ","));
  return absl::StrCat("builtin.module(tosa-attach-target{", options,
                      "},tosa-validate{strict-op-spec-alignment=", target.strict ? "true" : "false", "})");
}

absl::Status TargetIsRefused(absl::string_view toolchain, const ValidationTarget& target, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(toolchain, " does not take the target ", ToString(target), ": ", why));
}

}  // namespace tosaic
