// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic blame: which function or rewrite pattern of MLIR makes a case wrong.
#include "diagnosis/blame.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "absl/strings/str_cat.h"
#include "checking/progress_line.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "diagnosis/blame_by_name.h"
#include "model/escape.h"
#include "toolchain/coverage/function_switch.h"
#include "toolchain/coverage/watch_list.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "tools/blame.h"
#include "tools/case_input.h"
#include "tools/printed.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

struct BlameFlags {
  ToolchainFlags toolchain;
  PolicyFlags policy;
  CaseInput input;
  std::string file;
  bool json = false;
};

}  // namespace

absl::StatusOr<Blame> BlameInProcess(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                                     const JudgeOptions& judge) {
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<FunctionSwitch> functions, FunctionSwitch::Of(kMlirLibrary));
  RewriteSwitch* const switches[] = {functions.get(), toolchain.rewrites()};
  return BlameRewrites(toolchain, switches, test_case, limits, judge, DefaultJobs(), ReaderFor(ToolchainFlags()));
}

absl::StatusOr<Blame> BlameElsewhere(const ToolchainFlags& flags, Toolchain& toolchain, const Case& test_case,
                                     const JudgeOptions& judge) {
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<Toolchain> own, CreateMlirToolchain());
  return BlameByName(toolchain, own->patterns()->Patterns(), test_case, flags.limits, judge, ReaderFor(flags));
}

ShortBlame BlamedInShort(const Case& test_case, const WorkerLimits& limits, const JudgeOptions& judge) {
  ToolchainFlags flags;
  flags.limits = limits;
  const absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = flags.Create();
  if (!toolchain.ok()) return {.nobody = std::string(toolchain.status().message())};
  const absl::StatusOr<Blame> blame = BlameInProcess(**toolchain, test_case, limits, ForToolchain(**toolchain, judge));
  if (!blame.ok()) return {.nobody = absl::StrCat(NameInProcess(), ": ", blame.status().message())};
  return InShort(*blame);
}

namespace {

absl::StatusOr<int> RunBlame(const BlameFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(Case test_case, flags.input.Load(flags.file, &flags.toolchain));
  TOSAIC_ASSIGN_OR_RETURN(JudgeOptions judge, flags.toolchain.WithValidation(flags.policy.ToOptions()));
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  TOSAIC_RETURN_IF_ERROR(flags.toolchain.CheckEndsInLlvm(*toolchain, {test_case}));
  judge = ForToolchain(*toolchain, judge);
  if (toolchain->lowering() == nullptr) return flags.toolchain.NeedsInProcess("blame");
  std::optional<WaitingLine> waiting(std::in_place, OneLine(flags.file));
  TOSAIC_ASSIGN_OR_RETURN(const Blame blame,
                          At(flags.file, toolchain->rewrites() != nullptr
                                             ? BlameInProcess(*toolchain, test_case, flags.toolchain.limits, judge)
                                             : BlameElsewhere(flags.toolchain, *toolchain, test_case, judge)));
  waiting.reset();
  const std::string text = flags.json ? Dump(ToJson(blame), 2) + "\n" : EscapeControls(ToText(blame));
  std::fputs(text.c_str(), stdout);
  return kExitDivergence;
}

}  // namespace

Json SchemaOfBlame() { return Schema<Blame>(); }

void AddBlame(CLI::App& app, CommandLine& command_line) {
  CLI::App* blame = app.add_subcommand("blame", "name the function or rewrite pattern of MLIR that makes a case wrong");
  auto flags = std::make_shared<BlameFlags>();
  blame->add_option("file", flags->file, kCaseFileHelp)->required();
  blame->add_flag("--json", flags->json, "print the answer as JSON");
  flags->input.AddTo(*blame);
  flags->toolchain.AddTo(*blame);
  flags->policy.AddTo(*blame);
  blame->callback([flags, &command_line] { command_line.action = [flags] { return RunBlame(*flags); }; });
}

}  // namespace tosaic
