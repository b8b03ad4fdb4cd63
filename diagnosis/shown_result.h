// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which result of a divergent case its reproducer prints, and the values that each element may have.
#ifndef TOSAIC_DIAGNOSIS_SHOWN_RESULT_H_
#define TOSAIC_DIAGNOSIS_SHOWN_RESULT_H_

#include "checking/check_case.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "reports/reproducer/reproducer.h"

namespace tosaic {

// REQUIRES: the case has runs, and the judgement is about it, not about its twin.
ShownResult ResultToShow(const Case& test_case, const CheckedCase& checked, const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_SHOWN_RESULT_H_
