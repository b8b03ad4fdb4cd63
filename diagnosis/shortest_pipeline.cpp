// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/shortest_pipeline.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "checking/signature.h"
#include "toolchain/progress.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// Whether these passes alone show it, in a process of their own, for what is looked for may be a death.
bool ShowsThrough(const std::string& pipeline, Toolchain& toolchain, const Case& test_case,
                  const FindingSignature& signature, const WorkerLimits& limits, const JudgeOptions& judge) {
  const auto result = InFreshProcess<bool>(
      limits, [&] { return Shows(signature, test_case, CheckThrough(toolchain, test_case, pipeline, judge)); });
  if (!result.ok()) return false;
  if (!result->death) return result->answer;
  const auto observe = [&](const Case&) { return ObservationOf(*result->death); };
  Case alone = test_case;
  alone.twin.clear();
  return Shows(signature, alone, CheckWith(observe, alone, judge));
}

}  // namespace

CheckedCase CheckThrough(Toolchain& toolchain, const Case& test_case, const std::string& pipeline,
                         const JudgeOptions& judge) {
  return CheckWith(
      [&](const Case& asked) {
        return asked == test_case ? toolchain.lowering()->ObserveThrough(asked, pipeline) : toolchain.Observe(asked);
      },
      test_case, judge);
}

std::string ShortestFirstPart(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                              const WorkerLimits& limits, const JudgeOptions& judge) {
  const FindingSignature& signature = checked.signature;
  if (signature.empty() || checked.judgement.stage != Stage::kLower || checked.twin) return "";
  const std::string pipeline = toolchain.description().PipelineOf(test_case.route);
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(pipeline);
  if (!passes.ok() || toolchain.lowering() == nullptr) return pipeline;
  for (size_t count = 1; count < passes->size(); ++count) {
    std::string part = JoinPipeline(absl::MakeSpan(*passes).first(count));
    if (ShowsThrough(part, toolchain, test_case, signature, limits, judge)) return part;
  }
  return pipeline;
}

std::string ShortestPipeline(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                             const WorkerLimits& limits, const JudgeOptions& judge) {
  std::string shortest = ShortestFirstPart(toolchain, test_case, checked, limits, judge);
  absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(shortest);
  const bool is_refused = checked.observation.outcome == Outcome::kRefused;
  if (shortest.empty() || !passes.ok() || toolchain.lowering() == nullptr || is_refused) return shortest;
  for (size_t i = passes->size() - 1; i-- > 0;) {
    std::vector<PipelinePass> fewer = *passes;
    fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
    std::string pipeline = JoinPipeline(fewer);
    if (!ShowsThrough(pipeline, toolchain, test_case, checked.signature, limits, judge)) continue;
    *passes = std::move(fewer);
    shortest = std::move(pipeline);
  }
  return shortest;
}

std::optional<size_t> MakerOfIllegalIr(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                                       absl::Span<const PipelinePass> passes, const WorkerLimits& limits,
                                       const JudgeOptions& judge) {
  const auto lowers = [](const PipelinePass& pass) { return absl::StartsWith(pass.name, "tosa-to-"); };
  if (checked.judgement.rule != RuleId::kLowerLegalIr || absl::c_any_of(passes, lowers)) return std::nullopt;
  for (size_t count = 0; count + 1 < passes.size(); ++count) {
    std::vector<PipelinePass> some(passes.begin(), passes.begin() + static_cast<ptrdiff_t>(count));
    some.push_back(passes.back());
    if (!ShowsThrough(JoinPipeline(some), toolchain, test_case, checked.signature, limits, judge)) continue;
    return count > 0 ? std::optional(count - 1) : std::nullopt;
  }
  return passes.size() > 1 ? std::optional(passes.size() - 2) : std::nullopt;
}

}  // namespace tosaic
