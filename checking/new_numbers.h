// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers that a patch brings into IR: extents and values at which it may do something else.
#ifndef TOSAIC_CHECKING_NEW_NUMBERS_H_
#define TOSAIC_CHECKING_NEW_NUMBERS_H_

#include <vector>

#include "absl/strings/string_view.h"

namespace tosaic {

// The numbers of constants in one text of MLIR that no constant in the other has, in ascending order and each once;
// of a vector or a tensor only what all elements are. Left out: 0, 1 and -1, which most IR has, and what is not finite.
std::vector<double> NumbersOnlyIn(absl::string_view mlir, absl::string_view other);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_NEW_NUMBERS_H_
