// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TOSA dialect of MLIR 21 where it differs from that of MLIR 22. No release of it is at hand: the builds of IREE
// from 2025-04-30 to 2025-07-18 were asked (iree-base-compiler 3.4.0 to 3.6.0).
#include "model/op_catalogue.h"

namespace tosaic {

void DescribeMlir21(DialectInfo& dialect) {
  for (const Attribute of_names : {Attribute::kNanMode, Attribute::kRoundingMode}) {
    dialect.Spelling(of_names) = AttributeSpelling::kQuoted;
  }
  dialect.Op(OpKind::kIntdiv).typing.inputs = DialectTypes::kInt32;
}

}  // namespace tosaic
