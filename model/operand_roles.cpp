// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/operand_roles.h"

namespace tosaic {

EnumNames NamesOf(OperandRole) {
  static constexpr absl::string_view kNames[] = {
#define TOSAIC_OPERAND(enumerator, name, ...) name,
#include "model/operand_roles.def"
#undef TOSAIC_OPERAND
  };
  return NamesFor<OperandRole>(kNames, "a role of an operand");
}

}  // namespace tosaic
