// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Additions to the TOSA dialect since MLIR 22 (features.def). A toolchain has those that it accepts: each is tried.
#ifndef TOSAIC_TOOLCHAIN_FEATURES_H_
#define TOSAIC_TOOLCHAIN_FEATURES_H_

#include <string>
#include <vector>

#include "toolchain/toolchain.h"

namespace tosaic {

// The names of those that the toolchain has, "cast-input-unsigned". One that lowers its own routes alone cannot be
// asked, and has none.
std::vector<std::string> FeatureNamesOf(const Toolchain& toolchain);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_FEATURES_H_
