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
#include "checking/library_function.h"
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

// The generator of a campaign against the lowering: its route is that of the plugin's pass.
GeneratorOptions GeneratorAgainst(const BrokenLowering& broken, const SelftestOptions& options) {
  GeneratorOptions generator = options.generator;
  if (!options.mixed) generator.routes = {{broken.route, 1}};
  for (auto& [route, weight] : generator.routes) {
    if (route == broken.route) route = std::string(kCustomRoute);
  }
  if (options.broken_ops_only) generator.ops = broken.ops;
  return generator;
}

// One campaign, in rounds: what the mistake changed in one decides which ops the next prefers.
class RoundsAgainst {
 public:
  RoundsAgainst(Toolchain& toolchain, const BrokenLowering& broken, uint64_t seed, const SelftestOptions& options)
      : toolchain_(toolchain),
        broken_(broken),
        options_(options),
        generator_(GeneratorAgainst(broken, options)),
        judge_(options.judge),
        steering_(seed, generator_),
        campaign_{.seed = seed, .cases = options.cases} {
    judge_.policies.strict_values |= broken.strict_values;
  }

  absl::StatusOr<SelftestCampaign> Run(const std::atomic<bool>* stop) {
    if (options_.changed_only) {
      TOSAIC_ASSIGN_OR_RETURN(changed_, ChangedPrograms::ByEdit(toolchain_));
    }
    const double before = ChildrensCpuSeconds();
    const PoolOptions workers = {.jobs = options_.jobs, .limits = options_.limits};
    while (candidate_ < options_.cases && !campaign_.found && !(stop != nullptr && *stop)) {
      const uint64_t begin = candidate_;
      round_end_ = changed_ ? std::min(options_.cases, RoundEnd(begin)) : options_.cases;
      TOSAIC_RETURN_IF_ERROR(MapNumbers<TriedCase>(
          workers, stop, [this] { return Next(); }, [this](uint64_t task) { return Try(task); },
          [this](uint64_t task, WorkerResult<TriedCase> result) { Take(task, std::move(result)); }));
      if (changed_) LearnFrom(begin);
    }
    campaign_.ran =
        static_cast<uint64_t>(absl::c_count_if(ran_, [&](uint64_t number) { return number < campaign_.cases; }));
    campaign_.cpu_seconds = ChildrensCpuSeconds() - before;
    return std::move(campaign_);
  }

 private:
  Case CaseOf(uint64_t task) const {
    return Steering::CaseOf(campaign_.seed, task, steering_.OptionsOf(Steering::NumberOf(task)));
  }
  Case OnStockRoute(Case test_case) const {
    test_case.route = broken_.route;
    return test_case;
  }

  // Once it is found, those before it are still to be answered, and all of them have been handed out.
  std::optional<uint64_t> Next() {
    if (campaign_.found || candidate_ == round_end_) return std::nullopt;
    const int head = steering_.HeadOf(candidate_);
    return Steering::Task(candidate_++, head);
  }

  // In a worker.
  TriedCase Try(uint64_t task) const {
    const auto observe = [&](const Case& test_case) { return toolchain_.Observe(test_case); };
    const Case test_case = CaseOf(task);
    if (test_case.route != kCustomRoute) return TriedCase();
    if (!HasOneOf(broken_.ops, test_case.program)) return TriedCase();
    const ProgramChange change = changed_ ? changed_->Of(test_case) : ProgramChange();
    if (changed_ && !change.is_changed) return TriedCase();
    const CheckedCase broken_case = CheckWith(observe, test_case, judge_);
    const Verdict verdict = broken_case.judgement.verdict;
    // Asked here first, because a process for each case of a known bug takes longer than all else.
    const auto check_stock = [&] { return CheckWith(observe, OnStockRoute(test_case), judge_); };
    return TriedCase{.ran = verdict != Verdict::kUnsupported && verdict != Verdict::kHarnessFault,
                     .diverges = IsDivergence(verdict) && ShowsMore(broken_case, check_stock),
                     .change = change};
  }

  void Take(uint64_t task, WorkerResult<TriedCase> result) {
    const uint64_t number = Steering::NumberOf(task);
    if (campaign_.found && number + 1 >= campaign_.cases) return;
    if (result.death || result.answer.ran) ran_.push_back(number);
    changes_[number] = result.death ? ProgramChange{.is_changed = true} : std::move(result.answer.change);
    if (!result.death && !result.answer.diverges) return;
    const Case test_case = CaseOf(task);
    const CheckedCase shown = CheckCase(toolchain_, test_case, options_.limits, judge_);
    if (!IsDivergence(shown.judgement.verdict)) return;
    const auto check_stock = [&] { return CheckCase(toolchain_, OnStockRoute(test_case), options_.limits, judge_); };
    if (!ShowsMore(shown, check_stock)) return;
    campaign_.found = true;
    campaign_.cases = number + 1;
    campaign_.verdict = shown.judgement.verdict;
    campaign_.rule = std::string(Name(shown.judgement.rule));
  }

  void LearnFrom(uint64_t begin) {
    for (uint64_t number = begin; number < candidate_; ++number) {
      const Case test_case = CaseOf(Steering::Task(number, steering_.HeadOf(number)));
      if (test_case.route != kCustomRoute) continue;
      const ProgramChange& change = changes_[number];
      ops_.Add(test_case, change.is_changed, change.numbers);
    }
    steering_.PreferFrom(candidate_, ops_.PreferredOf(generator_));
  }

  Toolchain& toolchain_;
  const BrokenLowering& broken_;
  const SelftestOptions& options_;
  const GeneratorOptions generator_;
  JudgeOptions judge_;
  std::optional<ChangedPrograms> changed_;
  Steering steering_;
  SelftestCampaign campaign_;
  uint64_t candidate_ = 0;  // the next number to hand out
  uint64_t round_end_ = 0;
  std::vector<uint64_t> ran_;
  std::map<uint64_t, ProgramChange> changes_;
  ChangedOps ops_;
};

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
  return RoundsAgainst(toolchain, broken, seed, options).Run(stop);
}

absl::StatusOr<SelftestResult> RunSelftest(const BrokenLowering& broken, const SelftestOptions& options,
                                           const std::atomic<bool>* stop) {
  TOSAIC_ASSIGN_OR_RETURN(std::string pipeline, BrokenPipeline(broken));
  ToolchainOptions toolchain_options;
  toolchain_options.pipeline = std::move(pipeline);
  toolchain_options.custom_like = broken.route;
  toolchain_options.plugins = {options.plugin};
  toolchain_options.library_function = OracleLibrary();
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
