// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts about commands: `--help`, the man page, the shells' completions, and errors in a command line. They are all
// made from the parser's tree.
#ifndef TOSAIC_TOOLS_HELP_TEXT_H_
#define TOSAIC_TOOLS_HELP_TEXT_H_

#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/string_view.h"

namespace tosaic {

// Makes `--help` of the app, and of commands added later, print HelpText.
void UseHelpText(CLI::App& app);

// No line is longer than 100 columns. `name` is what people type: "tosaic fuzz". A command's footer is its example.
std::string HelpText(const CLI::App& command, const std::string& name);

std::string ManPage(const CLI::App& app);
std::string BashCompletion(const CLI::App& app);
std::string ZshCompletion(const CLI::App& app);

// One line about the first flag in these arguments that lacks its value, has an empty item in it, or has one and takes
// none: the parser would take the next flag for the value, drop the item, or read the value as "true" or "false".
std::optional<std::string> ValueError(const CLI::App& app, const std::vector<std::string>& arguments);

// One line about the parser's error on these arguments, with the help to read. REQUIRES: no ValueError.
std::string UsageError(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_HELP_TEXT_H_
