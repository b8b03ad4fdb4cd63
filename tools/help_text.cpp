// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --help. The man page and the completions are in manual.cpp, errors in usage_error.cpp.
#include "tools/help_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tools/flag.h"
#include "tools/output_flags.h"

namespace tosaic {
namespace {

constexpr size_t kColumns = 100;
constexpr size_t kIndent = 26;  // of descriptions

// Adds the words to a text whose last line ends at `column`; further lines are indented.
void AppendWrapped(absl::string_view words, size_t column, size_t indent, std::string* out) {
  for (const absl::string_view word : absl::StrSplit(words, ' ', absl::SkipEmpty())) {
    if (column > indent && column + 1 + word.size() > kColumns) {
      absl::StrAppend(out, "\n", std::string(indent, ' '));
      column = indent;
    } else if (column > indent) {
      *out += ' ';
      ++column;
    }
    absl::StrAppend(out, word);
    column += word.size();
  }
  *out += '\n';
}

// "  --jobs=N                worker processes".
std::string Row(const std::string& left, const std::string& right) {
  std::string out = absl::StrCat("  ", left);
  if (out.size() + 2 > kIndent) {
    absl::StrAppend(&out, "\n", std::string(kIndent, ' '));
  } else {
    out.resize(kIndent, ' ');
  }
  AppendWrapped(right, kIndent, kIndent, &out);
  return out;
}

std::string Usage(const std::vector<Flag>& flags, bool has_commands) {
  std::string text = has_commands ? " COMMAND" : "";
  for (const Flag& flag : flags) {
    if (!flag.is_argument) continue;
    absl::StrAppend(&text, " ", flag.required ? flag.Spelling() : absl::StrCat("[", flag.Spelling(), "]"));
  }
  return text;
}

class Formatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode) const override {
    return Painted(HelpText(*command, name));
  }
};

}  // namespace

void UseHelpText(CLI::App& app) {
  app.formatter(std::make_shared<Formatter>());
  app.set_help_flag("-h,--help", "print this help and exit");
}

std::string HelpText(const CLI::App& command, const std::string& name) {
  const std::vector<Flag> flags = FlagsOf(command);
  const std::vector<const CLI::App*> commands = CommandsOf(command);
  std::string out = absl::StrCat(name, ":");
  AppendWrapped(command.get_description(), out.size(), 0, &out);
  absl::StrAppend(&out, "\nusage: ", name, Usage(flags, !commands.empty()), " [FLAG...]\n");
  std::string group;
  for (const CLI::App* command : commands) {
    if (command->get_group() != group) absl::StrAppend(&out, "\n", group = command->get_group(), ":\n");
    absl::StrAppend(&out, Row(command->get_name(), command->get_description()));
  }
  std::vector<std::string> groups;
  for (const Flag& flag : flags) {
    if (std::find(groups.begin(), groups.end(), flag.group) == groups.end()) groups.push_back(flag.group);
  }
  for (const std::string& heading : groups) {
    absl::StrAppend(&out, "\n", heading, ":\n");
    for (const Flag& flag : flags) {
      if (flag.group == heading) absl::StrAppend(&out, Row(flag.Spelling(), flag.description));
    }
  }
  if (!command.get_footer().empty()) absl::StrAppend(&out, "\nExample:\n  ", command.get_footer(), "\n");
  return out;
}

}  // namespace tosaic
