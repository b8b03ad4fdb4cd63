// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/blame_of_base.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "diagnosis/pass_bisection.h"
#include "model/pass_pipeline.h"

namespace tosaic {
namespace {

std::vector<std::string> PassesOf(const std::string& pipeline) {
  std::vector<std::string> names;
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(pipeline);
  for (const PipelinePass& pass : passes.value_or(std::vector<PipelinePass>())) names.push_back(pass.name);
  return names;
}

}  // namespace

bool IsPassOfBaseToBlame(Toolchain& toolchain, const PatchBase& base, const Case& test_case, const WorkerLimits& limits,
                         const JudgeOptions& judge, const ProgramReader& read) {
  const std::vector<std::string> own =
      PassesOf(base.toolchain().description().PipelineOf(base.Without(test_case).route));
  const auto is_own = [&](const std::string& name) { return absl::c_linear_search(own, name); };
  if (absl::c_all_of(PassesOf(toolchain.description().PipelineOf(test_case.route)), is_own)) return false;
  const absl::StatusOr<PassBisection> bisection = BisectPasses(toolchain, test_case, limits, judge, read);
  if (!bisection.ok() || bisection->suspects.empty()) return false;
  const std::vector<std::string> names = PassesOf(bisection->pipeline);
  return absl::c_all_of(bisection->suspects, [&](size_t i) { return i < names.size() && is_own(names[i]); });
}

}  // namespace tosaic
