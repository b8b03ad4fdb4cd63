// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The RFC's lowering as a contract on the IR (docs/tosa-semantics.md: RFC, "Lowering strategy"): the IR that
// tosa-to-linalg alone must make of a program, predicted from its types. A value of the lowered function stands for a
// value of the program if it is that argument or constant, the op's lowering, or a value to which the op may be folded.
#ifndef TOSAIC_ORACLE_CONTRACT_H_
#define TOSAIC_ORACLE_CONTRACT_H_

#include <vector>

#include "model/lowered_ir.h"
#include "model/program.h"
#include "oracle/linalg_properties.h"
#include "oracle/lowering_prediction.h"

namespace tosaic {

struct ContractCheck {
  std::vector<Breach> breaches;  // the first is the one to report
  std::vector<RuleId> notes;     // policies that were needed (docs/policies.md)
};

// Checks the IR that tosa-to-linalg made of a case: the rules of RuleFamily::kContract (model/rules.def), and linalg's
// properties.
// REQUIRES: the program is legal.
ContractCheck CheckContract(const Case& test_case, const LoweredIr& ir);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_CONTRACT_H_
