// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whom to blame of an MLIR whose code cannot be watched, as tools and libraries: the pass, and where that is
// canonicalize the pattern, because canonicalize takes the names of patterns that it shall leave out.
#ifndef TOSAIC_DIAGNOSIS_BLAME_BY_NAME_H_
#define TOSAIC_DIAGNOSIS_BLAME_BY_NAME_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "diagnosis/blame.h"
#include "diagnosis/rewritten_program.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// `names`: of patterns that the MLIR may have. One that it lacks disables nothing, so the case stays wrong, and the
// pattern is cleared.
// Errors: the case does not diverge; the toolchain does not lower by pipelines.
absl::StatusOr<Blame> BlameByName(Toolchain& toolchain, const std::vector<std::string>& names, const Case& test_case,
                                  const WorkerLimits& limits, const JudgeOptions& judge, const ProgramReader& read);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_BLAME_BY_NAME_H_
