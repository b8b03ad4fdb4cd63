// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --color and --quiet: what a command prints for people.
#ifndef TOSAIC_TOOLS_OUTPUT_FLAGS_H_
#define TOSAIC_TOOLS_OUTPUT_FLAGS_H_

#include <string>

#include "CLI/CLI.hpp"
#include "absl/strings/string_view.h"
#include "model/verdict.h"

namespace tosaic {

// Adds --color, and --quiet where the command shows its progress.
void AddOutputFlags(CLI::App& command, bool shows_progress);

// Whether --quiet was given.
bool IsQuiet();

// A text for standard output, with colours in it if people look at it: a terminal without NO_COLOR, or as --color says.
// Coloured are verdicts and findings' statuses at the beginning of a line, and headings.
std::string Painted(absl::string_view text);
// The verdict's name, in its colour.
std::string Painted(Verdict verdict);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_OUTPUT_FLAGS_H_
