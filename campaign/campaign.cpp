#include "campaign/campaign.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "campaign/case_record.h"
#include "campaign/checking/check_case.h"
#include "campaign/checking/progress_line.h"
#include "campaign/checking/provenance.h"
#include "campaign/checking/shared_text.h"
#include "campaign/checking/signature.h"
#include "campaign/coverage.h"
#include "campaign/diagnosis/pass_bisection.h"
#include "campaign/diagnosis/plain_case.h"
#include "campaign/diagnosis/reproduction.h"
#include "campaign/tiles.h"
#include "campaign/work_directory.h"
#include "generators/steering.h"
#include "generators/twins.h"
#include "model/json.h"
#include "model/support_table.h"
#include "oracle/twins.h"

namespace tosaic {
namespace {

std::string ElementsOf(const GeneratorOptions& options) {
  std::string ops =
      absl::StrJoin(options.ops, ",", [](std::string* out, OpKind op) { absl::StrAppend(out, Name(op)); });
  std::string types =
      absl::StrJoin(options.types, ",", [](std::string* out, ElementType type) { absl::StrAppend(out, Name(type)); });
  return absl::StrCat("ops=", ops, " types=", types, " runs=", options.runs, " max_elements=", options.max_elements,
                      " illegal=", options.illegal_percent, " beyond_spec=", options.beyond_spec_percent,
                      " misfit=", options.misfit_percent, " chains=", options.chain_percent,
                      " graphs=", options.graph_percent, " identities=", options.identity_percent,
                      " twins=", options.twin_percent);
}

std::string PoliciesOf(const Policies& policies) {
  return absl::StrCat("strict_static_result=", policies.refuse_static_result_of_dynamic_inference,
                      " spec=", policies.spec_version == Policies::SpecVersion::k1_0_0 ? "1.0.0" : "1.0.2");
}

// Patterns are watched in every eighth case: that costs a quarter of a case's time.
constexpr uint64_t kWatchedCases = 8;

class Campaign {
 public:
  Campaign(Toolchain& toolchain, const CampaignOptions& options, const std::atomic<bool>* stop)
      : toolchain_(toolchain), options_(options), stop_(stop), steering_(options.seed, options.generator) {}

  absl::StatusOr<CampaignSummary> Run(std::map<uint64_t, CaseRecord>* records);

 private:
  // What decides a campaign's verdicts; the number of cases may grow between two runs on one work directory.
  Json Identity() const {
    if (options_.list) {
      return Json{{"tosaic_campaign", 1},
                  {"list", options_.list->identity},
                  {"shard", options_.shard},
                  {"shards", options_.shards},
                  {"versions", Versions(toolchain_, RouteNames())},
                  {"policies", PoliciesOf(options_.judge.policies)}};
    }
    return Json{{"tosaic_campaign", 1},
                {"seed", options_.seed},
                {"shard", options_.shard},
                {"shards", options_.shards},
                {"routes", options_.generator.routes},
                {"versions", Versions(toolchain_, RouteNames())},
                {"generator", ElementsOf(options_.generator)},
                {"steered", options_.steer},
                {"policies", PoliciesOf(options_.judge.policies)}};
  }
  std::vector<std::string> RouteNames() const {
    std::vector<std::string> names;
    for (const auto& [route, weight] : options_.generator.routes) names.push_back(route);
    return names;
  }
  // Whether a case of the journal counts: an earlier start may have asked for more of them.
  bool IsAskedFor(uint64_t number) const { return options_.duration || number < options_.cases; }
  bool Stopped() const { return stop_ != nullptr && *stop_; }
  // Which head of a case is taken; not to be asked in a worker, which would walk over all cases anew.
  int HeadOf(uint64_t number) { return options_.steer && !options_.list ? steering_.HeadOf(number) : 0; }
  Case CaseOf(uint64_t number) { return CaseOfTask(Steering::Task(number, HeadOf(number))); }
  Case CaseOfTask(uint64_t task) const {
    if (options_.list) return options_.list->at(Steering::NumberOf(task));
    return Steering::CaseOf(options_.seed, task, options_.generator);
  }
  // What a record is about: the case, or its twin, on the route where it was judged.
  Case JudgedCase(const CaseRecord& record);
  PoolOptions Workers() const { return {.jobs = options_.jobs, .limits = options_.limits}; }
  // Workers that observe nothing themselves: the processes that they start have the deadlines.
  PoolOptions Supervisors() const;

  // In a worker: what becomes of a case. Its record names the patterns that this process saw for the first time.
  CaseRecord Observe(uint64_t number, const Case& test_case);
  // In the parent: the worker's answer, or its death.
  absl::StatusOr<CaseRecord> Received(uint64_t number, const TaskResult& result);
  // Checks cases anew, alone in fresh processes; `take` gets what became of each. `where` is for the progress line.
  absl::Status ReplayAlone(const std::map<uint64_t, Case>& cases, absl::string_view where,
                           absl::FunctionRef<void(CaseRecord)> take);

  absl::Status ObserveAll(WorkDirectory* directory);
  // Prepares cases, and their twins, in workers. What becomes of it is no matter: what is missing is done by Observe.
  absl::Status PrepareAll(const std::vector<uint64_t>& tasks);
  absl::Status Confirm(WorkDirectory* directory);
  absl::Status TraceToFirstRoute(std::map<uint64_t, CaseRecord>* records);
  absl::Status CollectFindings(const WorkDirectory& directory);
  PlainCase MadePlain(PlainCase reduced);
  absl::Status ReduceFindings();
  absl::Status MakeReproducers();
  void NameFindings();
  void Count(const WorkDirectory& directory);
  void CountTiles(const WorkDirectory& directory);
  void ListUnseenKnown(const WorkDirectory& directory);

  Toolchain& toolchain_;
  const CampaignOptions& options_;
  const std::atomic<bool>* stop_;
  Steering steering_;
  std::set<std::string> patterns_seen_;         // by this process
  std::map<std::string, std::string> renamed_;  // findings' signatures, by those of their cases
  CampaignSummary summary_;
  ProgressLine progress_;
};

Case Campaign::JudgedCase(const CaseRecord& record) {
  Case test_case = CaseOf(record.number);
  if (record.of_twin) test_case = TwinOf(test_case).value_or(test_case);
  test_case.route = record.route;
  return test_case;
}

PoolOptions Campaign::Supervisors() const {
  PoolOptions supervisors = Workers();
  supervisors.limits.cpu_seconds *= 100;
  supervisors.limits.wall_seconds *= 100;
  return supervisors;
}

CaseRecord Campaign::Observe(uint64_t number, const Case& test_case) {
  std::set<std::string> patterns;
  const bool watched = number % kWatchedCases == 0;
  if (watched) toolchain_.WatchPatterns([&](absl::string_view name) { patterns.insert(std::string(name)); });
  auto observe = [this](const Case& one) { return toolchain_.Observe(one); };
  CaseRecord record = RecordOf(number, test_case, CheckWith(observe, test_case, options_.judge));
  if (watched) toolchain_.WatchPatterns(nullptr);
  for (const std::string& pattern : patterns) {
    if (patterns_seen_.insert(pattern).second) record.patterns.push_back(pattern);
  }
  return record;
}

absl::StatusOr<CaseRecord> Campaign::Received(uint64_t number, const TaskResult& result) {
  if (result.death) {
    // Whether the case or its twin died is for the replay to find out.
    Case test_case = CaseOf(number);
    test_case.twin.clear();
    auto observe = [&](const Case&) { return *result.death; };
    CaseRecord record = RecordOf(number, test_case, CheckWith(observe, test_case, options_.judge));
    record.first_preceding = number;
    return record;
  }
  absl::StatusOr<CaseRecord> record = FromText<CaseRecord>(result.payload);
  if (record.ok()) return record;
  return absl::InternalError(absl::StrCat("case ", number, ": a worker's answer is malformed"));
}

// Phase 1: every case of the campaign that the journal does not have yet.
absl::Status Campaign::ObserveAll(WorkDirectory* directory) {
  const absl::Time started = absl::Now();
  uint64_t candidate = options_.shard;
  auto next = [&]() -> std::optional<uint64_t> {
    while (directory->records().contains(candidate)) candidate += options_.shards;
    const bool over = options_.duration ? absl::Now() - started >= *options_.duration : candidate >= options_.cases;
    if (over) return std::nullopt;
    const uint64_t number = std::exchange(candidate, candidate + options_.shards);
    return Steering::Task(number, HeadOf(number));
  };
  std::optional<uint64_t> first_in_worker;  // of each worker's own copy after the fork
  auto work = [&](uint64_t task, bool* retire) {
    const uint64_t number = Steering::NumberOf(task);
    if (!first_in_worker) first_in_worker = number;
    CaseRecord record = Observe(number, CaseOfTask(task));
    record.first_preceding = *first_in_worker;
    *retire |= toolchain_.tainted();
    return ToLine(record);
  };
  uint64_t divergent = 0;
  absl::Status failed;
  auto done = [&](TaskResult result) {
    const absl::StatusOr<CaseRecord> record = Received(Steering::NumberOf(result.task), result);
    if (!record.ok()) {
      failed = record.status();
      return;
    }
    if (absl::Status status = directory->Append(*record); !status.ok()) failed = status;
    divergent += IsDivergence(record->verdict) ? 1 : 0;
    ++summary_.cases_observed;
    const double seconds = absl::ToDoubleSeconds(absl::Now() - started);
    progress_.Show(absl::StrFormat("%d%s cases, %d divergent, %.0f cases/s", directory->records().size(),
                                   options_.duration ? "" : absl::StrCat("/", options_.cases / options_.shards),
                                   divergent, static_cast<double>(summary_.cases_observed) / std::max(seconds, 1e-9)));
  };
  absl::Status status;
  if (toolchain_.batch_size() == 1) {
    status = RunTasks(Workers(), stop_, next, work, done);
  } else {
    const size_t at_once = toolchain_.batch_size() * static_cast<size_t>(std::max(options_.jobs, 1));
    for (bool over = false; !over && status.ok() && failed.ok() && !Stopped();) {
      std::vector<uint64_t> tasks;
      while (tasks.size() < at_once && !over) {
        const std::optional<uint64_t> task = next();
        over = !task.has_value();
        if (task) tasks.push_back(*task);
      }
      status = PrepareAll(tasks);
      size_t handed_out = 0;
      auto prepared = [&]() -> std::optional<uint64_t> {
        return handed_out < tasks.size() ? std::optional(tasks[handed_out++]) : std::nullopt;
      };
      if (status.ok()) status = RunTasks(Workers(), stop_, prepared, work, done);
    }
  }
  progress_.Finish();
  return failed.ok() ? status : failed;
}

absl::Status Campaign::PrepareAll(const std::vector<uint64_t>& tasks) {
  const size_t size = toolchain_.batch_size();
  size_t begin = 0;
  auto next = [&]() -> std::optional<uint64_t> {
    return begin < tasks.size() ? std::optional<uint64_t>(std::exchange(begin, begin + size)) : std::nullopt;
  };
  auto work = [&](uint64_t first, bool*) {
    std::vector<Case> cases;
    for (size_t i = first; i < std::min(tasks.size(), static_cast<size_t>(first) + size); ++i) {
      cases.push_back(CaseOfTask(tasks[i]));
      if (std::optional<Case> twin = TwinOf(cases.back())) cases.push_back(*std::move(twin));
    }
    toolchain_.Prepare(cases);
    return std::string();
  };
  return RunTasks(Supervisors(), stop_, next, work, [](TaskResult) {});
}

// Phase 2: a divergence counts only if it repeats alone in a fresh process.
absl::Status Campaign::Confirm(WorkDirectory* directory) {
  std::map<uint64_t, CaseRecord> records = directory->records();
  std::map<uint64_t, Case> divergent;
  for (const auto& [number, record] : records) {
    if (IsDivergence(record.verdict) && IsAskedFor(number)) divergent.emplace(number, CaseOf(number));
  }
  absl::Status status = ReplayAlone(divergent, "", [&](CaseRecord now) {
    CaseRecord& before = records[now.number];
    // What counts is what a fresh process shows. Where MLIR's own behaviour is undefined (it reads memory it never
    // wrote), the two may differ and both be divergences.
    now.patterns = before.patterns;
    if (IsDivergence(now.verdict)) {
      now.first_preceding = before.first_preceding;
      before = std::move(now);
    } else if (options_.known.Find(before.signature) != nullptr) {
      before.notes.push_back("known, and not repeatable");  // as code is that reads memory nobody wrote
    } else {
      before.rule = absl::StrCat("harness.not-repeatable: ", ToString(before.signature), " became ", Name(now.verdict));
      before.verdict = Verdict::kHarnessFault;
      before.signature = {};
    }
  });
  if (!status.ok()) return status;
  if (absl::Status traced = TraceToFirstRoute(&records); !traced.ok()) return traced;
  return directory->Replace(records);
}

// A divergence that the first route shows as well is that route's, or each would be reported once per route.
absl::Status Campaign::TraceToFirstRoute(std::map<uint64_t, CaseRecord>* records) {
  const std::string& first = options_.generator.routes.front().first;
  std::map<uint64_t, Case> elsewhere;
  for (const auto& [number, record] : *records) {
    const bool behind_verifier = !record.signature.route.empty();
    if (IsDivergence(record.verdict) && IsAskedFor(number) && record.route != first && behind_verifier) {
      elsewhere.emplace(number, JudgedCase(record)).first->second.route = first;
    }
  }
  return ReplayAlone(elsewhere, absl::StrCat(", on ", first), [&](CaseRecord now) {
    CaseRecord& record = records->at(now.number);
    // An approximating route's signature leaves out what kind of wrong value it was.
    if (!absl::StartsWith(now.signature.detail, record.signature.detail)) return;
    FindingSignature as_first = record.signature;
    as_first.route = first;
    as_first.detail = now.signature.detail;
    if (now.signature != as_first) return;
    now.first_preceding = record.first_preceding;
    now.of_twin = record.of_twin;
    now.patterns = record.patterns;
    record = std::move(now);
  });
}

absl::Status Campaign::ReplayAlone(const std::map<uint64_t, Case>& cases, absl::string_view where,
                                   absl::FunctionRef<void(CaseRecord)> take) {
  auto at = cases.begin();
  auto next = [&]() -> std::optional<uint64_t> {
    if (at == cases.end()) return std::nullopt;
    return (at++)->first;
  };
  auto work = [&](uint64_t number, bool*) {
    const Case& test_case = cases.at(number);
    return ToLine(RecordOf(number, test_case, CheckCase(toolchain_, test_case, options_.limits, options_.judge)));
  };
  uint64_t replayed = 0;
  absl::Status failed;
  auto done = [&](TaskResult result) {
    absl::StatusOr<CaseRecord> record = Received(result.task, result);
    if (!record.ok()) {
      failed = record.status();
      return;
    }
    take(*std::move(record));
    progress_.Show(absl::StrFormat("%d/%d divergences replayed alone%s", ++replayed, cases.size(), where));
  };
  const absl::Status status = RunTasks(Supervisors(), stop_, next, work, done);
  progress_.Finish();
  return failed.ok() ? status : failed;
}

void Campaign::Count(const WorkDirectory& directory) {
  std::vector<const CaseRecord*> asked_for;
  for (const auto& [number, record] : directory.records()) {
    if (!IsAskedFor(number)) continue;
    asked_for.push_back(&record);
    ++summary_.cases;
    summary_.runs += record.runs;
    ++summary_.verdicts[record.verdict];
    OpSummary& op = summary_.by_op[record.op];
    ++op.verdicts[record.verdict];
    ++op.types[record.types];
    op.compared += record.compared;
    op.masked += record.masked;
    for (const std::string& note : std::set<std::string>(record.notes.begin(), record.notes.end())) {
      ++summary_.notes[note];
    }
    if (record.verdict == Verdict::kHarnessFault) {
      summary_.harness_faults.push_back({number, record.rule, record.first_preceding});
    }
  }
  summary_.coverage = CoverageOf(asked_for, options_.generator, toolchain_.Patterns());
  for (const SupportEntry& entry : SupportTable()) {
    if (!HoldsFor(entry, toolchain_.dialect())) continue;
    if (!summary_.coverage.rules.contains(std::string(entry.label)))
      summary_.unused_support.push_back(std::string(entry.label));
  }
}

void Campaign::CountTiles(const WorkDirectory& directory) {
  std::vector<const CaseRecord*> asked_for;
  for (const auto& [number, record] : directory.records()) {
    if (IsAskedFor(number)) asked_for.push_back(&record);
  }
  summary_.tiles = TilesOf(asked_for, renamed_);
}

// One finding per signature, shown by its first case.
absl::Status Campaign::CollectFindings(const WorkDirectory& directory) {
  std::map<std::string, Finding> findings;
  for (const auto& [number, record] : directory.records()) {
    if (!IsDivergence(record.verdict) || !IsAskedFor(number)) continue;
    auto [it, inserted] = findings.try_emplace(ToString(record.signature));
    Finding& finding = it->second;
    ++finding.count;
    if (!inserted) continue;
    finding.signature = it->first;
    finding.op = record.op;
    finding.route = record.route;
    finding.case_number = number;
    finding.judgement.verdict = record.verdict;
    finding.judgement.beyond_spec = record.beyond_spec;
    finding.judgement.rule = record.rule;
    finding.original = JudgedCase(record);
    if (!absl::StartsWith(record.rule, kMetamorphic)) finding.original.twin.clear();
    finding.reduced = finding.original;
  }
  for (auto& [signature, finding] : findings) summary_.findings.push_back(std::move(finding));
  return absl::OkStatus();
}

// Findings whose reduced cases show the same are one; then what is known of them all.
void Campaign::NameFindings() {
  std::map<std::string, Finding> findings;
  for (Finding& finding : summary_.findings) {
    const std::string signature = finding.signature;
    auto [it, inserted] = findings.try_emplace(signature, std::move(finding));
    if (inserted) continue;
    it->second.count += finding.count;
  }
  summary_.findings.clear();
  for (auto& [signature, finding] : findings) {
    finding.cause = signature;
    if (const auto* known = options_.known.Find(signature)) {
      finding.known_reason = known->reason;
      finding.cause = known->cause;
    }
    summary_.findings.push_back(std::move(finding));
  }
}

// A cause is one thing to mend: its entries are unseen together.
void Campaign::ListUnseenKnown(const WorkDirectory& directory) {
  using Kind = std::tuple<std::string, std::string, std::string>;  // op, element types, route
  std::map<Kind, uint64_t> cases;
  std::set<std::string> signatures, seen;  // seen: causes
  for (const auto& [number, record] : directory.records()) {
    if (!IsAskedFor(number)) continue;
    signatures.insert(ToString(record.signature));
    if (record.verdict == Verdict::kUnsupported) continue;  // as a route that this MLIR does not have
    const bool several = record.shapes == kSeveralOps;
    ++cases[{several ? std::string(kSeveralOps) : record.op, several ? "" : record.types, record.route}];
  }
  for (const std::string& signature : signatures) {
    const KnownDivergences::Entry* shown = options_.known.Find(signature);
    if (shown != nullptr) seen.insert(shown->cause);
  }
  std::map<std::string, uint64_t> may_show;  // by cause
  for (const KnownDivergences::Entry& entry : options_.known.entries()) {
    for (const auto& [kind, count] : cases) {
      const auto& [op, types, route] = kind;
      if (entry.MayBeShownBy(op, types, route)) may_show[entry.cause] += count;
    }
  }
  for (const KnownDivergences::Entry& entry : options_.known.entries()) {
    if (!seen.contains(entry.cause) && may_show[entry.cause] >= options_.cases_without_known) {
      summary_.unseen_known.push_back(entry.signature);
    }
  }
}

// The plainest case instead of a reduced one, unless one of them is known and the other is not, or as something else.
PlainCase Campaign::MadePlain(PlainCase reduced) {
  std::vector<std::string> routes;
  for (const Route* route : toolchain_.Routes()) {
    const auto drawn = [&](const auto& one) { return one.first == route->name; };
    const auto& own = options_.generator.routes;
    if (absl::c_any_of(own, drawn)) routes.push_back(std::string(route->name));
  }
  PlainCase plain = PlainestCase(toolchain_, reduced, routes, options_.limits, options_.judge);
  const KnownDivergences::Entry* before = options_.known.Find(reduced.checked.signature);
  const KnownDivergences::Entry* after = options_.known.Find(plain.checked.signature);
  const bool is_same = before == nullptr || after == nullptr ? before == after : before->cause == after->cause;
  return is_same ? plain : reduced;
}

// Phase 3: the findings' cases made small, several at a time.
absl::Status Campaign::ReduceFindings() {
  size_t at = 0;
  PoolOptions workers = Supervisors();
  workers.tasks_per_worker = 1;
  auto next = [&]() -> std::optional<uint64_t> {
    if (at == summary_.findings.size()) return std::nullopt;
    return at++;
  };
  std::vector<SharedText> best(summary_.findings.size());  // what is left of a reduction that is interrupted
  auto work = [&](uint64_t index, bool*) {
    const Finding& finding = summary_.findings[index];
    const ReduceOptions reduction = {.budget = options_.reduce_budget, .best = &best[index]};
    absl::StatusOr<Case> reduced =
        options_.reduce ? ReduceCase(toolchain_, finding.original, ParseFindingSignature(finding.signature),
                                     options_.limits, options_.judge, reduction)
                        : absl::StatusOr<Case>(finding.original);
    if (!reduced.ok()) reduced = finding.original;
    PlainCase shown = {*reduced, CheckCase(toolchain_, *reduced, options_.limits, options_.judge)};
    if (options_.reduce) shown = MadePlain(std::move(shown));
    const auto& [test_case, checked] = shown;
    const std::string pipeline = ShortestPipeline(toolchain_, test_case, checked, options_.limits, options_.judge);
    return Dump(Json{{"case", ToJson(test_case)},
                     {"judgement", ToJson(checked.judgement)},
                     {"signature", ToString(checked.signature)},
                     {"pipeline", pipeline}},
                -1);
  };
  uint64_t reduced = 0;
  auto done = [&](TaskResult result) {
    Finding& finding = summary_.findings[result.task];
    progress_.Show(absl::StrFormat("%d/%d findings reduced", ++reduced, summary_.findings.size()));
    const absl::StatusOr<Json> json = ParseJson(result.payload);
    if (!json.ok()) return;  // the reduction died: the original stands
    absl::StatusOr<Case> test_case = CaseFromJson((*json)["case"]);
    absl::StatusOr<Judgement> judgement = FromJson<Judgement>((*json)["judgement"]);
    if (!test_case.ok() || !judgement.ok()) return;
    finding.reduced = *std::move(test_case);
    finding.judgement = *std::move(judgement);
    finding.pipeline = (*json)["pipeline"].get<std::string>();
    const std::string signature = (*json)["signature"].get<std::string>();
    if (signature.empty() || signature == finding.signature) return;  // empty: it did not show this time
    renamed_[std::exchange(finding.signature, signature)] = signature;
    finding.route = finding.reduced.route;
    if (finding.reduced.program.ops.size() == 1) finding.op = std::string(Name(finding.reduced.program.ops[0].op));
  };
  absl::Status status = RunTasks(workers, stop_, next, work, done);
  for (size_t i = 0; Stopped() && i < best.size(); ++i) {
    const absl::StatusOr<Case> so_far = CaseFromText(best[i].Read());
    Finding& finding = summary_.findings[i];
    if (so_far.ok() && finding.reduced == finding.original) finding.reduced = *so_far;
  }
  progress_.Finish();
  return status;
}

// Phase 4: what shows them without Tosaic.
absl::Status Campaign::MakeReproducers() {
  size_t at = 0;
  PoolOptions workers = Supervisors();
  workers.tasks_per_worker = 1;
  auto next = [&]() -> std::optional<uint64_t> {
    if (at == summary_.findings.size()) return std::nullopt;
    return at++;
  };
  auto work = [&](uint64_t index, bool*) {
    const Finding& finding = summary_.findings[index];
    CheckedCase checked = CheckCase(toolchain_, finding.reduced, options_.limits, options_.judge);
    checked.judgement = finding.judgement;  // what is reported, whether it shows once more or not
    checked.signature = ParseFindingSignature(finding.signature);
    const Reproduction reproduction =
        ReproductionOf(toolchain_, finding.reduced, checked, finding.pipeline, options_.limits, options_.judge);
    return Dump(Json(ReproducerFiles(reproduction)), -1);
  };
  uint64_t made = 0;
  auto done = [&](TaskResult result) {
    progress_.Show(absl::StrFormat("%d/%d reproducers", ++made, summary_.findings.size()));
    const absl::StatusOr<Json> json = ParseJson(result.payload);
    if (!json.ok()) return;  // it died; the folder has the case
    for (const auto& [name, text] : json->items()) {
      summary_.findings[result.task].reproducer[name] = text.get<std::string>();
    }
  };
  absl::Status status = RunTasks(workers, stop_, next, work, done);
  progress_.Finish();
  return status;
}

absl::StatusOr<CampaignSummary> Campaign::Run(std::map<uint64_t, CaseRecord>* records) {
  const absl::Time started = absl::Now();
  absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(options_.out, Identity());
  if (!directory.ok()) return directory.status();
  summary_.seed = options_.seed;
  summary_.provenance = Provenance(options_.command_line, toolchain_, RouteNames());
  if (absl::Status status = ObserveAll(&*directory); !status.ok()) return status;
  const absl::Duration observing = absl::Now() - started;
  if (!Stopped()) {
    if (absl::Status status = Confirm(&*directory); !status.ok()) return status;
  }
  Count(*directory);
  if (absl::Status status = CollectFindings(*directory); !status.ok()) return status;
  if (!Stopped()) {
    if (absl::Status status = ReduceFindings(); !status.ok()) return status;
  }
  NameFindings();
  if (!Stopped()) {
    if (absl::Status status = MakeReproducers(); !status.ok()) return status;
  }
  CountTiles(*directory);
  if (!Stopped()) ListUnseenKnown(*directory);
  summary_.interrupted = Stopped();
  summary_.elapsed_seconds = absl::ToDoubleSeconds(observing);
  if (absl::Status status = directory->WriteResults(&summary_, toolchain_.dialect()); !status.ok()) return status;
  if (records != nullptr) {
    *records = directory->records();
    for (auto& [number, record] : *records) {
      if (const auto renamed = renamed_.find(ToString(record.signature)); renamed != renamed_.end()) {
        record.signature = ParseFindingSignature(renamed->second);
      }
    }
  }
  return std::move(summary_);
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
  return Campaign(toolchain, fitting, stop).Run(records);
}

}  // namespace tosaic
