// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TOSA dialect of MLIR 19 (TosaOps.td and TosaTypesBase.td; mlir-opt 19.1.7 was asked as well), where it differs
// from that of MLIR 22.
#include "model/op_catalogue.h"

namespace tosaic {

void DescribeMlir19(DialectInfo& dialect) {
  dialect.constant_values = "value";
  dialect.Spelling(OperandRole::kShift) = {OperandSpelling::Form::kNumber, "shift", ElementType::kI8};
  dialect.Spelling(OperandRole::kZeroPoint) = {OperandSpelling::Form::kUnaryQuantization, "quantization_info"};
  for (const Attribute bound : {Attribute::kMinVal, Attribute::kMaxVal}) {
    dialect.Spelling(bound) = AttributeSpelling::kUntyped;
  }
  dialect.Spelling(Attribute::kNanMode) = AttributeSpelling::kNone;
  dialect.Spelling(Attribute::kNewShape) = AttributeSpelling::kAttribute;
  // rescale tells unsigned numbers by their type.
  DialectOp& rescale = dialect.Op(OpKind::kRescale);
  rescale.typing = {.result = DialectResult::kAny};
  rescale.lacks = {Attribute::kInputUnsigned, Attribute::kOutputUnsigned};
  rescale.operands = {{OperandRole::kZeroPoint, {OperandSpelling::Form::kNumber, "input_zp", ElementType::kI32}}};
  dialect.Spelling(Attribute::kRoundingMode) = AttributeSpelling::kFlag;
  dialect.Spelling(OperandRole::kMultiplier) = {OperandSpelling::Form::kNumber, "multiplier", ElementType::kI32};
  dialect.Spelling(OperandRole::kChannelShift) = {OperandSpelling::Form::kNumber, "shift", ElementType::kI8};
  dialect.Spelling(OperandRole::kOutputZeroPoint) = {OperandSpelling::Form::kNumber, "output_zp", ElementType::kI32};
  dialect.equal_rank = false;
  dialect.Op(OpKind::kIntdiv) = {.name = "int_div", .typing = {.inputs = DialectTypes::kInt32}};
  for (const OpKind unchecked : {OpKind::kErf, OpKind::kSigmoid, OpKind::kSelect}) {
    dialect.Op(unchecked).typing.result = DialectResult::kAny;
  }
  dialect.Op(OpKind::kSelect).typing.inputs_may_differ = true;
  dialect.Op(OpKind::kReshape).typing.ranked_result = true;
}

}  // namespace tosaic
