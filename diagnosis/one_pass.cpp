// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/one_pass.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "model/pass_pipeline.h"
#include "workers/map.h"

namespace tosaic {
namespace {

constexpr char kCanonicalize[] = "builtin.module(func.func(canonicalize))";

// The pass pipelines of one pass each, in the order in which they are preferred.
std::vector<std::string> OnePassEach(const std::string& pipeline) {
  std::vector<std::string> each = {kCanonicalize};
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(pipeline);
  if (!passes.ok()) return each;
  for (const PipelinePass& pass : *passes) {
    if (absl::StartsWith(pass.name, "one-shot-bufferize")) break;  // behind it nothing is TOSA
    std::string alone = JoinPipeline({pass});
    if (!absl::StartsWith(pass.name, "tosaic-") && !absl::c_linear_search(each, alone))
      each.push_back(std::move(alone));
  }
  return each;
}

}  // namespace

OnePass FindOnePass(Toolchain& toolchain, const Case& test_case, const std::string& mlir, const std::string& pipeline,
                    const ProgramReader& read, const WorkerLimits& limits, const JudgeOptions& judge) {
  if (!read || toolchain.lowering() == nullptr) return {};
  const std::vector<std::string> pipelines = OnePassEach(pipeline);
  const auto left_by = [&](uint64_t i) -> OnePass {
    // If the documents leave the result open, no rewriting of it is wrong.
    const absl::StatusOr<Program> own = read(mlir);
    if (!own.ok() || JudgeRewritten(test_case, *own, judge).is_right != true) return {};
    const absl::StatusOr<std::string> left = toolchain.lowering()->LowerText(mlir, pipelines[i], false);
    const absl::StatusOr<Program> program = left.ok() ? read(*left) : left.status();
    if (!program.ok()) return {};
    const Rewritten rewritten = JudgeRewritten(test_case, *program, judge);
    return rewritten.is_right == false ? OnePass{pipelines[i], *left, rewritten.wrong} : OnePass();
  };
  std::vector<OnePass> found(pipelines.size());
  const absl::Status status =
      MapIndices<OnePass>({.limits = limits}, nullptr, pipelines.size(), left_by,
                          [&](uint64_t i, WorkerResult<OnePass> result) { found[i] = std::move(result.answer); });
  const auto first = absl::c_find_if(found, [](const OnePass& pass) { return !pass.pipeline.empty(); });
  return status.ok() && first != found.end() ? *std::move(first) : OnePass();
}

}  // namespace tosaic
