// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains for folders and for fusions of two or more ops (chains.h has the others, and the table's type).
#ifndef TOSAIC_GENERATORS_FOLDING_CHAINS_H_
#define TOSAIC_GENERATORS_FOLDING_CHAINS_H_

#include "absl/types/span.h"
#include "generators/chains.h"

namespace tosaic {

absl::Span<const Chain> FoldingChains();

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_FOLDING_CHAINS_H_
