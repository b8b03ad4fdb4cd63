// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/blame_of_base.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "diagnosis/pass_bisection.h"
#include "diagnosis/shortest_pipeline.h"
#include "diagnosis/ways_to_code.h"
#include "model/pass_pipeline.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// The names of the base's passes on the route of a case.
std::vector<std::string> PassesOfBase(const PatchBase& base, const Case& test_case) {
  return PassesIn(base.toolchain().description().PipelineOf(base.Without(test_case).route));
}

}  // namespace

std::vector<std::string> WaysBehindPatch(const Toolchain& toolchain, const PatchBase& base, const Case& test_case) {
  const ToolchainDescription& description = toolchain.description();
  const std::vector<std::string> of_base = PassesOfBase(base, test_case);
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(description.PipelineOf(test_case.route));
  if (!passes.ok()) return {};
  const std::vector<std::string> names = PassesIn(description.PipelineOf(test_case.route));
  size_t own = names.size();  // the passes up to and with the last one of the patch
  while (own > 0 && absl::c_linear_search(of_base, names[own - 1])) --own;
  if (own == 0 || own == passes->size()) return {};
  std::vector<std::string> ways;
  for (const std::string& other : OtherRoutes(test_case.route)) {
    const absl::StatusOr<std::vector<PipelinePass>> rest = SplitPipeline(description.PipelineOf(other));
    if (!rest.ok()) continue;
    const auto next =
        absl::c_find_if(*rest, [&](const PipelinePass& pass) { return pass.text == (*passes)[own].text; });
    if (next == rest->end()) continue;
    ways.push_back(JoinRoutes(absl::MakeSpan(*passes).first(own),
                              absl::MakeSpan(*rest).subspan(static_cast<size_t>(next - rest->begin()))));
  }
  return ways;
}

bool LeavesRightIr(Toolchain& toolchain, const PatchBase& base, const Case& test_case, const WorkerLimits& limits,
                   const JudgeOptions& judge) {
  const std::vector<std::string> ways = WaysBehindPatch(toolchain, base, test_case);
  bool is_right = false;
  const absl::Status status = MapIndices<bool>(
      {.limits = limits}, nullptr, ways.size(),
      [&](uint64_t i) { return IsRightCode(CheckThrough(toolchain, test_case, ways[i], judge)); },
      [&](uint64_t, WorkerResult<bool> result) { is_right |= !result.death && result.answer; });
  return status.ok() && is_right;
}

bool IsPassOfBaseToBlame(Toolchain& toolchain, const PatchBase& base, const Case& test_case, const WorkerLimits& limits,
                         const JudgeOptions& judge, const ProgramReader& read) {
  const std::vector<std::string> of_base = PassesOfBase(base, test_case);
  const auto is_of_base = [&](const std::string& name) { return absl::c_linear_search(of_base, name); };
  if (absl::c_all_of(PassesIn(toolchain.description().PipelineOf(test_case.route)), is_of_base)) return false;
  if (LeavesRightIr(toolchain, base, test_case, limits, judge)) return true;
  const absl::StatusOr<PassBisection> bisection = BisectPasses(toolchain, test_case, limits, judge, read);
  if (!bisection.ok() || bisection->suspects.empty()) return false;
  const std::vector<std::string> names = PassesIn(bisection->pipeline);
  return absl::c_all_of(bisection->suspects, [&](size_t i) { return i < names.size() && is_of_base(names[i]); });
}

}  // namespace tosaic
