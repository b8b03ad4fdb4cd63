// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic sweep --values: every op on all its inputs, or on very many.
#include <utility>

#include "checking/check_case.h"
#include "codec/status.h"
#include "results/text.h"
#include "sweeps/value_sweep.h"
#include "tools/stock_mlir.h"
#include "tools/sweep.h"

namespace tosaic {
namespace {

// A program of a sweep has as many elements as thousands of a campaign's cases.
constexpr int kLimitFactor = 30;

absl::StatusOr<ValueSweepRunOptions> ToOptions(const SweepFlags& flags, const std::string& command_line) {
  ValueSweepRunOptions options;
  options.plan.inputs = flags.inputs;
  options.plan.all = flags.all;
  options.work = flags.work;
  options.take = flags.take;
  TOSAIC_RETURN_IF_ERROR(ParseShard(flags.shard, &options.shard, &options.shards));
  options.jobs = flags.jobs;
  options.limits = flags.toolchain.limits;
  options.limits.cpu_seconds *= kLimitFactor;
  options.limits.wall_seconds *= kLimitFactor;
  options.judge = flags.policy.ToOptions();
  options.plan.spec_version = options.judge.policies.spec_version;
  options.command_line = command_line;
  if (std::string route = flags.toolchain.RouteAskedFor(); !route.empty()) options.route = std::move(route);
  TOSAIC_RETURN_IF_ERROR(ParseOps(flags.ops, &options.plan.ops));
  TOSAIC_RETURN_IF_ERROR(ParseElementTypes(flags.types, &options.plan.types));
  return options;
}

}  // namespace

absl::Status CheckValueSweep(const SweepFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(const ValueSweepRunOptions options, ToOptions(flags, ""));
  return CheckEachTypeHasTile("sweep of values", options.plan.types, PlanValueSweeps(options.plan));
}

absl::StatusOr<ValueSweepSummary> RunValues(const SweepFlags& flags, Toolchain& toolchain,
                                            const std::string& command_line) {
  TOSAIC_ASSIGN_OR_RETURN(ValueSweepRunOptions options, ToOptions(flags, command_line));
  TOSAIC_RETURN_IF_ERROR(ReadKnown(flags.known, toolchain, false, &options.known));
  const StockMlir stock = StockMlirOf(flags.toolchain, toolchain);
  options.base = stock.base;
  options.judge = ForToolchain(toolchain, options.judge);
  options.plan.draft_attributes =
      options.plan.spec_version == SpecVersion::k1_1 && toolchain.description().ReadsDraftAttributes();
  return RunValueSweep(toolchain, options, StopOnSignals());
}

absl::StatusOr<int> RunValueSweepCommand(const SweepFlags& flags, const std::string& command_line) {
  TOSAIC_RETURN_IF_ERROR(CheckValueSweep(flags));
  std::vector<std::string> read = flags.take;
  read.insert(read.end(), {flags.known, flags.work});
  TOSAIC_RETURN_IF_ERROR(CheckOutput(flags.out, read));
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  TOSAIC_ASSIGN_OR_RETURN(const ValueSweepSummary summary, RunValues(flags, *toolchain, command_line));
  TOSAIC_RETURN_IF_ERROR(
      flags.format.WriteAndPrint(summary, flags.out, flags.markdown ? ProfileToMarkdown(summary) : ToText(summary)));
  // A sweep that was not finished has not passed.
  if (!summary.harness_faults.empty()) return kExitHarness;
  if (summary.interrupted) return kExitInterrupted;
  return CountNew(summary.findings) > 0 ? kExitDivergence : kExitAgree;
}

}  // namespace tosaic
