// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/campaign.h"

#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/time/clock.h"
#include "campaign/campaign_run.h"
#include "campaign/case_source.h"
#include "campaign/checking/check_case.h"
#include "campaign/checking/provenance.h"
#include "campaign/confirming.h"
#include "campaign/counting.h"
#include "campaign/coverage.h"
#include "campaign/findings.h"
#include "campaign/identity.h"
#include "campaign/observing.h"
#include "campaign/reducing.h"
#include "campaign/tiles.h"
#include "campaign/work_directory.h"
#include "codec/status.h"

namespace tosaic {
namespace {

using Names = std::map<uint64_t, std::string>;  // findings' signatures, by the numbers of their cases

std::vector<std::string> RouteNames(const CampaignOptions& options) {
  std::vector<std::string> names;
  for (const auto& [route, weight] : options.generator.routes) names.push_back(route);
  return names;
}

// The records with the signatures that the findings have.
std::map<uint64_t, CaseRecord> Signed(std::map<uint64_t, CaseRecord> records, const Names& names) {
  for (auto& [number, record] : records) {
    const auto name = names.find(number);
    if (name != names.end()) record.signature = ParseFindingSignature(name->second);
  }
  return records;
}

Names NamesIn(const std::vector<Finding>& findings) {
  Names names;
  for (const Finding& finding : findings) {
    for (const uint64_t number : finding.case_numbers) names[number] = finding.signature;
  }
  return names;
}

// Reduced, named, and shown without Tosaic, as far as there is time.
absl::Status Diagnose(const CampaignRun& run, std::vector<Finding>* findings) {
  for (Finding& finding : *findings) finding.is_reduced = false;
  if (!run.stopped()) {
    TOSAIC_RETURN_IF_ERROR(ReduceFindings(run, *findings));
  }
  *findings = Named(std::move(*findings), run.options.known, run.toolchain);
  return run.stopped() || !run.options.reproducers ? absl::OkStatus() : MakeReproducers(run, *findings);
}

// Known divergences that many cases might have shown, and none did; nor do the cases that are kept of them.
std::vector<std::string> UnseenKnownOf(const CampaignRun& run, const std::vector<const CaseRecord*>& records,
                                       const std::vector<Finding>& findings) {
  const CampaignOptions& options = run.options;
  std::set<std::string> seen;  // causes
  for (const Finding& finding : findings) seen.insert(finding.cause);
  const auto still_shows = [&](const std::string& cause) {
    const auto cases = options.known_cases.find(cause);
    if (cases == options.known_cases.end()) return false;
    return absl::c_any_of(cases->second, [&](const Case& one) {
      const CheckedCase checked = CheckCase(run.toolchain, one, options.limits, options.judge);
      const Case& shown = checked.twin ? *checked.twin : one;
      const KnownDivergences::Entry* entry = options.known.Find(checked.signature, &shown, run.toolchain);
      return entry != nullptr && entry->cause == cause;
    });
  };
  return UnseenKnown(records, options.known, options.cases_without_known, seen, still_shows);
}

absl::StatusOr<CampaignSummary> RunStages(const CampaignRun& run, std::map<uint64_t, CaseRecord>* records) {
  const auto& [toolchain, options, stop] = run;
  const absl::Time started = absl::Now();
  TOSAIC_ASSIGN_OR_RETURN(
      WorkDirectory directory,
      WorkDirectory::Open(options.out, IdentityOf(options, Versions(toolchain, RouteNames(options)))));
  CaseSource cases(options);
  CampaignSummary summary;
  summary.seed = options.seed;
  summary.provenance = Provenance(options.command_line, toolchain, RouteNames(options));
  TOSAIC_ASSIGN_OR_RETURN(summary.cases_observed, ObserveAll(run, cases, directory));
  summary.elapsed_seconds = absl::ToDoubleSeconds(absl::Now() - started);
  if (!run.stopped()) {
    TOSAIC_ASSIGN_OR_RETURN(const auto confirmed, Confirm(run, cases, directory.records()));
    TOSAIC_RETURN_IF_ERROR(directory.Replace(confirmed));
  }
  const std::vector<const CaseRecord*> asked_for = cases.AskedFor(directory.records());
  Count(asked_for, &summary);
  PatternWatcher* patterns = toolchain.patterns();
  summary.coverage =
      CoverageOf(asked_for, options.generator, patterns != nullptr ? patterns->Patterns() : std::vector<std::string>());
  if (const Guidance* guidance = cases.guidance()) {
    TOSAIC_RETURN_IF_ERROR(guidance->Write());
    if (options.guided->take) options.guided->take(guidance->outcome());
  }
  summary.unused_support = UnusedSupport(toolchain.description().dialect, summary.coverage.rules);
  summary.findings = FindingsOf(
      asked_for, [&](const CaseRecord& record) { return cases.JudgedCase(record); }, options.known, toolchain);
  TOSAIC_RETURN_IF_ERROR(Diagnose(run, &summary.findings));
  const Names names = NamesIn(summary.findings);
  summary.tiles = TilesOf(asked_for, names);
  if (!run.stopped()) summary.unseen_known = UnseenKnownOf(run, asked_for, summary.findings);
  summary.interrupted = run.stopped();
  TOSAIC_RETURN_IF_ERROR(directory.WriteResults(&summary, toolchain.description().dialect));
  if (records != nullptr) *records = Signed(directory.records(), names);
  return summary;
}

}  // namespace

std::vector<std::pair<std::string, int>> MixedRoutes(const std::vector<const Route*>& table) {
  std::vector<std::pair<std::string, int>> routes;
  for (const Route* route : table) {
    if (route->weight > 0) routes.emplace_back(route->name, route->weight);
  }
  return routes;
}

absl::StatusOr<CampaignSummary> RunCampaign(Toolchain& toolchain, const CampaignOptions& options,
                                            const std::atomic<bool>* stop, std::map<uint64_t, CaseRecord>* records) {
  CampaignOptions fitting = options;
  fitting.judge = ForToolchain(toolchain, options.judge);
  return RunStages({toolchain, fitting, stop}, records);
}

}  // namespace tosaic
