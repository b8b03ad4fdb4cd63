// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TOSA dialect of MLIR 16 (TosaOps.td and TosaTypesBase.td; mlir-opt 16.0.6 was asked as well), where it differs
// from that of MLIR 17.
#include "model/op_catalogue.h"

namespace tosaic {

void DescribeMlir16(DialectInfo& dialect) {
  dialect.Op(OpKind::kErf).name = "";
  dialect.Op(OpKind::kCast).typing.also.reset();
  // Most ops have only the trait ResultsBroadcastableShape, which does not restrict element types.
  for (DialectOp& op : dialect.ops) {
    if (op.typing.inputs != DialectTypes::kAnyNumber) continue;
    op.typing.inputs_may_differ = true;
    if (op.typing.result != DialectResult::kI1) op.typing.result = DialectResult::kAny;
  }
}

}  // namespace tosaic
