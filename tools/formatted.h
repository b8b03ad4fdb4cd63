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
#include "codec/codec.h"
#include "codec/status.h"
#include "results/report.h"
#include "results/view.h"

namespace tosaic {

// The formats' names.
std::vector<std::string> FormatNames();

// A result file with what lies beside it.
absl::StatusOr<ResultReport> ReadResult(const std::string& file);

// A result in a format. REQUIRES: there is a format of that name.
std::string Formatted(ResultReport report, absl::string_view format);

// Prints the text, or writes it to a file if one is named. The error says that this, or earlier output, could not be
// written.
absl::Status PrintAll(absl::string_view text, const std::string& file = "");

// The same for a text in that format: text for people is coloured on a terminal.
absl::Status PrintFormatted(absl::string_view text, absl::string_view format);

// The flag --format of a command that has its own output without it.
struct FormatFlag {
  std::string format;  // empty: the command's own text

  void AddTo(CLI::App& app);
  // Prints the result in the requested format, or `by_itself`. `file`: the result file, beside its other files; empty
  // if there is none.
  template <typename Result>
  absl::Status Print(const Result& result, const std::string& file, absl::string_view by_itself) const {
    const bool is_text = format.empty() || format == "text";
    return is_text ? PrintFormatted(by_itself, "text")
                   : PrintFormatted(Formatted(ViewOf(result, file), format), format);
  }
  // Writes the result file first, if there is one.
  template <typename Result>
  absl::Status WriteAndPrint(const Result& result, const std::string& file, absl::string_view by_itself,
                             int indent = 2) const {
    if (!file.empty()) TOSAIC_RETURN_IF_ERROR(PrintAll(Dump(ToJson(result), indent) + "\n", file));
    return Print(result, file, by_itself);
  }
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_FORMATTED_H_
