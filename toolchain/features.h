// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Additions to the TOSA dialect since MLIR 22 (features.def). A toolchain has those that it accepts: each is tried.
#ifndef TOSAIC_TOOLCHAIN_FEATURES_H_
#define TOSAIC_TOOLCHAIN_FEATURES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "toolchain/toolchain.h"

namespace tosaic {

struct Feature {
  enum class Shows : uint8_t { kAccepted, kHas, kRefused };
  absl::string_view name;  // "cast-input-unsigned"
  absl::string_view description;
  absl::string_view since;  // pull requests of llvm-project, or another project's commit; may be empty
  absl::string_view pipeline;
  Shows shows;
  absl::string_view words;  // found in the pipeline's output, or in the refusal
  absl::string_view module;
};

// The features that the toolchain has. A toolchain that lowers its own routes alone cannot be asked, and has none.
std::vector<const Feature*> FeaturesOf(const Toolchain& toolchain);
// Their names.
std::vector<std::string> FeatureNamesOf(const Toolchain& toolchain);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_FEATURES_H_
