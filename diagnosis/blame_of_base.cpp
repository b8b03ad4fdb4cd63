// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/blame_of_base.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "diagnosis/pass_bisection.h"
#include "model/pass_pipeline.h"

namespace tosaic {

bool IsPassOfBaseToBlame(Toolchain& toolchain, const PatchBase& base, const Case& test_case, const WorkerLimits& limits,
                         const JudgeOptions& judge, const ProgramReader& read) {
  const std::vector<std::string> own =
      PassesIn(base.toolchain().description().PipelineOf(base.Without(test_case).route));
  const auto is_own = [&](const std::string& name) { return absl::c_linear_search(own, name); };
  if (absl::c_all_of(PassesIn(toolchain.description().PipelineOf(test_case.route)), is_own)) return false;
  const absl::StatusOr<PassBisection> bisection = BisectPasses(toolchain, test_case, limits, judge, read);
  if (!bisection.ok() || bisection->suspects.empty()) return false;
  const std::vector<std::string> names = PassesIn(bisection->pipeline);
  return absl::c_all_of(bisection->suspects, [&](size_t i) { return i < names.size() && is_own(names[i]); });
}

}  // namespace tosaic
