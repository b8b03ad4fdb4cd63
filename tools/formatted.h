// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --format: a command's result as `tosaic report` writes it.
#ifndef TOSAIC_TOOLS_FORMATTED_H_
#define TOSAIC_TOOLS_FORMATTED_H_

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tosaic {

// The formats' names.
std::vector<std::string> FormatNames();

// The text of a result file in a format. `file`: where it lies or will lie, with what belongs to it; may be empty.
absl::StatusOr<std::string> Formatted(absl::string_view text, const std::string& file, absl::string_view format);

// Prints all of it, or writes it to a file if one is named; or says that it, or what was printed before, could not be
// written.
absl::Status PrintAll(absl::string_view text, const std::string& file = "");

// The same of a text in that format: what people read is in colour on a terminal.
absl::Status PrintFormatted(absl::string_view text, absl::string_view format);

// A flag --format of a command that prints something else without it.
struct FormatFlag {
  std::string format;  // empty: what the command prints by itself

  void AddTo(CLI::App& app);
  // Prints the result: as asked for, or `by_itself`.
  absl::Status Print(absl::string_view result, const std::string& file, absl::string_view by_itself) const;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_FORMATTED_H_
