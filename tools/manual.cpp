// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The man page and the shells' completions.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "model/shell_word.h"
#include "tools/flag.h"
#include "tools/help_text.h"
#include "tools/version.h"

namespace tosaic {
namespace {

// Escapes text for troff: hyphens can be copied, and no line begins as a request does.
std::string Roff(absl::string_view text) {
  std::string out = absl::StrReplaceAll(text, {{"\\", "\\e"}, {"-", "\\-"}, {"\n", " "}});
  return out.empty() || (out[0] != '.' && out[0] != '\'') ? out : "\\&" + out;
}

void AppendFlags(const CLI::App& command, std::string* out) {
  for (const Flag& flag : FlagsOf(command)) {
    absl::StrAppend(out, ".TP\n\\fB", Roff(flag.Spelling()), "\\fR\n", Roff(flag.description), "\n");
  }
}

constexpr char kManEnd[] = R"(.SH EXIT STATUS
.TP
0
All agree with the documents, or diverge as the list of known divergences says.
.TP
1
A new divergence; of compare, something regressed.
.TP
2
Wrong usage, or input that cannot be read.
.TP
3
Tosaic itself failed.
.TP
4
Interrupted: what was found so far is kept, and the rest was not tested.
.SH SEE ALSO
.BR mlir-opt (1)
)";

// Within single quotes of a shell.
std::string ZshText(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"\\", "\\\\"}, {":", "\\:"}, {"[", "\\["}, {"]", "\\]"}});
}

// "'--jobs=[worker processes]:N: '".
std::string ZshSpec(const Flag& flag) {
  const std::string values = flag.choices.empty() ? "_files" : absl::StrCat("(", absl::StrJoin(flag.choices, " "), ")");
  if (flag.is_argument) return ShellQuoted(absl::StrCat("*:", flag.name, ":_files"));
  const std::string text = absl::StrCat("[", ZshText(flag.description), "]");
  const std::string value = flag.value.empty() ? "" : absl::StrCat(":", flag.value, ":", values);
  return ShellQuoted(absl::StrCat(flag.repeats ? "*" : "", flag.name, flag.value.empty() ? "" : "=", text, value));
}

}  // namespace

std::string ManPage(const CLI::App& app) {
  std::string out = absl::StrCat(".TH TOSAIC 1 \"\" \"Tosaic ", Roff(VersionNumber()), "\"\n.SH NAME\ntosaic \\- ",
                                 Roff(app.get_description()),
                                 "\n.SH SYNOPSIS\n.B tosaic\n.I COMMAND\n[\\fIFLAG\\fR...]\n", ".SH FLAGS\n");
  AppendFlags(app, &out);
  absl::StrAppend(&out, ".SH COMMANDS\n");
  for (const CLI::App* command : CommandsOf(app)) {
    absl::StrAppend(&out, ".SS ", Roff(command->get_name()), "\n", Roff(command->get_description()), "\n");
    AppendFlags(*command, &out);
    if (command->get_footer().empty()) continue;
    absl::StrAppend(&out, ".PP\nExample:\n.PP\n.nf\n", Roff(command->get_footer()), "\n.fi\n");
  }
  return out + kManEnd;
}

std::string BashCompletion(const CLI::App& app) {
  std::vector<std::string> names;
  std::string flags_of, values_of;
  for (const CLI::App* command : CommandsOf(app)) {
    const std::string& name = command->get_name();
    names.push_back(name);
    std::vector<std::string> flags;
    for (const Flag& flag : FlagsOf(*command)) {
      if (!flag.is_argument) flags.push_back(absl::StrCat(flag.name, flag.value.empty() ? "" : "="));
      if (flag.choices.empty()) continue;
      absl::StrAppend(&values_of, "    '", name, " ", flag.name, "') words='", absl::StrJoin(flag.choices, " "),
                      "' ;;\n");
    }
    absl::StrAppend(&flags_of, "    ", name, ") words='", absl::StrJoin(flags, " "), "' ;;\n");
  }
  // bash takes the texts on either side of '=' for words of their own.
  return absl::StrReplaceAll(R"(# Completions of tosaic for bash, written by `tosaic help --completion=bash`.
_tosaic() {
  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} flag='' words=''
  if [[ $current == '=' ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 1]} current=''
  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == '=' ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words='COMMANDS --help --version'
  elif [[ -n $flag ]]; then
    case "$command $flag" in
VALUES    esac
  elif [[ $current == -* ]]; then
    case $command in
FLAGS    esac
  elif [[ $command == help ]]; then
    words='COMMANDS'
  fi
  [[ -n $words ]] || return 0
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
}
complete -o default -F _tosaic tosaic
)",
                             {{"COMMANDS", absl::StrJoin(names, " ")}, {"VALUES", values_of}, {"FLAGS", flags_of}});
}

std::string ZshCompletion(const CLI::App& app) {
  std::string commands, flags;
  for (const CLI::App* command : CommandsOf(app)) {
    const std::string& name = command->get_name();
    absl::StrAppend(&commands, "        ", ShellQuoted(absl::StrCat(name, ":", ZshText(command->get_description()))),
                    "\n");
    absl::StrAppend(&flags, "        ", name, ")\n          _arguments");
    for (const Flag& flag : FlagsOf(*command)) absl::StrAppend(&flags, " \\\n            ", ZshSpec(flag));
    absl::StrAppend(&flags, " ;;\n");
  }
  return absl::StrCat(R"(#compdef tosaic
# Completions of tosaic for zsh, written by `tosaic help --completion=zsh`.
_tosaic() {
  local line state
  _arguments -C '--help[print the help and exit]' '--version[print the version and exit]' \
    '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
)",
                      commands, R"(      )
      _describe command commands ;;
    argument)
      case $line[1] in
)",
                      flags, R"(      esac ;;
  esac
}
_tosaic "$@"
)");
}

}  // namespace tosaic
