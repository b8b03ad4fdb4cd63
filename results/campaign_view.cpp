// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The view of a campaign's summary and of the folders of its findings.
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/status.h"
#include "model/work_paths.h"
#include "results/result_file.h"
#include "results/text.h"
#include "results/view.h"

namespace tosaic {
namespace {

std::string DirectoryOf(const std::string& file) {
  const size_t slash = file.rfind('/');
  return slash == std::string::npos ? "" : file.substr(0, slash + 1);
}

}  // namespace

ResultReport ViewOf(CampaignSummary summary, const std::string& file) {
  ResultReport report = {.kind = ResultKind::kCampaign, .file = file};
  const std::string directory = DirectoryOf(file);
  report.text =
      ToText(summary, directory.empty() ? "." : directory.substr(0, directory.size() - 1), SummaryLength::kDetails);
  report.sides = {{"", summary.provenance}};
  const std::string seeds = SeedsInWords(summary);
  report.title = absl::StrCat(summary.seeds.empty() ? "Campaign, " : "Campaigns, ", seeds);
  report.facts = {{"seed", seeds.substr(seeds.find(' ') + 1)}};
  report.cases = summary.cases;
  report.runs = summary.runs;
  report.verdicts = std::move(summary.verdicts);
  for (const Finding& source : summary.findings) {
    ReportFinding finding = ViewOf(source, file);
    const CaseEvidence& cases = source.cases();
    const FindingPaths paths = {cases.folder};
    finding.first = absl::StrCat("case ", cases.case_number);
    if (!cases.reduced.program.ops.empty()) {
      finding.location = directory + paths.reduced_case();
      ShowCase(cases.reduced, finding.location, summary.provenance, &finding);
    }
    if (const auto script = cases.reproducer.find(kScript); script != cases.reproducer.end()) {
      finding.script = script->second;
      finding.script_file = directory + paths.script();
    }
    report.findings.push_back(std::move(finding));
  }
  Sort(&report.findings);
  AddTiles(std::move(summary.tiles), &report);
  report.judged_ops = std::move(summary.judged_ops);
  report.judged_chains = std::move(summary.judged_chains);
  AddFaults(summary.harness_faults, &report);
  AddNotes(summary.notes, &report);
  report.unseen_known = std::move(summary.unseen_known);
  report.untested_routes = std::move(summary.untested_routes);
  if (!summary.missing.empty()) report.facts.push_back({"missing", absl::StrJoin(summary.missing, "; ")});
  report.not_run = std::move(summary.missing);
  if (const uint64_t unchanged = UnchangedIn(summary); unchanged > 0) {
    report.facts.push_back({"as they are with the patch", absl::StrCat(Counted(unchanged, "case"), ", not run")});
  }
  if (TestsNoPatch(summary)) report.not_run.emplace_back("no case tests the patch: nothing is known of it");
  report.interrupted = summary.interrupted;
  report.elapsed_seconds = summary.elapsed_seconds;
  return report;
}

}  // namespace tosaic
