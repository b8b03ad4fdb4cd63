// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic bisect-passes: which pass of a route is to blame for a case's divergence.
#include <cstdio>
#include <optional>

#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "checking/files.h"
#include "checking/progress_line.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "diagnosis/pass_bisection.h"
#include "model/escape.h"
#include "model/json.h"
#include "tools/case_input.h"
#include "tools/printed.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

struct BisectFlags {
  ToolchainFlags toolchain;
  PolicyFlags policy;
  CaseInput input;
  std::string file;
  bool json = false;
};

std::string ToText(const PassBisection& bisection) {
  std::string out =
      absl::StrCat("verdict:   ", Name(bisection.judgement.verdict), " [", Name(bisection.judgement.rule),
                   "]\npasses:    * changes the IR, + the IR is right after it, ! it is wrong after it, ? a suspect\n");
  for (size_t i = 0; i < bisection.passes.size(); ++i) {
    const BisectedPass& pass = bisection.passes[i];
    absl::StrAppend(&out, "  ", i < 9 ? " " : "", i + 1, " ", pass.changes ? "*" : " ",
                    pass.right   ? "+"
                    : pass.wrong ? "!"
                                 : " ",
                    pass.suspect ? "?" : " ", " ", pass.text, "\n");
  }
  const std::vector<size_t>& suspects = bisection.suspects;
  const auto numbered = [&](size_t index) { return absl::StrCat(bisection.passes[index].text, " (", index + 1, ")"); };
  const absl::string_view llvm = bisection.code_generation ? ", or LLVM's code generation behind all passes" : "";
  if (suspects.size() == 1) {
    absl::StrAppend(&out, "first wrong: ", numbered(suspects.front()), llvm, "\n");
  } else {
    absl::StrAppend(&out, "first wrong: one of the ", suspects.size(), " suspects from ", numbered(suspects.front()),
                    " to ", numbered(suspects.back()), llvm, "; executing does not tell which\n");
  }
  if (!bisection.edit.empty()) absl::StrAppend(&out, "edit:      without ", bisection.edit, " the route is right\n");
  return absl::StrCat(out, "why:       ", bisection.evidence, "\n");
}

absl::StatusOr<int> RunBisect(const BisectFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(Case test_case, flags.input.Load(flags.file, &flags.toolchain));
  TOSAIC_ASSIGN_OR_RETURN(JudgeOptions judge, flags.toolchain.WithValidation(flags.policy.ToOptions()));
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  TOSAIC_RETURN_IF_ERROR(flags.toolchain.CheckEndsInLlvm(*toolchain, {test_case}));
  judge = ForToolchain(*toolchain, judge);
  std::optional<WaitingLine> waiting(std::in_place, OneLine(flags.file));
  TOSAIC_ASSIGN_OR_RETURN(
      const PassBisection bisection,
      At(flags.file, BisectPasses(*toolchain, test_case, flags.toolchain.limits, judge, ReaderFor(flags.toolchain))));
  waiting.reset();
  const std::string text = flags.json ? Dump(ToJson(bisection), 2) + "\n" : EscapeControls(ToText(bisection));
  std::fputs(text.c_str(), stdout);
  return kExitDivergence;
}

}  // namespace

Json SchemaOfBisectPasses() { return Schema<PassBisection>(); }

void AddBisectPasses(CLI::App& app, CommandLine& command_line) {
  CLI::App* bisect = app.add_subcommand("bisect-passes", "name the pass of a route after which a case goes wrong");
  auto flags = std::make_shared<BisectFlags>();
  bisect->add_option("file", flags->file, kCaseFileHelp)->required();
  bisect->add_flag("--json", flags->json, "print the answer as JSON");
  flags->input.AddTo(*bisect);
  flags->toolchain.AddTo(*bisect);
  flags->policy.AddTo(*bisect);
  bisect->callback([flags, &command_line] { command_line.action = [flags] { return RunBisect(*flags); }; });
}

}  // namespace tosaic
