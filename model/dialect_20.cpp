// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TOSA dialect of MLIR 20 where it differs from that of MLIR 21. No release of it is at hand: the build of IREE of
// 2025-02-06 was asked (iree-base-compiler 3.2.0), a week behind LLVM's branch.
#include "model/op_catalogue.h"

namespace tosaic {

void DescribeMlir20(DialectInfo& dialect) {
  dialect.constant_values = "value";
  dialect.Spelling(OperandRole::kZeroPoint) = {OperandSpelling::Form::kUnaryQuantization, "quantization_info"};
  for (const Attribute bound : {Attribute::kMinVal, Attribute::kMaxVal}) {
    dialect.Spelling(bound) = AttributeSpelling::kUntyped;
  }
  dialect.Spelling(Attribute::kNewShape) = AttributeSpelling::kAttribute;
  DialectOp& rescale = dialect.Op(OpKind::kRescale);
  rescale.typing = {.result = DialectResult::kAny};
  rescale.operands = {{OperandRole::kZeroPoint, {OperandSpelling::Form::kNumber, "input_zp", ElementType::kI32}}};
  rescale.may_lack = {Attribute::kInputUnsigned, Attribute::kOutputUnsigned};
  dialect.Spelling(Attribute::kRoundingMode) = AttributeSpelling::kFlag;
  dialect.Spelling(OperandRole::kMultiplier) = {OperandSpelling::Form::kNumber, "multiplier", ElementType::kI32};
  dialect.Spelling(OperandRole::kChannelShift) = {OperandSpelling::Form::kNumber, "shift", ElementType::kI8};
  dialect.Spelling(OperandRole::kOutputZeroPoint) = {OperandSpelling::Form::kNumber, "output_zp", ElementType::kI32};
  dialect.Op(OpKind::kIntdiv).name = "int_div";
  DialectOp& select = dialect.Op(OpKind::kSelect);
  select.typing.result = DialectResult::kAny;
  select.typing.inputs_may_differ = true;
  dialect.Op(OpKind::kReshape).typing.ranked_result = true;
}

}  // namespace tosaic
