// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Escapes text from cases, diagnostics and files for the format that it is written to.
#ifndef TOSAIC_MODEL_ESCAPE_H_
#define TOSAIC_MODEL_ESCAPE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// Valid UTF-8 without control characters other than newline and tab: others become "\x1b", and invalid bytes U+FFFD.
std::string EscapeControls(absl::string_view text);

// The same in one line.
std::string OneLine(absl::string_view text);

// EscapeControls() for text and attribute values of XML and HTML: & < > " ' become references, too.
std::string EscapeMarkup(absl::string_view text);

// The text as inline Markdown in one line: no character of it acts as formatting, a link or HTML.
std::string EscapeMarkdown(absl::string_view text);
// The text as a code span of Markdown in one line, but for the cell of a table: there MarkdownCell().
std::string MarkdownCode(absl::string_view text);
// The same for the cell of a table, which would end at a bar.
std::string MarkdownCell(absl::string_view text);
// The text as a fenced block of Markdown, with the language's name.
std::string MarkdownBlock(absl::string_view language, absl::string_view text);

// The text inside a comment of Markdown or HTML, which two hyphens and a bracket would end, in one line.
std::string InComment(absl::string_view text);

// The text with "0x..." in place of each number of ten or more hexadecimal digits: addresses, which differ between
// processes.
std::string WithoutAddresses(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_ESCAPE_H_
