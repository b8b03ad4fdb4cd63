// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/reproducer/stack_trace.h"

#include <regex>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace tosaic {

std::string StackTraceIn(absl::string_view printed) {
  // " #4 0x00007f00 mlir::f(int) (/usr/lib/libMLIR.so+0x12)"
  static const std::regex frame("^ *#[0-9]+ (0x[0-9a-fA-F]+ )");
  static const std::regex folders("(^|[ (])[./]*/[^ ()]*/");
  std::string trace;
  for (const absl::string_view line : absl::StrSplit(printed, '\n')) {
    std::string text(line);
    std::smatch found;
    const bool is_frame = std::regex_search(text, found, frame);
    if (!is_frame && !absl::StrContains(text, "Assertion") && !absl::StrContains(text, "LLVM ERROR")) continue;
    if (is_frame && absl::StrContains(text, "tosaic")) break;
    if (is_frame) text.erase(static_cast<size_t>(found.position(1)), static_cast<size_t>(found.length(1)));
    absl::StrAppend(&trace, std::regex_replace(text, folders, "$1"), "\n");
  }
  return trace;
}

}  // namespace tosaic
