// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/of_patch.h"

#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "campaign/findings.h"
#include "campaign/for_each_finding.h"
#include "checking/check_case.h"
#include "codec/visitor.h"
#include "diagnosis/blame_of_base.h"
#include "workers/map.h"

namespace tosaic {
namespace {

bool IsListed(const CampaignRun& run, const FindingSignature& signature, const Case& test_case) {
  return run.options.known.Find(signature, &test_case, run.toolchain) != nullptr;
}

const KnownDivergences::Entry* KnownOfWhatIsLeft(const CampaignRun& run, const Case& test_case) {
  const CampaignOptions& options = run.options;
  return KnownOfWhatIsLeft(run.toolchain, *options.base, options.known, test_case, options.limits, options.judge,
                           options.read);
}

// Whether two judgements of a case blame the same: of numbers the same numbers too.
bool IsTheSame(const Judgement& a, const Judgement& b) {
  return a.verdict == b.verdict && a.rule == b.rule && a.mismatch == b.mismatch;
}

}  // namespace

bool IsOfPatch(const CampaignRun& run, const Case& test_case, absl::FunctionRef<Judgement()> patched,
               const FindingSignature& signature) {
  const auto& [toolchain, options, stop] = run;
  if (!options.base->HasRight(toolchain, test_case, patched, options.limits, options.judge)) return false;
  if (!IsListed(run, signature, test_case)) return KnownOfWhatIsLeft(run, test_case) == nullptr;
  return !LeavesRightIr(toolchain, *options.base, test_case, options.limits, options.judge);
}

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
    const auto& [record, test_case] = asked[i];
    const auto patched = [&] { return CheckCase(run.toolchain, test_case, limits, judge).judgement; };
    return IsOfPatch(run, test_case, patched, record->signature);
  };
  const auto done = [&](uint64_t i, WorkerResult<bool> is_right) {
    asked[i].first->base_agrees = !is_right.death && is_right.answer;
  };
  return MapIndices<bool>(run.Supervisors(), run.stop, asked.size(), work, done);
}

// The base's answer about a finding. In a worker.
struct OfBase {
  Judgement judgement;        // of its reduced case
  bool is_of_patch = false;   // one that looks like a known cause
  std::string cause, reason;  // of another one: what is known of the program that the patch leaves
};

void Fields(Visitor& v, OfBase& of_base) {
  v("judgement", of_base.judgement);
  v("is_of_patch", of_base.is_of_patch);
  v("cause", of_base.cause);
  v("reason", of_base.reason);
}

absl::Status CompareWithBase(const CampaignRun& run, std::vector<Finding>& findings) {
  const auto& [toolchain, options, stop] = run;
  const auto ask = [&](size_t index) {
    const Finding& finding = findings[index];
    const Case& reduced = finding.cases().reduced;
    OfBase of_base = {.judgement = options.base->Judge(reduced, options.limits, options.judge)};
    const bool is_right = options.base->HasRight(
        toolchain, reduced, [&] { return finding.judgement; }, options.limits, options.judge, &of_base.judgement);
    if (is_right && IsListed(run, finding.signature, reduced)) {
      of_base.is_of_patch =
          !IsPassOfBaseToBlame(toolchain, *options.base, reduced, options.limits, options.judge, options.read);
    } else if (const auto* entry = is_right ? KnownOfWhatIsLeft(run, reduced) : nullptr) {
      of_base.cause = entry->cause;
      of_base.reason = entry->reason;
    }
    return of_base;
  };
  const auto take = [&](Finding& finding, const OfBase& of_base) {
    CaseEvidence& cases = finding.cases();
    if (IsListed(run, finding.signature, cases.reduced)) {
      cases.base_agrees = of_base.is_of_patch;
      finding.known_reason.clear();
      finding = Named({std::move(finding)}, options.known, toolchain).front();
    } else if (!of_base.reason.empty()) {
      cases.base_agrees = false;
      finding.cause = of_base.cause;
      finding.known_reason = of_base.reason;
    }
    if (options.changed && !cases.base_agrees && finding.known_reason.empty() &&
        IsDivergence(finding.judgement.verdict) && IsTheSame(of_base.judgement, finding.judgement)) {
      // A divergence that did not show again cannot be told from those of the base.
      finding.known_reason = absl::StrCat(options.base->Name(), " shows it too.");
    }
  };
  return ForEachFinding<OfBase>(run, findings, "findings tried without the patch", ask, take);
}

}  // namespace tosaic
