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

bool DependsOnMemory(const Program& program) {
  return absl::c_any_of(program.ops, [&](const OpApplication& op) {
    return HasSpecialOperandAtRunTime(program, op) || TakesUnrankedForRanked(program, op);
  });
}

Judgement OnBase(const CampaignRun& run, const Case& test_case) {
  const PatchBase& base = *run.options.base;
  return CheckCase(base.toolchain(), base.Without(test_case), run.options.limits, run.options.judge).judgement;
}

// Whether two judgements of a case blame the same: of numbers the same numbers too.
bool IsTheSame(const Judgement& a, const Judgement& b) {
  return a.verdict == b.verdict && a.rule == b.rule && a.mismatch == b.mismatch;
}

// Whether the base is right where the patch is wrong: it agrees, or its first wrong element comes later.
bool IsRightWherePatchIsWrong(const Judgement& base, absl::FunctionRef<Judgement()> of_patch) {
  if (base.verdict == Verdict::kAgree) return true;
  // A run that ends by what is undefined says nothing of the elements before it, which are right.
  if (base.verdict == Verdict::kUndefined) return base.compared > 0;
  if (base.verdict != Verdict::kWrongValue || !base.mismatch) return false;
  const Judgement patch = of_patch();
  if (patch.verdict != Verdict::kWrongValue || !patch.mismatch) return false;
  const ElementMismatch &wrong = *patch.mismatch, &later = *base.mismatch;
  if (wrong.run != later.run) return wrong.run < later.run;
  return wrong.op == later.op && wrong.index < later.index;
}

}  // namespace

absl::Status MarkDivergencesOfPatch(const CampaignRun& run, CaseSource& cases,
                                    std::map<uint64_t, CaseRecord>* divergences) {
  const KnownDivergences& known = run.options.known;
  const KnownDivergences of_others = known.WithoutThoseOfMlir();
  std::vector<std::pair<uint64_t, Case>> listed;
  for (auto& [number, record] : *divergences) {
    record.base_agrees = false;
    if (!IsDivergence(record.verdict)) continue;
    Case test_case = cases.JudgedCase(record);
    const auto is_in = [&](const KnownDivergences& list) {
      return list.Find(record.signature, &test_case, run.toolchain) != nullptr;
    };
    if (!is_in(known) || is_in(of_others) || DependsOnMemory(test_case.program)) continue;
    listed.emplace_back(number, std::move(test_case));
  }
  const auto work = [&](uint64_t i) {
    const Case& test_case = listed[i].second;
    return IsRightWherePatchIsWrong(OnBase(run, test_case), [&] {
      return CheckCase(run.toolchain, test_case, run.options.limits, run.options.judge).judgement;
    });
  };
  const auto done = [&](uint64_t i, WorkerResult<bool> is_right) {
    divergences->at(listed[i].first).base_agrees = !is_right.death && is_right.answer;
  };
  return MapIndices<bool>(run.Supervisors(), run.stop, listed.size(), work, done);
}

absl::Status CompareWithBase(const CampaignRun& run, std::vector<Finding>& findings) {
  const auto on_base = [&](size_t index) { return OnBase(run, findings[index].cases().reduced); };
  const auto take = [&](Finding& finding, const Judgement& base) {
    CaseEvidence& cases = finding.cases();
    const bool is_known = !finding.known_reason.empty();
    if (is_known && !cases.base_agrees && !DependsOnMemory(cases.reduced.program)) {
      cases.base_agrees = IsRightWherePatchIsWrong(base, [&] { return finding.judgement; });
      if (!cases.base_agrees) return;
      finding.known_reason.clear();
      finding = Named({std::move(finding)}, run.options.known, run.toolchain).front();
      return;
    }
    // A divergence that did not show again cannot be told from those of the base.
    if (!IsDivergence(finding.judgement.verdict) || !IsTheSame(base, finding.judgement)) return;
    if (is_known) return;
    if (cases.base_agrees) {
      cases.is_reduced = false;
      return ShowBy(cases.original, &finding);
    }
    if (run.options.changed) finding.known_reason = absl::StrCat(run.options.base->Name(), " shows it too.");
  };
  return ForEachFinding<Judgement>(run, findings, "findings tried without the patch", on_base, take);
}

}  // namespace tosaic
