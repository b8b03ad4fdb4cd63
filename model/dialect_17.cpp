// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TOSA dialect of MLIR 17 where it differs from that of MLIR 18. No release of it is at hand: the builds of IREE of
// 2023-08-15 and 2023-10-04 were asked (iree-compiler 20230815.614 and 20231004.665).
#include "model/op_catalogue.h"

namespace tosaic {

void DescribeMlir17(DialectInfo& dialect) { dialect.Spelling(OperandRole::kShift).type = ElementType::kI32; }

}  // namespace tosaic
