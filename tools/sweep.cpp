// tosaic sweep: every combination of types, exhaustively, by the verifier and shape inference alone.
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "campaign/files.h"
#include "campaign/progress_line.h"
#include "campaign/type_sweep.h"
#include "reports/sweep_report.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

// Half an hour on two cores. The full sweep, --max-rank=3, stays below.
constexpr uint64_t kDecisionsWithoutAsking = 500'000'000;
// Beyond this a list of all operand types does not fit in memory.
constexpr int kGreatestRank = 6;

std::atomic<bool> stop{false};

struct SweepFlags {
  int max_rank = 2;
  std::vector<std::string> dims = {"?", "1", "2", "3"};
  std::vector<std::string> ops;
  int jobs = 1;
  std::string out;
  std::string known;
  bool yes = false;
  PolicyFlags policy;
};

absl::StatusOr<TypeSweepOptions> ToOptions(const SweepFlags& flags) {
  TypeSweepOptions options;
  options.max_rank = flags.max_rank;
  options.jobs = flags.jobs;
  options.policies = flags.policy.ToOptions().policies;
  options.dims.clear();
  for (const std::string& text : flags.dims) {
    int64_t size = 0;
    if (text != "?" && (!absl::SimpleAtoi(text, &size) || size < 0)) {
      return absl::InvalidArgumentError(absl::StrCat("--dims: '", text, "' is no dimension (?, 0, 1, 2, ...)"));
    }
    const Dim dim = text == "?" ? Dim::Dynamic() : Dim::Static(size);
    if (std::find(options.dims.begin(), options.dims.end(), dim) != options.dims.end()) {
      return absl::InvalidArgumentError(absl::StrCat("--dims: '", text, "' is given twice"));
    }
    options.dims.push_back(dim);
  }
  for (const std::string& name : flags.ops) {
    const std::optional<OpKind> op = FindOp(name);
    if (name == kProbeOp) continue;
    if (!op) {
      return absl::InvalidArgumentError(
          absl::StrCat("--ops: unknown op '", name, "' (see 'tosaic list-ops'; ", kProbeOp, " is the trait alone)"));
    }
    options.ops.push_back(*op);
  }
  if (!flags.ops.empty()) {
    options.probe = std::find(flags.ops.begin(), flags.ops.end(), kProbeOp) != flags.ops.end();
    options.tosa = !options.ops.empty();
  }
  if (!flags.known.empty()) {
    absl::StatusOr<KnownDivergences> known = KnownDivergences::FromFile(flags.known);
    if (!known.ok()) return known.status();
    options.known = *std::move(known);
  }
  return options;
}

int RunSweep(const SweepFlags& flags, const std::string& command_line) {
  absl::StatusOr<TypeSweepOptions> options = ToOptions(flags);
  if (!options.ok()) return Report(options.status());
  options->command_line = command_line;
  const double decisions = CountDecisions(*options);
  if (decisions > kDecisionsWithoutAsking && !flags.yes) {
    return Report(absl::InvalidArgumentError(absl::StrFormat(
        "that is %.3g decisions, more than %d: --yes if you mean it", decisions, kDecisionsWithoutAsking)));
  }
  absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = ToolchainFlags().Create();
  if (!toolchain.ok()) return Report(toolchain.status());
  struct sigaction action = {};
  action.sa_handler = [](int) { stop = true; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  ProgressLine line;
  const absl::Time start = absl::Now();
  absl::StatusOr<SweepSummary> summary =
      RunTypeSweep(**toolchain, *options, &stop, [&](uint64_t decided, uint64_t all) {
        line.Show(absl::StrFormat("%d of %d decisions (%d%%), %.0f/s", decided, all, 100 * decided / all,
                                  static_cast<double>(decided) / absl::ToDoubleSeconds(absl::Now() - start)));
      });
  line.Finish();
  if (!summary.ok()) return Report(summary.status());
  summary->options = Json{{"max_rank", flags.max_rank}, {"dims", flags.dims}, {"ops", flags.ops}};
  if (!flags.out.empty()) {
    const absl::Status written = WriteFile(flags.out, Dump(SweepToJson(*summary), 2) + "\n");
    if (!written.ok()) return Report(written);
  }
  std::fputs(SweepToText(*summary).c_str(), stdout);
  for (const auto& [signature, disagreement] : summary->total.disagreements) {
    if (IsNew(disagreement)) return kExitDivergence;
  }
  return kExitAgree;
}

}  // namespace

void AddSweep(CLI::App& app, CommandLine& command_line) {
  CLI::App* sweep = app.add_subcommand("sweep", "decide every combination of types, exhaustively");
  auto flags = std::make_shared<SweepFlags>();
  flags->jobs = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  sweep->add_option("--max-rank", flags->max_rank, "shapes of ranks 0 to N, and unranked")
      ->check(CLI::Range(0, kGreatestRank))
      ->capture_default_str();
  sweep->add_option("--dims", flags->dims, "the dimensions that shapes are made of")
      ->delimiter(',')
      ->capture_default_str();
  sweep->add_option("--ops", flags->ops, "only these ops: add,mul; broadcastable is the trait alone")->delimiter(',');
  sweep->add_option("--jobs", flags->jobs, "worker processes")->check(CLI::Range(1, 1024))->capture_default_str();
  sweep->add_option("--out", flags->out, "write the counts and all disagreements to this file, as JSON");
  sweep->add_option("--known", flags->known, "a file of known divergences");
  sweep->add_flag("--yes", flags->yes, "sweep even if it is very much");
  flags->policy.AddTo(*sweep);
  sweep->callback([flags, &command_line] {
    command_line.action = [flags, text = command_line.text] { return RunSweep(*flags, text); };
  });
}

}  // namespace tosaic
