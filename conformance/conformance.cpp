// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/conformance.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "campaign/campaign.h"
#include "campaign/campaign_run.h"
#include "checking/progress_line.h"
#include "codec/status.h"
#include "conformance/ir_in_short.h"
#include "model/digest.h"
#include "model/shape_class.h"
#include "model/sort_unique.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// Where a case of the campaign comes from.
struct Entry {
  std::string name;
  size_t tile = 0;   // in the report
  size_t index = 0;  // in the suite's tile, or in the corpus
};

class Plan {
 public:
  explicit Plan(const ConformanceOptions& options)
      : options_(options),
        suite_(options.corpus_alone
                   ? std::vector<SuiteTile>()
                   : SuiteTiles(options.profile, options.ops, options.campaign.judge.policies.spec_version)) {
    for (size_t t = 0; t < suite_.size(); ++t) {
      const TypedOp& op = suite_[t].op;
      tiles_.push_back(EmptyTile(op.op, {op.input, op.result}, suite_[t].shapes));
      for (size_t i = 0; i < suite_[t].cases.size(); ++i) entries_.push_back({suite_[t].cases[i], t, i});
    }
    for (size_t i = 0; i < options.corpus.size(); ++i) {
      const auto& [name, test_case] = options.corpus[i];
      const OpApplication& op = test_case.program.ops.back();
      const Tile tile = EmptyTile(op.op, TypesOf(test_case.program, op), ShapesOf(test_case));
      const auto found = absl::c_find(tiles_, tile);
      entries_.push_back({name, static_cast<size_t>(found - tiles_.begin()), i});
      if (found == tiles_.end()) tiles_.push_back(tile);
    }
  }

  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<Tile>& tiles() const { return tiles_; }

  Case CaseOf(uint64_t number) const {
    const Entry& entry = entries_[number];
    if (entry.tile >= suite_.size() || entry.index >= suite_[entry.tile].cases.size() ||
        suite_[entry.tile].cases[entry.index] != entry.name) {
      return options_.stored ? options_.stored->whole(entry.index) : options_.corpus[entry.index].second;
    }
    Case test_case = SuiteCaseOf(suite_[entry.tile], entry.index);
    test_case.route = options_.route;
    return test_case;
  }

  // Over names and cases, the routes apart: a patch may have a pipeline of its own.
  std::string DigestOfSuite() const {
    if (options_.stored) return options_.stored->digest;
    uint64_t digest = kDigestOfNothing;
    for (uint64_t number = 0; number < entries_.size(); ++number) {
      Case test_case = CaseOf(number);
      test_case.route.clear();
      digest = Digest(entries_[number].name, digest);
      digest = Digest(Dump(ToJson(test_case), -1), digest);
    }
    return absl::StrFormat("%016x", digest);
  }

 private:
  // Others' programs that must be refused have no run.
  absl::string_view ShapesOf(const Case& test_case) const {
    if (!options_.corpus_alone) return kCorpusShapes;
    if (test_case.runs.empty()) return "illegal";
    return Name(ClassOf(test_case.program, test_case.program.ops.back()));
  }

  static Tile EmptyTile(OpKind op, TypePair types, absl::string_view shapes) {
    return {{ToString(op), ToString(types), std::string(shapes)}};
  }

  const ConformanceOptions& options_;
  const std::vector<SuiteTile> suite_;
  std::vector<Tile> tiles_;  // the suite's, in its order, then those of the corpus alone
  std::vector<Entry> entries_;
};

// Every route that a case takes, the suite's first: findings are traced back to that.
std::vector<std::pair<std::string, int>> RoutesOf(const ConformanceOptions& options) {
  std::vector<std::pair<std::string, int>> routes = {{options.route, 1}};
  std::set<std::string> others;
  for (const auto& [name, test_case] : options.corpus) others.insert(test_case.route);
  others.erase(options.route);
  for (const std::string& route : others) routes.emplace_back(route, 1);
  return routes;
}

// Adds each case to the report, and to its tile.
void AddCases(const std::map<uint64_t, CaseRecord>& records, const Plan& plan, ConformanceReport* report) {
  report->tiles = plan.tiles();
  for (const auto& [number, record] : records) {
    const Entry& entry = plan.entries()[number];
    Tile& tile = report->tiles[entry.tile];
    report->cases.push_back({tile, entry.name, record.verdict, record.rule, record.signature, record.runs});
    tile.Add({{{record.verdict, 1}}, 1, record.runs, record.compared});
    if (!record.signature.empty()) tile.signatures.push_back(record.signature);
  }
  for (Tile& tile : report->tiles) SortUnique(&tile.signatures);
}

// Lowers some of the cases in a worker. What a worker dies of is asked again alone.
absl::Status AddIrOf(Toolchain& toolchain, const ConformanceOptions& options, const std::atomic<bool>* stop,
                     const Plan& plan, const std::vector<std::vector<uint64_t>>& batches, ConformanceReport* report) {
  using Irs = std::vector<CaseIr>;
  std::vector<std::vector<uint64_t>> again;
  uint64_t asked = 0;
  ProgressLine progress;
  const auto work = [&](const std::vector<uint64_t>& numbers) {
    std::vector<Case> cases;
    for (const uint64_t number : numbers) cases.push_back(plan.CaseOf(number));
    return IrOf(toolchain, cases);
  };
  const auto done = [&](const std::vector<uint64_t>& numbers, WorkerResult<Irs> result) {
    asked += numbers.size();
    progress.Show(absl::StrFormat("the IR of %d/%d cases", asked, report->cases.size()));
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (result.death && numbers.size() > 1) {
        again.push_back({numbers[i]});
      } else {
        report->cases[numbers[i]].ir = result.death ? CaseIr{.missing = "MLIR died"} : std::move(result.answer[i]);
      }
    }
  };
  const CampaignRun run{toolchain, options.campaign, stop};
  const PoolOptions workers = toolchain.description().batch_size > 1 ? run.Supervisors() : run.Workers();
  TOSAIC_RETURN_IF_ERROR((Map<std::vector<uint64_t>, Irs>(workers, stop, batches, work, done)));
  return again.empty() ? absl::OkStatus() : AddIrOf(toolchain, options, stop, plan, again, report);
}

absl::Status AddIr(Toolchain& toolchain, const ConformanceOptions& options, const std::atomic<bool>* stop,
                   const Plan& plan, ConformanceReport* report) {
  const size_t size = toolchain.description().batch_size;
  std::vector<std::vector<uint64_t>> batches;
  for (uint64_t number = 0; number < report->cases.size(); ++number) {
    if (number % size == 0) batches.emplace_back();
    batches.back().push_back(number);
  }
  return AddIrOf(toolchain, options, stop, plan, batches, report);
}

}  // namespace

absl::StatusOr<std::vector<Case>> CasesNamed(const ConformanceOptions& options, const std::vector<std::string>& names) {
  const Plan plan(options);
  std::vector<Case> cases;
  for (const std::string& name : names) {
    const auto found = absl::c_find_if(plan.entries(), [&](const Entry& entry) { return entry.name == name; });
    if (found == plan.entries().end()) return absl::NotFoundError(absl::StrCat("the suite has no case ", name));
    cases.push_back(plan.CaseOf(static_cast<uint64_t>(found - plan.entries().begin())));
  }
  return cases;
}

absl::StatusOr<ConformanceReport> RunConformance(Toolchain& toolchain, const ConformanceOptions& options,
                                                 const std::atomic<bool>* stop, std::vector<CaseRecord>* records) {
  const Plan plan(options);
  ConformanceReport report;
  report.suite = {
      kSuiteVersion,
      std::string(options.corpus_alone ? "arm" : Name(options.profile)),
      options.route,
      plan.entries().size(),
      plan.DigestOfSuite(),
      absl::c_any_of(options.corpus, [&](const auto& entry) { return entry.second.route != options.route; })};
  CampaignOptions campaign = options.campaign;
  campaign.list = {report.suite.digest, [&](uint64_t number) { return plan.CaseOf(number); }};
  campaign.cases = plan.entries().size();
  campaign.duration.reset();
  // The whole suite shows every cause that the corpus has a case of.
  if (options.ops.empty() && !options.corpus.empty() && !options.corpus_alone && options.route == "loops")
    campaign.cases_without_known = 1;
  campaign.generator.routes = RoutesOf(options);
  std::map<uint64_t, CaseRecord> by_number;
  TOSAIC_ASSIGN_OR_RETURN(CampaignSummary summary, RunCampaign(toolchain, campaign, stop, &by_number));

  report.provenance = summary.provenance;
  AddCases(by_number, plan, &report);
  for (Finding& finding : summary.findings) {
    finding.cases().case_name = plan.entries()[finding.cases().case_number].name;
    report.findings.push_back(std::move(finding));
  }
  report.harness_faults = summary.harness_faults;
  report.unseen_known = summary.unseen_known;
  report.interrupted = summary.interrupted || by_number.size() < plan.entries().size();
  report.elapsed_seconds = summary.elapsed_seconds;
  if (records != nullptr) {
    for (auto& [number, record] : by_number) records->push_back(std::move(record));
  }
  const bool lowers = toolchain.description().only_pipeline.empty();
  if (options.ir && lowers && !report.interrupted) {
    TOSAIC_RETURN_IF_ERROR(AddIr(toolchain, options, stop, plan, &report));
    report.interrupted = stop != nullptr && *stop;
  }
  return report;
}

}  // namespace tosaic
