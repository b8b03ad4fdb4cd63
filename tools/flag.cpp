// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/flag.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace tosaic {
namespace {

// The parser writes the type and the description of its validator (validators.h) in one: "TEXT:{html,json}".
std::vector<std::string> ChoicesIn(const std::string& type) {
  const size_t open = type.find(":{");
  const size_t close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  return absl::StrSplit(type.substr(open + 2, close - open - 2), ',');
}

std::string ValueOf(const CLI::Option& option, const std::string& type, bool has_choices) {
  if (option.get_expected_max() == 0) return "";
  if (has_choices) return "NAME";
  if (option.get_delimiter() != '\0') return "LIST";
  if (type == "PASS:NEW") return type;  // of Tosaic's own names the only one with a colon
  const std::string base = type.substr(0, type.find(':'));
  return base == "INT" || base == "UINT" || base == "FLOAT" ? "N" : base;
}

std::string DescriptionOf(const CLI::Option& option, const std::vector<std::string>& choices) {
  std::string text = option.get_description();
  if (!choices.empty()) absl::StrAppend(&text, ": ", absl::StrJoin(choices, ", "));
  std::vector<std::string> more;
  if (option.get_required()) more.push_back("required");
  if (!option.get_default_str().empty()) more.push_back(absl::StrCat("default: ", option.get_default_str()));
  std::vector<std::string> excluded;
  for (const CLI::Option* other : option.get_excludes()) {
    if (!other->get_group().empty()) excluded.push_back(other->get_name());  // others are hidden
  }
  if (!excluded.empty()) more.push_back(absl::StrCat("not with ", absl::StrJoin(excluded, ", ")));
  if (!more.empty()) absl::StrAppend(&text, " (", absl::StrJoin(more, "; "), ")");
  return text;
}

Flag ToFlag(const CLI::Option& option) {
  Flag flag{.option = &option};
  flag.is_argument = option.get_positional();
  const std::string type = option.get_type_name();
  flag.choices = ChoicesIn(type);
  flag.description = DescriptionOf(option, flag.choices);
  flag.repeats = option.get_items_expected_max() > 1;
  flag.required = option.get_required();
  if (flag.is_argument) {
    flag.names = flag.name = absl::AsciiStrToUpper(option.get_name(true, false));
    flag.group = "Arguments";
    return flag;
  }
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  flag.names = absl::StrJoin(names, ", ");
  flag.name = names.back();
  flag.value = ValueOf(option, type, !flag.choices.empty());
  flag.group = option.get_group();
  return flag;
}

}  // namespace

std::string Flag::Spelling() const {
  if (is_argument) return absl::StrCat(names, repeats ? "..." : "");
  return absl::StrCat(names, value.empty() ? "" : "=", value);
}

std::vector<Flag> FlagsOf(const CLI::App& command) {
  std::vector<Flag> flags;
  for (const bool arguments : {true, false}) {
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_positional() == arguments && !option->get_group().empty()) flags.push_back(ToFlag(*option));
    }
  }
  return flags;
}

std::vector<const CLI::App*> CommandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

}  // namespace tosaic
