// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/of_patch.h"

#include <cstddef>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "campaign/findings.h"
#include "campaign/for_each_finding.h"
#include "checking/check_case.h"
#include "codec/status.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// Whether two judgements of a case blame the same: of numbers the same numbers too.
bool IsTheSame(const Judgement& a, const Judgement& b) {
  return a.verdict == b.verdict && a.rule == b.rule && a.mismatch == b.mismatch;
}

}  // namespace

absl::Status MarkDivergencesOfPatch(const CampaignRun& run, CaseSource& cases,
                                    std::map<uint64_t, CaseRecord>* divergences) {
  std::vector<std::pair<CaseRecord*, Case>> asked;
  for (auto& [number, record] : *divergences) {
    record.base_agrees = false;
    if (IsDivergence(record.verdict)) asked.emplace_back(&record, cases.JudgedCase(record));
  }
  const WorkerLimits& limits = run.options.limits;
  const JudgeOptions& judge = run.options.judge;
  const auto work = [&](uint64_t i) {
    const Case& test_case = asked[i].second;
    const auto patched = [&] { return CheckCase(run.toolchain, test_case, limits, judge).judgement; };
    return run.options.base->HasRight(test_case, patched, limits, judge);
  };
  const auto done = [&](uint64_t i, WorkerResult<bool> is_right) {
    asked[i].first->base_agrees = !is_right.death && is_right.answer;
  };
  return MapIndices<bool>(run.Supervisors(), run.stop, asked.size(), work, done);
}

absl::Status CompareWithBase(const CampaignRun& run, std::vector<Finding>& findings) {
  const auto is_asked = [&](const Finding& finding) {
    return !finding.cases().base_agrees && (run.options.changed || !finding.known_reason.empty());
  };
  const auto on_base = [&](size_t index) {
    if (!is_asked(findings[index])) return Judgement();
    return run.options.base->Judge(findings[index].cases().reduced, run.options.limits, run.options.judge);
  };
  const auto take = [&](Finding& finding, const Judgement& base) {
    if (!is_asked(finding)) return;
    CaseEvidence& cases = finding.cases();
    if (!finding.known_reason.empty()) {
      const auto patched = [&] { return finding.judgement; };
      cases.base_agrees = !MayBeRightByChance(cases.reduced.program) && IsRightWhere(patched, base);
      if (!cases.base_agrees) return;
      finding.known_reason.clear();
      finding = Named({std::move(finding)}, run.options.known, run.toolchain).front();
    } else if (run.options.changed && IsDivergence(finding.judgement.verdict) && IsTheSame(base, finding.judgement)) {
      // A divergence that did not show again cannot be told from those of the base.
      finding.known_reason = absl::StrCat(run.options.base->Name(), " shows it too.");
    }
  };
  return ForEachFinding<Judgement>(run, findings, "findings tried without the patch", on_base, take);
}

}  // namespace tosaic
