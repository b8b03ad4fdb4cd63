// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/reducing.h"

#include <cstdint>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "campaign/confirming.h"
#include "campaign/findings.h"
#include "campaign/for_each_finding.h"
#include "campaign/of_patch.h"
#include "checking/check_case.h"
#include "diagnosis/pass_bisection.h"
#include "diagnosis/plain_case.h"
#include "diagnosis/reproduction.h"
#include "diagnosis/shortest_pipeline.h"
#include "model/json.h"
#include "model/pass_sequence.h"
#include "workers/shared_text.h"

namespace tosaic {

// A worker's answer about a finding: the case that shows it best.
struct ReducedFinding {
  Case test_case;
  Judgement judgement;
  FindingSignature signature;  // empty: it did not show this time
  std::string pipeline;
};
void Fields(Visitor& v, ReducedFinding& reduced) {
  v("case", reduced.test_case);
  v("judgement", reduced.judgement);
  v("signature", reduced.signature);
  v("pipeline", reduced.pipeline);
}

namespace {

// The routes that this campaign draws, in the order of the toolchain's table.
std::vector<std::string> DrawnRoutes(const CampaignRun& run) {
  std::vector<std::string> routes;
  for (const Route* route : run.toolchain.description().routes) {
    const auto drawn = [&](const auto& entry) { return entry.first == route->name; };
    if (absl::c_any_of(run.options.generator.routes, drawn)) routes.push_back(std::string(route->name));
  }
  return routes;
}

// The smallest and plainest case of the finding. Where the first case is the patch's, this one is too, or it could be
// of a mistake that MLIR has without the patch.
PlainCase ReducedCase(const CampaignRun& run, const Finding& finding, SharedText* best) {
  const auto& [toolchain, options, stop] = run;
  const Case& original = finding.cases().original;
  const auto is_as_wanted = [&](const Case& test_case, const Judgement& judgement) {
    return !finding.cases().base_agrees || IsOfPatch(run, test_case, [&] { return judgement; }, finding.signature);
  };
  const auto reduced_by = [&](const ReduceOptions& how) {
    Case reduced =
        ReduceCase(toolchain, original, finding.signature, options.limits, options.judge, how).value_or(original);
    CheckedCase checked = CheckCase(toolchain, reduced, options.limits, options.judge);
    return PlainCase{std::move(reduced), std::move(checked)};
  };
  ReduceOptions how = {.budget = options.reduce_budget, .best = best};
  PlainCase shown = reduced_by(how);
  if (!is_as_wanted(shown.test_case, shown.checked.judgement)) {
    how.also = is_as_wanted;  // only now, because each candidate then runs twice
    shown = reduced_by(how);
  }
  const KnownDivergences& known = options.known.Explaining(finding.cases().base_agrees);
  const PlainCase plainest = PlainestCase(toolchain, known, shown, DrawnRoutes(run), options.limits, options.judge);
  const bool is_plainer = plainest.test_case != shown.test_case;
  return is_plainer && is_as_wanted(plainest.test_case, plainest.checked.judgement) ? plainest : shown;
}

// Runs in a worker. `best` has the smallest case so far, for the case that the reduction is interrupted.
ReducedFinding Reduced(const CampaignRun& run, const Finding& finding, SharedText* best) {
  const CampaignOptions& options = run.options;
  const Case& original = finding.cases().original;
  PlainCase shown = options.reduce
                        ? ReducedCase(run, finding, best)
                        : PlainCase{original, CheckCase(run.toolchain, original, options.limits, options.judge)};
  auto& [test_case, checked] = shown;
  // It showed itself when it was replayed. What the finding says must not be what this run was.
  if (Judgement& last = checked.judgement; !IsDivergence(last.verdict) && last.verdict != Verdict::kHarnessFault) {
    last.actual = NotRepeatableText(finding.signature, last.verdict);
    last.verdict = Verdict::kHarnessFault;
    last.rule = RuleId::kHarnessNotRepeatable;
  }
  return {test_case, checked.judgement, options.reduce ? NameOf(shown) : checked.signature,
          ShortestPipeline(run.toolchain, test_case, checked, options.limits, options.judge)};
}

}  // namespace

absl::Status ReduceFindings(const CampaignRun& run, std::vector<Finding>& findings) {
  std::vector<SharedText> best(findings.size());
  const auto take = [&](Finding& finding, ReducedFinding reduced) {
    ShowBy(std::move(reduced.test_case), &finding);
    finding.judgement = std::move(reduced.judgement);
    finding.cases().pipeline = std::move(reduced.pipeline);
    finding.cases().is_reduced = run.options.reduce;
    if (reduced.signature.empty() || reduced.signature == finding.signature) return;
    finding.signature = std::move(reduced.signature);
    finding.route = std::string(RouteName(finding.cases().reduced.route));
  };
  const absl::string_view label = run.options.reduce ? "findings reduced" : "findings checked again";
  const absl::Status status = ForEachFinding<ReducedFinding>(
      run, findings, label, [&](size_t i) { return Reduced(run, findings[i], &best[i]); }, take);
  for (Finding& finding : findings) {
    finding.cases().is_reduced |= run.options.reduce && !run.stopped();  // of a worker that died: as far as it can be
  }
  for (size_t i = 0; run.stopped() && i < best.size(); ++i) {
    const absl::StatusOr<Case> so_far = CaseFromText(best[i].Read());
    if (so_far.ok() && findings[i].cases().reduced == findings[i].cases().original) ShowBy(*so_far, &findings[i]);
  }
  return status;
}

absl::Status MakeReproducers(const CampaignRun& run, std::vector<Finding>& findings) {
  using Files = std::map<std::string, std::string>;
  const CampaignOptions& options = run.options;
  const auto make = [&](size_t index) {
    const Finding& finding = findings[index];
    CheckedCase checked = CheckCase(run.toolchain, finding.cases().reduced, options.limits, options.judge);
    checked.judgement = finding.judgement;  // what is reported, whether it shows once more or not
    checked.signature = finding.signature;
    Reproduction reproduction = ReproductionOf(run.toolchain, finding.cases().reduced, checked,
                                               finding.cases().pipeline, options.limits, options.judge, options.read);
    if (reproduction.showing == Showing::kPoison) {  // what it shows elsewhere says which pass it is; here nothing does
      const absl::StatusOr<PassBisection> bisected =
          BisectPasses(run.toolchain, reproduction.test_case, options.limits, options.judge, options.read);
      if (bisected.ok()) BlamePass(run.toolchain, *bisected, options.limits, &reproduction);
    }
    return ReproducerFiles(reproduction);
  };
  return ForEachFinding<Files>(run, findings, "reproducers", make,
                               [](Finding& finding, Files files) { finding.cases().reproducer = std::move(files); });
}

}  // namespace tosaic
