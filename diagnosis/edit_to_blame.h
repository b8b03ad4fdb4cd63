// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a case is wrong because of the passes that a user put into its route.
#ifndef TOSAIC_DIAGNOSIS_EDIT_TO_BLAME_H_
#define TOSAIC_DIAGNOSIS_EDIT_TO_BLAME_H_

#include <string>

#include "model/program.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// The passes in which the edited route of a case that is wrong differs from the route as it is, if the case is right on
// that one; else, and if the case's route is no edited one, empty.
std::string EditToBlame(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                        const JudgeOptions& judge);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_EDIT_TO_BLAME_H_
