// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formats of `tosaic report`: writers from a ResultReport to the text of a file, one source file each.
#ifndef TOSAIC_REPORTS_FORMATS_H_
#define TOSAIC_REPORTS_FORMATS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/json.h"
#include "results/report.h"

namespace tosaic {

struct ReportFormat {
  absl::string_view name;  // as --format takes it
  std::string (*write)(const ResultReport& report);
};
absl::Span<const ReportFormat> AllReportFormats();

// For a pull request: what is new first, details folded, shorter than GitHub's limit of 65,536 characters.
std::string ReportToMarkdown(const ResultReport& report);
// A suite per op and a test case per tile; for a comparison, a test case per case that changed. New and regressed ones
// fail. What asks for attention and is in none of these has a test case of its own.
std::string ReportToJunit(const ResultReport& report);
// Test Anything Protocol 14: a test point per tile, and one per finding or fault that asks for attention.
std::string ReportToTap(const ResultReport& report);
// For spreadsheets and scripts: a header, and a row per finding, regression or fault.
std::string ReportToCsv(const ResultReport& report);

// SARIF 2.1.0: a rule per deciding rule, a result per finding or regression; errors are new or have regressed.
Json ReportToSarif(const ResultReport& report);

// The lines about a finding in the text formats, without empty ones.
std::vector<Fact> LinesOf(const ReportFinding& finding);

// The name of a fact at the top of a page: when the result was written, which no result file says.
inline constexpr char kDateFact[] = "date";

// The message of the test-point formats about a run that did not complete.
inline constexpr char kInterrupted[] = "interrupted: what the run did not come to is not here";

// One page that needs no other file and no network: what is new, what is known, the mosaic, the accuracy profile.
std::string ReportToHtml(const ResultReport& report);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_FORMATS_H_
