// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function to blame, of the MLIR in this process.
#ifndef TOSAIC_TOOLS_BLAME_H_
#define TOSAIC_TOOLS_BLAME_H_

#include <string>

#include "absl/status/statusor.h"
#include "diagnosis/blame.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "tools/subcommands.h"
#include "workers/worker_pool.h"

namespace tosaic {

// BlameRewrites with all that can be switched off here. REQUIRES: the toolchain has rewrites().
absl::StatusOr<Blame> BlameInProcess(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                                     const JudgeOptions& judge);

// The same of a toolchain without rewrites(), by the names of the patterns that the MLIR in this process has. REQUIRES:
// the flags made the toolchain.
absl::StatusOr<Blame> BlameElsewhere(const ToolchainFlags& flags, Toolchain& toolchain, const Case& test_case,
                                     const JudgeOptions& judge);

// BlameInProcess by a toolchain of its own, in short.
ShortBlame BlamedInShort(const Case& test_case, const WorkerLimits& limits, const JudgeOptions& judge);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_BLAME_H_
