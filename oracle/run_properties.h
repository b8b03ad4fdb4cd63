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
// arguments, constants, values that the program returned, results of other calls. The rules are linalg.5.*
// (model/rules.def). Notes: linalg.5.folded, where an op has no call, and contract.commuted, where views come the other
// way round and that makes no difference.
// REQUIRES: SizesOfAllOps(test_case.program, test_case.runs[run]) is defined.
RunCheck CheckLibraryCalls(const Case& test_case, size_t run, const RunObservation& observed, const Policies& policies);

// Checks the stores of a run whose sizes are defined (linalg.6.once). Elements that were never written are judged
// elsewhere. `may_reuse_buffers`: the passes are not the route's own (docs/policies.md: stores), so that a buffer may
// be the output of several ops, or larger than one.
std::optional<Breach> CheckStores(const Program& program, const RunObservation& observed, bool may_reuse_buffers);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_RUN_PROPERTIES_H_
