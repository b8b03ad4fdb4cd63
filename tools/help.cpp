// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic help: the help of a command; for packages, the man page and the shells' completions.

#include "absl/strings/str_cat.h"
#include "codec/status.h"
#include "model/did_you_mean.h"
#include "tools/flag.h"
#include "tools/formatted.h"
#include "tools/help_text.h"
#include "tools/output_flags.h"
#include "tools/subcommands.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

struct HelpFlags {
  std::string command;
  bool man = false;
  std::string completion;
};

absl::StatusOr<int> RunHelp(const CLI::App& app, const HelpFlags& flags) {
  std::string text;
  if (flags.man) {
    text = ManPage(app);
  } else if (!flags.completion.empty()) {
    text = flags.completion == "bash" ? BashCompletion(app) : ZshCompletion(app);
  } else if (flags.command.empty()) {
    text = Painted(HelpText(app, app.get_name()));
  } else {
    std::vector<std::string> names;
    for (const CLI::App* command : CommandsOf(app)) {
      names.push_back(command->get_name());
      if (names.back() == flags.command) {
        text = Painted(HelpText(*command, absl::StrCat(app.get_name(), " ", names.back())));
      }
    }
    if (text.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("'", flags.command, "' is not a command",
                                                     DidYouMean(flags.command, names), " (see 'tosaic help')"));
    }
  }
  TOSAIC_RETURN_IF_ERROR(PrintAll(text));
  return kExitAgree;
}

}  // namespace

void AddHelp(CLI::App& app, CommandLine& command_line) {
  CLI::App* help = app.add_subcommand("help", "print the help of a command");
  auto flags = std::make_shared<HelpFlags>();
  auto* command = help->add_option("COMMAND", flags->command, "the command (default: list all commands)");
  auto* man = help->add_flag("--man", flags->man, "print the man page")->group("")->excludes(command);
  help->add_option("--completion", flags->completion, "print the completions for this shell")
      ->group("")
      ->check(OneOf({"bash", "zsh"}))
      ->excludes(command)
      ->excludes(man);
  help->callback(
      [&app, flags, &command_line] { command_line.action = [&app, flags] { return RunHelp(app, *flags); }; });
}

}  // namespace tosaic
