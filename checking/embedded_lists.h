// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists of known divergences at the time when Tosaic was built, so that they are the same wherever it runs.
#ifndef TOSAIC_CHECKING_EMBEDDED_LISTS_H_
#define TOSAIC_CHECKING_EMBEDDED_LISTS_H_

#include "model/embedded_file.h"

namespace tosaic {

// One file each: corpus/known-divergences.json, and the list for tosa-validate beside it.
absl::Span<const EmbeddedFile> EmbeddedKnownDivergences();
absl::Span<const EmbeddedFile> EmbeddedKnownDivergencesOfValidate();

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_EMBEDDED_LISTS_H_
