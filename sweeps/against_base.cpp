// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/against_base.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "diagnosis/blame_of_base.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

bool IsOfOneInput(const ValueDisagreement& a, const ValueDisagreement& b) {
  return a.judgement.mismatch && b.judgement.mismatch && a.judgement.mismatch->index == b.judgement.mismatch->index;
}

// The one result of a run; null if there is none.
const ResultObservation* ResultOf(const Observation& observation, size_t run) {
  const bool is_there = run < observation.runs.size() && observation.runs[run].results.size() == 1;
  return is_there ? &observation.runs[run].results[0] : nullptr;
}

}  // namespace

std::vector<ValueChunk::Finding> FindingsOfPatch(const Case& test_case, const Observations& seen, uint64_t first,
                                                 const JudgeOptions& options) {
  ValueChunk chunk;
  const auto is_right = [&](const Observation& other) {
    return Judge(test_case, other, options).verdict == Verdict::kAgree;
  };
  const bool has_values = seen.patch.outcome == Outcome::kCompleted;  // else no element is wrong by itself
  if (!has_values && is_right(seen.base) && absl::c_none_of(seen.ways, is_right)) {
    AddFindings(JudgeChunk(test_case, seen.patch, first, options).findings, &chunk);
  }
  Observation one_run = seen.patch;
  Case one = test_case;
  for (size_t run = 0; has_values && run < test_case.runs.size(); ++run) {
    const ResultObservation *here = ResultOf(seen.patch, run), *there = ResultOf(seen.base, run);
    if (here == nullptr || there == nullptr || *here == *there) continue;
    OtherResults others = {.base = there, .ways = {}};
    for (const Observation& way : seen.ways) {
      if (const ResultObservation* result = ResultOf(way, run)) others.ways.push_back(result);
    }
    one.runs = {test_case.runs[run]};
    one_run.runs = {seen.patch.runs[run]};
    const uint64_t begin = first + run * one.runs[0][0].element_count();
    AddFindings(JudgeChunk(one, one_run, begin, options, {}, &others).findings, &chunk);
  }
  for (ValueChunk::Finding& finding : chunk.findings) finding.base_agrees = true;
  return std::move(chunk.findings);
}

Observations ObserveBeside(Toolchain& toolchain, const PatchBase& base, const Case& test_case) {
  Observations seen;
  const Case without = base.Without(test_case);
  seen.base = Observed([&] { return base.toolchain().Observe(without); });
  seen.patch = Observed([&] { return toolchain.Observe(test_case); });
  if (toolchain.lowering() == nullptr) return seen;
  for (const std::string& way : WaysBehindPatch(toolchain, base, test_case)) {
    seen.ways.push_back(Observed([&] { return toolchain.lowering()->ObserveThrough(test_case, way); }));
  }
  return seen;
}

void SetApart(std::vector<ValueChunk::Finding> of_patch, ValueChunk* chunk) {
  for (ValueChunk::Finding& found : of_patch) {
    ValueChunk::Finding& rest = FindingOf(chunk, found.signature);
    rest.count -= std::min(rest.count, found.count);
    std::erase_if(rest.listed, [&](const ValueDisagreement& listed) {
      return absl::c_any_of(found.listed, [&](const ValueDisagreement& other) { return IsOfOneInput(listed, other); });
    });
  }
  std::erase_if(chunk->findings, [](const ValueChunk::Finding& finding) { return finding.count == 0; });
  absl::c_move(of_patch, std::back_inserter(chunk->findings));
}

}  // namespace tosaic
