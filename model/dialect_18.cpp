// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TOSA dialect of MLIR 18 where it differs from that of MLIR 19. No release of it is at hand: the builds of IREE of
// 2023-11-13 and 2023-12-18 were asked (iree-compiler 20231113.707 and 20231218.742).
#include "model/op_catalogue.h"

namespace tosaic {

void DescribeMlir18(DialectInfo& dialect) {
  using E = ElementType;
  dialect.Spelling(OperandRole::kChannelShift).type = E::kI32;
  // Tosa_Int (1, 8, 16, 32, 48 and 64 bits), unsigned 8 and 16 bits, and three floats. Of cast f64 as well: the builds
  // of 2023-02-28 to 2024-04-10 take it.
  dialect.numbers = {E::kI1, E::kI8, E::kI16, E::kI32, E::kI48, E::kI64, E::kUi8, E::kUi16, E::kF16, E::kBF16, E::kF32};
  dialect.Op(OpKind::kCast).typing.also = E::kF64;
  for (const OpKind lacking : {OpKind::kSin, OpKind::kCos}) dialect.Op(lacking).name = "";
  dialect.Op(OpKind::kIntdiv).name = "div";
}

}  // namespace tosaic
