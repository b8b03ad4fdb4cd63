// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The view of a campaign's summary and of the folders of its findings.
#include <utility>

#include "absl/strings/str_cat.h"
#include "codec/status.h"
#include "model/work_paths.h"
#include "results/view.h"

namespace tosaic {
namespace {

std::string DirectoryOf(const std::string& file) {
  const size_t slash = file.rfind('/');
  return slash == std::string::npos ? "" : file.substr(0, slash + 1);
}

// What a finding's folder has to add to its line in the summary. A folder that is not there adds nothing.
absl::Status ReadFolder(const std::string& reduced, const std::string& directory, const Json& provenance,
                        ReadBeside read, ReportFinding* finding) {
  const FindingPaths paths = {DirectoryOf(reduced)};
  if (const auto text = read(reduced)) {
    TOSAIC_ASSIGN_OR_RETURN(const Case test_case, At(reduced, CaseFromText(*text)));
    FillFromCase(test_case, directory + reduced, provenance, finding);
    finding->location = directory + reduced;
  }
  if (const auto text = read(paths.description())) {
    TOSAIC_ASSIGN_OR_RETURN(const Finding described, At(paths.description(), FromText<Finding>(*text)));
    const Verdict verdict = finding->verdict;  // the summary's, if the reduction died
    FillFromJudgement(described.judgement, finding);
    finding->verdict = verdict;
  }
  if (auto script = read(paths.script())) {
    finding->script = *std::move(script);
    finding->script_file = directory + paths.script();
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ResultReport> ViewOf(CampaignSummary summary, const std::string& file, ReadBeside read) {
  ResultReport report;
  report.sides = {SideOf("", summary.provenance)};
  report.title = absl::StrCat("Campaign, seed ", summary.seed);
  report.facts = {{"seed", absl::StrCat(summary.seed)}};
  report.cases = summary.cases;
  report.runs = summary.runs;
  report.verdicts = std::move(summary.verdicts);
  for (const Finding& one : summary.findings) {
    ReportFinding finding = ViewOf(one, file);
    finding.first = absl::StrCat("case ", one.case_number);
    const std::string reduced = FindingPaths{one.folder}.reduced_case();
    TOSAIC_RETURN_IF_ERROR(ReadFolder(reduced, DirectoryOf(file), summary.provenance, read, &finding));
    report.findings.push_back(std::move(finding));
  }
  Sort(&report.findings);
  AddTiles(std::move(summary.tiles), &report);
  report.judged_ops = std::move(summary.judged_ops);
  report.judged_chains = std::move(summary.judged_chains);
  AddFaults(summary.harness_faults, &report);
  AddNotes(summary.notes, &report);
  report.unseen_known = std::move(summary.unseen_known);
  report.interrupted = summary.interrupted;
  report.elapsed_seconds = summary.elapsed_seconds;
  return report;
}

}  // namespace tosaic
