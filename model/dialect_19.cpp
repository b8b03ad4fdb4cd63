// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TOSA dialect of MLIR 19 (TosaOps.td and TosaTypesBase.td; mlir-opt 19.1.7 was asked as well), where it differs
// from that of MLIR 20.
#include "model/op_catalogue.h"

namespace tosaic {

void DescribeMlir19(DialectInfo& dialect) {
  dialect.Spelling(OperandRole::kShift) = {OperandSpelling::Form::kNumber, "shift", ElementType::kI8};
  dialect.Spelling(Attribute::kNanMode) = AttributeSpelling::kNone;
  // rescale tells unsigned numbers by their type.
  dialect.Op(OpKind::kRescale).lacks = {Attribute::kInputUnsigned, Attribute::kOutputUnsigned};
  dialect.equal_rank = false;
  for (const OpKind unchecked : {OpKind::kErf, OpKind::kSigmoid}) {
    dialect.Op(unchecked).typing.result = DialectResult::kAny;
  }
}

}  // namespace tosaic
