// The RFC's lowering as a contract on the IR (seeds/rfc-tosa-to-linalg-elementwise.txt, "Lowering strategy"): what
// tosa-to-linalg alone must make of a program, predicted from its types. A value of the lowered function stands for a
// value of the program if it is that argument or constant, the op's lowering, or what the op may be folded to.
#ifndef TOSAIC_ORACLE_CONTRACT_H_
#define TOSAIC_ORACLE_CONTRACT_H_

#include <string>
#include <vector>

#include "model/lowered_ir.h"
#include "model/program.h"
#include "oracle/linalg_properties.h"

namespace tosaic {

// An operand whose dimension is 1 or not only at run time, and is broadcast if it is.
struct RuntimeBroadcast {
  int operand = 0;
  int dim = 0;

  friend auto operator<=>(const RuntimeBroadcast& a, const RuntimeBroadcast& b) = default;
};
// "(operand 0, dimension 1)", or "none".
std::string ToString(const std::vector<RuntimeBroadcast>& broadcasts);

// Predicts them for one op, operands first, then dimensions: a dynamic dimension is one unless all other operands have
// a static 1 there ("Dynamic-to-static", "Static-to-dynamic", "Fully dynamic broadcasting", "Dynamic dimension in unary
// operation"). None if a type is unranked. REQUIRES: the op is legal but for its ranks, which may differ.
std::vector<RuntimeBroadcast> PredictRuntimeBroadcasts(const Program& program, const OpApplication& op);

struct ContractCheck {
  std::vector<Breach> breaches;  // the first is the one to report
  std::vector<RuleId> notes;     // policies that were needed (docs/policies.md)
};

// Checks what tosa-to-linalg left of a case: the rules of RuleFamily::kContract (model/rules.def), and linalg's
// properties.
// REQUIRES: the program is legal.
ContractCheck CheckContract(const Case& test_case, const LoweredIr& ir);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_CONTRACT_H_
