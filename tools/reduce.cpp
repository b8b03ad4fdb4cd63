// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic reduce: makes a divergent case small.
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "checking/check_case.h"
#include "checking/files.h"
#include "checking/progress_line.h"
#include "codec/status.h"
#include "diagnosis/shortest_pipeline.h"
#include "model/escape.h"
#include "model/json.h"
#include "model/mlir_text.h"
#include "results/judgement_text.h"
#include "tools/case_input.h"
#include "tools/formatted.h"
#include "tools/subcommands.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

struct ReduceFlags {
  ToolchainFlags toolchain;
  PolicyFlags policy;
  CaseInput input;
  std::string file;
  std::string out;
  std::string budget;
  std::string format = "json";
  bool verbose = false;
};

absl::StatusOr<ReduceOptions> ToOptions(const ReduceFlags& flags) {
  ReduceOptions options;
  if (!flags.budget.empty()) {
    TOSAIC_ASSIGN_OR_RETURN(options.budget, ParseTime("--budget", flags.budget, "30s"));
  }
  if (flags.verbose) {
    // The steps are taken in a worker, whose standard error is kept from the user.
    options.on_step = [to = dup(STDERR_FILENO)](absl::string_view step, absl::string_view change) {
      const std::string line = absl::StrCat("smaller by ", step, ": ", change, "\n");
      (void)!write(to, line.data(), line.size());
    };
  }
  return options;
}

absl::StatusOr<int> RunReduce(const ReduceFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(ReduceOptions options, ToOptions(flags));
  TOSAIC_RETURN_IF_ERROR(CheckOutput(flags.out, {flags.file}));
  TOSAIC_ASSIGN_OR_RETURN(Case test_case, flags.input.Load(flags.file, &flags.toolchain));
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  TOSAIC_RETURN_IF_ERROR(flags.toolchain.CheckEndsInLlvm(*toolchain, {test_case}));
  TOSAIC_ASSIGN_OR_RETURN(const JudgeOptions judge_options, flags.toolchain.WithValidation(flags.policy.ToOptions()));
  const JudgeOptions judge = ForToolchain(*toolchain, judge_options);
  std::optional<WaitingLine> waiting(std::in_place, OneLine(flags.file));
  const CheckedCase before = CheckCase(*toolchain, test_case, flags.toolchain.limits, judge);
  if (before.signature.empty()) return At(flags.file, NoDivergence(before.judgement, "reduced"));
  if (before.twin) {
    std::fprintf(stderr, "tosaic: %s: %s. This variant is reduced\n", OneLine(flags.file).c_str(),
                 VariantInWords(before.twin_name, before.is_wrong_itself).c_str());
    test_case = *before.twin;
  }
  options.stop = StopOnSignals();
  const absl::Time started = absl::Now();
  TOSAIC_ASSIGN_OR_RETURN(Case reduced,
                          ReduceCase(*toolchain, test_case, before.signature, flags.toolchain.limits, judge, options));
  waiting.reset();
  const bool is_early = *options.stop || (options.budget && absl::Now() - started >= *options.budget);
  if (is_early) std::fprintf(stderr, "tosaic: stopped early: the smallest so far\n");
  const std::string text =
      flags.format == "mlir" ? ToMlir(reduced.program, toolchain->description().dialect) : CaseToText(reduced);
  TOSAIC_RETURN_IF_ERROR(PrintAll(text, flags.out));
  const CheckedCase after = CheckCase(*toolchain, reduced, flags.toolchain.limits, judge);
  const std::string pipeline =
      is_early ? "" : ShortestPipeline(*toolchain, reduced, after, flags.toolchain.limits, judge);
  std::fprintf(stderr, "%s\n%s%s", Signature(reduced.program, reduced.program.ops.back()).c_str(),
               EscapeControls(JudgementToText(after.judgement)).c_str(),
               pipeline.empty() ? "" : absl::StrCat("pipeline:  ", pipeline, "\n").c_str());
  return kExitDivergence;
}

}  // namespace

void AddReduce(CLI::App& app, CommandLine& command_line) {
  CLI::App* reduce =
      app.add_subcommand("reduce", "make a divergent case small, so that it still shows the same divergence");
  auto flags = std::make_shared<ReduceFlags>();
  reduce->add_option("file", flags->file, kCaseFileHelp)->required();
  reduce->add_option("--out", flags->out, "write the reduced case to this file (default: standard output)")
      ->type_name("FILE");
  reduce->add_option("--format", flags->format, "json: the case; mlir: its program, without route and data")
      ->check(OneOf({"json", "mlir"}))
      ->capture_default_str();
  reduce->add_option("--budget", flags->budget, "stop after this time with the smallest case so far: 30s, 5m")
      ->type_name("TIME");
  reduce->add_flag("--verbose", flags->verbose, "print each step that makes the case smaller to standard error");
  flags->input.AddTo(*reduce);
  flags->toolchain.AddTo(*reduce);
  flags->policy.AddTo(*reduce);
  reduce->callback([flags, &command_line] { command_line.action = [flags] { return RunReduce(*flags); }; });
}

}  // namespace tosaic
