// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text from cases, diagnostics and files, made harmless for where it goes.
#ifndef TOSAIC_MODEL_ESCAPE_H_
#define TOSAIC_MODEL_ESCAPE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// Valid UTF-8 without control characters but newline and tab: those become "\x1b", and what is no UTF-8 U+FFFD.
std::string EscapeControls(absl::string_view text);

// The same in one line.
std::string OneLine(absl::string_view text);

// As EscapeControls() for text and attribute values of XML and HTML: also & < > " ' as references.
std::string EscapeMarkup(absl::string_view text);

// As inline text of Markdown, in one line: nothing in it formats, links or is HTML.
std::string EscapeMarkdown(absl::string_view text);
// As a code span of Markdown, in one line. Fit for table cells.
std::string MarkdownCode(absl::string_view text);
// As a fenced block of Markdown, with the language's name.
std::string MarkdownBlock(absl::string_view language, absl::string_view text);

// The text with "0x..." for each number of ten and more hexadecimal digits: addresses, which are others in every
// process.
std::string WithoutAddresses(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_ESCAPE_H_
