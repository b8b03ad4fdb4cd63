// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells a patch that is wrong from one that is right and brings to light what MLIR gets wrong.
#ifndef TOSAIC_DIAGNOSIS_BLAME_OF_BASE_H_
#define TOSAIC_DIAGNOSIS_BLAME_OF_BASE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "checking/known_divergences.h"
#include "checking/patch_base.h"
#include "diagnosis/rewritten_program.h"
#include "model/program.h"
#include "model/verdict.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// Pass pipelines that begin as the route of a case up to and with the last pass of the patch, and go on as another
// route, from the pass that comes next. What one of them computes right, the passes of the patch leave right.
std::vector<std::string> WaysBehindPatch(const Toolchain& toolchain, const PatchBase& base, const Case& test_case);

// Whether the passes of the patch are seen to leave right IR of a case that diverges, by a way behind them. Takes a
// hundredth of a second or two.
bool LeavesRightIr(Toolchain& toolchain, const PatchBase& base, const Case& test_case, const WorkerLimits& limits,
                   const JudgeOptions& judge);

// The case with the program that the passes of the patch leave, on the base's route: none if they leave no TOSA, or if
// that is not right by the oracle.
std::optional<Case> LeftByPatch(Toolchain& toolchain, const PatchBase& base, const Case& test_case,
                                const WorkerLimits& limits, const JudgeOptions& judge, const ProgramReader& read);

// What is known of the program that the patch leaves of a case, if that is right and comes to the same end: it may show
// a listed cause that the case does not look like. Null: nothing.
const KnownDivergences::Entry* KnownOfWhatIsLeft(Toolchain& toolchain, const PatchBase& base,
                                                 const KnownDivergences& known, const Case& test_case,
                                                 const WorkerLimits& limits, const JudgeOptions& judge,
                                                 const ProgramReader& read);

// Whether a pass that the base has too is to blame for the divergence of a case that the base has right: the passes of
// the patch leave right IR, on which that pass is wrong. False if it may be a pass of the patch, or if the patch is
// another build, whose passes have the names of the base's. May bisect, which takes about a second.
bool IsPassOfBaseToBlame(Toolchain& toolchain, const PatchBase& base, const Case& test_case, const WorkerLimits& limits,
                         const JudgeOptions& judge, const ProgramReader& read);

// Whether the patch is to blame for what `patched`, the judgement of the case with it, blames: the base has it right,
// and no pass of the base is to blame.
bool IsPatchToBlame(Toolchain& toolchain, const PatchBase& base, const Case& test_case,
                    absl::FunctionRef<Judgement()> patched, const WorkerLimits& limits, const JudgeOptions& judge,
                    const ProgramReader& read);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_BLAME_OF_BASE_H_
