// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/of_patch.h"

#include <cstddef>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "campaign/findings.h"
#include "campaign/for_each_finding.h"
#include "checking/check_case.h"
#include "codec/status.h"
#include "workers/map.h"

namespace tosaic {
namespace {

bool DependsOnMemory(const Program& program) {
  return absl::c_any_of(program.ops, [&](const OpApplication& op) {
    return HasSpecialOperandAtRunTime(program, op) || TakesUnrankedForRanked(program, op);
  });
}

Judgement OnBase(const CampaignRun& run, const Case& test_case) {
  const ChangedPrograms& changed = *run.options.changed;
  return CheckCase(changed.base(), changed.OnBase(test_case), run.options.limits, run.options.judge).judgement;
}

// Whether two judgements of a case blame the same: of numbers the same numbers too.
bool IsTheSame(const Judgement& a, const Judgement& b) {
  return a.verdict == b.verdict && a.rule == b.rule && a.mismatch == b.mismatch;
}

}  // namespace

absl::StatusOr<std::set<uint64_t>> DivergencesOfPatch(const CampaignRun& run, CaseSource& cases,
                                                      const std::map<uint64_t, CaseRecord>& divergences) {
  std::vector<std::pair<uint64_t, Case>> listed;
  for (const auto& [number, record] : divergences) {
    if (!IsDivergence(record.verdict)) continue;
    Case test_case = cases.JudgedCase(record);
    if (run.options.known.Find(record.signature, &test_case, run.toolchain) == nullptr) continue;
    if (!DependsOnMemory(test_case.program)) listed.emplace_back(number, std::move(test_case));
  }
  std::set<uint64_t> of_patch;
  const auto work = [&](uint64_t i) {
    const Judgement judgement = OnBase(run, listed[i].second);
    // A run that ends by what is undefined says nothing of the elements before it, which are right.
    return judgement.verdict == Verdict::kAgree || (judgement.verdict == Verdict::kUndefined && judgement.compared > 0);
  };
  const auto done = [&](uint64_t i, WorkerResult<bool> agrees) {
    if (!agrees.death && agrees.answer) of_patch.insert(listed[i].first);
  };
  TOSAIC_RETURN_IF_ERROR(MapIndices<bool>(run.Supervisors(), run.stop, listed.size(), work, done));
  return of_patch;
}

absl::Status SetApartWhatBaseShows(const CampaignRun& run, const std::set<uint64_t>& of_patch,
                                   std::vector<Finding>& findings) {
  const auto is_shown = [&](size_t index) {
    const Finding& finding = findings[index];
    // A divergence that did not show again cannot be told from those of the base.
    return IsDivergence(finding.judgement.verdict) &&
           IsTheSame(OnBase(run, finding.cases().reduced), finding.judgement);
  };
  const auto take = [&](Finding& finding, bool is_shown_too) {
    if (!is_shown_too || !finding.known_reason.empty()) return;
    if (of_patch.contains(finding.cases().case_number)) {
      finding.cases().is_reduced = false;
      return ShowBy(finding.cases().original, &finding);
    }
    finding.known_reason = absl::StrCat(run.options.changed->Base(), " shows it too.");
  };
  return ForEachFinding<bool>(run, findings, "findings tried without the patch", is_shown, take);
}

}  // namespace tosaic
