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
#include "codec/visitor.h"
#include "diagnosis/blame_of_base.h"
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

// The base's answer about a finding. In a worker.
struct OfBase {
  Judgement judgement;            // of its reduced case
  bool is_pass_to_blame = false;  // IsPassOfBaseToBlame
};

void Fields(Visitor& v, OfBase& of_base) {
  v("judgement", of_base.judgement);
  v("is_pass_to_blame", of_base.is_pass_to_blame);
}

absl::Status CompareWithBase(const CampaignRun& run, std::vector<Finding>& findings) {
  const auto& [toolchain, options, stop] = run;
  const auto ask = [&](size_t index) {
    const CaseEvidence& cases = findings[index].cases();
    const bool is_listed = options.known.Find(findings[index].signature, &cases.reduced, toolchain) != nullptr;
    OfBase of_base;
    if (!cases.base_agrees && (options.changed || is_listed)) {
      of_base.judgement = options.base->Judge(cases.reduced, options.limits, options.judge);
    } else if (cases.base_agrees && is_listed && !options.changed) {
      of_base.is_pass_to_blame =
          IsPassOfBaseToBlame(toolchain, *options.base, cases.reduced, options.limits, options.judge, options.read);
    }
    return of_base;
  };
  const auto take = [&](Finding& finding, const OfBase& of_base) {
    CaseEvidence& cases = finding.cases();
    const auto rename = [&](bool base_agrees) {
      cases.base_agrees = base_agrees;
      finding.known_reason.clear();
      finding = Named({std::move(finding)}, options.known, toolchain).front();
    };
    if (cases.base_agrees) {
      if (of_base.is_pass_to_blame) rename(false);
    } else if (!finding.known_reason.empty()) {
      const auto patched = [&] { return finding.judgement; };
      if (!MayBeRightByChance(cases.reduced.program) && IsRightWhere(patched, of_base.judgement)) rename(true);
    } else if (options.changed && IsDivergence(finding.judgement.verdict) &&
               IsTheSame(of_base.judgement, finding.judgement)) {
      // A divergence that did not show again cannot be told from those of the base.
      finding.known_reason = absl::StrCat(options.base->Name(), " shows it too.");
    }
  };
  return ForEachFinding<OfBase>(run, findings, "findings tried without the patch", ask, take);
}

}  // namespace tosaic
