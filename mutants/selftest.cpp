// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mutants/selftest.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "checking/changed_programs.h"
#include "checking/check_case.h"
#include "codec/status.h"
#include "generators/changed_ops.h"
#include "generators/generator.h"
#include "generators/steering.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/observe_isolated.h"
#include "workers/map.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

// The CPU time of all children that have ended and been waited for.
double ChildrensCpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  return CpuSeconds(usage);
}

bool HasOneOf(const std::vector<OpKind>& ops, const Program& program) {
  return ops.empty() ||
         absl::c_any_of(program.ops, [&](const OpApplication& op) { return absl::c_linear_search(ops, op.op); });
}

// A worker's answer on a case.
struct TriedCase {
  bool ran = false;  // it has an op that is broken, and the toolchain could do with it what the route asks for
  bool diverges = false;
  ProgramChange change;  // by the mistake, in a campaign that asks
};

void Fields(Visitor& v, TriedCase& tried) {
  v("ran", tried.ran);
  v("diverges", tried.diverges);
  v("change", tried.change);
}

// Whether the broken route shows something that the route without the mistake does not, which agrees, or is wrong in
// other elements each time.
bool ShowsMore(const CheckedCase& broken, absl::FunctionRef<CheckedCase()> check_stock) {
  const CheckedCase stock = check_stock();
  if (!IsDivergence(stock.judgement.verdict)) return true;
  const bool are_values =
      stock.judgement.verdict == Verdict::kWrongValue && broken.judgement.verdict == Verdict::kWrongValue;
  // Code that reads memory which nobody wrote may differ from itself, so the stock result must repeat.
  return are_values && stock.judgement.mismatch != broken.judgement.mismatch &&
         stock.judgement.mismatch == check_stock().judgement.mismatch;
}

}  // namespace

uint64_t SelftestResult::FoundBy() const {
  return static_cast<uint64_t>(
      absl::c_count_if(campaigns, [](const SelftestCampaign& campaign) { return campaign.found; }));
}

const SelftestCampaign& SelftestResult::Median() const {
  std::vector<const SelftestCampaign*> sorted;
  for (const SelftestCampaign& campaign : campaigns) sorted.push_back(&campaign);
  absl::c_sort(sorted, [](const SelftestCampaign* a, const SelftestCampaign* b) {
    return std::tuple(!a->found, a->cases, a->seed) < std::tuple(!b->found, b->cases, b->seed);
  });
  return *sorted[sorted.size() / 2];
}

double SelftestResult::MedianCpuSeconds() const {
  std::vector<double> sorted;
  for (const SelftestCampaign& campaign : campaigns) sorted.push_back(campaign.cpu_seconds);
  absl::c_sort(sorted);
  return sorted[sorted.size() / 2];
}

bool SelftestResult::FoundWithin(double cpu_seconds) const {
  return Median().found && MedianCpuSeconds() <= cpu_seconds;
}

absl::StatusOr<SelftestCampaign> RunSelftestCampaign(Toolchain& toolchain, const BrokenLowering& broken, uint64_t seed,
                                                     const SelftestOptions& options, const std::atomic<bool>* stop) {
  GeneratorOptions generator = options.generator;
  if (!options.mixed) generator.routes = {{broken.route, 1}};
  for (auto& [route, weight] : generator.routes) {
    if (route == broken.route) route = std::string(kCustomRoute);
  }
  if (options.broken_ops_only) generator.ops = broken.ops;
  JudgeOptions judge = options.judge;
  judge.policies.strict_values |= broken.strict_values;
  std::optional<ChangedPrograms> changed;
  if (options.changed_only) {
    TOSAIC_ASSIGN_OR_RETURN(changed, ChangedPrograms::ByEdit(toolchain));
  }
  Steering steering(seed, generator);
  const auto case_of = [&](uint64_t task) {
    return Steering::CaseOf(seed, task, steering.OptionsOf(Steering::NumberOf(task)));
  };
  SelftestCampaign campaign;
  campaign.seed = seed;
  campaign.cases = options.cases;
  const double before = ChildrensCpuSeconds();
  uint64_t candidate = 0, round_end = options.cases;
  auto next = [&]() -> std::optional<uint64_t> {
    // Once it is found, those before it are still to be answered, and all of them have been handed out.
    if (campaign.found || candidate == round_end) return std::nullopt;
    const int head = steering.HeadOf(candidate);
    return Steering::Task(candidate++, head);
  };
  const auto on_stock = [&](Case test_case) {
    test_case.route = broken.route;
    return test_case;
  };
  auto work = [&](uint64_t task) {
    const auto observe = [&](const Case& test_case) { return toolchain.Observe(test_case); };
    const Case test_case = case_of(task);
    if (test_case.route != kCustomRoute) return TriedCase();
    if (!HasOneOf(broken.ops, test_case.program)) return TriedCase();
    const ProgramChange change = changed ? changed->Of(test_case) : ProgramChange();
    if (changed && !change.is_changed) return TriedCase();
    const CheckedCase broken_case = CheckWith(observe, test_case, judge);
    const Verdict verdict = broken_case.judgement.verdict;
    // Asked here first, because a process for each case of a known bug takes longer than all else.
    const auto check_stock = [&] { return CheckWith(observe, on_stock(test_case), judge); };
    return TriedCase{.ran = verdict != Verdict::kUnsupported,
                     .diverges = IsDivergence(verdict) && ShowsMore(broken_case, check_stock),
                     .change = change};
  };
  std::vector<uint64_t> ran;
  std::map<uint64_t, ProgramChange> changes;
  auto done = [&](uint64_t task, WorkerResult<TriedCase> result) {
    const uint64_t number = Steering::NumberOf(task);
    if (campaign.found && number + 1 >= campaign.cases) return;
    if (result.death || result.answer.ran) ran.push_back(number);
    changes[number] = result.death ? ProgramChange{.is_changed = true} : std::move(result.answer.change);
    if (!result.death && !result.answer.diverges) return;
    const Case test_case = case_of(task);
    const CheckedCase shown = CheckCase(toolchain, test_case, options.limits, judge);
    if (!IsDivergence(shown.judgement.verdict)) return;
    const auto check_stock = [&] { return CheckCase(toolchain, on_stock(test_case), options.limits, judge); };
    if (!ShowsMore(shown, check_stock)) return;
    campaign.found = true;
    campaign.cases = number + 1;
    campaign.verdict = shown.judgement.verdict;
    campaign.rule = std::string(Name(shown.judgement.rule));
  };
  ChangedOps ops;
  const auto learn_from = [&](uint64_t begin) {
    for (uint64_t number = begin; number < candidate; ++number) {
      const Case test_case = case_of(Steering::Task(number, steering.HeadOf(number)));
      if (test_case.route != kCustomRoute) continue;
      const ProgramChange& change = changes[number];
      ops.Add(test_case, change.is_changed, change.numbers);
    }
    steering.PreferFrom(candidate, ops.PreferredOf(generator));
  };
  const PoolOptions workers = {.jobs = options.jobs, .limits = options.limits};
  while (candidate < options.cases && !campaign.found && !(stop != nullptr && *stop)) {
    const uint64_t begin = candidate;
    if (changed) round_end = std::min(options.cases, RoundEnd(begin));
    TOSAIC_RETURN_IF_ERROR(MapNumbers<TriedCase>(workers, stop, next, work, done));
    if (changed) learn_from(begin);
  }
  campaign.ran = static_cast<uint64_t>(absl::c_count_if(ran, [&](uint64_t number) { return number < campaign.cases; }));
  campaign.cpu_seconds = ChildrensCpuSeconds() - before;
  return campaign;
}

absl::StatusOr<SelftestResult> RunSelftest(const BrokenLowering& broken, const SelftestOptions& options,
                                           const std::atomic<bool>* stop) {
  TOSAIC_ASSIGN_OR_RETURN(std::string pipeline, BrokenPipeline(broken));
  ToolchainOptions toolchain_options;
  toolchain_options.pipeline = std::move(pipeline);
  toolchain_options.custom_like = broken.route;
  toolchain_options.plugins = {options.plugin};
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, CreateMlirToolchain(toolchain_options));
  WarmUp(*toolchain);
  SelftestResult result;
  result.broken = broken;
  for (uint64_t seed = 1; seed <= options.seeds; ++seed) {
    TOSAIC_ASSIGN_OR_RETURN(SelftestCampaign campaign, RunSelftestCampaign(*toolchain, broken, seed, options, stop));
    if (stop != nullptr && *stop) break;  // the campaign is not complete
    result.campaigns.push_back(std::move(campaign));
  }
  return result;
}

}  // namespace tosaic
