// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares a case with its twin, a variant that must compute the same (Case::twin). Where the documents leave no choice
// the bits must agree, which also judges values that the oracle's sets leave open. Where they leave a choice, different
// bits get a note.
#ifndef TOSAIC_ORACLE_TWINS_H_
#define TOSAIC_ORACLE_TWINS_H_

#include "model/observation.h"
#include "model/program.h"
#include "model/verdict.h"
#include "oracle/policy.h"

namespace tosaic {

// `judgement` is the judgement of the case. Neither it nor the twin's is a divergence. A difference in an element that
// is determined makes it a wrong value, rule "metamorphic.NAME"; a difference in any other element adds a note,
// "metamorphic.NAME: ...". If one of them flushes the subnormals of a type and the other keeps them, this is a wrong
// value, too, rule "value.flushing". Runs without a counterpart are left out, and so are elements that may depend on an
// unpredictable one. The counts of compared elements do not change.
// REQUIRES: Case::twin names a twin (FindTwinRule); the twin has the case's ops at the same places and the first of its
// runs, and returns every op's result.
void JudgeTwin(const Case& test_case, const Observation& observation, const Case& twin,
               const Observation& twin_observation, const Policies& policies, Judgement* judgement);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_TWINS_H_
