// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic sweep without --values: every combination of types, by the verifier and shape inference alone.
#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "checking/progress_line.h"
#include "codec/status.h"
#include "results/text.h"
#include "sweeps/type_sweep.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "tools/sweep.h"

namespace tosaic {
namespace {

// Half an hour on two cores. The full sweep, --max-rank=3, stays below.
constexpr uint64_t kDecisionsWithoutAsking = 500'000'000;

absl::StatusOr<TypeSweepOptions> ToOptions(const SweepFlags& flags) {
  TypeSweepOptions options;
  options.max_rank = flags.max_rank;
  options.jobs = flags.jobs;
  options.policies = flags.policy.ToOptions().policies;
  options.policies.dialect = DialectInProcess();
  options.dims.clear();
  for (const std::string& text : flags.dims) {
    int64_t size = 0;
    if (text != "?" && (!absl::SimpleAtoi(text, &size) || size < 0)) {
      return absl::InvalidArgumentError(absl::StrCat("--dims: '", text, "' is not a dimension (?, 0, 1, 2, ...)"));
    }
    const Dim dim = text == "?" ? Dim::Dynamic() : Dim::Static(size);
    if (std::find(options.dims.begin(), options.dims.end(), dim) != options.dims.end()) {
      return absl::InvalidArgumentError(absl::StrCat("--dims: '", text, "' is given twice"));
    }
    options.dims.push_back(dim);
  }
  std::vector<std::string> tosa = flags.ops;
  std::erase(tosa, kProbeOp);
  TOSAIC_RETURN_IF_ERROR(ParseOps(tosa, &options.ops));
  if (!flags.ops.empty()) {
    options.probe = tosa.size() < flags.ops.size();
    options.tosa = !options.ops.empty();
  }
  return options;
}

}  // namespace

absl::StatusOr<int> RunTypeSweepCommand(const SweepFlags& flags, const std::string& command_line) {
  TOSAIC_ASSIGN_OR_RETURN(TypeSweepOptions options, ToOptions(flags));
  TOSAIC_RETURN_IF_ERROR(CheckOutput(flags.out, {flags.known}));
  options.command_line = command_line;
  const double decisions = CountDecisions(options);
  if (decisions > kDecisionsWithoutAsking && !flags.yes) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "these are %.3g decisions, more than %d; give --yes if you want that", decisions, kDecisionsWithoutAsking));
  }
  if (flags.toolchain.IsExternal()) return flags.toolchain.NeedsInProcess("a sweep of types");
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  TOSAIC_RETURN_IF_ERROR(ReadKnown(flags.known, *toolchain, false, &options.known));
  ProgressLine line;
  const absl::Time start = absl::Now();
  absl::StatusOr<SweepSummary> summary =
      RunTypeSweep(*toolchain, options, StopOnSignals(), [&](uint64_t decided, uint64_t all) {
        line.Show(absl::StrFormat("%d of %d decisions (%d%%), %.0f/s", decided, all, 100 * decided / all,
                                  static_cast<double>(decided) / absl::ToDoubleSeconds(absl::Now() - start)));
      });
  line.Finish();
  if (!summary.ok()) return summary.status();
  summary->options = {.max_rank = flags.max_rank,
                      .dims = flags.dims,
                      .ops = flags.ops,
                      .one_order_per_multiset = IsTooMuchForEveryOrder(3, flags.max_rank)};
  TOSAIC_RETURN_IF_ERROR(flags.format.WriteAndPrint(*summary, flags.out, ToText(*summary)));
  const bool any_is_new = absl::c_any_of(summary->total.disagreements, [](const auto& of) { return IsNew(of.second); });
  if (any_is_new) return kExitDivergence;
  return summary->interrupted ? kExitInterrupted : kExitAgree;  // what was not finished is no pass
}

}  // namespace tosaic
