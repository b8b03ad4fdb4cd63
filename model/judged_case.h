// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JudgedCase: a case's observation, and what was judged of it.
#ifndef TOSAIC_MODEL_JUDGED_CASE_H_
#define TOSAIC_MODEL_JUDGED_CASE_H_

#include "model/observation.h"
#include "model/signature.h"
#include "model/verdict.h"

namespace tosaic {

struct JudgedCase {
  Observation observation;
  Judgement judgement;
  FindingSignature signature;  // empty unless the verdict is a divergence
};

}  // namespace tosaic

#endif  // TOSAIC_MODEL_JUDGED_CASE_H_
