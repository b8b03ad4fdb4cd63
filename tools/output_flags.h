// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --color and --quiet: how a command prints text for people.
#ifndef TOSAIC_TOOLS_OUTPUT_FLAGS_H_
#define TOSAIC_TOOLS_OUTPUT_FLAGS_H_

#include <string>

#include "CLI/CLI.hpp"
#include "absl/strings/string_view.h"
#include "model/verdict.h"
#include "results/text.h"

namespace tosaic {

// Adds --color, and --quiet where the command shows its progress.
void AddOutputFlags(CLI::App& command, bool shows_progress);

// Whether --quiet was given.
bool IsQuiet();

// Adds --details, of a command that ends with a campaign's summary.
void AddDetails(CLI::App& command);
// The length of the summary that these flags ask for.
SummaryLength LengthOfSummary();

// A text for standard output, coloured if that is a terminal and NO_COLOR is not set, or as --color says. Verdicts and
// findings' statuses at the beginning of a line have colours, and so do headings.
std::string Painted(absl::string_view text);
// The verdict's name, in its colour.
std::string Painted(Verdict verdict);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_OUTPUT_FLAGS_H_
