// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CHECK lines of one program: which operand is broadcast at run time and by what comparison, how large the result
// is, which indexing maps read the operands, and which scalar op computes. Lines whose order is free are CHECK-DAG.
#ifndef TOSAIC_LIT_LOWERING_CHECKS_H_
#define TOSAIC_LIT_LOWERING_CHECKS_H_

#include <string>

#include "lit/lit_suite.h"
#include "lit/shown_cases.h"

namespace tosaic {

std::string LoweringChecks(const ShownCase& shown, LitForm form);

}  // namespace tosaic

#endif  // TOSAIC_LIT_LOWERING_CHECKS_H_
