// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/edit_to_blame.h"

#include "checking/patch_base.h"
#include "model/pass_pipeline.h"

namespace tosaic {

std::string EditToBlame(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                        const JudgeOptions& judge) {
  const ToolchainDescription& description = toolchain.description();
  const Route* route = FindRoute(description.routes, description.custom_like);
  if (test_case.route != kCustomRoute || route == nullptr) return "";
  const Verdict verdict = PatchBase::OfEdit(toolchain)->Judge(test_case, limits, judge).verdict;
  return verdict == Verdict::kAgree ? ComparePipelines(route->pipeline, description.custom_pipeline).after : "";
}

}  // namespace tosaic
