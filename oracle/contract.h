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
  std::vector<Breach> breaches;    // the first is the one to report
  std::vector<std::string> notes;  // policies that were needed (docs/policies.md)
};

// Checks what tosa-to-linalg left of a case. Beside linalg's properties:
//   contract.leftover         no op of the dialect is left but constants, and no conversion between types unfinished
//                             ("List of operations": the strategy applies to all, for any valid shapes)
//   contract.unranked         what is unranked is not lowered ("Lowering strategy")
//   contract.result           the function returns a value per result of the program
//   contract.operands         an op's linalg.generic has the op's operands that broadcast
//   contract.folded.value     an op without a lowering of its own is one of its operands or a constant,
//                   .extents  an operand only if it has the result's extents in every defined run,
//                   .constant a constant only of static type
//   contract.runtime-broadcast.missing, .superfluous   as PredictRuntimeBroadcasts
//   contract.runtime-broadcast.form   on `dim == 1` one dimension is repeated, all others kept; else nothing is done
//   contract.extent           a result has the inferred type; a dynamic dimension is the largest of the operands that
//                             are dynamic there ("Fully dynamic broadcasting"), and so it is in each run that is
//                             defined
//   contract.map              the identity, with a constant 0 where a static 1 is broadcast ("Fully static
//   broadcasting") contract.materialised     ... and no tensor made for it contract.cast             tensor.cast
//   exactly where types differ ("Inferred vs actual result type mismatch") contract.reshape tensor.expand_shape exactly
//   for rank expansion ("Rank expansion")
// REQUIRES: the program is legal.
ContractCheck CheckContract(const Case& test_case, const LoweredIr& ir);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_CONTRACT_H_
