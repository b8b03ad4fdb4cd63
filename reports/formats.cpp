#include "reports/formats.h"

namespace tosaic {
namespace {

constexpr ReportFormat kFormats[] = {
    {"json", [](const ResultReport& report) { return Dump(ReportToJson(report), 1) + "\n"; }},
    {"junit", ReportToJunit},
    {"markdown", ReportToMarkdown},
    {"text", ReportToText},
};

}  // namespace

absl::Span<const ReportFormat> AllReportFormats() { return kFormats; }

}  // namespace tosaic
