// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the HTML report.
#ifndef TOSAIC_REPORTS_HTML_PARTS_H_
#define TOSAIC_REPORTS_HTML_PARTS_H_

#include <string>

#include "reports/template.h"
#include "results/report.h"

namespace tosaic {

// The files of reports/html/: the page and its parts, its style and its script.
absl::Span<const EmbeddedFile> HtmlTemplates();
// A part of one of these files with values in its places: HtmlPart("ir.html", "row", ...).
inline std::string HtmlPart(absl::string_view file, absl::string_view name, TemplateValues values) {
  return FillTemplate(TemplatePart(HtmlTemplates(), file, name), values);
}

// docs/findings.md.
absl::Span<const EmbeddedFile> FindingsDocument();

// A mark in the typography of a page: a dot in the middle for ".".
absl::string_view HtmlGlyph(absl::string_view mark);
// A standing's mark on its background; hidden from screen readers, which read the words.
std::string HtmlMark(absl::string_view class_name, absl::string_view mark);
// A name and a value per line.
std::string HtmlFacts(const std::vector<Fact>& facts);

// New findings, faults of the harness, then what is known.
std::string HtmlFindings(const ResultReport& report);
// The finding in docs/findings.md for a cause: "F3"; empty if there is none.
std::string HtmlDocumentation(absl::string_view cause);
// The result of a comparison, case by case.
std::string HtmlChanges(const ResultReport& report);
// Says how the IR of both sides differs.
std::string HtmlIr(const ResultReport& report);
// The mosaic with its legend, and the panel that the script fills.
std::string HtmlMosaic(const ResultReport& report);
// The tiles' data for the script, as JSON that is safe inside a script element.
std::string HtmlData(const ResultReport& report);
// The accuracy profile: a bar per op and element types.
std::string HtmlAccuracy(const ResultReport& report);
// Which blocks of MLIR's functions were reached.
std::string HtmlCoverage(const ResultReport& report);
// Says how much was really compared.
std::string HtmlJudged(const ResultReport& report);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_HTML_PARTS_H_
