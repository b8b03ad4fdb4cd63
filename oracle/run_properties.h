// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties of linalg ops that only a run shows (docs/tosa-semantics.md: Linalg): 5, a linalg.generic maps to an
// external library call that receives strided views of its operands; 6, it writes the whole output, once.
#ifndef TOSAIC_ORACLE_RUN_PROPERTIES_H_
#define TOSAIC_ORACLE_RUN_PROPERTIES_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "model/observation.h"
#include "model/program.h"
#include "oracle/linalg_properties.h"
#include "oracle/policy.h"

namespace tosaic {

struct RunCheck {
  std::optional<Breach> breach;
  std::vector<RuleId> notes;  // policies that were needed (docs/policies.md)
};

// Checks the calls of a run whose sizes are defined (Property 5). Each op is judged on the operands that it really got:
// arguments, constants, values that the program returned, results of other calls.
//   linalg.5.call     an op is called once; not at all only if nobody needs it, or it may have been folded
//                     (note linalg.5.folded)
//   linalg.5.operand  a view per operand that broadcasts, with the operand's elements; the other way round if
//                     that makes no difference (note contract.commuted)
//   linalg.5.extents  a view's dimension has the extent of the loop that its map names, or is 1 where that is
//                     a constant 0
//   linalg.5.result   the result's view has the result's sizes, and a place of its own for each element
//   linalg.5.buffer   a view lies within one buffer; only a constant may lie elsewhere
// REQUIRES: SizesOfAllOps(test_case.program, test_case.runs[run]) is defined.
RunCheck CheckLibraryCalls(const Case& test_case, size_t run, const RunObservation& observed, const Policies& policies);

// Checks the stores of a run whose sizes are defined (Property 6).
//   linalg.6.once     each element of a result, and each byte of any other buffer that is written, is stored to once.
//                     Elements that were never written are judged elsewhere.
std::optional<Breach> CheckStores(const Program& program, const RunObservation& observed);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_RUN_PROPERTIES_H_
