// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TOSA dialect of MLIR 24, which is trunk of 2026, where it differs from that of MLIR 22. Its op verifiers take the
// same element types, and block-scaled ones wherever they take any number. It is described as the newest library has it
// that was asked (iree-base-compiler 3.13.0): others that call themselves 24 know less, and are asked for each word
// (toolchain/features.def, toolchain/spoken_words.h).
#include "model/op_catalogue.h"

namespace tosaic {

void DescribeMlir24(DialectInfo& dialect) {
  dialect.properties = true;
  dialect.draft_casts_of_i1 = true;
  dialect.Op(OpKind::kCast).lacks.clear();
  for (const ElementTypeInfo& type : BlockScaledTypes()) dialect.numbers.push_back(type.type);
}

}  // namespace tosaic
