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

// The case on its route with that pipeline instead; its twin, which is what it is compared with, as it is.
// REQUIRES: the toolchain can lower.
CheckedCase CheckThrough(Toolchain& toolchain, const Case& test_case, const std::string& pipeline,
                         const JudgeOptions& judge);

// For a case that diverges in lowering: the shortest first part of its route's pass pipeline that still shows the same
// divergence, which may be the whole pipeline. Empty if the case diverges elsewhere or not at all, or if its twin does.
std::string ShortestFirstPart(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                              const WorkerLimits& limits, const JudgeOptions& judge);

// The same without the passes before the last that it does not take. Of a clean refusal all stay: what a pass does not
// know may be what another one would have lowered.
std::string ShortestPipeline(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                             const WorkerLimits& limits, const JudgeOptions& judge);

// IR that does not verify behind a pass may have been made by an earlier one, where this pass only gave it the types by
// which a verifier sees it. `passes`: of the pipeline, the last of which leaves such IR. The index of the earlier pass:
// the last one without which the IR verifies. Nullopt: the last pass does it alone, or some of them lower, because
// lowered IR needs all passes before it; or the case shows something else.
std::optional<size_t> MakerOfIllegalIr(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                                       absl::Span<const PipelinePass> passes, const WorkerLimits& limits,
                                       const JudgeOptions& judge);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_SHORTEST_PIPELINE_H_
