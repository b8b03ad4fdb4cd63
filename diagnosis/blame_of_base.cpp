// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/blame_of_base.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "diagnosis/pass_bisection.h"
#include "diagnosis/shortest_pipeline.h"
#include "diagnosis/ways_to_code.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "toolchain/observe_isolated.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// The names of the base's passes on the route of a case.
std::vector<std::string> PassesOfBase(const PatchBase& base, const Case& test_case) {
  return PassesIn(base.toolchain().description().PipelineOf(base.Without(test_case).route));
}

// The passes of a case's route, divided behind the last one of the patch; none if there is none, or no other behind it.
struct DividedPasses {
  std::vector<PipelinePass> up_to_patch, behind;
};
DividedPasses DivideAtPatch(const Toolchain& toolchain, const PatchBase& base, const Case& test_case) {
  const std::string pipeline = toolchain.description().PipelineOf(test_case.route);
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(pipeline);
  if (!passes.ok()) return {};
  const std::vector<std::string> of_base = PassesOfBase(base, test_case), names = PassesIn(pipeline);
  size_t own = names.size();
  while (own > 0 && absl::c_linear_search(of_base, names[own - 1])) --own;
  if (own == 0 || own == passes->size()) return {};
  const auto end = passes->begin() + static_cast<std::ptrdiff_t>(own);
  return {{passes->begin(), end}, {end, passes->end()}};
}

// Whether two programs come to the same end, with the same results.
bool EndAlike(const Observation& a, const Observation& b) {
  const auto has_same = [](const RunObservation& one, const RunObservation& other) {
    return one.results == other.results;
  };
  return a.outcome == b.outcome && a.stage == b.stage && a.pass == b.pass && absl::c_equal(a.runs, b.runs, has_same);
}

}  // namespace

std::vector<std::string> WaysBehindPatch(const Toolchain& toolchain, const PatchBase& base, const Case& test_case) {
  const ToolchainDescription& description = toolchain.description();
  const DividedPasses passes = DivideAtPatch(toolchain, base, test_case);
  if (passes.behind.empty()) return {};
  std::vector<std::string> ways;
  const bool is_edited = test_case.route == kCustomRoute && !description.custom_like.empty();
  for (const std::string& other : OtherRoutes(is_edited ? description.custom_like : test_case.route)) {
    const absl::StatusOr<std::vector<PipelinePass>> rest = SplitPipeline(description.PipelineOf(other));
    if (!rest.ok()) continue;
    const auto next =
        absl::c_find_if(*rest, [&](const PipelinePass& pass) { return pass.text == passes.behind.front().text; });
    if (next == rest->end()) continue;
    ways.push_back(
        JoinRoutes(passes.up_to_patch, absl::MakeSpan(*rest).subspan(static_cast<size_t>(next - rest->begin()))));
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

std::optional<Case> LeftByPatch(Toolchain& toolchain, const PatchBase& base, const Case& test_case,
                                const WorkerLimits& limits, const JudgeOptions& judge, const ProgramReader& read) {
  const DividedPasses passes = DivideAtPatch(toolchain, base, test_case);
  if (passes.behind.empty() || !read) return std::nullopt;
  std::string text;
  const absl::Status status = MapIndices<std::string>(
      {.limits = limits}, nullptr, 1,
      [&](uint64_t) {
        return toolchain.lowering()
            ->LowerText(ToMlir(test_case.program, toolchain.description().dialect), JoinPipeline(passes.up_to_patch),
                        /*to_llvm_ir=*/false)
            .value_or("");
      },
      [&](uint64_t, WorkerResult<std::string> result) {
        if (!result.death) text = std::move(result.answer);
      });
  if (!status.ok() || text.empty()) return std::nullopt;
  const absl::StatusOr<Program> program = read(text);
  if (!program.ok() || !HasSameInterface(test_case.program, *program)) return std::nullopt;
  if (JudgeRewritten(test_case, *program, judge).is_right != true) return std::nullopt;
  Case left = base.Without(test_case);
  left.program = *program;
  left.twin.clear();
  return left;
}

const KnownDivergences::Entry* KnownOfWhatIsLeft(Toolchain& toolchain, const PatchBase& base,
                                                 const KnownDivergences& known, const Case& test_case,
                                                 const WorkerLimits& limits, const JudgeOptions& judge,
                                                 const ProgramReader& read) {
  const std::optional<Case> left = LeftByPatch(toolchain, base, test_case, limits, judge, read);
  if (!left) return nullptr;
  const CheckedCase checked = CheckCase(base.toolchain(), *left, limits, judge);
  if (checked.signature.empty()) return nullptr;
  const KnownDivergences::Entry* entry = known.Find(checked.signature, &*left, base.toolchain());
  const bool explains = entry != nullptr && EndAlike(ObserveIsolated(toolchain, test_case, limits),
                                                     ObserveIsolated(base.toolchain(), *left, limits));
  return explains ? entry : nullptr;
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

bool IsPatchToBlame(Toolchain& toolchain, const PatchBase& base, const Case& test_case,
                    absl::FunctionRef<Judgement()> patched, const WorkerLimits& limits, const JudgeOptions& judge,
                    const ProgramReader& read) {
  return base.HasRight(toolchain, test_case, patched, limits, judge) &&
         !IsPassOfBaseToBlame(toolchain, base, test_case, limits, judge, read);
}

}  // namespace tosaic
