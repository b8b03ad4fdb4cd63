// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Broadcastable trait alone, without what TOSA adds: the right decision for an op that has the trait and any number
// of operands (docs/tosa-semantics.md: Trait, all of it).
#ifndef TOSAIC_ORACLE_PROBE_LEGALITY_H_
#define TOSAIC_ORACLE_PROBE_LEGALITY_H_

#include "model/observation.h"
#include "model/op_signature.h"
#include "model/verdict.h"
#include "oracle/legality.h"
#include "oracle/policy.h"

namespace tosaic {

// Asks the rules bcast.* (model/rules.def) in their order, from the properties at the document's top. A static 0 is
// left open unless the op is refused whether 0 is read as 1 or as >1, and nothing is inferred then
// (docs/contradictions.md, C6). A mixture of tensors and vectors is asked about last: a shape that is refused is
// refused in every container.
Legality JudgeProbe(const OpSignature& probe, const Policies& policies);

// Whether tensors and vectors meet in one op.
bool IsMixed(const OpSignature& probe);

// Judges a toolchain's observation of a probe: decision, then inference.
Judgement JudgeProbe(const OpSignature& probe, const Observation& observation, const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_PROBE_LEGALITY_H_
