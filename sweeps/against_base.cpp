// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/against_base.h"

#include <algorithm>
#include <cstddef>
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

// Divides findings by what was found again, in some of the runs, beside the base.
std::vector<ValueChunk::Finding> DividedBy(const std::vector<ValueChunk::Finding>& again,
                                           std::vector<ValueChunk::Finding> findings) {
  ValueChunk chunk;
  chunk.findings = std::move(findings);
  const auto is_in = [](const std::vector<ValueDisagreement>& list, const ValueDisagreement& one) {
    return absl::c_any_of(list, [&](const ValueDisagreement& other) { return IsOfOneInput(one, other); });
  };
  for (const ValueChunk::Finding& found : again) {
    ValueChunk::Finding& rest = FindingOf(&chunk, found.signature);
    if (found.base_agrees) {
      rest.count -= std::min(rest.count, found.count);
      std::erase_if(rest.listed, [&](const ValueDisagreement& listed) { return is_in(found.listed, listed); });
      chunk.findings.push_back(found);
      continue;
    }
    for (const ValueDisagreement& disagreement : found.listed) {
      if (rest.listed.size() < kListedDisagreements && !is_in(rest.listed, disagreement)) {
        rest.listed.push_back(disagreement);
      }
    }
  }
  std::erase_if(chunk.findings, [](const ValueChunk::Finding& finding) { return finding.count == 0; });
  return std::move(chunk.findings);
}

}  // namespace

std::vector<ValueChunk::Finding> SetApart(std::vector<ValueChunk::Finding> findings, const Case& test_case,
                                          const Observations& seen, uint64_t first, const JudgeOptions& options) {
  if (seen.patch.outcome != Outcome::kCompleted) {  // no element is wrong by itself
    const auto is_right = [&](const Observation& other) {
      return Judge(test_case, other, options).verdict == Verdict::kAgree;
    };
    const bool is_of_patch = is_right(seen.base) && absl::c_none_of(seen.ways, is_right);
    for (ValueChunk::Finding& finding : findings) finding.base_agrees = is_of_patch;
    return findings;
  }
  ValueChunk again;
  Observation one_run = seen.patch;
  Case one = test_case;
  const auto judge = [&](size_t run) {
    OtherResults others = {.base = ResultOf(seen.base, run), .ways = {}};
    for (const Observation& way : seen.ways) {
      if (const ResultObservation* result = ResultOf(way, run)) others.ways.push_back(result);
    }
    one.runs = {test_case.runs[run]};
    one_run.runs = {seen.patch.runs[run]};
    const uint64_t begin = first + run * one.runs[0][0].element_count();
    AddFindings(JudgeChunk(one, one_run, begin, options, {}, &others).findings, &again);
  };
  std::vector<size_t> alike;
  for (size_t run = 0; run < test_case.runs.size(); ++run) {
    const ResultObservation *here = ResultOf(seen.patch, run), *there = ResultOf(seen.base, run);
    if (here == nullptr || there == nullptr) continue;
    *here == *there ? alike.push_back(run) : judge(run);
  }
  std::vector<ValueChunk::Finding> divided = DividedBy(again.findings, findings);
  const auto lacks_example = [](const ValueChunk::Finding& finding) { return finding.listed.empty(); };
  for (size_t i = 0; i < alike.size() && absl::c_any_of(divided, lacks_example); ++i) {
    judge(alike[i]);
    divided = DividedBy(again.findings, findings);
  }
  return divided;
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

}  // namespace tosaic
