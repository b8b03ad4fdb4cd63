// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzzers/crash_state.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "model/escape.h"

namespace tosaic {

std::string FatalCheckOf(absl::string_view signature) {
  static constexpr absl::string_view kDigits[] = {"zero", "one", "two",   "three", "four",
                                                  "five", "six", "seven", "eight", "nine"};
  // Time, process and place are of that form only: nothing in them differs between two runs of one input.
  std::string line = "F0101 00:00:00.000000 1 divergence:1] Check failed: ";
  for (const char c : signature) {
    if (absl::ascii_isdigit(static_cast<unsigned char>(c))) {
      absl::StrAppend(&line, "-", kDigits[c - '0']);
    } else {
      line += c == '\'' || c == '"' || c == ':' || c == '(' || c == ')' ? ' ' : c;
    }
  }
  return line;
}

std::string DedupTokenOf(absl::string_view signature) { return absl::StrCat("DEDUP_TOKEN: ", OneLine(signature)); }

}  // namespace tosaic
