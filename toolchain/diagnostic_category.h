// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subject of a diagnostic of MLIR 22's verifiers. No other code depends on their wording.
#ifndef TOSAIC_TOOLCHAIN_DIAGNOSTIC_CATEGORY_H_
#define TOSAIC_TOOLCHAIN_DIAGNOSTIC_CATEGORY_H_

#include "absl/strings/string_view.h"
#include "model/category.h"

namespace tosaic {

// Category::kUnknown if no row of the table matches the text: a new wording becomes visible instead of being guessed
// at.
Category CategoryOf(absl::string_view diagnostic);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_DIAGNOSTIC_CATEGORY_H_
