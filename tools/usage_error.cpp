// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with a command line, in one line.
#include <algorithm>
#include <numeric>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/flag.h"
#include "tools/help_text.h"

namespace tosaic {
namespace {

// How many letters must be put in, left out or replaced.
size_t Distance(absl::string_view from, absl::string_view to) {
  std::vector<size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < from.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < to.size(); ++j) {
      const size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::vector<std::string> NamesOfCommands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : CommandsOf(app)) names.push_back(command->get_name());
  return names;
}

// The first argument that names a flag which the command does not have.
std::optional<std::string> UnknownFlag(const CLI::App& command, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    std::string name = argument.substr(0, argument.find('='));
    if (absl::StartsWith(name, "--") && command.get_option_no_throw(name) == nullptr) return name;
  }
  return std::nullopt;
}

std::string What(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error,
                 const std::vector<std::string>& arguments) {
  const bool is_app = &command == &app;
  if (arguments.empty()) return "name a command";
  if (is_app && !absl::StartsWith(arguments.front(), "-")) {
    return absl::StrCat("'", arguments.front(), "' is no command", DidYouMean(arguments.front(), NamesOfCommands(app)));
  }
  const std::vector<Flag> flags = FlagsOf(command);
  if (const std::optional<std::string> unknown = UnknownFlag(command, arguments)) {
    std::vector<std::string> names;
    for (const Flag& flag : flags) names.push_back(flag.name);
    return absl::StrCat("'", is_app ? "tosaic" : command.get_name(), "' has no flag '", *unknown, "'",
                        DidYouMean(*unknown, names));
  }
  std::string what = error.what();
  for (const Flag& flag : flags) {
    const std::string start = flag.name + ": ";
    const size_t end = what.find(" not in {");
    if (flag.choices.empty() || !absl::StartsWith(what, start) || end == std::string::npos) continue;
    const std::string value = what.substr(start.size(), end - start.size());
    return absl::StrCat(flag.name, ": '", value, "' is none of ", absl::StrJoin(flag.choices, ", "),
                        DidYouMean(value, flag.choices));
  }
  return what;
}

}  // namespace

std::string DidYouMean(absl::string_view word, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  size_t least = word.size() > 4 ? 3 : 2;
  for (const std::string& one : known) {
    const size_t distance = Distance(word, one);
    if (distance >= least) continue;
    least = distance;
    nearest = &one;
  }
  return nearest == nullptr ? "" : absl::StrCat("; did you mean '", *nearest, "'?");
}

std::string UsageError(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.back();
  return absl::StrCat(What(app, command, error, arguments), " (see 'tosaic ",
                      &command == &app ? "" : absl::StrCat(command.get_name(), " "), "--help')");
}

}  // namespace tosaic
