// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Templates: files in other languages (shell, C, lit tests, Markdown, HTML) with places for values. A place is a name
// in capitals between double underscores, __TITLE__, a word in each of these languages, so that their tools can read
// the template itself. Templates have no logic: an optional or repeated part is a separate text, which is the value of
// a place.
#ifndef TOSAIC_REPORTS_TEMPLATE_H_
#define TOSAIC_REPORTS_TEMPLATE_H_

#include <initializer_list>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "model/embedded_file.h"

namespace tosaic {

using TemplateValues = std::initializer_list<std::pair<absl::string_view, std::string>>;

// The text with values in its places. A place alone on its line, indented or not, stands for whole lines: its value
// ends with a newline or is empty, and replaces the line. Values are not searched for places. Ends the process if a
// place has no value, a value has no place, or a value of whole lines has no newline at its end.
std::string FillTemplate(absl::string_view text, TemplateValues values);
// The same for a single line without its newline, to be used inside another.
std::string FillTemplateLine(absl::string_view text, TemplateValues values);

// A part of one of these files. Parts are divided by comments, "# ==== name" or "# ==== name: a note" in a shell
// script; "" is the part before the first. Ends the process if there is no such file, or no such part in it.
absl::string_view TemplatePart(absl::Span<const EmbeddedFile> files, absl::string_view file,
                               absl::string_view part = "");

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_TEMPLATE_H_
