// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fewest passes that show a divergence in lowering.
#ifndef TOSAIC_DIAGNOSIS_SHORTEST_PIPELINE_H_
#define TOSAIC_DIAGNOSIS_SHORTEST_PIPELINE_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/types/span.h"
#include "checking/check_case.h"
#include "model/pass_pipeline.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// Checks the case with `pipeline` in place of its route's. Its twin, with which results are compared, keeps its own
// route. REQUIRES: the toolchain can lower.
CheckedCase CheckThrough(Toolchain& toolchain, const Case& test_case, const std::string& pipeline,
                         const JudgeOptions& judge);

// For a case that diverges in lowering: the shortest first part of its route's pass pipeline that still shows the same
// divergence, which may be the whole pipeline. Empty if the case diverges elsewhere or not at all, or if its twin does.
std::string ShortestFirstPart(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                              const WorkerLimits& limits, const JudgeOptions& judge);

// The same without each pass before the last that is not needed to show the divergence. A clean refusal keeps all
// passes: what is refused may be what a pass that is left out would have lowered.
std::string ShortestPipeline(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                             const WorkerLimits& limits, const JudgeOptions& judge);

// The pass that made the IR illegal, if that is not the last of `passes`, behind which it does not verify: the last one
// may only have given it the types by which the verifier notices. Returns the index of the last pass without which the
// IR verifies. nullopt: the last pass makes it illegal alone; or a pass lowers, and lowered IR needs all passes before
// it; or the case shows something else.
std::optional<size_t> MakerOfIllegalIr(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                                       absl::Span<const PipelinePass> passes, const WorkerLimits& limits,
                                       const JudgeOptions& judge);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_SHORTEST_PIPELINE_H_
