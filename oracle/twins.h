// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares a case with its twin, a variant that must compute the same (Case::twin). Where the documents leave no choice
// the bits must agree: that judges what the sets of the oracle leave open. Where they leave some, other bits are worth
// a note.
#ifndef TOSAIC_ORACLE_TWINS_H_
#define TOSAIC_ORACLE_TWINS_H_

#include "model/observation.h"
#include "model/program.h"
#include "model/verdict.h"
#include "oracle/policy.h"

namespace tosaic {

// `judgement` is the case's own and no divergence, as the twin's is none. A difference in an element that is
// determined makes it a wrong value, rule "metamorphic.NAME"; in one that is not, a note, "metamorphic.NAME: ...".
// Subnormals of a type that one of them flushes and the other keeps are a wrong value too, rule "value.flushing".
// Left out are runs without a counterpart, and elements that an unpredictable one may have led to. Nothing is counted:
// what was compared is the judgement's own matter.
// REQUIRES: Case::twin names a twin (FindTwinRule); the twin has the case's ops at the same places, the first of its
// runs, and returns every op's result.
void JudgeTwin(const Case& test_case, const Observation& observation, const Case& twin,
               const Observation& twin_observation, const Policies& policies, Judgement* judgement);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_TWINS_H_
