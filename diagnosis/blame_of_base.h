// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells a patch that is wrong from one that is right and brings to light what MLIR gets wrong.
#ifndef TOSAIC_DIAGNOSIS_BLAME_OF_BASE_H_
#define TOSAIC_DIAGNOSIS_BLAME_OF_BASE_H_

#include "checking/patch_base.h"
#include "diagnosis/rewritten_program.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// Whether a pass that the base has too is to blame for the divergence of a case that the base has right: the passes of
// the patch leave right IR, on which that pass is wrong. False if it may be a pass of the patch, or if the patch is
// another build, whose passes have the names of the base's.
bool IsPassOfBaseToBlame(Toolchain& toolchain, const PatchBase& base, const Case& test_case, const WorkerLimits& limits,
                         const JudgeOptions& judge, const ProgramReader& read);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_BLAME_OF_BASE_H_
