// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TOSA dialect of MLIR 22 (TosaOps.td and TosaTypesBase.td; mlir-opt 22.1.8 was asked as well): the canonical one.
#include <iterator>

#include "model/op_catalogue.h"

namespace tosaic {

void DescribeMlir22(DialectInfo& dialect) {
  for (const OpInfo& op : AllOps()) dialect.ops.push_back({.name = op.name, .typing = op.dialect});
  dialect.Op(OpKind::kCast).lacks = {Attribute::kInputUnsigned};
  for (const AttributeInfo& attribute : kAttributes) dialect.spellings.push_back(attribute.spelling);
  dialect.operands.resize(std::size(kOperandInfos));
  for (const ElementTypeInfo& type : AllElementTypes()) {
    if (type.element_class != ElementClass::kSigned) dialect.numbers.push_back(type.type);
  }
  dialect.constant_values = "values";
}

}  // namespace tosaic
