// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic prove: is the body that the lowering leaves right for every value?
#include "proving/prove.h"

#include <utility>

#include "checking/check_case.h"
#include "codec/status.h"
#include "results/text.h"
#include "tools/formatted.h"
#include "tools/stock_mlir.h"
#include "tools/subcommands.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

// The route whose IR has bodies to read.
constexpr char kProvedRoute[] = "contract";

struct ProveFlags {
  ToolchainFlags toolchain;
  std::vector<std::string> ops, types;
  ProofOptions options;
  std::string known = kDefaultKnown;
  std::string out;  // empty: no file
  FormatFlag format;
};

absl::StatusOr<int> RunProveCommand(ProveFlags& flags, const std::string& command_line) {
  ProofOptions& options = flags.options;
  options.command_line = command_line;
  options.limits = flags.toolchain.limits;
  if (std::string route = flags.toolchain.RouteAskedFor(); !route.empty()) options.route = std::move(route);
  TOSAIC_RETURN_IF_ERROR(ParseOps(flags.ops, &options.ops));
  TOSAIC_RETURN_IF_ERROR(ParseElementTypes(flags.types, &options.types));
  TOSAIC_RETURN_IF_ERROR(CheckOutput(flags.out, {flags.known}));
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  TOSAIC_RETURN_IF_ERROR(ReadKnown(flags.known, *toolchain, false, &options.known));
  const StockMlir stock = StockMlirOf(flags.toolchain, *toolchain);
  options.base = stock.base;
  options.judge = ForToolchain(*toolchain, options.judge);
  TOSAIC_ASSIGN_OR_RETURN(const ProofSummary summary, Prove(*toolchain, options, StopOnSignals()));
  TOSAIC_RETURN_IF_ERROR(flags.format.WriteAndPrint(summary, flags.out, ToText(summary)));
  if (!summary.harness_faults.empty()) return kExitHarness;
  if (summary.interrupted) return kExitInterrupted;
  return summary.CountNewlyRefuted() > 0 ? kExitDivergence : kExitAgree;
}

}  // namespace

void AddProve(CLI::App& app, CommandLine& command_line) {
  CLI::App* prove = app.add_subcommand(
      "prove", "prove that the bodies of the lowering compute what the specification says, for every value");
  auto flags = std::make_shared<ProveFlags>();
  flags->toolchain.route = kProvedRoute;
  prove->add_option("--ops", flags->ops, "only these ops: add,mul")->delimiter(',');
  prove->add_option("--types", flags->types, "only these element types of the inputs: f32,i8")->delimiter(',');
  AddJobs(*prove, &flags->options.jobs);
  prove->add_option("--timeout", flags->options.timeout_seconds, "seconds of CPU time for an op with its element types")
      ->check(NumberFrom(1, 86400))
      ->capture_default_str();
  prove->add_flag("--folders", flags->options.folders,
                  "prove what the canonicalizer makes of each op with a constant operand, or with equal ones");
  AddKnown(*prove, &flags->known);
  prove->add_option("--out", flags->out, "write the results to this file, as JSON")->type_name("FILE");
  flags->format.AddTo(*prove);
  flags->toolchain.AddTo(*prove);
  prove->remove_option(prove->get_option("--target"));  // bodies are proved, not the verifier
  prove->callback([flags, &command_line] {
    command_line.action = [flags, &command_line] { return RunProveCommand(*flags, command_line.text); };
  });
}

}  // namespace tosaic
