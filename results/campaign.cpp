// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/campaign.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/visitor.h"
#include "model/first_of.h"
#include "model/rules.h"
#include "model/work_paths.h"
#include "results/result_file.h"

namespace tosaic {

void Fields(Visitor& v, HarnessFault& fault) {
  v("case", fault.case_number);
  v("what", fault.text);
  v.MayLack("preceding_cases_from", fault.first_preceding, "the first case its worker had run");
}

void Fields(Visitor& v, FaultOfSuite& fault) {
  v("case", fault.fault.case_number);
  v("what", fault.fault.text);
}

void Fields(Visitor& v, UntestedRoute& route) {
  v.Type("untested-route");
  v("route", route.route);
  v("why", route.why, "the pass that the toolchain does not have, or what the route needs");
}

std::string RoutesInWords(const std::vector<UntestedRoute>& routes) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const auto& [route, why] : routes) {
    auto at = absl::c_find_if(reasons, [&](const auto& reason) { return reason.first == why; });
    if (at == reasons.end()) at = reasons.insert(at, {why, {}});
    at->second.push_back(route);
  }
  const std::string words = absl::StrJoin(reasons, ", ", [](std::string* out, const auto& reason) {
    absl::StrAppend(out, absl::StrJoin(reason.second, ", "), " (", reason.first, ")");
  });
  return routes.empty() ? "" : absl::StrCat(routes.size() == 1 ? "route " : "routes ", words);
}

double ComparedShare(const OpSummary& op) {
  const uint64_t all = op.compared + op.masked + op.open;
  return all == 0 ? 0 : static_cast<double>(op.compared) / static_cast<double>(all);
}

std::string SeedsInWords(const CampaignSummary& summary) {
  if (summary.seeds.empty()) return absl::StrCat("seed ", summary.seed);
  std::vector<std::string> seeds;
  for (const uint64_t seed : summary.seeds) seeds.push_back(absl::StrCat(seed));
  return absl::StrCat("seeds ", FirstOf(seeds));
}

uint64_t UnchangedIn(const CampaignSummary& summary) {
  const auto found = summary.coverage.rules.find(std::string(Name(RuleId::kSupportUnchanged)));
  return found == summary.coverage.rules.end() ? 0 : found->second;
}

bool TestsNoPatch(const CampaignSummary& summary) {
  uint64_t refused = 0;
  for (const auto& [category, cases] : summary.coverage.categories) refused += cases;
  return UnchangedIn(summary) > 0 && UnchangedIn(summary) + refused == summary.cases;
}

uint64_t CountCauses(const CampaignSummary& summary) {
  std::set<std::string> causes;
  for (const Finding& finding : summary.findings) {
    if (!finding.judgement.beyond_spec) causes.insert(finding.cause);
  }
  return causes.size();
}

void Fields(Visitor& v, OpSummary& op) {
  v("verdicts", op.verdicts, "cases by verdict");
  v("types", op.types, "cases by element types");
  v("elements_compared", op.compared);
  v("elements_masked", op.masked, "left out as unpredictable");
  v.MayLack("elements_open", op.open, "of which the documents allow more than half of all values");
  v.MayLack("compared_beyond_spec", op.compared_beyond_spec, "of those compared, in cases beyond the specification");
  v.MayLack("masked_beyond_spec", op.masked_beyond_spec, "of those left out");
  v.MayLack("open_beyond_spec", op.open_beyond_spec, "of those open");
  v.Derived("compared_share", ComparedShare(op));
}

void Fields(Visitor& v, Share& share) {
  v("seen", share.seen);
  v("possible", share.possible);
}

void Fields(Visitor& v, Coverage& coverage) {
  v.Type("coverage");
  v("op_types", coverage.op_types, "op and element types, for cases of one op");
  v("op_types_shapes", coverage.op_types_shapes, "the same with the class of shapes");
  v("op_types_shapes_routes", coverage.op_types_shapes_routes, "the same with class of shapes and route");
  v("shapes", coverage.shapes, "cases by class of shapes");
  v("routes", coverage.routes);
  v("twins", coverage.twins);
  v("rules", coverage.rules);
  v("categories", coverage.categories);
  v("patterns", coverage.patterns,
    "rewrite patterns of TOSA's passes and canonicalizers for elementwise ops, as far as MLIR lets one list them; "
    "watched in every eighth case");
  v("patterns_never_fired", coverage.never_fired);
  v("patterns_fired", coverage.fired, "rewrite patterns of any dialect that fired");
}

namespace {

// A finding as a line of the summary, which names the files of its folder.
struct LineOfFinding {
  Finding& finding;
};

void Fields(Visitor& v, LineOfFinding& line) {
  Finding& finding = line.finding;
  const FindingPaths paths = {finding.cases().folder};
  std::string reduced = paths.reduced_case();
  v.Type("campaign-finding");
  CommonFields(v, finding);
  v("case_number", finding.cases().case_number, "the first case that shows it");
  v.Optional("base_agrees", finding.cases().base_agrees, "as in finding.json");
  v.Derived("case", paths.original_case(), "its file");
  v("reduced", reduced, "the file of the smallest case that still shows it");
  const size_t slash = reduced.rfind('/');
  if (v.IsReading()) finding.cases().folder = reduced.substr(0, slash == std::string::npos ? 0 : slash);
}

}  // namespace

void Fields(Visitor& v, CampaignSummary& summary) {
  v.Constant("tosaic_report", kReportVersion);
  v.Constant("kind", kCampaignKind);
  v("provenance", summary.provenance,
    "command line, revision, toolchain, its version and, of one outside the process, `toolchain_directory`, pipeline, "
    "C library and target; `plugins` if any: file, name, version and MD5 of each");
  v("seed", summary.seed, "0 if there are `seeds`");
  v.Optional("seeds", summary.seeds, "of campaigns merged into one list");
  v("cases", summary.cases);
  v.MayLack("cases_executed", summary.executed, "cases with a run that was executed");
  v("runs", summary.runs);
  v("verdicts", summary.verdicts, "cases by verdict");
  v.MayLack("by_op", summary.by_op);
  v.MayLack("judged_ops", summary.judged_ops,
            "elements that programs return, by the op that computed them from known values");
  v.MayLack("judged_chains", summary.judged_chains,
            "elements behind values that the program does not return, over all types; the computations with most "
            "elements, and `others`");
  v.MayLack("coverage", summary.coverage);
  v("tiles", summary.tiles, "the mosaic");
  v("findings", Each<LineOfFinding>(summary.findings));
  v.Derived("new_findings", CountNew(summary.findings));
  v.Derived("not_reduced_findings", CountNotReduced(summary.findings),
            "neither known nor new: nobody reduced their cases, by which known causes are recognised");
  v.Derived("causes", CountCauses(summary), "distinct causes within the specification");
  v("harness_faults", summary.harness_faults);
  v("notes", summary.notes, "cases by remark beside the verdict");
  v.MayLack("unused_support", summary.unused_support, "rows of the support table that no case needed");
  v("unseen_known", summary.unseen_known, "known divergences that no case showed, though many might have");
  v.Optional("untested_routes", summary.untested_routes,
             "routes of a campaign on mixed routes that the toolchain does not have");
  v.Optional("missing", summary.missing, "shards that a merge did not have, or not to their end");
  v("interrupted", summary.interrupted);
  v("elapsed_seconds", summary.elapsed_seconds, "seconds of the generating phase after the last start");
  double rate =
      summary.elapsed_seconds > 0 ? static_cast<double>(summary.cases_observed) / summary.elapsed_seconds : 0.0;
  v.MayLack("cases_per_second", rate);
  if (v.IsReading())
    summary.cases_observed = static_cast<uint64_t>(std::max(0.0, rate * summary.elapsed_seconds) + 0.5);
}

}  // namespace tosaic
