// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors in a command line, each in one line.
#include <algorithm>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "model/counted.h"
#include "model/did_you_mean.h"
#include "tools/flag.h"
#include "tools/help_text.h"

namespace tosaic {
namespace {

std::vector<std::string> NamesOfCommands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : CommandsOf(app)) names.push_back(command->get_name());
  for (const Flag& flag : FlagsOf(app)) names.push_back(flag.name);  // "version" means a flag
  return names;
}

// "--jobs" of "--jobs=2"; "" if the argument is no flag: "-", "-1".
std::string FlagIn(const std::string& argument) {
  if (argument.size() < 2 || argument[0] != '-') return "";
  if (argument[1] == '-') return argument.substr(0, argument.find('='));
  return absl::ascii_isdigit(static_cast<unsigned char>(argument[1])) ? "" : argument.substr(0, 2);
}

// The first argument that names a flag which the command does not have.
std::optional<std::string> UnknownFlag(const CLI::App& command, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    std::string name = FlagIn(argument);
    if (!name.empty() && command.get_option_no_throw(name) == nullptr) return name;
  }
  return std::nullopt;
}

std::string SeeHelp(const CLI::App& app, const CLI::App& command) {
  return absl::StrCat(" (see 'tosaic ", &command == &app ? "" : absl::StrCat(command.get_name(), " "), "--help')");
}

// "'eval' takes 1 argument, and 'x.json' is one more".
std::string ExtraArgument(const CLI::App& command, const std::vector<Flag>& flags, const std::string& extra) {
  const auto most = std::count_if(flags.begin(), flags.end(), [](const Flag& flag) { return flag.is_argument; });
  const std::string accepted = most == 0 ? "no arguments" : Counted(static_cast<uint64_t>(most), "argument");
  return absl::StrCat("'", command.get_name(), "' takes ", accepted, ", and '", extra, "' is one more");
}

// The reason why the parser refused the arguments. Its own text is taken where it depends on nothing but the names of
// flags and the messages of our validators.
std::string Reason(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error,
                   const std::vector<std::string>& arguments) {
  const bool is_app = &command == &app;
  if (arguments.empty()) return "name a command";
  if (is_app && FlagIn(arguments.front()).empty()) {
    return absl::StrCat("'", arguments.front(), "' is not a command",
                        DidYouMean(arguments.front(), NamesOfCommands(app)));
  }
  const std::vector<Flag> flags = FlagsOf(command);
  if (const std::optional<std::string> unknown = UnknownFlag(command, arguments)) {
    std::vector<std::string> names;
    for (const Flag& flag : flags) names.push_back(flag.name);
    return absl::StrCat("'", is_app ? "tosaic" : command.get_name(), "' has no flag '", *unknown, "'",
                        DidYouMean(*unknown, names));
  }
  if (const std::vector<std::string> extras = command.remaining(); !extras.empty()) {
    return ExtraArgument(command, flags, extras.front());
  }
  const int code = error.get_exit_code();
  for (const Flag& flag : flags) {
    const int given = static_cast<int>(flag.option->count()), most = flag.option->get_items_expected_max();
    if (code == static_cast<int>(CLI::ExitCodes::RequiredError) && flag.required && given == 0) {
      return absl::StrCat(flag.Spelling(), " is required");
    }
    if (code == static_cast<int>(CLI::ExitCodes::ArgumentMismatch) && given > most) {
      return most == 1 ? absl::StrCat(flag.Spelling(), ": given ", given, " times, and once is the most")
                       : absl::StrCat(flag.Spelling(), ": at most ", most, ", not ", given);
    }
  }
  return error.what();
}

}  // namespace

std::optional<std::string> ValueError(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return std::nullopt;
  const std::vector<const CLI::App*> commands = CommandsOf(app);
  const auto named =
      absl::c_find_if(commands, [&](const CLI::App* command) { return command->get_name() == arguments.front(); });
  const CLI::App& command = named == commands.end() ? app : **named;
  const std::vector<Flag> flags = FlagsOf(command);
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string name = FlagIn(arguments[i]);
    const auto flag = absl::c_find_if(flags, [&](const Flag& candidate) { return candidate.name == name; });
    if (flag == flags.end()) continue;
    const bool is_last = i + 1 == arguments.size(), stands_apart = arguments[i] == name;
    if (flag->value.empty()) {
      if (stands_apart) continue;
      return absl::StrCat(name, ": it takes no value", SeeHelp(app, command));
    }
    const bool without =
        stands_apart ? is_last || absl::StartsWith(arguments[i + 1], "--") : arguments[i] == absl::StrCat(name, "=");
    if (without) {
      return absl::StrCat(name, " has no value: ", flag->Spelling(), SeeHelp(app, command));
    }
    // The parser drops empty items of a list.
    const char separator = flag->option->get_delimiter();
    const std::string value = stands_apart ? arguments[i + 1] : arguments[i].substr(name.size() + 1);
    const std::vector<std::string> items = absl::StrSplit(value, separator);
    if (separator != '\0' && absl::c_linear_search(items, "")) {
      return absl::StrCat(name, "=", value, ": an item of the list is empty", SeeHelp(app, command));
    }
  }
  return std::nullopt;
}

std::string UsageError(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.back();
  return Reason(app, command, error, arguments) + SeeHelp(app, command);
}

}  // namespace tosaic
