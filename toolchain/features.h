// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Additions to the TOSA dialect since MLIR 22 (features.def). A toolchain has those that it accepts: each is tried.
#ifndef TOSAIC_TOOLCHAIN_FEATURES_H_
#define TOSAIC_TOOLCHAIN_FEATURES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "toolchain/toolchain.h"

namespace tosaic {

struct Feature {
  enum class Shows : uint8_t { kAccepted, kHas, kRefused };
  absl::string_view name;  // "cast-input-unsigned"
  absl::string_view what;
  absl::string_view since;  // pull requests of llvm-project, or another project's commit; may be empty
  absl::string_view pipeline;
  Shows shows;
  absl::string_view words;  // of what is made, or of the refusal
  absl::string_view module;
};
absl::Span<const Feature> AllFeatures();

// Those that the toolchain has. One that lowers nothing but its routes says nothing of itself, and has none.
std::vector<const Feature*> FeaturesOf(const Toolchain& toolchain);
// Their names.
std::vector<std::string> FeatureNamesOf(const Toolchain& toolchain);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_FEATURES_H_
