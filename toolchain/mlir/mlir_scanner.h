// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR text without a parser: where statements end. MLIR has no mark for it, so this goes by brackets and by how lines
// begin and end.
#ifndef TOSAIC_TOOLCHAIN_MLIR_MLIR_SCANNER_H_
#define TOSAIC_TOOLCHAIN_MLIR_MLIR_SCANNER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tosaic {

// The text with blanks for comments and for what stands in quotes (the quotes stay): as long as the text.
std::string WithoutQuotedText(absl::string_view text);

// The end of the statement that begins at `begin`: behind its last character, all brackets closed.
// REQUIRES: the text is one of WithoutQuotedText.
size_t StatementEnd(absl::string_view text, size_t begin);

// Where `separator` stands outside of brackets and angle brackets; the ">" of "->" is no bracket.
std::vector<size_t> OutsideBrackets(absl::string_view text, char separator);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_MLIR_SCANNER_H_
