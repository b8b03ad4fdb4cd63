// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic reproduce: the folder that shows a case's divergence without Tosaic.
#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "checking/files.h"
#include "checking/progress_line.h"
#include "codec/status.h"
#include "diagnosis/pass_bisection.h"
#include "diagnosis/reproduction.h"
#include "diagnosis/shortest_pipeline.h"
#include "model/escape.h"
#include "model/mlir_text.h"
#include "model/static_program.h"
#include "reports/reproducer/own_command.h"
#include "results/judgement_text.h"
#include "toolchain/adapter/adapter_client.h"
#include "toolchain/adapter/adapter_toolchain.h"
#include "toolchain/external/dated_build.h"
#include "tools/blame.h"
#include "tools/case_input.h"
#include "tools/formatted.h"
#include "tools/historian.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

// The time for making the case smaller. A campaign's findings are small already.
constexpr absl::Duration kReducingTime = absl::Seconds(30);

struct ReproduceFlags {
  ToolchainFlags toolchain;
  PolicyFlags policy;
  CaseInput input;
  std::string file;
  std::string out;
  bool as_is = false;
};

// The run that a judgement is about.
const Run& RunOf(const Case& test_case, const CheckedCase& checked) {
  const size_t of_mismatch = checked.judgement.mismatch ? checked.judgement.mismatch->run : checked.observation.run;
  return test_case.runs[std::min(of_mismatch, test_case.runs.size() - 1)];
}

// The folder of an implementation behind an adapter.
absl::StatusOr<std::map<std::string, std::string>> FilesOfAdapter(const ReproduceFlags& flags, const Case& test_case,
                                                                  const CheckedCase& checked) {
  AdapterClient client(std::string(AdapterCommand(flags.toolchain.toolchain)), flags.toolchain.limits);
  TOSAIC_ASSIGN_OR_RETURN(const AdapterGreeting greeting, client.Greet());
  const Case& subject = checked.twin ? *checked.twin : test_case;
  OwnCommand own = {.implementation = absl::StrCat(greeting.name, " ", greeting.version), .command = greeting.command};
  std::optional<Program> fixed;
  if (!subject.runs.empty()) {
    own.inputs = RunOf(subject, checked);
    if (greeting.static_shapes) fixed = WithShapesOf(own.inputs, subject.program);
  }
  own.module = ToMlir(fixed ? *fixed : subject.program, NearestDialect(greeting.dialect));
  return OwnCommandFiles(subject, checked.judgement, ToString(checked.signature), own);
}

// The pass and the function of MLIR that are to blame, as far as they can be told.
void FindCulprit(Toolchain& toolchain, const Case& test_case, const ToolchainFlags& flags, const JudgeOptions& judge,
                 Reproduction* reproduction) {
  const absl::StatusOr<Blame> blame = toolchain.rewrites() != nullptr
                                          ? BlameInProcess(toolchain, test_case, flags.limits, judge)
                                          : BlameElsewhere(flags, toolchain, test_case, judge);
  if (!blame.ok()) return;
  reproduction->blamed_function = ProvedToBlame(*blame);
  const std::optional<PassBisection>& bisected = blame->bisection;
  // A lowering that fails names its pass in the title.
  if (!bisected || reproduction->judgement.stage != Stage::kExecute) return;
  reproduction->folded = bisected->folded;
  BlamePass(toolchain, *bisected, flags.limits, reproduction);
}

// Since when and until when it is wrong; empty: no dated build tells.
std::string SinceWhen(const ReproduceFlags& flags, const Case& test_case, const Toolchain& toolchain) {
  // The case's own route alone can be asked of other builds, and on this machine's CPU.
  const bool is_own = flags.toolchain.RouteAskedFor() != kCustomRoute && flags.toolchain.cpu.empty();
  if (!is_own || !flags.toolchain.target.empty() || ListDatedBuilds().empty()) return "";
  Historian historian(flags.toolchain.limits, flags.policy.ToOptions());
  const CaseHistory history =
      historian.Ask(flags.file, test_case, [](const HistoryRow&) {}, toolchain.description().name);
  return history.DatedBuildsTell() ? history.dated_span : "";
}

absl::StatusOr<int> RunReproduce(const ReproduceFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(Case test_case, flags.input.Load(flags.file, &flags.toolchain));
  TOSAIC_RETURN_IF_ERROR(CheckNewFolder(flags.out));
  TOSAIC_ASSIGN_OR_RETURN(JudgeOptions judge, flags.toolchain.WithValidation(flags.policy.ToOptions()));
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  TOSAIC_RETURN_IF_ERROR(flags.toolchain.CheckEndsInLlvm(*toolchain, {test_case}));
  judge = ForToolchain(*toolchain, judge);
  std::optional<WaitingLine> waiting(std::in_place, OneLine(flags.file));
  CheckedCase checked = CheckCase(*toolchain, test_case, flags.toolchain.limits, judge);
  if (!flags.as_is && !checked.signature.empty()) {
    const Case& wrong = checked.twin ? *checked.twin : test_case;
    TOSAIC_ASSIGN_OR_RETURN(test_case, ReduceCase(*toolchain, wrong, checked.signature, flags.toolchain.limits, judge,
                                                  {.budget = kReducingTime}));
    checked = CheckCase(*toolchain, test_case, flags.toolchain.limits, judge);
  }
  if (!IsDivergence(checked.judgement.verdict)) return At(flags.file, NoDivergence(checked.judgement, "reproduced"));
  if (NamesAdapter(flags.toolchain.toolchain)) {
    TOSAIC_ASSIGN_OR_RETURN(const auto files, FilesOfAdapter(flags, test_case, checked));
    TOSAIC_RETURN_IF_ERROR(WriteReproducer(flags.out, files));
    TOSAIC_RETURN_IF_ERROR(
        PrintAll(EscapeControls(absl::StrCat(JudgementToText(checked.judgement), flags.out, "/repro.sh\n"))));
    return kExitDivergence;
  }
  const std::string pipeline = ShortestPipeline(*toolchain, test_case, checked, flags.toolchain.limits, judge);
  Reproduction reproduction = ReproductionOf(*toolchain, test_case, checked, pipeline, flags.toolchain.limits, judge,
                                             ReaderFor(flags.toolchain));
  FindCulprit(*toolchain, test_case, flags.toolchain, judge, &reproduction);
  reproduction.since = SinceWhen(flags, test_case, *toolchain);
  TOSAIC_RETURN_IF_ERROR(WriteReproducer(flags.out, ReproducerFiles(reproduction)));
  waiting.reset();
  const bool has_script = reproduction.obstacle.empty() || !reproduction.one_pass.pipeline.empty();
  const std::string script = has_script ? "/repro.sh" : absl::StrCat(": ", reproduction.obstacle);
  TOSAIC_RETURN_IF_ERROR(
      PrintAll(EscapeControls(absl::StrCat(JudgementToText(checked.judgement), flags.out, script, "\n"))));
  return kExitDivergence;
}

}  // namespace

void AddReproduce(CLI::App& app, CommandLine& command_line) {
  CLI::App* reproduce = app.add_subcommand("reproduce", "write a folder that shows a case's divergence without Tosaic");
  auto flags = std::make_shared<ReproduceFlags>();
  reproduce->add_option("file", flags->file, kCaseFileHelp)->required();
  reproduce->add_option("--out", flags->out, "the folder to write; it must be new or empty")
      ->type_name("DIR")
      ->required();
  reproduce->add_flag("--as-is", flags->as_is, "show the case itself, not the smallest that diverges in the same way");
  flags->input.AddTo(*reproduce);
  flags->toolchain.AddTo(*reproduce);
  flags->policy.AddTo(*reproduce);
  reproduce->callback([flags, &command_line] { command_line.action = [flags] { return RunReproduce(*flags); }; });
}

}  // namespace tosaic
