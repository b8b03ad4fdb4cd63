// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the ends of statements in MLIR text without a parser. MLIR does not mark them, so it looks at brackets and at
// how lines begin and end.
#ifndef TOSAIC_TOOLCHAIN_MLIR_MLIR_SCANNER_H_
#define TOSAIC_TOOLCHAIN_MLIR_MLIR_SCANNER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tosaic {

// The end of the word at `at`, of names with dots and the like; `at` itself if there is none.
size_t WordEnd(absl::string_view text, size_t at);
// The place of the first character from there on that is no blank; at the end if there is none.
size_t NextNoBlank(absl::string_view text, size_t at);

// The text with blanks instead of comments and quoted text (the quotes stay); its length does not change.
std::string WithoutQuotedText(absl::string_view text);

// The end of the statement that begins at `begin`: after its last character, with all brackets closed. If a func.func
// begins on a line of its own before that, no deeper than the statement's line, a bracket is missing, and the statement
// ends there: it shall not swallow the functions behind it.
// REQUIRES: the text is one of WithoutQuotedText.
size_t StatementEnd(absl::string_view text, size_t begin);

// The positions of `separator` outside of brackets and angle brackets; the ">" of "->" is not a bracket.
std::vector<size_t> OutsideBrackets(absl::string_view text, char separator);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_MLIR_SCANNER_H_
