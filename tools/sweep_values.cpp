// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic sweep --values: every op on all its inputs, or on very many.
#include <utility>

#include "campaign/checking/check_case.h"
#include "campaign/checking/files.h"
#include "campaign/sweeps/value_sweep.h"
#include "codec/codec.h"
#include "reports/value_sweep_report.h"
#include "tools/sweep.h"

namespace tosaic {
namespace {

// A program of a sweep has as many elements as thousands of a campaign's cases.
constexpr int kLimitFactor = 30;

absl::StatusOr<ValueSweepRunOptions> ToOptions(const SweepFlags& flags, const std::string& command_line) {
  ValueSweepRunOptions options;
  options.plan.inputs = flags.inputs;
  options.jobs = flags.jobs;
  options.limits = flags.toolchain.limits;
  options.limits.cpu_seconds *= kLimitFactor;
  options.limits.wall_seconds *= kLimitFactor;
  options.judge = flags.policy.ToOptions();
  options.plan.spec_version = options.judge.policies.spec_version;
  options.command_line = command_line;
  if (std::string route = flags.toolchain.RouteAskedFor(); !route.empty()) options.route = std::move(route);
  if (absl::Status status = ParseOps(flags.ops, &options.plan.ops); !status.ok()) return status;
  if (absl::Status status = ParseElementTypes(flags.types, &options.plan.types); !status.ok()) return status;
  return options;
}

}  // namespace

int RunValueSweepCommand(const SweepFlags& flags, const std::string& command_line) {
  absl::StatusOr<ValueSweepRunOptions> options = ToOptions(flags, command_line);
  if (!options.ok()) return Report(options.status());
  if (absl::Status status = CheckOutput(flags.out); !status.ok()) return Report(status);
  absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = flags.toolchain.Create();
  if (!toolchain.ok()) return Report(toolchain.status());
  absl::Status known = ReadKnown(flags.known, **toolchain, false, &options->known);
  if (!known.ok()) return Report(known);
  options->judge = ForToolchain(**toolchain, options->judge);
  const absl::StatusOr<ValueSweepSummary> summary = RunValueSweep(**toolchain, *options, StopOnSignals());
  if (!summary.ok()) return Report(summary.status());
  const std::string result = Dump(ToJson(*summary), 2) + "\n";
  absl::Status printed =
      flags.format.Print(result, flags.out, flags.markdown ? ProfileToMarkdown(*summary) : ToText(*summary));
  if (!printed.ok()) return Report(printed);
  if (!flags.out.empty()) {
    const absl::Status written = WriteFile(flags.out, result);
    if (!written.ok()) return Report(written);
  }
  // What was not finished is no pass.
  if (!summary->harness_faults.empty() || summary->interrupted) return kExitHarness;
  return CountNew(summary->findings) > 0 ? kExitDivergence : kExitAgree;
}

}  // namespace tosaic
