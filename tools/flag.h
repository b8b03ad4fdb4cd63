// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags and arguments of a command as help, man page and completions show them, read from the parser's tree.
#ifndef TOSAIC_TOOLS_FLAG_H_
#define TOSAIC_TOOLS_FLAG_H_

#include <string>
#include <vector>

#include "CLI/CLI.hpp"

namespace tosaic {

struct Flag {
  const CLI::Option* option;         // the parser's own
  std::string names;                 // "-h, --help"; of an argument "FILE"
  std::string name;                  // the name to complete: "--help"
  std::string value;                 // "N", "NAME"; "" if it takes none
  std::vector<std::string> choices;  // if not empty, the values that it takes
  std::string description;           // with choices, default, and what it does not go with
  std::string group;                 // its heading
  bool repeats = false;
  bool is_argument = false;  // given by position
  bool required = false;

  std::string Spelling() const;  // "--jobs=N", "FILE..."
};

// Arguments come first. Hidden flags are left out.
std::vector<Flag> FlagsOf(const CLI::App& command);

// The commands below, in the order of the table in main.cpp.
std::vector<const CLI::App*> CommandsOf(const CLI::App& app);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_FLAG_H_
