// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a diagnostic of MLIR 22's verifiers is about. The only place that knows their wording.
#ifndef TOSAIC_TOOLCHAIN_DIAGNOSTIC_CATEGORY_H_
#define TOSAIC_TOOLCHAIN_DIAGNOSTIC_CATEGORY_H_

#include "absl/strings/string_view.h"
#include "model/category.h"

namespace tosaic {

// Category::kUnknown if no row of the table knows the text: a new wording shows up, it is never guessed at.
Category CategoryOf(absl::string_view diagnostic);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_DIAGNOSTIC_CATEGORY_H_
