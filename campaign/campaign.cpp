#include "campaign/campaign.h"

#include <utility>

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

namespace tosaic {
namespace {

using Renamed = std::map<std::string, std::string>;  // findings' signatures, by those of their cases

std::vector<std::string> RouteNames(const CampaignOptions& options) {
  std::vector<std::string> names;
  for (const auto& [route, weight] : options.generator.routes) names.push_back(route);
  return names;
}

// The records with the signatures that the findings have.
std::map<uint64_t, CaseRecord> Signed(std::map<uint64_t, CaseRecord> records, const Renamed& renamed) {
  for (auto& [number, record] : records) {
    const auto now = renamed.find(ToString(record.signature));
    if (now != renamed.end()) record.signature = ParseFindingSignature(now->second);
  }
  return records;
}

// Reduced, named, and shown without Tosaic, as far as there is time.
absl::Status Diagnose(const CampaignRun& run, std::vector<Finding>* findings, Renamed* renamed) {
  if (!run.stopped()) {
    if (absl::Status status = ReduceFindings(run, *findings, *renamed); !status.ok()) return status;
  }
  *findings = Named(std::move(*findings), run.options.known);
  return run.stopped() ? absl::OkStatus() : MakeReproducers(run, *findings);
}

absl::StatusOr<CampaignSummary> RunStages(const CampaignRun& run, std::map<uint64_t, CaseRecord>* records) {
  const auto& [toolchain, options, stop] = run;
  const absl::Time started = absl::Now();
  absl::StatusOr<WorkDirectory> directory =
      WorkDirectory::Open(options.out, IdentityOf(options, Versions(toolchain, RouteNames(options))));
  if (!directory.ok()) return directory.status();
  CaseSource cases(options);
  CampaignSummary summary;
  summary.seed = options.seed;
  summary.provenance = Provenance(options.command_line, toolchain, RouteNames(options));
  const absl::StatusOr<uint64_t> observed = ObserveAll(run, cases, *directory);
  if (!observed.ok()) return observed.status();
  summary.cases_observed = *observed;
  summary.elapsed_seconds = absl::ToDoubleSeconds(absl::Now() - started);
  if (!run.stopped()) {
    const absl::StatusOr<std::map<uint64_t, CaseRecord>> confirmed = Confirm(run, cases, directory->records());
    if (!confirmed.ok()) return confirmed.status();
    if (absl::Status status = directory->Replace(*confirmed); !status.ok()) return status;
  }
  const std::vector<const CaseRecord*> asked_for = cases.AskedFor(directory->records());
  Count(asked_for, &summary);
  PatternWatcher* patterns = toolchain.patterns();
  summary.coverage =
      CoverageOf(asked_for, options.generator, patterns != nullptr ? patterns->Patterns() : std::vector<std::string>());
  summary.unused_support = UnusedSupport(toolchain.description().dialect, summary.coverage.rules);
  summary.findings = FindingsOf(asked_for, [&](const CaseRecord& record) { return cases.JudgedCase(record); });
  Renamed renamed;
  if (absl::Status status = Diagnose(run, &summary.findings, &renamed); !status.ok()) return status;
  summary.tiles = TilesOf(asked_for, renamed);
  if (!run.stopped()) summary.unseen_known = UnseenKnown(asked_for, options.known, options.cases_without_known);
  summary.interrupted = run.stopped();
  if (absl::Status status = directory->WriteResults(&summary, toolchain.description().dialect); !status.ok())
    return status;
  if (records != nullptr) *records = Signed(directory->records(), renamed);
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
