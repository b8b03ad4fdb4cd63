// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TOSA dialect of MLIR 24, which is trunk of October 2026 (asked by its C API), where it differs from that of MLIR
// 22. Its op verifiers take the same element types.
#include "model/op_catalogue.h"

namespace tosaic {

void DescribeMlir24(DialectInfo& dialect) { dialect.draft_casts_of_i1 = true; }

}  // namespace tosaic
