// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/campaign.h"

#include <set>
#include <utility>

#include "absl/time/clock.h"
#include "campaign/campaign_run.h"
#include "campaign/case_source.h"
#include "campaign/confirming.h"
#include "campaign/counting.h"
#include "campaign/finding_group.h"
#include "campaign/findings.h"
#include "campaign/identity.h"
#include "campaign/observing.h"
#include "campaign/of_patch.h"
#include "campaign/reducing.h"
#include "campaign/tally.h"
#include "campaign/untested_routes.h"
#include "campaign/work_directory.h"
#include "checking/check_case.h"
#include "checking/provenance.h"
#include "codec/status.h"

namespace tosaic {
namespace {

using Records = std::map<uint64_t, CaseRecord>;      // by the numbers of their cases
using Names = std::map<uint64_t, FindingSignature>;  // of findings, by the numbers of their cases

std::vector<std::string> RouteNames(const CampaignOptions& options) {
  std::vector<std::string> names;
  for (const auto& [route, weight] : options.generator.routes) names.push_back(route);
  return names;
}

Names NamesIn(const std::vector<Finding>& findings) {
  Names names;
  for (const Finding& finding : findings) {
    for (const uint64_t number : finding.cases().case_numbers) names[number] = finding.signature;
  }
  return names;
}

// Reduced, named, and shown without Tosaic, as far as there is time; returns the findings that the groups come to.
absl::StatusOr<std::vector<Finding>> Diagnose(const CampaignRun& run, std::vector<FindingGroup>* groups) {
  std::vector<Finding> findings;
  for (const FindingGroup& group : *groups) {
    findings.push_back(group.finding);
    findings.back().cases().is_reduced = false;
  }
  if (!run.stopped()) {
    TOSAIC_RETURN_IF_ERROR(ReduceFindings(run, findings));
  }
  findings = Named(std::move(findings), run.options.known, run.toolchain);
  if (!run.stopped() && run.options.base) {
    TOSAIC_RETURN_IF_ERROR(CompareWithBase(run, findings));
  }
  std::map<uint64_t, Finding*> by_case;  // a case has one finding
  for (size_t i = 0; i < findings.size(); ++i) {
    (*groups)[i].finding = findings[i];
    by_case[findings[i].cases().case_number] = &(*groups)[i].finding;
  }
  findings = UnitedBySignature(std::move(findings));
  if (!run.stopped() && run.options.reproducers) {
    TOSAIC_RETURN_IF_ERROR(MakeReproducers(run, findings));
  }
  for (const Finding& finding : findings)
    by_case.at(finding.cases().case_number)->cases().reproducer = finding.cases().reproducer;
  return findings;
}

// The divergences that the campaign is about; they fit into memory, as the records of all cases do not.
absl::StatusOr<Records> DivergencesIn(const WorkDirectory& directory) {
  Records records;
  for (const uint64_t number : directory.Divergent()) {
    TOSAIC_ASSIGN_OR_RETURN(records[number], directory.Read(number));
  }
  return records;
}

// Puts the confirmed records into the journal, and takes out all that depends on how cases were spread over workers:
// each pattern stays with the first case that shows it, and only faults keep the cases that their worker had run
// before. `take` gets each record as it then is.
absl::Status Settle(WorkDirectory& directory, const Records& confirmed, absl::FunctionRef<void(CaseRecord)> take) {
  std::set<std::string> seen;
  return directory.Rewrite([&](CaseRecord& record) {
    const auto better = confirmed.find(record.number);
    if (better != confirmed.end()) record = better->second;
    std::erase_if(record.patterns, [&](const std::string& pattern) { return !seen.insert(pattern).second; });
    if (record.verdict != Verdict::kHarnessFault) record.first_preceding = record.number;
    take(record);
  });
}

std::vector<FindingGroup> GroupsIn(const Records& divergences, CaseSource& cases, const CampaignRun& run) {
  std::vector<const CaseRecord*> all;
  for (const auto& [number, record] : divergences) all.push_back(&record);
  const auto judged_case = [&](const CaseRecord& record) { return cases.JudgedCase(record); };
  return GroupsOf(FindingsOf(all, judged_case, run.options.known, run.toolchain));
}

// The sums of the records that `for_each` gives, some at a time.
absl::StatusOr<Tally> TallyOfAll(absl::FunctionRef<absl::Status(absl::FunctionRef<void(CaseRecord)> take)> for_each,
                                 const std::vector<FindingGroup>& groups) {
  constexpr size_t kAtOnce = 1000;
  std::map<uint64_t, std::string> keys;
  for (const FindingGroup& group : groups) {
    for (const uint64_t number : group.finding.cases().case_numbers) keys[number] = group.key;
  }
  Tally tally;
  std::vector<CaseRecord> some;
  const auto add = [&] {
    std::vector<const CaseRecord*> pointers;
    for (const CaseRecord& record : some) pointers.push_back(&record);
    Add(TallyOf(pointers, keys), &tally);
    some.clear();
  };
  TOSAIC_RETURN_IF_ERROR(for_each([&](CaseRecord record) {
    some.push_back(std::move(record));
    if (some.size() == kAtOnce) add();
  }));
  add();
  return tally;
}

// All records, with the signatures that the findings have.
absl::StatusOr<Records> Signed(const WorkDirectory& directory, const Names& names) {
  Records records;
  TOSAIC_RETURN_IF_ERROR(directory.ForEach([&](CaseRecord record) {
    const auto name = names.find(record.number);
    if (name != names.end()) record.signature = name->second;
    records.emplace_hint(records.end(), record.number, std::move(record));
  }));
  return records;
}

// Error: it has cases that are not asked for, without which their findings would go.
absl::StatusOr<WorkDirectory> DirectoryOf(const CampaignOptions& options, const Provenance& versions) {
  TOSAIC_ASSIGN_OR_RETURN(WorkDirectory directory, WorkDirectory::Open(options.out, IdentityOf(options, versions)));
  if (options.duration || directory.end() <= options.cases) return directory;
  return absl::FailedPreconditionError(absl::StrCat(options.out, ": its journal has case ", directory.end() - 1,
                                                    ", which --cases=", options.cases,
                                                    " leaves out: ask for more, or give another --out"));
}

absl::StatusOr<CampaignSummary> RunStages(const CampaignRun& run, std::map<uint64_t, CaseRecord>* records) {
  const auto& [toolchain, options, stop] = run;
  const absl::Time started = absl::Now();
  Provenance versions = VersionsOf(toolchain, RouteNames(options));
  if (run.stopped()) return absl::CancelledError("interrupted");  // not every question about the tools was answered
  TOSAIC_ASSIGN_OR_RETURN(WorkDirectory directory, DirectoryOf(options, versions));
  CaseSource cases(options, toolchain.description().routes.size() == 1);
  CampaignSummary summary;
  summary.seed = options.seed;
  summary.provenance = WithCommandLine(std::move(versions), options.command_line, toolchain, options.judge.policies);
  TOSAIC_ASSIGN_OR_RETURN(summary.cases_observed, ObserveAll(run, cases, directory));
  summary.elapsed_seconds = absl::ToDoubleSeconds(absl::Now() - started);
  TOSAIC_ASSIGN_OR_RETURN(Records divergences, DivergencesIn(directory));
  const bool confirms = !run.stopped();
  if (confirms) {
    TOSAIC_ASSIGN_OR_RETURN(divergences, Confirm(run, cases, std::move(divergences)));
  }
  if (options.base && !run.stopped()) {
    TOSAIC_RETURN_IF_ERROR(MarkDivergencesOfPatch(run, cases, &divergences));
  }
  std::vector<FindingGroup> groups = GroupsIn(divergences, cases, run);
  const auto for_each = [&](absl::FunctionRef<void(CaseRecord)> take) {
    return confirms ? Settle(directory, divergences, take) : directory.ForEach(take);
  };
  TOSAIC_ASSIGN_OR_RETURN(const Tally tally, TallyOfAll(for_each, groups));
  TOSAIC_ASSIGN_OR_RETURN(summary.findings, Diagnose(run, &groups));
  if (const Guidance* guidance = cases.guidance()) {
    TOSAIC_RETURN_IF_ERROR(guidance->Write());
    if (options.guided->take) options.guided->take(guidance->outcome());
  }
  Summarize(tally, groups, options.generator, toolchain, &summary);
  const bool is_whole = !run.stopped() && !options.changed;  // else few cases could show what is known
  if (is_whole) summary.unseen_known = UnseenKnownOf(run, tally.kinds, summary.findings);
  if (!options.list) summary.untested_routes = UntestedRoutes(options.generator.routes, toolchain.description());
  summary.interrupted = run.stopped();
  TOSAIC_RETURN_IF_ERROR(directory.WriteResults(&summary, groups, tally, toolchain.description().dialect));
  if (records != nullptr) {
    TOSAIC_ASSIGN_OR_RETURN(*records, Signed(directory, NamesIn(summary.findings)));
  }
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
