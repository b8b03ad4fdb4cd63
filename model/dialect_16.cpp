// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TOSA dialect of MLIR 16 (TosaOps.td and TosaTypesBase.td; mlir-opt 16.0.6 was asked as well), where it differs
// from that of MLIR 19.
#include "model/op_catalogue.h"

namespace tosaic {

void DescribeMlir16(DialectInfo& dialect) {
  using E = ElementType;
  dialect.Spelling(OperandRole::kShift).type = E::kI32;
  dialect.Spelling(OperandRole::kChannelShift).type = E::kI32;
  // Tosa_Int (1, 8, 16, 32, 48 and 64 bits), unsigned 8 and 16 bits, and three floats.
  dialect.numbers = {E::kI1, E::kI8, E::kI16, E::kI32, E::kI48, E::kI64, E::kUi8, E::kUi16, E::kF16, E::kBF16, E::kF32};
  for (const OpKind lacking : {OpKind::kErf, OpKind::kSin, OpKind::kCos}) dialect.Op(lacking).name = "";
  dialect.Op(OpKind::kIntdiv).name = "div";
  // Most ops have only the trait ResultsBroadcastableShape, which does not restrict element types.
  for (DialectOp& op : dialect.ops) {
    if (op.typing.inputs != DialectTypes::kAnyNumber) continue;
    op.typing.inputs_may_differ = true;
    if (op.typing.result != DialectResult::kI1) op.typing.result = DialectResult::kAny;
  }
}

}  // namespace tosaic
