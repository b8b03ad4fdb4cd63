// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/ways_to_code.h"

#include <utility>

#include "model/routes.h"

namespace tosaic {

std::vector<std::string> OtherRoutes(const std::string& route) {
  const Route* known = FindRoute(route);
  const bool is_ordinary = known == nullptr || !(known->deallocates || known->verifies || known->calls_library ||
                                                 EndsWithIr(*known) || known->alignment > 0);
  std::vector<std::string> others;
  for (const char* other : {"loops", "affine-loops", "parallel-loops"}) {
    if (is_ordinary && route != other) others.push_back(other);
  }
  return others;
}

std::string JoinRoutes(absl::Span<const PipelinePass> first, absl::Span<const PipelinePass> rest) {
  constexpr int kOthers = 1000;  // added to the number of an anchor, so that it is no neighbour of the passes before
  std::vector<PipelinePass> passes(first.begin(), first.end());
  for (PipelinePass pass : rest) {
    for (size_t i = 1; i < pass.anchors.size(); ++i) pass.anchors[i].number += kOthers;
    passes.push_back(std::move(pass));
  }
  return JoinPipeline(passes);
}

bool IsRightCode(const CheckedCase& checked) {
  const Verdict verdict = checked.judgement.verdict;
  const bool ran = checked.observation.outcome == Outcome::kCompleted && !checked.observation.runs.empty();
  return ran && (verdict == Verdict::kAgree || verdict == Verdict::kUndefined);
}

}  // namespace tosaic
